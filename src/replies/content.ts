// What a tool returned, as text. Most formats carry results as text and nothing else.

import { jsonText } from '../arguments/json.ts'
import { wellFormed, wireJson } from './json.ts'
import type { WireJson } from './messages.ts'

/**
 * Text is itself; anything else is its JSON; nothing at all is `''`.
 * @throws TypeError where the value has no JSON, or holds itself.
 */
export function outputText(output: unknown): string {
  if (output === undefined) return ''
  if (typeof output === 'string') return wellFormed(output)
  const text = jsonText(output)
  if (text === undefined) throw noJson(output)
  return text
}

/** The same where a format carries any JSON value. */
export function outputJson(output: unknown): WireJson {
  const json = wireJson(outputValue(output))
  if (json === undefined) throw noJson(output)
  return json
}

/** The same as a value that stands inside another one. */
export function outputValue(output: unknown): unknown {
  if (output === undefined) return ''
  if (typeof output === 'function' || typeof output === 'symbol') throw noJson(output)
  return typeof output === 'string' ? wellFormed(output) : output
}

function noJson(output: unknown): TypeError {
  return new TypeError(`A tool's output can't be a ${typeof output}: it has no JSON`)
}
