// Values of any kind as the plain values that a message holds, for the formats that carry objects.

import { isRecord } from '../arguments/json.ts'
import type { WireJson, WireObject } from './messages.ts'

/**
 * A copy of `value` as JSON has it, `undefined` where it has none, for a message that is an object itself. A `bigint` becomes the text of its digits: the message
 * must survive `JSON.stringify`, and a rounded id in the history makes the model repeat the wrong call.
 */
export function wireJson(value: unknown): WireJson | undefined {
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return item.toString()
    return typeof item === 'string' ? wellFormed(item) : item
  })
  // What JSON.parse returns is JSON by definition; only its declared type says less.
  return text === undefined ? undefined : (JSON.parse(text) as WireJson)
}

/** The same for a value that is an object; anything else is no arguments at all. */
export function wireObject(value: unknown): WireObject {
  const plain = wireJson(value)
  return isWireObject(plain) ? plain : {}
}

export function isWireObject(value: WireJson | undefined): value is WireObject {
  return isRecord(value)
}

/**
 * Text that every server takes: a lone half of a surrogate pair becomes U+FFFD. Parsers that insist on valid Unicode refuse the whole
 * request for one of them, and every later request too, as it stays in the history.
 */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
