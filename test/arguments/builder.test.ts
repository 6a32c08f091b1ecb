import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TextBuilder } from '../../src/arguments/builder.ts'

describe('a text builder', () => {
  it('holds what was appended, however often it is read in between', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 700 }), fc.boolean()), { maxLength: 30 }), (pieces) => {
        const builder = new TextBuilder()
        let whole = ''
        for (const [piece, read] of pieces) {
          builder.append(piece)
          whole += piece
          if (read) expect(builder.toString()).toBe(whole)
        }
        expect(builder.toString()).toBe(whole)
      }),
    )
  })
})
