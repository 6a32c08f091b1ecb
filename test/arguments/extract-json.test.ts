import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractJson } from '../../src/arguments/extract-json.ts'
import { createRandom, makePayload } from './corrupt.mjs'

const found = (text: string): string[] => extractJson(text).map(({ start, end }) => text.slice(start, end))

describe('JSON in running text', { timeout: 60_000 }, () => {
  it.each([
    ['a {"a":1} b [1, 2] c', ['{"a":1}', '[1, 2]']],
    ['```json\n{"a": {"b": []}}\n```', ['{"a": {"b": []}}']],
    ['{"a":1}{"b":2}', ['{"a":1}', '{"b":2}']],
    ['{x} {"a": y} [object Object] {\'a\': 1} {"a":1,}', []],
    ['[1,] [,] [1 2] {"a"} {"a":} {,} [tru] [01] [1.] [+1]', []],
    ['{} []', ['{}', '[]']],
    ['"{\\"a\\": 1}"', []],
    ['{"a": "\n"} ["\\q"] ["\\u00e9"]', ['["\\u00e9"]']],
    ['', []],
  ])('is found in %j', (text, expected) => expect(found(text)).toEqual(expected))

  it('comes with its place and its value', () => {
    expect(extractJson('🙂 {"a": [1, {"b": null}]}')).toEqual([{ start: 3, end: 26, value: { a: [1, { b: null }] } }])
  })

  it('is what is complete of a container that breaks off', () => {
    expect(found('{"a": {"b": 1}, "c": [2], oops {"d": 3}')).toEqual(['{"b": 1}', '[2]', '{"d": 3}'])
    expect(found('{"a": [1, {"b": 1}, ')).toEqual(['{"b": 1}'])
    expect(found('[{"a": 1}, {"a": 2')).toEqual(['{"a": 1}'])
  })

  it('is found behind a quote that opened no string', () => {
    expect(found('{"note": "see {"a": 1} there')).toEqual(['{"a": 1}'])
    expect(found('as in {" or {"a": 1}')).toEqual(['{"a": 1}'])
  })

  it('sets no prototype', () => {
    const [candidate] = extractJson('{"__proto__": {"x": 1}}')
    expect(Object.keys(candidate?.value ?? {})).toEqual(['__proto__'])
  })

  it('is every payload that was put into prose, in order', () => {
    const prose = ['so ', ' and then } ', ' ] ', '"', " it's ", '\n', ' a: b, ', ' 1.5 ']
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 5 }), fc.nat(), (seeds, seed) => {
        const random = createRandom(seed)
        const payloads = seeds.map((each) => makePayload(each))
        const text = payloads.map((payload) => random.pick(prose) + payload).join('') + random.pick(prose)
        expect(extractJson(text).map(({ value }) => value)).toEqual(
          payloads.map((payload) => JSON.parse(payload) as unknown),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('never overlaps, and is always JSON', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"a"',
      ':',
      ',',
      '1',
      ' ',
      '"',
      '\\',
      '{"a":',
      '{}',
      'x',
      '{"b":[1]}',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        let last = 0
        for (const { start, end, value } of extractJson(text)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(JSON.parse(text.slice(start, end))).toEqual(value)
          last = end
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
