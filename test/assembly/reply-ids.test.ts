import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replyIds, type Identified } from '../../src/assembly/reply-ids.ts'

const call = (id: string, wireId: string | null): Identified => ({ id, wireId })

describe('replyIds', () => {
  it('uses the wire id, known at the start or late, and the id where the wire gave none', () => {
    expect(replyIds([call('a', 'a'), call('call_1', 'late'), call('call_2', null)])).toEqual(['a', 'late', 'call_2'])
  })

  it('a wire id that an earlier call has goes out once, the later call under its own id', () => {
    expect(replyIds([call('x', 'x'), call('call_1', 'x'), call('call_2', 'x')])).toEqual(['x', 'call_1', 'call_2'])
  })

  it('the call that has the shared wire id as its id keeps it, even if it is not the first', () => {
    expect(replyIds([call('call_0', 'x'), call('x', 'x')])).toEqual(['call_0', 'x'])
  })

  it('of two calls that both learned the same id late the first gets it', () => {
    expect(replyIds([call('call_0', 'x'), call('call_1', 'x')])).toEqual(['x', 'call_1'])
  })

  it('an id that was made up before the wire used it is not given out twice', () => {
    expect(replyIds([call('call_0', null), call('call_1', 'call_0')])).toEqual(['call_0', 'call_1'])
  })

  it('an id that its own call does not go out under is free for the wire', () => {
    expect(replyIds([call('call_0', 'x'), call('call_1', 'call_0')])).toEqual(['x', 'call_0'])
  })

  it('a fallback wins over a wire id that wants the same name', () => {
    expect(replyIds([call('call_0', 'call_1'), call('call_1', 'x'), call('x', 'x')])).toEqual(['call_0', 'call_1', 'x'])
  })

  it('gives every call of any turn with unique ids another id, and the wire id wherever nobody else has it', () => {
    const turn = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'call_0', 'call_1', 'call_2'), { minLength: 1 })
      .chain((ids) =>
        fc.tuple(
          ...ids.map((id) =>
            fc.option(fc.constantFrom('a', 'b', 'call_0', 'call_1', id)).map((wireId) => call(id, wireId)),
          ),
        ),
      )
    fc.assert(
      fc.property(turn, (calls) => {
        const ids = replyIds(calls)
        expect(new Set(ids).size).toBe(calls.length)
        for (const [n, { id, wireId }] of calls.entries()) {
          expect([id, wireId]).toContain(ids[n])
          if (wireId !== null && ids[n] !== wireId) expect(ids.filter((_, m) => m !== n)).toContain(wireId)
        }
      }),
    )
  })
})
