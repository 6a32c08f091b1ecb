import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunked, everyCut } from '../../src/testing/chunks.ts'

const join = (chunks: Iterable<Uint8Array>): number[] => [...chunks].flatMap((chunk) => [...chunk])

describe('chunked', () => {
  it('gives chunks of one size that make up the body, the last one shorter', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer({ min: 1, max: 12 }), (body, size) => {
        const chunks = [...chunked(body, size)]
        expect(join(chunks)).toEqual([...body])
        expect(chunks.slice(0, -1).every((chunk) => chunk.length === size)).toBe(true)
        expect(chunks.every((chunk) => chunk.length > 0)).toBe(true)
      }),
    )
  })

  it('cuts a body that comes in pieces as if it were one', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 })), fc.integer({ min: 1, max: 12 }), (pieces, size) => {
        const whole = Uint8Array.from(join(pieces))
        expect([...chunked(pieces, size)].map((chunk) => [...chunk])).toEqual(
          [...chunked(whole, size)].map((chunk) => [...chunk]),
        )
      }),
    )
  })

  it('cuts text into text', () => {
    expect([...chunked('abcde', 2)]).toEqual(['ab', 'cd', 'e'])
    expect([...chunked('', 2)]).toEqual([])
  })

  it('refuses a size that is no whole number from 1', () => {
    for (const size of [0, -1, 1.5, Number.NaN]) expect(() => chunked('a', size)).toThrow(TypeError)
  })
})

describe('everyCut', () => {
  it('gives every pair of parts, then single bytes', () => {
    expect([...everyCut('abc')]).toEqual([
      ['', 'abc'],
      ['a', 'bc'],
      ['ab', 'c'],
      ['abc', ''],
      ['a', 'b', 'c'],
    ])
    const body = Uint8Array.of(1, 2, 3)
    const lists = [...everyCut(body)]
    expect(lists).toHaveLength(5)
    for (const chunks of lists) expect(join(chunks)).toEqual([1, 2, 3])
  })
})
