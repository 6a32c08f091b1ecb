import { describe, expect, test } from 'vitest'
import { compileJsonSchema } from '../../src/schema/json-schema.ts'

function stringAt(schema: object, path: readonly (string | number)[]): boolean {
  return compileJsonSchema(schema, false).stringAt(path)
}

const at = (schema: object): object => ({ type: 'object', properties: { a: schema } })

describe('a schema certainly says string', () => {
  test.each<[string, object]>([
    ['by type', at({ type: 'string' })],
    ['by type, or null', at({ type: ['string', 'null'] })],
    ['by an enum of strings', at({ enum: ['x', 'y'] })],
    ['by a constant', at({ const: 'x' })],
    ['by reference', { ...at({ $ref: '#/$defs/s' }), $defs: { s: { type: 'string' } } }],
    ['by a part of a conjunction', at({ allOf: [{ minLength: 1 }, { type: 'string' }] })],
    ['by every alternative but null', at({ anyOf: [{ type: 'string' }, { enum: ['x'] }, { type: 'null' }] })],
    ['for members that have no name in it', { type: 'object', additionalProperties: { type: 'string' } }],
    ['in the conjunction around it', { allOf: [at({ type: 'string' })] }],
    ['in every alternative around it', { anyOf: [at({ type: 'string' }), at({ const: 'x' })] }],
  ])('%s', (_how, schema) => {
    expect(stringAt(schema, ['a'])).toBe(true)
  })

  test('for items, tuples and recursive parts', () => {
    expect(stringAt(at({ items: { type: 'string' } }), ['a', 7])).toBe(true)
    expect(
      stringAt(at({ prefixItems: [{ type: 'number' }, { type: 'string' }], items: { type: 'number' } }), ['a', 1]),
    ).toBe(true)
    const tree = {
      $ref: '#/$defs/n',
      $defs: { n: { properties: { next: { $ref: '#/$defs/n' }, name: { type: 'string' } } } },
    }
    expect(stringAt(tree, ['next', 'next', 'name'])).toBe(true)
    expect(stringAt(tree, ['next', 'next'])).toBe(false)
  })
})

describe('a schema does not certainly say string', () => {
  test.each<[string, object]>([
    ['without a word on the member', { type: 'object' }],
    ['for another type', at({ type: 'number' })],
    ['for several types', at({ type: ['string', 'number'] })],
    ['where an alternative says otherwise', at({ anyOf: [{ type: 'string' }, { type: 'number' }] })],
    ['where an alternative says nothing', at({ anyOf: [{ type: 'string' }, {}] })],
    ['for an enum of several kinds', at({ enum: ['x', 1] })],
    ['where only null is left', at({ anyOf: [{ type: 'null' }] })],
    ['where it is only ruled out', at({ not: { type: 'string' } })],
    [
      'for a name that every object inherits',
      { type: 'object', properties: {}, patternProperties: { x: { type: 'string' } } },
    ],
  ])('%s', (_how, schema) => {
    expect(stringAt(schema, ['a'])).toBe(false)
    expect(stringAt(schema, ['toString'])).toBe(false)
  })

  test('behind more items than a tuple has, or behind a name that is an index', () => {
    expect(stringAt(at({ prefixItems: [{ type: 'string' }], items: { type: 'number' } }), ['a', 1])).toBe(false)
    expect(stringAt(at({ items: { type: 'string' } }), ['a', '0'])).toBe(false)
  })
})
