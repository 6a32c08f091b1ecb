import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeJson } from '../../src/arguments/json.ts'
import { brief } from '../../src/arguments/quote.ts'
import type { JsonValue } from '../../src/model/json.ts'
import { show } from '../../src/schema/show.ts'

describe('a value inside a complaint', () => {
  it('is its type and the start of its JSON', () => {
    expect(show(null)).toBe('null')
    expect(show(2n ** 60n)).toBe('number 1152921504606846976')
    expect(show([1, { b: 'c' }])).toBe('array [1,{"b":"c"}]')
    expect(show('x'.repeat(1_000))).toBe(`string "${'x'.repeat(71)}…`)
  })

  it('looks as if it had been written out whole', () => {
    // Whatever JSON.parse makes is a JSON value.
    const anyJson = fc.json({ maxDepth: 6 }).map((text) => JSON.parse(text) as JsonValue)
    const long = fc.array(fc.oneof(anyJson, fc.string({ maxLength: 300 })), { maxLength: 60 })
    fc.assert(
      fc.property(fc.oneof(anyJson, long), (value) => {
        fc.pre(value !== null && !/\s\s/.test(writeJson(value)))
        const type = Array.isArray(value) ? 'array' : typeof value
        expect(show(value)).toBe(`${type} ${brief(writeJson(value), 79 - type.length)}`)
      }),
    )
  })

  it('is not looked at beyond what is shown', () => {
    let reads = 0
    const item = {
      get a() {
        reads++
        return ''
      },
    }
    show(Array.from({ length: 10_000 }, () => [item, item]))
    expect(reads).toBeLessThan(200)
  })
})
