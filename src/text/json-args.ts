/** Reads arguments that are one JSON value, with or without a tag pair of their own around it. */
import { createExtent, readExtent, type Extent } from './json-extent.ts'
import { matchLiteral, MORE, NO, skipSpace } from './literals.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'
import type { Shape } from './row.ts'

export interface JsonArgsState extends ReaderState {
  readonly kind: 'json'
  at: 'open' | 'value' | 'close'
  readonly extent: Extent
}

export function createJsonArgs(): JsonArgsState {
  return { kind: 'json', status: 'reading', at: 'open', extent: createExtent() }
}

/** Begins at the first character that is no white space. No value at all is an absent one, which the verdict judges. */
export function readJsonArgs(
  state: JsonArgsState,
  shape: Shape & { kind: 'json' },
  text: string,
  i: number,
  port: CallPort,
): number {
  if (state.at === 'open') {
    if (shape.open !== undefined) {
      const end = matchLiteral(text, i, shape.open)
      if (end === MORE) return i
      if (end === NO) {
        state.status = 'done'
        return i
      }
      i = end
    }
    state.at = 'value'
  }
  if (state.at === 'value') {
    if (state.extent.kind === 'none') {
      const start = skipSpace(text, i)
      if (start === MORE) return i
      if (start === NO) return refuse(state, 'a JSON object', i)
      i = start
      if (!isValueStart(text.charCodeAt(i))) {
        state.at = 'close'
        if (shape.close === undefined) state.status = 'done'
      }
    }
    if (state.at === 'value') {
      const end = readExtent(state.extent, text, i)
      if (end > i) port.append(text.slice(i, end))
      i = end
      if (!state.extent.done) return i
      state.at = 'close'
    }
    if (shape.close === undefined) state.status = 'done'
  }
  return state.status === 'done' || shape.close === undefined ? i : readClose(state, shape.close, text, i)
}

function readClose(state: JsonArgsState, close: string, text: string, i: number): number {
  const start = skipSpace(text, i)
  if (start === MORE) return i
  const end = start === NO ? NO : matchLiteral(text, start, close)
  if (end === MORE) return i
  if (end === NO) return refuse(state, `"${close}"`, i)
  state.status = 'done'
  return end
}

function refuse(state: JsonArgsState, expected: string, i: number): number {
  fail(state, expected)
  return i
}

/** What a JSON value, or what models write in its place, begins with. */
export function isValueStart(code: number): boolean {
  return (
    code === 123 ||
    code === 91 ||
    code === 34 ||
    code === 39 ||
    code === 45 ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122)
  )
}
