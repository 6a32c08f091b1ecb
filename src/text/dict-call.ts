// Reads a call that is a name and a dict with bare keys: `call:f{city:<|"|>Paris<|"|>}`. Opening, name and dict come once each,
// in this order, so three functions in a row read it.

import { matchLiteral, noMatch } from './match.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'
import { createOpenObject, readPythonValue, type ValueState } from './python-value.ts'
import type { Shape } from './row.ts'

const maxName = 128

export interface DictState extends ReaderState {
  readonly kind: 'dict'
  at: 'open' | 'name' | 'arguments'
  name: string
  readonly value: ValueState
}

type DictShape = Shape & { readonly kind: 'dict' }

export function createDict(): DictState {
  return { kind: 'dict', status: 'reading', at: 'open', name: '', value: createOpenObject() }
}

export function readDict(state: DictState, shape: DictShape, text: string, i: number, port: CallPort): number {
  let at = i
  if (state.at === 'open') at = readOpen(state, shape, text, at)
  if (state.at === 'name') at = readName(state, text, at, port)
  return state.at === 'arguments' ? readArguments(state, shape, text, at, port) : at
}

function readOpen(state: DictState, { open }: DictShape, text: string, i: number): number {
  const end = matchLiteral(text, i, open)
  if (end === noMatch) fail(state, `"${open}"`)
  if (end < 0) return i
  state.at = 'name'
  return end
}

function readName(state: DictState, text: string, i: number, port: CallPort): number {
  const view = text.slice(i, i + maxName - state.name.length)
  const length = view.search(/[{<>"\n(]/)
  const end = length < 0 ? i + view.length : i + length
  state.name += text.slice(i, end)
  if (length < 0 && state.name.length < maxName) return end
  const name = state.name.trim()
  if (text.charAt(end) !== '{') fail(state, 'a name and "{"')
  else if (name === '') fail(state, 'the name of a tool')
  else if (!port.mayOpen(name)) fail(state, 'the name of a tool of this turn')
  if (state.status === 'fault') return end
  port.open(name, null)
  port.append('{')
  state.at = 'arguments'
  return end + 1
}

function readArguments(state: DictState, shape: DictShape, text: string, i: number, port: CallPort): number {
  const { value } = state
  const end = readPythonValue(value, { mark: shape.quote, bareKeys: true, commas: shape.commas }, text, i, port)
  if (value.status === 'done') state.status = 'done'
  else if (value.fault) {
    port.append(value.token)
    fail(state, value.fault.expected)
  }
  return end
}
