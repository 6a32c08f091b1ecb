import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText, wellFormed, wireJson, wireObject } from '../../src/replies/json.ts'

describe('jsonText', () => {
  it('writes a bigint as the number that it is', () => {
    expect(jsonText({ id: 12345678901234567890n, list: [1n] })).toBe('{"id":12345678901234567890,"list":[1]}')
  })

  it('is JSON.stringify for everything that has no bigint', () => {
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
    )
    const values = fc.oneof(fc.anything({ withDate: false, withNullPrototype: true }), odd)
    fc.assert(
      fc.property(fc.oneof(values, fc.array(values), fc.dictionary(fc.string(), values)), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('refuses a value that holds itself, and takes one that holds another twice', () => {
    const shared = { a: 1 }
    expect(jsonText([shared, shared])).toBe('[{"a":1},{"a":1}]')
    const loop: unknown[] = []
    loop.push({ loop })
    expect(() => jsonText(loop)).toThrow(TypeError)
  })
})

describe('wireJson', () => {
  it('copies, so that nothing handed out is shared', () => {
    const given = { list: [1, { a: null }] }
    const copy = wireJson(given)
    expect(copy).toEqual(given)
    expect(copy).not.toBe(given)
  })

  it('writes a bigint as the text of its digits', () => {
    expect(wireJson({ id: 12345678901234567890n })).toEqual({ id: '12345678901234567890' })
  })

  it('keeps a key that names the prototype as a key', () => {
    const copy = wireObject(JSON.parse('{"__proto__":{"a":1}}'))
    expect(Object.keys(copy)).toEqual(['__proto__'])
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}')
  })

  it('makes no object of what is none', () => {
    for (const value of [undefined, null, 1, 'a', [1]]) expect(wireObject(value)).toEqual({})
  })
})

describe('wellFormed', () => {
  it('replaces halves of surrogate pairs and nothing else', () => {
    expect(wellFormed('a\ud83d b\ude00 😀\u{10ffff}')).toBe('a\ufffd b\ufffd 😀\u{10ffff}')
  })
})
