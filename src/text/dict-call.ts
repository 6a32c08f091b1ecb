/** Reads a call that is a name and a dict with bare keys: `call:f{city:<|"|>Paris<|"|>}`. */
import { matchLiteral, MORE } from './literals.ts'
import { createOpenObject, readLiteral, type LiteralState } from './literal.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'
import type { Shape } from './row.ts'

const maxName = 128

export interface DictState extends ReaderState {
  readonly kind: 'dict'
  at: 'open' | 'name' | 'arguments'
  name: string
  readonly literal: LiteralState
}

export function createDict(): DictState {
  return { kind: 'dict', status: 'reading', at: 'open', name: '', literal: createOpenObject() }
}

export function readDict(
  state: DictState,
  shape: Shape & { kind: 'dict' },
  text: string,
  i: number,
  port: CallPort,
): number {
  if (state.at === 'open') {
    const end = matchLiteral(text, i, shape.open)
    if (end === MORE) return i
    if (end < 0) return stop(state, i, `"${shape.open}"`)
    state.at = 'name'
    i = end
  }
  if (state.at === 'name') {
    const view = text.slice(i, i + maxName - state.name.length)
    const length = view.search(/[{<>"\n(]/)
    const end = i + (length < 0 ? view.length : length)
    state.name += text.slice(i, end)
    if (length < 0 && state.name.length < maxName) return end
    if (text.charAt(end) !== '{') return stop(state, end, 'a name and "{"')
    const name = state.name.trim()
    if (name === '') return stop(state, end, 'the name of a tool')
    port.open(name, null)
    port.append('{')
    state.at = 'arguments'
    i = end + 1
  }
  const rules = { mark: shape.quote, bareKeys: true, commas: shape.commas }
  const end = readLiteral(state.literal, rules, text, i, (json) => port.append(json))
  if (state.literal.status === 'done') state.status = 'done'
  else if (state.literal.status === 'fault') {
    port.append(state.literal.token)
    return stop(state, end, state.literal.expected)
  }
  return end
}

function stop(state: DictState, i: number, expected: string): number {
  fail(state, expected)
  return i
}
