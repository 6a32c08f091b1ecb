import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyJson, isSameJson, jsonText, tryJsonText, writeJson } from '../../src/arguments/json.ts'
import type { JsonValue } from '../../src/model/json.ts'

// Whatever JSON.parse makes is a JSON value.
const anyJson = fc.json().map((text) => JSON.parse(text) as JsonValue)
const proto = JSON.parse('{"__proto__":{"a":1},"b":[{"c":null}]}') as JsonValue

describe('a JSON value', () => {
  test('is written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(writeJson(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  test('keeps the digits of a bigint', () => {
    expect(writeJson({ a: [12345678901234567890n, -1n] })).toBe('{"a":[12345678901234567890,-1]}')
  })

  test('is copied to an equal one that shares nothing', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const copy = copyJson(value)
        expect(isSameJson(copy, value)).toBe(true)
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value)
      }),
    )
    const copy = copyJson(proto)
    expect(writeJson(copy)).toBe('{"__proto__":{"a":1},"b":[{"c":null}]}')
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  })

  test('is equal only to itself, whatever the order of its keys', () => {
    expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
    for (const other of [
      { a: 1 },
      { a: 1, b: [2], c: 3 },
      { a: 1, b: { 0: 2 } },
      { a: 1, b: [2, 3] },
      { a: 1, toString: 2 },
      [],
      null,
      1n,
    ]) {
      expect(isSameJson({ a: 1, b: [2] }, other)).toBe(false)
    }
    expect(isSameJson(0, -0)).toBe(false)
    expect(isSameJson(1n, 1)).toBe(false)
  })
})

describe('the JSON text of any value', () => {
  test('has a bigint as the number that it is', () => {
    expect(jsonText({ id: 12345678901234567890n, list: [1n] })).toBe('{"id":12345678901234567890,"list":[1]}')
  })

  const odd = fc.constantFrom<unknown>(
    undefined,
    NaN,
    -0,
    new Date(0),
    Object(1),
    Object('s'),
    () => 1,
    Symbol('s'),
    new Map(),
    { toJSON: (key: string) => `at ${key}` },
  )
  const anything = fc.oneof(fc.anything({ withDate: false, withNullPrototype: true }), odd)
  const values = fc.oneof(anything, fc.array(anything), fc.dictionary(fc.string(), anything))

  test('is that of JSON.stringify for everything that has no bigint', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  test('differs by nothing else beside a bigint', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(jsonText([1n, { value }])).toBe(JSON.stringify([1, { value }]))
      }),
    )
  })

  const loop: unknown[] = []
  loop.push({ loop })
  const failing = {
    toJSON() {
      throw new RangeError('not now')
    },
  }

  test('does not exist for a value that holds itself, but for one that holds another twice', () => {
    const shared = { a: 1n }
    expect(jsonText([shared, shared])).toBe('[{"a":1},{"a":1}]')
    expect(() => jsonText(loop)).toThrow(TypeError)
    expect(() => jsonText(failing)).toThrow('not now')
  })

  test('is undefined on request where there is none', () => {
    expect([loop, failing, () => 1, undefined].map(tryJsonText)).toEqual([undefined, undefined, undefined, undefined])
    expect(tryJsonText({ a: 1n })).toBe('{"a":1}')
  })
})
