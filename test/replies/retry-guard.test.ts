import { describe, expect, it } from 'vitest'
import { partitionCalls } from '../../src/replies/partition.ts'
import { createRetryGuard } from '../../src/replies/retry-guard.ts'
import { ready, refused, turn } from './turns.ts'

const failing = turn('x', [refused('{"a')])

describe('createRetryGuard', () => {
  it('stops at the third turn with the same failure, and says which', () => {
    const guard = createRetryGuard()
    expect(guard.observe(failing)).toEqual({ stop: false, reason: '', repeated: [] })
    expect(guard.observe(failing).stop).toBe(false)
    const verdict = guard.observe(failing)
    expect(verdict.stop).toBe(true)
    expect(verdict.reason).toContain('"read"')
    expect(verdict.reason).toContain('truncated')
    expect(verdict.repeated).toMatchObject([
      { name: 'read', code: 'truncated', turns: 3, call: { argumentsText: '{"a' } },
    ])
  })

  it('another text or another code is another try', () => {
    const guard = createRetryGuard({ max: 2 })
    const damaged = refused('{"a', { failure: { code: 'damaged', message: 'Not run.' } })
    for (const call of [refused('{"a'), refused('{"ab'), damaged, refused('{"a')]) {
      expect(guard.observe(turn('x', [call])).stop).toBe(false)
    }
  })

  it('a turn in which the tool worked starts anew, one without the tool changes nothing', () => {
    const guard = createRetryGuard({ max: 2 })
    guard.observe(failing)
    guard.observe(turn('x', [ready('{}')]))
    expect(guard.observe(failing).stop).toBe(false)
    guard.observe(turn('x', [ready('{}', { name: 'other' })]))
    expect(guard.observe(failing).stop).toBe(true)
  })

  it('equal calls in one turn count once', () => {
    const guard = createRetryGuard({ max: 2 })
    expect(guard.observe(turn('x', [refused('{'), refused('{', { id: 'c2' })])).stop).toBe(false)
  })

  it('a limit of one stops at the first failure; a limit that is none is a RangeError', () => {
    expect(createRetryGuard({ max: 1 }).observe(failing).stop).toBe(true)
    for (const max of [0, -1, 1.5, NaN]) expect(() => createRetryGuard({ max })).toThrow(RangeError)
  })
})

describe('partitionCalls', () => {
  it('has every call once, in order', () => {
    const { calls } = turn('x', [
      refused('{'),
      ready('{}', { id: 'b' }),
      refused('[', { id: 'c' }),
      ready('{}', { id: 'd' }),
    ])
    expect(partitionCalls({ calls })).toEqual({ ready: [calls[1], calls[3]], refused: [calls[0], calls[2]] })
  })
})
