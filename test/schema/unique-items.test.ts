import { validate, type Schema } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/model/json.ts'
import { compileJsonSchema } from '../../src/schema/json-schema.ts'
import { listsWithEqualItems } from '../../src/schema/unique-items.ts'
import { cpuTime } from '../helpers/cost.ts'

const unique: Schema = {
  type: 'object',
  properties: { list: { type: 'array', uniqueItems: true }, other: { items: {} } },
}

const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(0, -0, 1, '1', 'a', true, null, '', '1,2', '[1]'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a"', '1'), tie('value'), { maxKeys: 3 }),
  ),
}))

describe('uniqueItems', () => {
  it('says what the validator says, whatever the items are', () => {
    const { check } = compileJsonSchema(unique, false)
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 5 }), anyValue, (list, other) => {
        const value = { list, other }
        expect(check(value).ok).toBe(validate(value, unique).valid)
      }),
      { numRuns: 1000 },
    )
  })

  it('holds inside a negation and for integers beyond the range of a double', () => {
    const { check } = compileJsonSchema({ properties: { a: { not: { uniqueItems: true } } } }, false)
    expect([check({ a: [1, 2] }).ok, check({ a: [1, 1] }).ok, check({}).ok]).toEqual([false, true, true])
    const big = compileJsonSchema({ properties: { a: { type: 'array', uniqueItems: true } } }, false)
    const ids: JsonObject = { a: [2n ** 60n, 2n ** 60n + 1n] }
    expect(big.check(ids).ok).toBe(true)
    expect(big.check({ a: [2n ** 60n, 2n ** 60n] }).ok).toBe(false)
  })

  it('names the items where there are few', () => {
    const { check } = compileJsonSchema(unique, false)
    expect(check({ list: ['a', 'b', 'a'] })).toMatchObject({ ok: false, issues: [{ path: '/list' }] })
  })

  it('takes a time that grows with the list and not with its square', () => {
    const { check } = compileJsonSchema(unique, false)
    const list = Array.from({ length: 50_000 }, (_, n) => ({ n, path: ['src', `${n}.ts`] }))
    const repeated = [...list, { path: ['src', '7.ts'], n: 7 }]
    const spent = cpuTime(() => {
      expect(check({ list }).ok).toBe(true)
      expect(check({ list: repeated })).toMatchObject({ ok: false, issues: [{ path: '/list' }] })
      expect(check({ list: [], other: repeated }).ok).toBe(true)
      expect(check({ list: 7, other: repeated })).toMatchObject({ ok: false, issues: [{ path: '/list' }] })
    })
    expect(spent).toBeLessThan(10_000)
  })

  it('tells equal items from items that look alike', () => {
    const found = (value: JsonValue): JsonValue[] => [...listsWithEqualItems(value).values()]
    expect(found({ a: [1, 2, 3, 4], b: [[1], [1]], c: { d: [2, '1', 2] } })).toEqual([[1], 2])
    expect(
      found([
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ]),
    ).toEqual([{ x: 1, y: 2 }])
    expect(found([1, '1', [1], { 1: 1 }, true, 'true', null, 'null', '1,2', [1, 2]])).toEqual([])
  })
})
