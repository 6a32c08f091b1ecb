// Servers that parse calls themselves and leave their text in place: one call is reported once.

import { describe, expect, it } from 'vitest'
import { Ledger } from '../../src/assembly/ledger.ts'
import type { LedgerItem, Turn } from '../../src/assembly/turn.ts'
import type { BookedDelta } from '../../src/model/booked.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import { defaultLimits } from '../../src/model/limits.ts'
import { textCalls } from '../../src/text/stage.ts'

const inText = '<tool_call>\n{"name": "search", "arguments": {"q": "cats", "n": 2}}\n</tool_call>'
const text = (delta: string): WireDelta => ({ type: 'text', choice: 0, delta })
const fragment = (
  index: number | null,
  id: string | null,
  name: string | null,
  args: string | null,
  choice = 0,
): WireDelta => ({
  type: 'call-fragment',
  choice,
  index,
  id,
  name,
  arguments: args,
})

function turnOf(deltas: readonly WireDelta[]): { readonly items: readonly LedgerItem[]; readonly turn: Turn } {
  const items: LedgerItem[] = []
  const ledger = new Ledger(
    { tools: undefined, limits: defaultLimits, partialArguments: false },
    { push: (item) => void items.push(item), end: () => undefined },
  )
  const stage = textCalls({ formats: ['hermes'] })(ledger)
  for (const delta of deltas) stage.push(delta)
  stage.push({ type: 'end' })
  stage.end()
  const over = items.find((item) => item.type === 'turn-over')
  if (over?.type !== 'turn-over') throw new Error('the turn never ended')
  return { items, turn: over.turn }
}

const callsOf = ({ calls }: Turn): unknown[] =>
  calls.map(({ name, wireId, text: args }) => [name, wireId, JSON.parse(args.toString() || '{}')])

describe('a call in the text and on the wire', () => {
  it('is reported once when the wire comes first', () => {
    const { turn } = turnOf([
      fragment(0, 'call_a', 'search', '{"n":2,'),
      fragment(0, null, null, '"q":"cats"}'),
      text(inText),
    ])
    expect(callsOf(turn)).toEqual([['search', 'call_a', { q: 'cats', n: 2 }]])
    expect(turn.warnings.map(({ code }) => code)).toEqual(['suppressed-call'])
  })

  it('is reported once when the text comes first, and gets the id of the wire', () => {
    const { turn, items } = turnOf([
      text(inText),
      fragment(0, 'call_a', 'search', '{"n":2,'),
      fragment(0, null, null, '"q":"cats"}'),
    ])
    expect(callsOf(turn)).toEqual([['search', 'call_a', { q: 'cats', n: 2 }]])
    expect(items.filter(({ type }) => type === 'tool-call-start')).toHaveLength(1)
    expect(turn.warnings.map(({ code }) => code)).toEqual(['suppressed-call'])
  })

  it('is reported once when the wire brings it whole under a key', () => {
    const keyed: WireDelta[] = [
      { type: 'call-open', choice: 0, key: 3, wireIndex: 3, id: 'call_b', name: 'search', kind: 'function' },
      { type: 'call-append', key: 3, delta: '{"q":"cats","n":2}' },
      { type: 'call-close', key: 3 },
    ]
    for (const deltas of [
      [text(inText), ...keyed],
      [...keyed, text(inText)],
    ]) {
      const { turn } = turnOf(deltas)
      expect(callsOf(turn)).toEqual([['search', 'call_b', { q: 'cats', n: 2 }]])
    }
  })

  it('is two calls when the arguments differ', () => {
    const { turn } = turnOf([text(inText), fragment(0, 'call_a', 'search', '{"q":"dogs"}')])
    expect(callsOf(turn)).toEqual([
      ['search', null, { q: 'cats', n: 2 }],
      ['search', 'call_a', { q: 'dogs' }],
    ])
    expect(turn.warnings).toEqual([])
  })

  it('is two calls of the text when the wire has it once', () => {
    const { turn } = turnOf([text(inText + inText), fragment(0, 'call_a', 'search', '{"q":"cats","n":2}')])
    expect(callsOf(turn)).toHaveLength(2)
    expect(turn.warnings).toHaveLength(1)
  })

  it('stands for one other call only, of equal ones the first for the first', () => {
    const pushed: BookedDelta[] = []
    const stage = textCalls({ formats: ['hermes'] })({ push: (delta) => void pushed.push(delta), end: () => undefined })
    stage.push(text(inText.repeat(3)))
    const arguments_ = '{"q":"cats","n":2}'
    const ids = ['call_a', 'call_b', 'call_c', 'call_d']
    ids.forEach((id, n) => stage.push(fragment(n, id, 'search', arguments_)))
    stage.end()
    const opened = pushed.flatMap((delta) => (delta.type === 'call-open' ? [delta.key] : []))
    const named = pushed.flatMap((delta) => (delta.type === 'call-final' ? [[delta.key, delta.id]] : []))
    expect(named).toEqual(opened.map((key, n) => [key, ids[n]]))
    const passed = pushed.flatMap((delta) => (delta.type === 'call-fragment' ? [delta.id] : []))
    expect(passed).toEqual(['call_d'])
  })

  it('is two calls in two choices', () => {
    const { turn } = turnOf([text(inText), fragment(0, 'call_a', 'search', '{"q":"cats","n":2}', 1)])
    expect(callsOf(turn)).toHaveLength(2)
  })

  it('keeps the order of the wire when a possible copy turns out to be another call', () => {
    const { turn } = turnOf([
      text(inText),
      fragment(0, 'call_a', 'search', '{"q":"x"}'),
      fragment(1, 'call_b', 'other', '{"a":'),
      fragment(1, null, null, '1}'),
    ])
    expect(callsOf(turn)).toEqual([
      ['search', null, { q: 'cats', n: 2 }],
      ['search', 'call_a', { q: 'x' }],
      ['other', 'call_b', { a: 1 }],
    ])
  })

  it('does not hold back calls of other names', () => {
    const pushed: BookedDelta[] = []
    const stage = textCalls({ formats: ['hermes'] })({ push: (delta) => void pushed.push(delta), end: () => undefined })
    stage.push(fragment(0, 'call_a', 'other', '{}'))
    stage.push(text(inText.slice(0, 60)))
    expect(pushed.some(({ type }) => type === 'call-append')).toBe(true)
  })
})
