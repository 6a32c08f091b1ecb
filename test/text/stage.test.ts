// The text stage among the others: choices, endings, lost events, and whatever else passes by.

import { describe, expect, it } from 'vitest'
import type { BookedDelta } from '../../src/model/booked.ts'
import type { FinishKind, WireDelta } from '../../src/model/deltas.ts'
import type { Warning } from '../../src/model/events.ts'
import { textCalls } from '../../src/text/stage.ts'

function run(deltas: readonly WireDelta[]): readonly BookedDelta[] {
  const out: BookedDelta[] = []
  let ended = 0
  const stage = textCalls({ formats: ['hermes'] })({ push: (delta) => void out.push(delta), end: () => void ended++ })
  for (const delta of deltas) stage.push(delta)
  stage.end()
  expect(ended).toBe(1)
  return out
}

const text = (delta: string, choice = 0): WireDelta => ({ type: 'text', choice, delta })
const finish = (kind: FinishKind, choice = 0): WireDelta => ({ type: 'finish', choice, raw: kind, kind })
const fate = (deltas: readonly BookedDelta[]): string[] =>
  deltas.flatMap((delta) =>
    delta.type === 'call-close' ? ['closed'] : delta.type === 'call-reject' ? [delta.code] : [],
  )
const open = '<tool_call>{"name": "f", "arguments": {"a": 1}}'

describe('the stage', () => {
  it('lets everything but text pass as it is, in order', () => {
    const others: WireDelta[] = [
      { type: 'reasoning', choice: 0, delta: '<tool_call>{"name": "f", "arguments": {}}</tool_call>' },
      { type: 'refusal', choice: 0, delta: '<tool_call>' },
      { type: 'sequence', number: 1 },
      { type: 'usage', usage: { raw: null } },
      { type: 'server-call', call: { id: 'a', name: 'b', kind: 'c', argumentsText: '' } },
      { type: 'call-fragment', choice: 0, index: 0, id: 'a', name: 'f', arguments: '{}' },
      { type: 'error', error: { code: 'x', message: 'y' } },
    ]
    expect(run([text('a'), ...others, text('b')])).toEqual([text('a'), ...others, text('b')])
  })

  it('reads each choice for itself', () => {
    const out = run([text('<tool_call>', 0), text('hello', 1), text('{"name": "f", "arguments": {}}</tool_call>', 0)])
    expect(out.filter(({ type }) => type === 'text')).toEqual([text('hello', 1)])
    expect(out.flatMap((delta) => (delta.type === 'call-open' ? [[delta.choice, delta.name]] : []))).toEqual([[0, 'f']])
  })

  it('gives calls keys that no wire has', () => {
    const keys = run([text(`${open}</tool_call>${open}</tool_call>`), text(`${open}</tool_call>`, 1)]).flatMap(
      (delta) => (delta.type === 'call-open' ? [delta.key] : []),
    )
    expect(new Set(keys).size).toBe(3)
    expect(keys.every((key) => typeof key === 'string' && key.startsWith('text:'))).toBe(true)
  })

  it('hands on what it held before it says that the stream is over', () => {
    expect(run([text('a <tool'), { type: 'end' }])).toEqual([text('a '), text('<tool'), { type: 'end' }])
  })
})

describe('an open block', () => {
  it.each<[string, readonly WireDelta[], string]>([
    ['a clean reason', [finish('clean')], 'closed'],
    ['the end marker', [{ type: 'end' }], 'closed'],
    ['a reason that nobody knows', [finish('other')], 'closed'],
    ['a clean reason and the marker', [finish('clean'), { type: 'end' }], 'closed'],
    ['the output limit', [finish('length')], 'truncated'],
    ['the context window', [finish('context-window'), { type: 'end' }], 'truncated'],
    ['a filter', [finish('filter')], 'truncated'],
    ['somebody’s stop', [finish('stopped')], 'truncated'],
    ['a clean reason behind a worse one', [finish('length'), finish('clean')], 'truncated'],
    ['an error', [finish('clean'), { type: 'error', error: { code: 'x', message: 'y' } }], 'truncated'],
    ['nothing at all', [], 'truncated'],
  ])('is judged by how the stream ended: %s', (_, ending, expected) => {
    expect(fate(run([text(open), ...ending]))).toEqual([expected])
  })

  it('is judged by the ending of its own choice', () => {
    expect(fate(run([text(open, 0), text(open, 1), finish('length', 1), finish('clean', 0)]))).toEqual([
      'closed',
      'truncated',
    ])
  })
})

describe('a lost event', () => {
  const warning: Warning = { code: 'malformed-event', message: 'lost' }
  const damage: WireDelta = { type: 'damage', warning }
  const retold = (deltas: readonly BookedDelta[]): unknown[] =>
    deltas.flatMap((delta) => (delta.type === 'retold' ? [delta.damage] : []))
  const keyed = (deltas: readonly BookedDelta[]): number => retold(deltas).length

  it('damages the call whose name had not come', () => {
    expect(keyed(run([text('<tool_call>'), damage, text('{"name": "f", "arguments": {}}</tool_call>')]))).toBe(1)
    expect(keyed(run([text('<tool_call>{"na'), damage, text('me": "f", "arguments": {}}</tool_call>')]))).toBe(1)
    expect(keyed(run([text('<tool_c'), damage, text('all>{"name": "f", "arguments": {}}</tool_call>')]))).toBe(1)
  })

  it('is told once more, of that call alone, and no cut behind it takes its place', () => {
    const cut: WireDelta = { type: 'cut', warning: { code: 'unterminated-event', message: 'cut' } }
    const deltas = run([text('<tool_call>'), damage, cut, text('{"name": "f", "arguments": {}}</tool_call>')])
    const [opened] = deltas.flatMap((delta) => (delta.type === 'call-open' ? [delta.key] : []))
    expect(retold(deltas)).toEqual([{ type: 'call-damage', key: opened, warning }])
    expect(keyed(run([text('<tool_call>'), cut, text('{"name": "f", "arguments": {}}</tool_call>')]))).toBe(0)
  })

  it('says nothing about a call that begins later, and leaves an open one to the ledger', () => {
    expect(keyed(run([text('a '), damage, text(`${open}</tool_call>`)]))).toBe(0)
    expect(keyed(run([text(open), damage, text('</tool_call>')]))).toBe(0)
    expect(keyed(run([text('<tool_c'), damage, text(`ave> ${open}</tool_call>`)]))).toBe(0)
  })
})
