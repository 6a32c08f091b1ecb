// Values of any kind as JSON: text for the formats that carry results as text, plain values for those that carry objects.

import { isRecord } from '../arguments/json.ts'
import type { WireJson, WireObject } from './messages.ts'

/**
 * `value` as JSON text, `undefined` where it has none (a function, a symbol). As `JSON.stringify`, except that a `bigint` becomes the
 * number that it is, digit by digit.
 */
export function jsonText(value: unknown): string | undefined {
  return write(value, '', new Set())
}

/** `within` holds the containers that are being written around `value`; each one takes itself out again. */
function write(given: unknown, key: string, within: Set<object>): string | undefined {
  const value = served(given, key)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null || isBoxed(value)) return JSON.stringify(value)
  if (within.has(value)) throw new TypeError('The value holds itself: JSON has no way to write that')
  within.add(value)
  const text = Array.isArray(value)
    ? `[${value.map((item, n) => write(item, String(n), within) ?? 'null').join(',')}]`
    : `{${Object.entries(value)
        .flatMap(([name, item]) => member(name, write(item, name, within)))
        .join(',')}}`
  within.delete(value)
  return text
}

/** JSON leaves out a member that has no text. */
function member(name: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
}

/** What the value wants to be written as: dates and many classes bring a `toJSON`. */
function served(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value
  return typeof value.toJSON === 'function' ? value.toJSON(key) : value
}

function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean
}

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
