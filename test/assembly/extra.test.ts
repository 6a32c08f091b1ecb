import { describe, expect, it } from 'vitest'
import { Extra } from '../../src/assembly/extra.ts'
import { cpuTime } from '../helpers/cost.ts'

describe('what goes back with a call', () => {
  it('is nothing as long as nothing came', () => {
    const extra = new Extra()
    extra.add(undefined)
    extra.add({})
    expect(extra.value).toBeUndefined()
  })

  it('grows where lists come under the same key, and else keeps what came last', () => {
    const extra = new Extra()
    extra.add({ signature: 'a', details: [1], other: [1] })
    extra.add({ signature: 'b', details: [2, 3], other: 'no list' })
    expect(extra.value).toEqual({ signature: 'b', details: [1, 2, 3], other: 'no list' })
    extra.add({ other: [4] })
    expect(extra.value).toEqual({ signature: 'b', details: [1, 2, 3], other: [4] })
    expect(Object.keys(extra.value ?? {})).toEqual(['signature', 'details', 'other'])
  })

  it('never changes once it is handed out, nor changes what it was made of', () => {
    const extra = new Extra()
    const given = Object.freeze([1])
    extra.add({ details: given })
    const before = extra.value
    extra.add({ details: [2] })
    expect(before).toEqual({ details: [1] })
    expect(given).toEqual([1])
    expect(Object.isFrozen(before?.['details'])).toBe(true)
  })

  it('takes time in proportion to what comes, one entry an event', () => {
    const extra = new Extra()
    const spent = cpuTime(() => {
      for (let n = 0; n < 200_000; n++) extra.add({ details: [n] })
    })
    expect(extra.value?.['details']).toHaveLength(200_000)
    expect(spent).toBeLessThan(5_000)
  })
})
