import { describe, expect, it } from 'vitest'
import type { WireDelta } from '../../src/model/deltas.ts'
import type { Warning } from '../../src/model/events.ts'
import { book, clean, fates, fragment } from './support.ts'

const open = (key: number | string, name: string, id: string | null = null): WireDelta => ({
  type: 'call-open',
  choice: 0,
  key,
  wireIndex: key,
  id,
  name,
  kind: 'function',
})
const append = (key: number | string, delta: string): WireDelta => ({ type: 'call-append', key, delta })
const close = (key: number | string): WireDelta => ({ type: 'call-close', key })
const final = (key: number, args: string, more: object = {}): WireDelta => ({
  type: 'call-final',
  key,
  arguments: args,
  id: null,
  name: null,
  ...more,
})
const lost: Warning = { code: 'malformed-event', message: 'x', raw: '{' }
const damage: WireDelta = { type: 'damage', warning: lost }

describe('calls under the wire’s own keys', () => {
  it('are told apart by their keys, however they interleave', () => {
    const { result, events } = book([
      open(1, 'f', 'a'),
      open(2, 'g', 'b'),
      append(1, '{"a"'),
      append(2, '{"b":2}'),
      append(1, ':1}'),
      clean,
    ])
    expect(fates(result)).toEqual([
      ['f', { a: 1 }],
      ['g', { b: 2 }],
    ])
    expect(events.filter((event) => event.type === 'tool-call-start')).toHaveLength(2)
  })

  it('leave a key to the call that opened it last', () => {
    const { result } = book([open(1, 'f'), append(1, '{"a":1}'), open(1, 'g'), append(1, '{"b":2}'), clean])
    expect(fates(result)).toEqual([
      ['f', { a: 1 }],
      ['g', { b: 2 }],
    ])
  })

  it('report a fragment that no call was opened for, which may be that of any open one', () => {
    const { result } = book([
      open(1, 'f'),
      append(1, '{"a":1}'),
      close(1),
      open(2, 'g'),
      append(9, '{"lost":1}'),
      open(3, 'h'),
      append(3, '{}'),
      clean,
    ])
    expect(result.warnings).toMatchObject([{ code: 'orphan-fragment', raw: '{"lost":1}' }])
    expect(fates(result)).toEqual([
      ['f', { a: 1 }],
      ['g', 'ambiguous'],
      ['h', {}],
    ])
    expect(result.finish.truncated).toBe(true)
  })

  it('take such a fragment for that of a call whose opening was lost, where an event was', () => {
    const { result } = book([damage, open(2, 'g'), append(1, '{"lost":1}'), append(2, '{}'), clean])
    expect(fates(result)).toEqual([['g', {}]])
    expect(result.warnings).toHaveLength(2)
  })
})

describe('the wire’s own repetition of the arguments', () => {
  it('is the text where no fragment came', () => {
    expect(fates(book([open(1, 'f'), final(1, '{"a":1}'), clean]).result)).toEqual([['f', { a: 1 }]])
  })

  it('confirms the fragments, and fills in id and name', () => {
    const { result } = book([open(1, ''), append(1, '{"a":1}'), final(1, '{"a":1}', { id: 'late', name: 'f' }), clean])
    expect(fates(result)).toEqual([['f', { a: 1 }]])
    expect(result.calls[0]?.wireId).toBe('late')
    expect(result.warnings).toEqual([])
  })

  it('damages the call that it contradicts, even one that was closed', () => {
    const { result } = book([
      open(1, 'f'),
      append(1, '{"a":1}'),
      close(1),
      open(2, 'g'),
      append(2, '{}'),
      final(1, '{"a":2}'),
      clean,
    ])
    expect(fates(result)).toEqual([
      ['f', 'damaged'],
      ['g', {}],
    ])
    expect(result.warnings).toMatchObject([{ code: 'arguments-mismatch', raw: '{"a":2}' }])
  })

  it('says nothing when it is blank', () => {
    expect(fates(book([open(1, 'f'), append(1, '{"a":1}'), final(1, ''), clean]).result)).toEqual([['f', { a: 1 }]])
  })
})

describe('a damaged event', () => {
  it('taints every open call of every choice, and no closed one', () => {
    const { result } = book([
      open(1, 'f'),
      append(1, '{"a":1}'),
      close(1),
      open(2, 'g'),
      append(2, '{"b":2}'),
      fragment({ choice: 1, index: 0, name: 'h', arguments: '{"c":3}' }),
      damage,
      { type: 'finish', choice: 1, raw: 'stop', kind: 'clean' },
      clean,
    ])
    expect(fates(result)).toEqual([
      ['f', { a: 1 }],
      ['g', 'damaged'],
      ['h', 'damaged'],
    ])
    expect(result.finish.truncated).toBe(true)
    expect(result.warnings).toHaveLength(1)
  })

  it('taints the call that it names and no other', () => {
    const { result } = book([
      open(1, 'f'),
      append(1, '{}'),
      open(2, 'g'),
      append(2, '{}'),
      { type: 'call-damage', key: 2, warning: lost },
      clean,
    ])
    expect(fates(result)).toEqual([
      ['f', {}],
      ['g', 'damaged'],
    ])
  })

  it('taints a later call that does not open with its own name', () => {
    const later = (name: string | null): unknown =>
      fates(
        book([damage, fragment({ index: 0, name, arguments: '{"a":1}' }), fragment({ index: 0, name: 'f' }), clean])
          .result,
      )
    expect(later('f')).toEqual([['f', { a: 1 }]])
    expect(later(null)).toEqual([['f', 'damaged']])
  })

  it('is missing nothing if it was no event and no call was open', () => {
    const stray: WireDelta = { type: 'stray', warning: lost }
    const before = book([stray, open(1, 'f'), append(1, '{}'), clean]).result
    expect([fates(before), before.finish.truncated]).toEqual([[['f', {}]], false])
    const inside = book([open(1, 'f'), append(1, '{}'), stray, clean]).result
    expect([fates(inside), inside.finish.truncated]).toEqual([[['f', 'damaged']], true])
  })

  it('is what a gap in the wire’s own count is', () => {
    const count = (number: number): WireDelta => ({ type: 'sequence', number })
    const { result } = book([count(4), open(1, 'f'), count(5), append(1, '{"a":1}'), count(7), close(1), clean])
    expect(fates(result)).toEqual([['f', 'damaged']])
    expect(fates(book([count(4), open(1, 'f'), count(5), append(1, '{}'), count(5), count(6), clean]).result)).toEqual([
      ['f', {}],
    ])
  })
})

describe('limits', () => {
  it('refuse the call that is too long, say so once, and leave the others alone', () => {
    const { result, events } = book(
      [
        open(1, 'f'),
        append(1, '{"a":"'),
        append(1, 'x'.repeat(100)),
        append(1, 'y"}'),
        open(2, 'g'),
        append(2, '{"b":2}'),
        clean,
      ],
      { limits: { maxArgumentBytes: 50 } },
    )
    expect(fates(result)).toEqual([
      ['f', 'over-limit'],
      ['g', { b: 2 }],
    ])
    expect(result.errors).toMatchObject([{ code: 'over-limit' }])
    const deltas = events.filter((event) => event.type === 'tool-call-delta' && event.index === 0)
    expect(deltas.map((event) => event.type === 'tool-call-delta' && event.delta).join('')).toBe(
      result.calls[0]?.argumentsText,
    )
  })

  it('count bytes, not characters', () => {
    const under = '{"a":"é"}'
    expect(fates(book([open(1, 'f'), append(1, under), clean], { limits: { maxArgumentBytes: 10 } }).result)).toEqual([
      ['f', { a: 'é' }],
    ])
    expect(fates(book([open(1, 'f'), append(1, under), clean], { limits: { maxArgumentBytes: 9 } }).result)).toEqual([
      ['f', 'over-limit'],
    ])
  })

  it('count all arguments of the turn together', () => {
    const { result } = book(
      [
        open(1, 'f'),
        append(1, '{"a":1}'),
        open(2, 'g'),
        append(2, '{"b":2}'),
        open(3, 'h'),
        append(3, '{"c":3}'),
        clean,
      ],
      { limits: { maxTotalArgumentBytes: 14 } },
    )
    expect(fates(result)).toEqual([
      ['f', { a: 1 }],
      ['g', { b: 2 }],
      ['h', 'over-limit'],
    ])
  })

  it('do not open calls beyond the last allowed one, and give their fragments to nobody', () => {
    const calls = Array.from({ length: 5 }, (_, n) =>
      fragment({ index: 0, id: `c${n}`, name: 'f', arguments: `{"n":${n}}` }),
    )
    const { result } = book([...calls, fragment({ index: 0, id: 'c4', arguments: ' ' }), clean], {
      limits: { maxCalls: 2 },
    })
    expect(fates(result)).toEqual([
      ['f', { n: 0 }],
      ['f', { n: 1 }],
    ])
    expect(result.errors).toHaveLength(1)
    expect(result.finish.truncated).toBe(true)
    const keyed = book([open(1, 'f'), append(1, '{}'), open(2, 'g'), append(2, '{}'), clean], {
      limits: { maxCalls: 1 },
    })
    expect(fates(keyed.result)).toEqual([['f', {}]])
    expect(keyed.result.warnings).toEqual([])
  })

  it('tell the fragments of calls beyond from those of the others, by index, id and openness', () => {
    const whole = fragment({ id: 'a', name: 'f', arguments: '{"a":1}' })
    const begun = fragment({ id: 'a', name: 'f', arguments: '{"a":' })
    const rest = fragment({ id: 'a', arguments: '1}' })
    const streams = [
      [whole, fragment({ id: 'b', name: 'g' }), fragment({ arguments: '{"b"' }), fragment({ arguments: ':2}' })],
      [begun, fragment({ id: 'b', name: 'g' }), fragment({ id: 'b', arguments: '{"b":2}' }), rest],
      [
        begun,
        fragment({ id: 'b', name: 'g' }),
        fragment({ id: 'c', name: 'h', arguments: '{"c":3}' }),
        fragment({ id: 'b', arguments: 'x' }),
        rest,
      ],
      [whole, fragment({ name: 'g', arguments: '{"b":' }), fragment({ arguments: '2}' })],
      [
        fragment({ index: 0, id: 'a', name: 'f', arguments: '{"a":1}' }),
        fragment({ index: 0, id: 'b', name: 'g' }),
        fragment({ index: 0, arguments: '2' }),
      ],
    ]
    for (const stream of streams) {
      const { result } = book([...stream, clean], { limits: { maxCalls: 1 } })
      expect(fates(result)).toEqual([['f', { a: 1 }]])
      expect(result.errors).toHaveLength(1)
      expect(result.finish.truncated).toBe(true)
    }
  })

  it('leave it open whose a fragment is that an open call or one beyond may be missing', () => {
    const { result } = book(
      [
        fragment({ id: 'a', name: 'f', arguments: '{"a":' }),
        fragment({ id: 'b', name: 'g', arguments: '{"b":' }),
        fragment({ arguments: '1}' }),
        clean,
      ],
      { limits: { maxCalls: 1 } },
    )
    expect(fates(result)).toEqual([['f', 'ambiguous']])
  })

  it('are no failure of the server', () => {
    const { result } = book([
      open(1, 'f'),
      append(1, '{}'),
      { type: 'error', error: { code: 'over-limit', message: 'x' } },
      clean,
    ])
    expect(fates(result)).toEqual([['f', {}]])
  })
})

describe('a value among the fragments of a text', () => {
  const text = (piece: string): WireDelta => fragment({ index: 0, name: 'f', arguments: piece })
  const value = (json: string): WireDelta => ({ ...fragment({ index: 0, arguments: json }), form: 'object' })
  const valueByKey = (json: string): WireDelta => ({ type: 'call-append', key: 1, delta: json, form: 'object' })

  it('stands for a piece that is lost', () => {
    for (const middle of ['[1]', '{"b":1}']) {
      const { result } = book([text('{"a'), value(middle), text('":1}'), clean])
      expect(fates(result)).toEqual([['f', 'damaged']])
      expect(result.warnings).toMatchObject([{ code: 'unexpected-type', raw: middle }])
      expect(result.finish.truncated).toBe(true)
      const keyed = book([open(1, 'f'), append(1, '{"a'), valueByKey(middle), append(1, '":1}'), clean])
      expect(fates(keyed.result)).toEqual([['f', 'damaged']])
    }
    expect(fates(book([text('{"a":1}'), value('[1]'), clean]).result)).toEqual([['f', 'damaged']])
    expect(fates(book([text(''), value('[1]'), text('{"a":1}'), clean]).result)).toEqual([['f', 'damaged']])
  })

  it('is none where the arguments come delimited', () => {
    const piece = (delta: string): WireDelta => ({ type: 'call-append', key: 1, delta, form: 'delimited' })
    const pieces = [open(1, 'f'), piece('{"a":'), piece('[1]'), piece('}')]
    expect(fates(book([...pieces, clean]).result)).toEqual([['f', { a: [1] }]])
    const length: WireDelta = { type: 'finish', choice: 0, raw: 'length', kind: 'length' }
    expect(fates(book([open(1, 'f'), piece('{'), piece('}'), length]).result)).toEqual([['f', {}]])
  })

  it('is all of the arguments, or repeats them', () => {
    const fate = (...deltas: WireDelta[]): unknown => fates(book([text(''), ...deltas, clean]).result)[0]
    expect(fate(value('{"a":1}'))).toEqual(['f', { a: 1 }])
    expect(fate(value('{}'), value('{"a":1}'))).toEqual(['f', { a: 1 }])
    expect(fate(text('{"a":1}'), value('{"a":1}'))).toEqual(['f', { a: 1 }])
    expect(fate(value('{"a":1}'), text(' '))).toEqual(['f', { a: 1 }])
    expect(fate(value('[1]'), text(' '))).toEqual(['f', 'not-an-object'])
  })
})

describe('what is handed out', () => {
  it('is frozen, and ends with one finish', () => {
    const { result, events } = book([open(1, 'f'), append(1, '{"a":1}'), { type: 'end' }, append(1, 'late'), clean])
    expect(events.at(-1)).toMatchObject({ type: 'finish' })
    expect(events.filter((event) => event.type === 'finish')).toHaveLength(1)
    expect(fates(result)).toEqual([['f', { a: 1 }]])
    for (const held of [
      result,
      result.calls,
      result.calls[0],
      result.finish,
      result.finish.evidence,
      result.warnings,
    ]) {
      expect(Object.isFrozen(held)).toBe(true)
    }
  })

  it('carries the changes of the live value where it was asked for', () => {
    const { events } = book([open(1, 'f'), append(1, '{"a":"x'), append(1, 'y"}'), clean], { partialArguments: true })
    const changes = events.flatMap((event) => (event.type === 'tool-call-delta' ? (event.changes ?? []) : []))
    expect(changes).toContainEqual({ op: 'append', path: '/a', text: 'y' })
  })
})
