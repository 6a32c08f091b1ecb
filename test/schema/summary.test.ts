import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { summarizeParameters } from '../../src/schema/summary.ts'

const line = (properties: object, required: readonly string[] = [], more: object = {}): string | undefined =>
  summarizeParameters({ type: 'object', properties, required, ...more }, 300)

describe('the parameters in one line', () => {
  test('put required ones first, in the order of the schema', () => {
    expect(line({ a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'boolean' } }, ['c', 'b'])).toBe(
      '{"b": string (required), "c": boolean (required), "a": integer}',
    )
  })

  test.each<[object, string]>([
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['x', 2, null] }, '"x" | 2 | null'],
    [{ enum: Array.from({ length: 12 }, (_, index) => index) }, '0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | …'],
    [{ const: 'x' }, '"x"'],
    [{ anyOf: [{ type: 'string' }, { type: 'string', minLength: 1 }, { type: 'null' }] }, 'string | null'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, '(string | null)[]'],
    [{ type: 'array' }, 'any[]'],
    [{ type: 'object' }, 'object'],
    [{ properties: { x: { type: 'number' } } }, '{"x": number}'],
    [{ $ref: '#/$defs/a~1b%20c' }, 'string'],
    [{ $ref: '#/$defs/self' }, 'any'],
    [{ $ref: 'https://example.com/elsewhere' }, 'any'],
    [{ $ref: '#/$defs/%' }, 'boolean'],
    [{ properties: { x: { properties: { y: { properties: { z: {} } } } } } }, '{"x": {"y": object}}'],
    [{}, 'any'],
  ])('write %j as %s', (schema, expected) => {
    const $defs = { 'a/b c': { type: 'string' }, self: { $ref: '#/$defs/self' }, '%': { type: 'boolean' } }
    expect(line({ a: schema }, [], { $defs })).toBe(`{"a": ${expected}}`)
  })

  test('leave out what there is no room for, and say so', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`name_${index}`, { type: 'string' }]),
    )
    expect(line(properties)).toMatch(/^\{"name_0": string, .*, …\}$/)
    expect(summarizeParameters({ properties }, 8)).toBeUndefined()
  })

  test('are none where the schema names none', () => {
    expect(line({})).toBeUndefined()
    expect(summarizeParameters({ anyOf: [] }, 300)).toBeUndefined()
  })

  test('spell out what is invisible in a name', () => {
    expect(line({ 'pa\u200cth': {} })).toBe('{"pa\\u{200c}th": any}')
  })

  test('never exceed their room, whatever the schema', () => {
    const schemas = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom({}, { type: 'string' }, { type: 'array' }, { $ref: '#' }, { $ref: '#/properties/a' }),
        fc.record({ items: tie('schema'), type: fc.constant('array') }),
        fc.record({ anyOf: fc.array(tie('schema'), { maxLength: 3 }) }),
        fc.record({
          properties: fc.dictionary(fc.string({ unit: 'binary', maxLength: 20 }), tie('schema'), { maxKeys: 4 }),
        }),
      ),
    })).schema
    fc.assert(
      fc.property(schemas, fc.integer({ min: 0, max: 300 }), (schema, most) => {
        expect((summarizeParameters(schema as Record<string, unknown>, most) ?? '').length).toBeLessThanOrEqual(most)
      }),
      { numRuns: 300 },
    )
  })
})
