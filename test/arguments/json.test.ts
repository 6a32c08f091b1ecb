import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyJson, isSameJson, writeJson } from '../../src/arguments/json.ts'
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
