import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrowingText } from '../../src/assembly/growing-text.ts'
import { byteLength } from '../../src/framing/measure.ts'

describe('growing text', () => {
  it('is what was appended, however often it is read in between', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3000 }), fc.boolean()), { maxLength: 20 }), (pieces) => {
        const text = new GrowingText()
        let whole = ''
        for (const [piece, read] of pieces) {
          text.append(piece)
          whole += piece
          expect(text.length).toBe(whole.length)
          if (read) expect(text.toString()).toBe(whole)
        }
        expect(text.toString()).toBe(whole)
        expect(text.bytes()).toBe(byteLength(whole))
        expect(text.bytesAtMost).toBeGreaterThanOrEqual(text.bytes())
      }),
    )
  })

  it('counts bytes as UTF-8 does, also when a pair is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, cut) => {
        const bytes = new TextEncoder().encode(text).length
        const at = cut % (text.length + 1)
        expect(byteLength(text)).toBe(bytes)
        expect(byteLength(text.slice(0, at)) + byteLength(text.slice(at))).toBe(bytes)
      }),
    )
  })
})
