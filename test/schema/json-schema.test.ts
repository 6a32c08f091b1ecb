import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { JsonObject } from '../../src/model/json.ts'
import { compileSchema } from '../../src/schema/check.ts'
import { compileJsonSchema } from '../../src/schema/json-schema.ts'
import { cpuTime } from '../helpers/cost.ts'

function issues(schema: object, value: JsonObject): readonly string[] {
  const result = compileJsonSchema(schema, false).check(value)
  return result.ok ? [] : result.issues.map((issue) => `${issue.path}: ${issue.message}`)
}

/** A schema with conditions. Not written as a literal: an object with a `then` looks like a promise to the linter. */
const conditional = (...parts: readonly (object | boolean)[]): object =>
  Object.fromEntries(
    ['if', 'then', 'else'].flatMap((keyword, index) => (index in parts ? [[keyword, parts[index]]] : [])),
  )

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })

describe('a complaint says what was expected and what came', () => {
  test.each<[string, object, JsonObject, readonly string[]]>([
    ['type', object({ a: { type: 'string' } }), { a: 1 }, ['/a: expected string, got number 1']],
    [
      'types',
      object({ a: { type: ['string', 'null'] } }),
      { a: [1, { b: 2 }] },
      ['/a: expected string or null, got array [1,{"b":2}]'],
    ],
    ['integer', object({ a: { type: 'integer' } }), { a: 1.5 }, ['/a: expected integer, got number 1.5']],
    ['const', object({ a: { const: 'x' } }), { a: 'y' }, ['/a: expected "x", got string "y"']],
    [
      'enum',
      object({ a: { enum: ['x', 'y', 3] } }),
      { a: true },
      ['/a: expected one of "x", "y", 3, got boolean true'],
    ],
    [
      'required',
      object({ 'a/b': { type: 'string' } }, { required: ['a/b', 'c~'] }),
      {},
      ['/a~1b: required, but missing (expected string)', '/c~0: required, but missing'],
    ],
    [
      'required, inherited names',
      object({}, { required: ['toString', '__proto__'] }),
      {},
      ['/toString: required, but missing', '/__proto__: required, but missing'],
    ],
    [
      'additionalProperties',
      object({ a: {} }, { additionalProperties: false }),
      { a: 1, b: 2 },
      ['/b: is not a known parameter'],
    ],
    [
      'a key with spaces and percent signs',
      object({}, { additionalProperties: false }),
      { 'a b%20#é': 2 },
      ['/a b%20#é: is not a known parameter'],
    ],
    ['minimum', object({ a: { minimum: 1 } }), { a: 0 }, ['/a: expected a number of at least 1, got number 0']],
    [
      'exclusiveMaximum',
      object({ a: { exclusiveMaximum: 1 } }),
      { a: 1 },
      ['/a: expected a number less than 1, got number 1'],
    ],
    ['multipleOf', object({ a: { multipleOf: 5 } }), { a: 3 }, ['/a: expected a multiple of 5, got number 3']],
    ['minLength', object({ a: { minLength: 1 } }), { a: '' }, ['/a: expected at least 1 character, got string ""']],
    [
      'pattern',
      object({ a: { pattern: '^x' } }),
      { a: 'y' },
      ['/a: expected a match of the pattern ^x, got string "y"'],
    ],
    ['format', object({ a: { format: 'date' } }), { a: 'y' }, ['/a: expected the format date, got string "y"']],
    ['minItems', object({ a: { minItems: 2 } }), { a: [1] }, ['/a: expected at least 2 items, got array [1]']],
    [
      'uniqueItems',
      object({ a: { uniqueItems: true } }),
      { a: [1, 1] },
      ['/a: expected items that are all different, got array [1,1]'],
    ],
    ['items', object({ a: { items: { type: 'string' } } }), { a: ['x', 1] }, ['/a/1: expected string, got number 1']],
    ['items: false', object({ a: { prefixItems: [{}], items: false } }), { a: [1, 2] }, ['/a/1: is one item too many']],
    [
      'contains',
      object({ a: { contains: { type: 'string' } } }),
      { a: [1] },
      ['/a: expected at least 1 item of the kind that the schema asks for, got array [1]'],
    ],
    ['not', object({ a: { not: { const: 1 } } }), { a: 1 }, ['/a: is what the schema rules out']],
    ['minProperties', object({}, { minProperties: 1 }), {}, [': expected at least 1 member, got object {}']],
    [
      'propertyNames',
      object({}, { propertyNames: { maxLength: 2 } }),
      { abc: 1 },
      ['/abc: the name is not allowed: expected at most 2 characters, got string "abc"'],
    ],
    [
      '$ref',
      { $defs: { s: { type: 'string' } }, ...object({ a: { $ref: '#/$defs/s' } }) },
      { a: 1 },
      ['/a: expected string, got number 1'],
    ],
    [
      'if, then',
      object({ a: {} }, conditional({ required: ['a'] }, { required: ['b'] })),
      { a: 1 },
      ['/b: required, but missing'],
    ],
    [
      'dependentRequired',
      object({}, { dependentRequired: { a: ['b'] } }),
      { a: 1 },
      [': Instance has "a" but does not have "b".'],
    ],
    [
      'dependencies of draft 7',
      object({}, { dependencies: { a: ['b'], c: { required: ['d'] } } }),
      { a: 1, c: 1 },
      [': Instance has "a" but does not have "b".', '/d: required, but missing'],
    ],
    ['false', object({ a: false }), { a: 1 }, ['/a: no value is allowed here']],
  ])('%s', (_keyword, schema, value, expected) => {
    expect(issues(schema, value)).toEqual(expected)
  })

  test('in at most 80 characters of the value, cut between code points', () => {
    const [issue = ''] = issues(object({ a: { type: 'number' } }), { a: '😀'.repeat(5000) })
    const received = issue.slice(issue.indexOf('got ') + 4)
    expect(received.length).toBeLessThanOrEqual(80)
    expect(received.startsWith('string "😀😀')).toBe(true)
    expect(received).not.toMatch(/\p{Cs}/u)
  })

  test('once, where two parts of the schema say the same', () => {
    const twice = { allOf: [object({ a: { type: 'string' } }), object({ a: { type: 'string' } })] }
    expect(issues(twice, { a: 1 })).toEqual(['/a: expected string, got number 1'])
  })
})

describe('of alternatives', () => {
  test('that expect something else at the same place, one complaint is made', () => {
    const schema = object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } })
    expect(issues(schema, { a: 1 })).toEqual(['/a: expected string or null, got number 1'])
  })

  test('that are many, a few are named', () => {
    const many = object({ a: { anyOf: Array.from({ length: 20 }, (_, n) => ({ const: n })) } })
    expect(issues(many, { a: 'x' })).toEqual([
      '/a: expected 0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or 12 more, got string "x"',
    ])
  })

  test('that a fixed member tells apart, only the one that was meant is held against the value', () => {
    const circle = object({ kind: { const: 'circle' }, r: { type: 'number' } }, { required: ['kind', 'r'] })
    const square = object({ kind: { const: 'square' }, side: { type: 'number' } }, { required: ['kind', 'side'] })
    const schema = object({ shape: { oneOf: [circle, square] } })
    expect(issues(schema, { shape: { kind: 'square', side: 'x' } })).toEqual([
      '/shape/side: expected number, got string "x"',
    ])
  })

  test('of another type altogether, nothing is said', () => {
    const schema = object({
      a: { anyOf: [{ type: 'string' }, object({ b: { type: 'string' } }, { additionalProperties: false })] },
    })
    expect(issues(schema, { a: { b: 1, c: 2 } })).toEqual([
      '/a/b: expected string, got number 1',
      '/a/c: is not a known parameter',
    ])
  })

  test('that ask for different members, all are told', () => {
    const schema = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(issues(schema, {})).toEqual([
      ': fits none of 2 alternatives: (1) /a required, but missing (2) /b required, but missing',
    ])
  })

  test('of which one must fit, several that do are counted', () => {
    const schema = object({ a: { oneOf: [{ type: 'number' }, { minimum: 3 }, { const: 9 }, false] } })
    expect(issues(schema, { a: 5 })).toEqual(['/a: fits 2 alternatives of the schema, must fit exactly one'])
  })

  test('that are all false, nothing fits', () => {
    expect(issues(object({ a: { anyOf: [false, false] } }), { a: 5 })).toEqual(['/a: no value is allowed here'])
  })

  test('inside items, each item has its own', () => {
    const schema = object({ a: { items: { anyOf: [{ type: 'string' }, { type: 'null' }] } } })
    expect(issues(schema, { a: [1, 'x', 2] })).toEqual([
      '/a/0: expected string or null, got number 1',
      '/a/2: expected string or null, got number 2',
    ])
  })

  test('inside alternatives, the likeliest is found at each level', () => {
    const inner = {
      oneOf: [
        object({ t: { const: 1 }, x: { type: 'string' } }, { required: ['t'] }),
        object({ t: { const: 2 } }, { required: ['t'] }),
      ],
    }
    const schema = object({ a: { anyOf: [{ type: 'null' }, inner] } })
    expect(issues(schema, { a: { t: 1, x: 5 } })).toEqual(['/a/x: expected string, got number 5'])
  })
})

describe('a value that is wrong in very many places is refused without finding them all', () => {
  test('because it is long', () => {
    const schema = object({ a: { items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } } })
    const a = Array.from({ length: 100_000 }, (_, index) => index)
    const spent = cpuTime(() => {
      expect(issues(schema, { a })).toEqual(['/a/0: expected string or boolean, got number 0'])
    })
    expect(spent).toBeLessThan(1_000)
  })

  test('because the schema asks for very much', () => {
    const required = Array.from({ length: 1000 }, (_, index) => `name_${index}`)
    const a = Array.from({ length: 160 }, () => ({}))
    expect(issues(object({ a: { items: { required } } }), { a })[0]).toBe('/a/0/name_0: required, but missing')
  })
})

describe('drafts', () => {
  test('4 has exclusive bounds as booleans', () => {
    const draft4 = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...object({ a: { minimum: 1, exclusiveMinimum: true } }),
    }
    expect(issues(draft4, { a: 1 })).toEqual(['/a: expected a number greater than 1, got number 1'])
  })

  test('7 ignores what stands beside a reference, 2020-12 does not', () => {
    const schema = { definitions: { any: {} }, ...object({ a: { $ref: '#/definitions/any', type: 'string' } }) }
    expect(issues({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, { a: 1 })).toEqual([])
    expect(issues(schema, { a: 1 })).toHaveLength(1)
  })

  test('a recursive schema follows the value', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: { node: object({ next: { $ref: '#/$defs/node' }, v: { type: 'string' } }) },
    }
    expect(issues(tree, { next: { next: { v: 1 } } })).toEqual(['/next/next/v: expected string, got number 1'])
  })

  test.each([true, false])(
    '2019-09 refers to its root by $recursiveRef, with $recursiveAnchor %s',
    ($recursiveAnchor) => {
      const $schema = 'https://json-schema.org/draft/2019-09/schema'
      const tree = object({ next: { $recursiveRef: '#' }, v: { type: 'string' } }, { $schema, $recursiveAnchor })
      expect(issues(tree, { next: { next: { v: 'x' } } })).toEqual([])
      expect(issues(tree, { next: { next: { v: 1 } } })).toEqual(['/next/next/v: expected string, got number 1'])
    },
  )
})

describe("Gemini's dialect", () => {
  const schema = object({
    a: { type: 'STRING', nullable: true },
    b: { type: 'ARRAY', minItems: '2', items: { type: 'INTEGER' } },
    c: { type: 'STRING', enum: ['x'], nullable: true },
    d: { nullable: true, anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
  })
  const gemini = { ...schema, type: 'OBJECT' }

  test('is read in definitions too, and not in data', () => {
    const defined = {
      ...object({ a: { $ref: '#/$defs/a' }, type: { type: 'STRING' }, b: { default: { type: 'STRING' } } }),
      type: 'OBJECT',
      $defs: { a: { type: 'INTEGER' } },
    }
    expect(issues(defined, { a: 'x', type: 1 })).toEqual([
      '/a: expected integer, got string "x"',
      '/type: expected string, got number 1',
    ])
    expect(compileJsonSchema(defined, false).jsonSchema).toMatchObject({
      properties: { b: { default: { type: 'STRING' } } },
    })
  })

  test('means what JSON Schema would say otherwise', () => {
    expect(issues(gemini, { a: null, b: [1, 2], c: null, d: null })).toEqual([])
    expect(issues(gemini, { a: 1, b: [1.5], c: 'y', d: true })).toEqual([
      '/a: expected string or null, got number 1',
      '/b: expected at least 2 items, got array [1.5]',
      '/b/0: expected integer, got number 1.5',
      '/c: expected one of "x", null, got string "y"',
      '/d: expected string or number or null, got boolean true',
    ])
  })
})

/** Schemas that take `{}`, and schemas that don't: what most projects guess from `required` alone is wrong for many of them. */
const gate: readonly (readonly [boolean, object | boolean])[] = [
  [true, true],
  [false, false],
  [true, {}],
  [true, { type: 'object' }],
  [true, object({ a: { type: 'string' } })],
  [false, object({ a: { type: 'string' } }, { required: ['a'] })],
  [false, { required: ['a'] }],
  [false, object({ a: { default: 1 } }, { required: ['a'] })],
  [false, { type: 'object', minProperties: 1 }],
  [false, { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
  [true, { type: 'object', anyOf: [{ required: ['a'] }, {}] }],
  [false, { allOf: [{ type: 'object' }, { minProperties: 1 }] }],
  [false, { $defs: { a: { required: ['x'] } }, $ref: '#/$defs/a' }],
  [false, { not: {} }],
  [false, { not: { maxProperties: 0 } }],
  [false, { const: { a: 1 } }],
  [true, { const: {} }],
  [false, { enum: [{ a: 1 }] }],
  [false, { type: 'string' }],
  [false, { type: ['array', 'null'] }],
  [false, conditional({ maxProperties: 0 }, false)],
  [false, conditional({ type: 'object' }, { required: ['a'] })],
  [true, conditional({ required: ['a'] }, { required: ['b'] })],
  [false, { type: 'object', required: ['toString'] }],
  [false, { type: 'object', required: ['__proto__'] }],
  [true, { type: 'object', dependentRequired: { a: ['b'] } }],
  [true, { type: 'object', unevaluatedProperties: false }],
  [false, { oneOf: [{ type: 'object' }, { maxProperties: 2 }] }],
]

describe('the question whether a schema takes {}', () => {
  test.each(gate)('is %s for %j', (opens, schema) => {
    expect(compileSchema(schema).acceptsEmpty).toBe(opens)
  })

  test('is answered as the check itself answers it', () => {
    const leaf = fc.constantFrom<object>(
      {},
      { required: ['a'] },
      { minProperties: 1 },
      { type: 'object' },
      { type: 'array' },
      { const: {} },
    )
    const schemas = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ not: tie('schema') }),
        fc.tuple(tie('schema'), tie('schema'), tie('schema')).map((parts) => conditional(...parts)),
      ),
    })).schema
    fc.assert(
      fc.property(schemas, (schema) => {
        const compiled = compileSchema(schema)
        const checked = compiled.check({})
        if (checked instanceof Promise) throw new Error('plain JSON Schema is synchronous')
        expect(compiled.acceptsEmpty).toBe(checked.ok)
        if (!checked.ok) expect(checked.issues.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })
})
