import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Structure, structureOf } from '../../src/assembly/structure.ts'

describe('the structure of a growing text', () => {
  it('is a whole filled object exactly where JSON is one', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 4 }), (value) => {
        const text = JSON.stringify(value)
        expect(structureOf(text).isWholeFilledObject).toBe(true)
        expect(structureOf(` ${text}\n`).isWholeFilledObject).toBe(true)
        const prefixes = Array.from({ length: text.length }, (_, at) => structureOf(text.slice(0, at)))
        expect(prefixes.some((prefix) => prefix.isWholeFilledObject)).toBe(false)
        expect(prefixes.slice(1).every((prefix) => prefix.isOpen)).toBe(true)
      }),
    )
  })

  it('does not depend on how the text is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', 'a', ' ') }),
        fc.nat(),
        (text, cut) => {
          const at = cut % (text.length + 1)
          const parts = new Structure()
          parts.push(text.slice(0, at))
          parts.push(text.slice(at))
          const whole = structureOf(text)
          expect([parts.isOpen, parts.isWholeFilledObject]).toEqual([whole.isOpen, whole.isWholeFilledObject])
        },
      ),
    )
  })

  it('counts an empty object as a placeholder', () => {
    expect(structureOf('{}').isWholeFilledObject).toBe(false)
    expect(structureOf('{}{"a":1}').isWholeFilledObject).toBe(true)
    expect(structureOf('{"a":1}{}').isWholeFilledObject).toBe(false)
    expect(structureOf('{"a":1}{"a":1}').isWholeFilledObject).toBe(false)
    expect(structureOf('[{"a":1}]').isWholeFilledObject).toBe(false)
    expect(structureOf('{"a":"}"').isOpen).toBe(true)
  })
})
