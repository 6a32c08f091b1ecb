import { describe, expect, it } from 'vitest'
import type { WireDelta } from '../../src/model/deltas.ts'
import { book } from './support.ts'

const open = (block: number | null): WireDelta => ({ type: 'kept-open', block })
const said = (type: 'text' | 'reasoning', delta: string): WireDelta => ({ type, choice: 0, delta })
const thinking = (block: number, signature: string): WireDelta => ({
  type: 'kept-close',
  block,
  value: { signature },
  textAt: ['thinking'],
})
const result = (block: number, value: string): WireDelta => ({ type: 'kept-close', block, value: { value } })
const call = (key: number): WireDelta[] => [
  {
    type: 'call-open',
    choice: 0,
    key,
    wireIndex: key,
    id: `t${key}`,
    name: 'f',
    kind: 'function',
    extra: { caller: 'm' },
  },
  { type: 'call-append', key, delta: '{}' },
]
const damage: WireDelta = { type: 'damage', warning: { code: 'malformed-event', message: 'x' } }

const extras = (...deltas: readonly WireDelta[]): unknown[] => book(deltas).result.calls.map(({ extra }) => extra)

describe('blocks that must go back', () => {
  it('go with the next call, beside what it has of its own, each with the text that stood before it', () => {
    expect(
      extras(
        open(0),
        said('reasoning', 'a'),
        thinking(0, 's0'),
        said('text', 'Hi.'),
        open(1),
        said('reasoning', 'b'),
        said('reasoning', 'c'),
        thinking(1, 's1'),
        ...call(2),
        ...call(3),
        open(2),
        said('reasoning', 'd'),
        thinking(2, 's2'),
        ...call(5),
      ),
    ).toEqual([
      {
        caller: 'm',
        blocks: [
          { at: 0, block: { signature: 's0', thinking: 'a' } },
          { at: 3, block: { signature: 's1', thinking: 'bc' } },
        ],
      },
      { caller: 'm' },
      { caller: 'm', blocks: [{ at: 3, block: { signature: 's2', thinking: 'd' } }] },
    ])
  })

  it('go with the last call where none follows', () => {
    expect(extras(open(0), result(0, 'a'), ...call(1), open(1), result(1, 'b'), said('text', 'end'))).toEqual([
      {
        caller: 'm',
        blocks: [
          { at: 0, block: { value: 'a' } },
          { at: 0, block: { value: 'b' } },
        ],
      },
    ])
  })

  it('go nowhere in a turn without calls, and leave no trace in it', () => {
    const { result: turn, events } = book([open(0), said('reasoning', 'a'), thinking(0, 's')])
    expect(turn.reasoning).toBe('a')
    expect(events.map(({ type }) => type)).toEqual(['reasoning-delta', 'finish'])
    expect(book([open(0)]).result.choices).toEqual(book([]).result.choices)
  })

  it('have the reasoning that was said for them alone', () => {
    expect(
      extras(
        said('reasoning', 'before '),
        open(0),
        open(1),
        said('reasoning', 'one'),
        open(0),
        said('reasoning', 'zero'),
        open(null),
        said('reasoning', 'nobody'),
        open(1),
        said('reasoning', ' more'),
        thinking(1, 's1'),
        said('reasoning', 'after'),
        thinking(0, 's0'),
        ...call(2),
      ),
    ).toMatchObject([{ blocks: [{ block: { thinking: 'one more' } }, { block: { thinking: 'zero' } }] }])
  })

  it('are given up where the wire says that nothing of them can go back', () => {
    expect(extras(open(0), { type: 'kept-close', block: 0, value: null }, ...call(1))).toEqual([{ caller: 'm' }])
  })

  it('are given up where an event was lost that may have been a part of them, while closed ones stay', () => {
    expect(
      extras(open(0), result(0, 'a'), open(1), said('reasoning', 'x'), damage, thinking(1, 's'), ...call(2)),
    ).toEqual([{ caller: 'm', blocks: [{ at: 0, block: { value: 'a' } }] }])
  })
})
