import { describe, expect, it } from 'vitest'
import { book, clean, fates, fragment } from './support.ts'

const tools = [
  { name: 'get', parameters: { type: 'object' } },
  { name: 'get_weather', parameters: { type: 'object' } },
  { name: 'get_time', parameters: { type: 'object' } },
  { name: 'ping', parameters: { type: 'object' } },
]
const A = '{"a":1}'
const B = '{"b":2}'

describe('whose fragment it is, with an index', () => {
  it('opens a call for an unused index, whatever it looks like', () => {
    for (const index of [0, 7, -1, '0', 'x']) {
      const { result } = book([fragment({ index, id: 'c', name: 'ping', arguments: A }), clean])
      expect(fates(result)).toEqual([['ping', { a: 1 }]])
      expect(result.calls[0]?.wireIndex).toBe(index)
    }
  })

  it('opens a new call for a new id with a name on a used index, which means the new call from then on', () => {
    const { result } = book([
      fragment({ index: 0, id: 'c1', name: 'get_weather', arguments: '{"a":' }),
      fragment({ index: 0, arguments: '1}' }),
      fragment({ index: 0, id: 'c2', name: 'get_weather', arguments: '{"b":' }),
      fragment({ index: 0, arguments: '2}' }),
      clean,
    ])
    expect(fates(result)).toEqual([
      ['get_weather', { a: 1 }],
      ['get_weather', { b: 2 }],
    ])
  })

  it('keeps to the call when the id changes without a name', () => {
    const { result } = book([
      fragment({ index: 0, id: 'c1', name: 'ping', arguments: '{"a"' }),
      fragment({ index: 0, id: 'x1', arguments: ':' }),
      fragment({ index: 0, id: 'x2', arguments: '1}' }),
      clean,
    ])
    expect(fates(result)).toEqual([['ping', { a: 1 }]])
    expect(result.calls[0]?.wireId).toBe('c1')
  })

  it('takes an empty id or name for no evidence', () => {
    const { result } = book([
      fragment({ index: 0, id: 'c1', name: 'ping', arguments: '{"a"' }),
      fragment({ index: 0, id: '', name: '', arguments: ':1}' }),
      clean,
    ])
    expect(fates(result)).toEqual([['ping', { a: 1 }]])
  })

  it('learns an id that comes late, as wireId alone once the call has started', () => {
    const { result } = book([
      fragment({ index: 0, name: 'ping', arguments: '{"a":' }),
      fragment({ index: 0, id: 'late', arguments: '1}' }),
      clean,
    ])
    expect(result.calls[0]).toMatchObject({ id: 'call_0', wireId: 'late', ok: true })
  })

  it('tells calls on one index apart by their ids', () => {
    const { result } = book([
      fragment({ index: 0, id: 'c1', name: 'ping', arguments: '{"a":' }),
      fragment({ index: 0, id: 'c2', name: 'ping', arguments: '{"b":' }),
      fragment({ index: 0, id: 'c1', arguments: '1}' }),
      fragment({ index: 0, id: 'c2', arguments: '2}' }),
      clean,
    ])
    expect(fates(result)).toEqual([
      ['ping', { a: 1 }],
      ['ping', { b: 2 }],
    ])
  })

  it('calls it ambiguous when index and id name different calls', () => {
    const { result } = book([
      fragment({ index: 0, id: 'c1', name: 'get_weather', arguments: '{"a":' }),
      fragment({ index: 1, id: 'c2', name: 'get_time', arguments: '{"b":' }),
      fragment({ index: 0, id: 'c2', arguments: '1}' }),
      clean,
    ])
    expect(fates(result)).toEqual([
      ['get_weather', 'ambiguous'],
      ['get_time', 'ambiguous'],
    ])
    expect(result.warnings).toMatchObject([{ code: 'ambiguous-fragment', raw: '1}' }])
    expect(result.finish.truncated).toBe(true)
  })

  it('takes an index that came as a number and as a string for the same', () => {
    const { result } = book([
      fragment({ index: 0, id: 'c1', name: 'ping', arguments: '{"a":' }),
      fragment({ index: '0', arguments: '1}' }),
      clean,
    ])
    expect(fates(result)).toEqual([['ping', { a: 1 }]])
  })
})

describe('whose fragment it is, without an id', () => {
  it('opens a call for another name once the arguments have begun', () => {
    const { result } = book([
      fragment({ index: 0, name: 'get_weather', arguments: A }),
      fragment({ index: 0, name: 'get_time', arguments: B }),
      clean,
    ])
    expect(fates(result)).toEqual([
      ['get_weather', { a: 1 }],
      ['get_time', { b: 2 }],
    ])
  })

  it('opens a call for the same name only if it brings other arguments after a whole object', () => {
    const again = (first: string, second: string): readonly unknown[] =>
      fates(
        book([
          fragment({ index: 0, name: 'ping', arguments: first }),
          fragment({ index: 0, name: 'ping', arguments: second }),
          clean,
        ]).result,
      )
    expect(again(A, B)).toEqual([
      ['ping', { a: 1 }],
      ['ping', { b: 2 }],
    ])
    expect(again(A, '')).toEqual([['ping', { a: 1 }]])
    expect(again(A, A)).toEqual([['ping', { a: 1 }]])
    expect(again('{}', B)).toEqual([['ping', { b: 2 }]])
    expect(again('{"a":', '1}')).toEqual([['ping', { a: 1 }]])
  })

  it('gives a bare fragment to the only call that is not whole', () => {
    const { result } = book([
      fragment({ id: 'c1', name: 'get_weather', arguments: A }),
      fragment({ id: 'c2', name: 'get_time', arguments: '{"b":' }),
      fragment({ arguments: '2}' }),
      clean,
    ])
    expect(fates(result)).toEqual([
      ['get_weather', { a: 1 }],
      ['get_time', { b: 2 }],
    ])
  })

  it('calls a bare fragment ambiguous when two calls are not whole', () => {
    const { result } = book([
      fragment({ id: 'c1', name: 'get_weather', arguments: '{"a":' }),
      fragment({ id: 'c2', name: 'get_time', arguments: '{"b":' }),
      fragment({ arguments: '2}' }),
      clean,
    ])
    expect(fates(result)).toEqual([
      ['get_weather', 'ambiguous'],
      ['get_time', 'ambiguous'],
    ])
  })

  it('gives a bare fragment to the last call when all are whole', () => {
    const { result } = book([
      fragment({ id: 'c1', name: 'get_weather', arguments: A }),
      fragment({ id: 'c2', name: 'get_time', arguments: B }),
      fragment({ arguments: ' ' }),
      clean,
    ])
    expect(result.calls.map((call) => call.argumentsText)).toEqual([A, `${B} `])
  })

  it('refuses a call that may lack what a nameless one got', () => {
    const { result } = book(
      [fragment({ index: 0, id: 'c1', name: 'ping' }), fragment({ index: 1, arguments: A }), clean],
      {},
    )
    expect(fates(result)).toEqual([
      ['ping', 'ambiguous'],
      ['', 'missing-name'],
    ])
  })

  it('refuses a call that was not whole when a nameless one took a piece, though it is now', () => {
    const pieces = [
      fragment({ index: 0, id: 'c1', name: 'ping', arguments: '{"a":"b' }),
      fragment({ index: 5, arguments: 'c' }),
      fragment({ index: 0, arguments: 'd"}' }),
    ]
    expect(fates(book([...pieces, clean]).result)).toEqual([
      ['ping', 'ambiguous'],
      ['', 'missing-name'],
    ])
    const named = fragment({ index: 5, name: 'get_time', arguments: '{}' })
    expect(fates(book([...pieces, named, clean]).result)[0]).toEqual(['ping', { a: 'bd' }])
  })
})

describe('the name of a call', () => {
  it('is joined from pieces and settled by the tool list', () => {
    const { result, events } = book(
      [
        fragment({ index: 0, id: 'c', name: 'get_' }),
        fragment({ index: 0, name: 'weather' }),
        fragment({ index: 0, arguments: A }),
        clean,
      ],
      { tools },
    )
    expect(fates(result)).toEqual([['get_weather', { a: 1 }]])
    expect(events[0]).toMatchObject({ type: 'tool-call-start', name: 'get_weather' })
  })

  it('waits while it is a prefix of another tool, and no longer than until the arguments', () => {
    const { result } = book(
      [
        fragment({ index: 0, id: 'c1', name: 'get' }),
        fragment({ index: 0, name: '_time', arguments: A }),
        fragment({ index: 1, id: 'c2', name: 'get', arguments: B }),
        clean,
      ],
      { tools },
    )
    expect(fates(result)).toEqual([
      ['get_time', { a: 1 }],
      ['get', { b: 2 }],
    ])
  })

  it('may be repeated whole with every delta', () => {
    const { result } = book([
      fragment({ index: 0, id: 'c', name: 'ping' }),
      fragment({ index: 0, id: 'c', name: 'ping', arguments: '{"a"' }),
      fragment({ index: 0, id: 'c', name: 'ping', arguments: ':1}' }),
      clean,
    ])
    expect(fates(result)).toEqual([['ping', { a: 1 }]])
  })

  it('may come after the arguments, which wait for it', () => {
    const { result, events } = book([
      fragment({ index: 0, id: 'c', arguments: '{"a":' }),
      fragment({ index: 0, arguments: '1}' }),
      fragment({ index: 0, name: 'ping' }),
      fragment({ index: 0, arguments: ' ' }),
      clean,
    ])
    expect(fates(result)).toEqual([['ping', { a: 1 }]])
    const starts = events.findIndex((event) => event.type === 'tool-call-start')
    const deltas = events.findIndex((event) => event.type === 'tool-call-delta')
    expect(starts).toBeGreaterThanOrEqual(0)
    expect(deltas).toBeGreaterThan(starts)
  })

  it('damages a started call that it contradicts', () => {
    const { result } = book([
      fragment({ index: 0, id: 'c', name: 'ping', arguments: '{"a":' }),
      fragment({ index: 0, id: 'c', name: 'get_time', arguments: '1}' }),
      clean,
    ])
    expect(fates(result)).toEqual([['ping', 'damaged']])
  })

  it('is missing only where it never came', () => {
    const { result, events } = book([fragment({ index: 0, id: 'c', arguments: A }), clean])
    expect(fates(result)).toEqual([['', 'missing-name']])
    expect(events[0]).toEqual({ type: 'tool-call-start', choice: 0, index: 0, id: 'c', name: '' })
  })
})

describe('the id of a call', () => {
  it('is the wire’s if it is known and free, else minted past all that the wire uses', () => {
    const { result } = book([
      fragment({ index: 0, name: 'ping', arguments: A }),
      fragment({ index: 1, id: 'call_0', name: 'ping', arguments: A }),
      fragment({ index: 2, id: 'call_0', name: 'ping', arguments: B }),
      fragment({ index: 3, id: 'call_3', name: 'ping', arguments: A }),
      clean,
    ])
    const ids = result.calls.map((call) => call.id)
    expect(new Set(ids).size).toBe(4)
    expect(ids[0]).toBe('call_0')
    expect(ids[3]).toBe('call_3')
    expect(result.calls.map((call) => call.wireId)).toEqual([null, 'call_0', 'call_0', 'call_3'])
    expect(result.warnings.map(({ code }) => code)).toEqual(['reused-id'])
  })

  it('gets what came for it before the call itself', () => {
    const extra = { thought: 'kept' }
    const { result } = book([
      fragment({ id: 'c', extra }),
      fragment({ index: 0, id: 'c', name: 'ping', arguments: A }),
      clean,
    ])
    expect(result.calls).toHaveLength(1)
    expect(result.calls[0]?.extra).toEqual(extra)
  })

  it('gets the entries of several events that came before it, all of them', () => {
    const entries = (...ids: string[]): { reasoning_details: { id: string }[] } => ({
      reasoning_details: ids.map((id) => ({ id })),
    })
    const { result } = book([
      fragment({ id: 'c', extra: entries('A') }),
      fragment({ id: 'c', extra: entries('B') }),
      fragment({ index: 0, id: 'c', name: 'ping', arguments: A, extra: entries('C') }),
      clean,
    ])
    expect(result.calls[0]?.extra).toEqual(entries('A', 'B', 'C'))
  })
})
