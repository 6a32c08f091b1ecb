// Text inside text: arguments that were encoded as a JSON string once too often, and the way back to the offsets of what came in.

import { backslash, quotationMark } from './characters.ts'
import { readEscape } from './escapes.ts'

export interface Layer {
  readonly text: string
  /** What this text was decoded from, and where the decoded stretch begins there. Absent for the text as it came. */
  readonly source?: { readonly layer: Layer; readonly start: number }
}

/** The offset in the text as it came. One pass over the encoded text for each layer, so it is for the few places that are handed out. */
export function rawOffset(layer: Layer, offset: number): number {
  let current = layer
  let result = offset
  while (current.source) {
    const { layer: outer, start } = current.source
    result = encodedOffset(outer.text, start, result)
    current = outer
  }
  return result
}

function encodedOffset(text: string, start: number, units: number): number {
  let at = start
  for (let unit = 0; unit < units && at < text.length; unit++) {
    if (text.charCodeAt(at) !== backslash) at++
    else at += text[at + 1] === 'u' ? 6 : 2
  }
  return Math.min(at, text.length)
}

export type Decoded =
  | { readonly type: 'text'; readonly text: string }
  /** The text ends within an escape. */
  | { readonly type: 'cut' }
  | {
      readonly type: 'fault'
      readonly code: 'malformed' | 'invalid-escape'
      readonly at: number
      readonly expected: string
    }

/** Undoes the escaping of an object that was inside a string and lost the quotes around it. A bare quote means that only parts of it were. */
export function decodeEscaped(text: string, start: number): Decoded {
  const parts: string[] = []
  let from = start
  for (let at = start; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === quotationMark)
      return { type: 'fault', code: 'malformed', at, expected: 'every quote escaped, or none' }
    if (code !== backslash) {
      at++
      continue
    }
    const escape = readEscape(text, at)
    if (escape.type === 'cut') return escape
    if (escape.type === 'invalid') return { type: 'fault', code: 'invalid-escape', at, expected: 'an escape of JSON' }
    parts.push(text.slice(from, at), escape.decoded)
    at += escape.length
    from = at
  }
  parts.push(text.slice(from))
  return { type: 'text', text: parts.join('') }
}
