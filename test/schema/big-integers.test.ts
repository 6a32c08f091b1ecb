import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileJsonSchema } from '../../src/schema/json-schema.ts'

const accepts = (schema: object, a: bigint | number | (bigint | number)[]): boolean =>
  compileJsonSchema({ type: 'object', properties: { a: schema } }, false).check({ a }).ok

const edge = 2 ** 53

/** Integers that a double may or may not hold, close to each other where doubles are 2, 4 and 128 apart. */
const huge = fc
  .tuple(fc.constantFrom(2n ** 53n, 2n ** 54n, 2n ** 60n, 12345678901234567890n), fc.bigInt(-6n, 6n), fc.boolean())
  .map(([base, offset, negative]) => (negative ? -1n : 1n) * (base + offset))
  .filter((integer) => integer <= -edge || integer >= edge)

describe('an integer that a double can not hold', () => {
  test.each<[string, object, boolean]>([
    ['is an integer', { type: 'integer' }, true],
    ['is a number', { type: 'number' }, true],
    ['is no string', { type: 'string' }, false],
    ['is below a bound that only differs in the last digit', { maximum: 9007199254740992 }, false],
    ['is above a bound that only differs in the last digit', { minimum: 9007199254740994 }, false],
    ['is not the double next to it', { const: 9007199254740992 }, false],
    ['is odd', { multipleOf: 2 }, false],
    ['is a multiple of its divisor', { multipleOf: 3 }, 9007199254740993n % 3n === 0n],
    ['is no safe integer', { type: 'integer', maximum: Number.MAX_SAFE_INTEGER }, false],
  ])('%s', (_what, schema, expected) => {
    expect(accepts(schema, 9007199254740993n)).toBe(expected)
  })

  test('is a multiple or not also in members that are called like keywords', () => {
    const schema = {
      properties: { default: { multipleOf: 2 }, enum: { $ref: '#/parts/x' } },
      parts: { x: { multipleOf: 3 } },
    }
    const { check } = compileJsonSchema(schema, false)
    expect(check({ default: 9007199254740993n }).ok).toBe(false)
    expect(check({ default: 9007199254740994n, enum: 9007199254740994n }).ok).toBe(false)
    expect(check({ default: 9007199254740994n, enum: 9007199254740993n }).ok).toBe(true)
  })

  test('is compared exactly with every bound', () => {
    fc.assert(
      fc.property(huge, huge, (integer, other) => {
        const bound = Number(other)
        expect(accepts({ minimum: bound }, integer)).toBe(integer >= bound)
        expect(accepts({ maximum: bound }, integer)).toBe(integer <= bound)
        expect(accepts({ exclusiveMinimum: bound }, integer)).toBe(integer > bound)
        expect(accepts({ exclusiveMaximum: bound }, integer)).toBe(integer < bound)
        expect(accepts({ const: bound }, integer)).toBe(integer === BigInt(bound))
        expect(accepts({ enum: [1, bound] }, integer)).toBe(integer === BigInt(bound))
        expect(accepts({ not: { minimum: bound } }, integer)).toBe(integer < bound)
      }),
      { numRuns: 200 },
    )
  })

  test('is a multiple exactly where it is one', () => {
    fc.assert(
      fc.property(huge, fc.integer({ min: 1, max: 1000 }), (integer, divisor) => {
        expect(accepts({ multipleOf: divisor }, integer)).toBe(integer % BigInt(divisor) === 0n)
        expect(accepts({ multipleOf: divisor / 8 }, integer)).toBe((integer * 8n) % BigInt(divisor) === 0n)
      }),
      { numRuns: 200 },
    )
  })

  test('is another than its neighbours', () => {
    fc.assert(
      fc.property(fc.array(huge, { minLength: 2, maxLength: 5 }), (integers) => {
        expect(accepts({ uniqueItems: true }, integers)).toBe(new Set(integers).size === integers.length)
      }),
      { numRuns: 200 },
    )
  })

  test('leaves the rules for smaller numbers as they are', () => {
    expect(accepts({ items: { multipleOf: 5 } }, [10, 9007199254740995n])).toBe(true)
    expect(accepts({ items: { multipleOf: 5 } }, [11, 9007199254740995n])).toBe(false)
  })

  test('is shown with all its digits', () => {
    const result = compileJsonSchema({ properties: { a: { maximum: 10 } } }, false).check({ a: 12345678901234567890n })
    expect(result).toEqual({
      ok: false,
      issues: [{ path: '/a', message: 'expected a number of at most 10, got number 12345678901234567890' }],
    })
  })

  test('reaches the tool as it came', () => {
    const result = compileJsonSchema({ type: 'object' }, false).check({ a: [9007199254740993n] })
    expect(result).toEqual({ ok: true, value: { a: [9007199254740993n] } })
  })
})
