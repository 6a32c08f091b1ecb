import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brief, countCharacters, quote } from '../../src/arguments/quote.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 400 })
const anyUnits = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0xd83d, 0xde00, 0x20, 0x61)), {
    maxLength: 1500,
  })
  .map((units) => units.map((unit) => String.fromCharCode(unit)).join(''))

describe('a quotation', () => {
  test('is whole where it fits', () => {
    expect(quote('{"a": 1}\n', 3, 100)).toEqual({ shown: '{"a": 1}\n', whole: true })
  })

  test('has its start and the part around the fault where it does not', () => {
    const text = 'S'.repeat(300) + 'x'.repeat(2000) + 'FAULT' + 'y'.repeat(2000)
    const { shown, whole } = quote(text, text.indexOf('FAULT') + 2, 300)
    expect(whole).toBe(false)
    expect(shown).toMatch(/^S+…\[\d+ more\]…x+FAULTy+…\[\d+ more\]…$/)
  })

  test('counts what it leaves out', () => {
    const text = 'a'.repeat(1000)
    const { shown } = quote(text, 500, 200)
    const left = [...shown.matchAll(/\[(\d+) more\]/g)].reduce((sum, match) => sum + Number(match[1]), 0)
    expect(shown.replaceAll(/…\[\d+ more\]…/g, '').length + left).toBe(1000)
  })

  test('never splits a character, and never exceeds its room', () => {
    fc.assert(
      fc.property(
        anyUnits,
        fc.option(fc.nat(2000), { nil: undefined }),
        fc.integer({ min: 60, max: 600 }),
        (text, fault, room) => {
          const { shown } = quote(text, fault, room)
          expect(shown.length).toBeLessThanOrEqual(room)
          expect(Array.from(shown).length).toBeLessThanOrEqual(500)
          expect(shown).not.toMatch(/\p{Cs}/u)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('what the eye does not see is spelled out, and only that', () => {
  const { shown } = quote('a\u200b\ufeff\u00a0\r\u0000\u2028\ud800b c\td\ne é😀“', undefined, 1000)
  expect(shown).toBe('a\\u{200b}\\u{feff}\\u{a0}\\u{d}\\u{0}\\u{2028}\\u{d800}b c\td\ne é😀“')
})

test('a brief text is one line and never longer than asked', () => {
  expect(brief('  a\n\t b ', 10)).toBe('a b')
  expect(brief('abcdef', 4)).toBe('abc…')
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 90 }), (text, most) => {
      const line = brief(text, most)
      expect(line.length).toBeLessThanOrEqual(most)
      expect(line).not.toContain('\n')
    }),
  )
})

test('characters are counted as code points', () => {
  fc.assert(
    fc.property(anyUnits, (text) => {
      expect(countCharacters(text)).toBe(Array.from(text).length)
    }),
  )
})
