import { describe, expect, it } from 'vitest'
import { wellFormed, wireJson, wireObject } from '../../src/replies/json.ts'

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
