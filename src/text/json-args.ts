// Reads arguments that are one JSON value, with or without a tag pair of their own around it. Its parts come once each, in one order,
// so functions in a row read them.

import { apostrophe, isDigit, minus, openBrace, openBracket, quotationMark } from '../arguments/characters.ts'
import { isLetter } from './characters.ts'
import { createExtent, readExtent, type Extent } from './json-extent.ts'
import { matchBehindLayout, matchLiteral, noMatch, skipLayout } from './match.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'
import type { Shape } from './row.ts'

export interface JsonArgsState extends ReaderState {
  readonly kind: 'json'
  at: 'open' | 'start' | 'value' | 'close'
  readonly extent: Extent
}

type JsonShape = Shape & { readonly kind: 'json' }

export function createJsonArgs(): JsonArgsState {
  return { kind: 'json', status: 'reading', at: 'open', extent: createExtent() }
}

/** Begins at the first character that is no white space. No value at all is an absent one, which the verdict judges. */
export function readJsonArgs(state: JsonArgsState, shape: JsonShape, text: string, i: number, port: CallPort): number {
  let at = i
  if (state.at === 'open') at = readOpen(state, shape, text, at)
  if (state.at === 'start') at = readStart(state, text, at)
  if (state.at === 'value') at = readValue(state, text, at, port)
  return state.at === 'close' ? readClose(state, shape, text, at) : at
}

function readOpen(state: JsonArgsState, { open = '' }: JsonShape, text: string, i: number): number {
  const end = matchLiteral(text, i, open)
  if (end === noMatch) state.status = 'done'
  if (end < 0) return i
  state.at = 'start'
  return end
}

function readStart(state: JsonArgsState, text: string, i: number): number {
  const start = skipLayout(text, i)
  if (start === noMatch) fail(state, 'a JSON object')
  if (start < 0) return i
  state.at = beginsValue(text.charCodeAt(start)) ? 'value' : 'close'
  return start
}

/** Whether a JSON value, or what models write in its place, begins so. */
function beginsValue(code: number): boolean {
  switch (code) {
    case openBrace:
    case openBracket:
    case quotationMark:
    case apostrophe:
    case minus:
      return true
    default:
      return isDigit(code) || isLetter(code)
  }
}

function readValue(state: JsonArgsState, text: string, i: number, port: CallPort): number {
  const end = readExtent(state.extent, text, i)
  port.append(text.slice(i, end))
  if (state.extent.done) state.at = 'close'
  return end
}

function readClose(state: JsonArgsState, { close }: JsonShape, text: string, i: number): number {
  if (close === undefined) {
    state.status = 'done'
    return i
  }
  const end = matchBehindLayout(text, i, close)
  if (end === noMatch) fail(state, `"${close}"`)
  if (end < 0) return i
  state.status = 'done'
  return end
}
