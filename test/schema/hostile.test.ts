// Schemas come from strangers as well: a server of tools sends them along. Each walk over one has to end, and soon.

import { describe, expect, test } from 'vitest'
import { summarizeParameters } from '../../src/schema/summary.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { compileJsonSchema } from '../../src/schema/json-schema.ts'
import { declaredKeys, parameterKind, requiredKeys, type ParameterKind } from '../../src/text/parameter-types.ts'
import { cpuTime } from '../helpers/cost.ts'

type Schema = { readonly [keyword: string]: unknown }

/** `count` definitions, each made of the one that follows it. The last one is `{ type: 'string' }`. */
function levels(count: number, make: (next: Schema, level: number) => Schema): Schema {
  const $defs: Record<string, Schema> = { [`d${count}`]: { type: 'string' } }
  for (let level = 0; level < count; level++) $defs[`d${level}`] = make({ $ref: `#/$defs/d${level + 1}` }, level)
  return { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs }
}

function nested(depth: number, make: (inner: Schema) => Schema): Schema {
  let schema: Schema = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = make(schema)
  return { type: 'object', properties: { a: schema } }
}

const self = { $ref: '#' }

/** What a schema says where nothing is wrong with it, only its size or its circles. */
interface Answers {
  /** Whether it takes each of `values`. */
  readonly takes: readonly boolean[]
  /** What the parameter `a` is to a format that writes parameters as text. */
  readonly kind: ParameterKind
  readonly declares: readonly string[]
}

const takesAll = [true, true, true, true, true]
const takesText = [true, true, false, false, false]
/** A value that is deep is refused, since it would take too long to be checked or is no string at its end. */
const takesShallow = [true, true, true, false, true]
const sixty = Array.from({ length: 60 }, (_, n) => `p${n}`)

/** Each with what is wrong with it, or with what it says. */
const hostile: readonly (readonly [name: string, schema: Schema, expected: RegExp | Answers])[] = [
  [
    'a circle of two references',
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    /without an end/,
  ],
  ['a circle through alternatives', { anyOf: [{ type: 'object' }, { not: self }] }, /without an end/],
  ['a circle through $recursiveRef', { allOf: [{ $recursiveRef: '#' }] }, /without an end/],
  [
    'a circle that follows the value',
    { properties: { a: self, b: { items: self } }, additionalProperties: self },
    { takes: takesAll, kind: 'json', declares: ['a', 'b'] },
  ],
  [
    'the same by $recursiveRef',
    { properties: { a: { $recursiveRef: '#' } } },
    { takes: takesAll, kind: 'unknown', declares: ['a'] },
  ],
  ['a reference to nowhere', { properties: { a: { $ref: '#/$defs/none' } } }, /not in the schema/],
  [
    'a reference into a schema that is none',
    { properties: { a: { $ref: '#/$defs/list' } }, $defs: { list: 'text' } },
    /not in the schema/,
  ],
  [
    'references that double at 12 levels',
    levels(12, (next) => ({ allOf: [next, next] })),
    { takes: takesText, kind: 'string', declares: ['a'] },
  ],
  ['references that double at 40 levels', levels(40, (next) => ({ allOf: [next, next] })), /more than 20000 checks/],
  [
    'alternatives that double',
    levels(40, (next) => ({ anyOf: [next, { oneOf: [next, { type: 'null' }] }] })),
    /more than 20000 checks/,
  ],
  [
    'members that double',
    levels(40, (next) => ({ properties: { a: next, b: next } })),
    { takes: takesShallow, kind: 'json', declares: ['a'] },
  ],
  [
    'one member in two places',
    { allOf: [{ properties: { a: self } }, { properties: { a: self } }] },
    { takes: takesShallow, kind: 'json', declares: [] },
  ],
  [
    'the same in every place',
    { properties: { a: self }, patternProperties: { a: self, '^a': self, a$: self } },
    { takes: takesShallow, kind: 'json', declares: ['a'] },
  ],
  [
    'two places, by $recursiveRef',
    { allOf: [{ properties: { a: { $recursiveRef: '#' } } }, { properties: { a: { $recursiveRef: '#' } } }] },
    { takes: takesShallow, kind: 'unknown', declares: [] },
  ],
  ['10,000 references in a row', levels(10_000, (next) => next), /lead to each other/],
  ['10,000 members in each other', nested(10_000, (inner) => ({ properties: { a: inner } })), /nested too deeply/],
  ['10,000 lists in each other', nested(10_000, (inner) => ({ items: inner })), /nested too deeply/],
  ['a tower of allOf', nested(10_000, (inner) => ({ allOf: [inner] })), /nested too deeply/],
  ['a smaller tower of allOf', nested(300, (inner) => ({ allOf: [inner] })), /lead to each other/],
  [
    'a tower of anyOf',
    nested(90, (inner) => ({ anyOf: [inner, { type: 'null' }] })),
    { takes: takesText, kind: 'nullable-string', declares: ['a'] },
  ],
  [
    '10,000 alternatives',
    { properties: { a: { anyOf: Array.from({ length: 10_000 }, (_, n) => ({ const: n })) } } },
    { takes: [true, false, false, false, false], kind: 'json', declares: ['a'] },
  ],
  [
    '60 members with 60 alternatives, each all of them',
    {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`p${n}`, { $ref: '#/$defs/any' }])),
      $defs: {
        any: {
          anyOf: Array.from({ length: 60 }, (_, n) => ({
            properties: { a: { $ref: '#/$defs/any' }, [`p${n}`]: { $ref: '#/$defs/any' } },
          })),
        },
      },
    },
    { takes: takesAll, kind: 'unknown', declares: sixty },
  ],
  [
    'schemas that are true or false',
    { properties: { a: true, b: false }, additionalProperties: false, not: false, allOf: [true] },
    { takes: takesAll, kind: 'unknown', declares: ['a', 'b'] },
  ],
  [
    'a reference to true',
    { properties: { a: { $ref: '#/$defs/yes' } }, $defs: { yes: true } },
    { takes: takesAll, kind: 'unknown', declares: ['a'] },
  ],
]

const deepValue: JsonObject = Array.from({ length: 100 }).reduce<JsonObject>((value) => ({ a: value }), {})
/** Long enough for whatever doubles at each step to take too long, and short enough for that to end. */
const steadyPath: readonly string[] = Array.from({ length: 22 }, () => 'a')
const longPath: readonly (string | number)[] = Array.from({ length: 120 }, (_, n) => (n % 7 === 6 ? n : 'a'))

const values: readonly JsonObject[] = [{}, { a: 'x' }, { a: [[{}]] }, deepValue, { a: 2n ** 60n }]
/** Seconds of processor time, far beyond what any of it needs, and far below what doubling needs. */
const mostSeconds = 8

describe.each(hostile)('%s', (_name, schema, expected) => {
  test('is refused at once, or checked in time', () => {
    const spent = cpuTime(() => {
      if (expected instanceof RegExp) {
        expect(() => compileJsonSchema(schema, false)).toThrow(TypeError)
        expect(() => compileJsonSchema(schema, false)).toThrow(expected)
        return
      }
      const { check, jsonSchema, stringAt } = compileJsonSchema(schema, false)
      expect(values.map((value) => check(value).ok)).toEqual(expected.takes)
      expect(parameterKind(jsonSchema, 'a')).toBe(expected.kind)
      expect([declaredKeys(jsonSchema), requiredKeys(jsonSchema)]).toEqual([expected.declares, []])
      const isText = expected.kind === 'string' || expected.kind === 'nullable-string'
      expect([[], ['a'], steadyPath, longPath].map((path) => stringAt(path))).toEqual([false, isText, false, false])
    })
    expect(spent).toBeLessThan(mostSeconds * 1_000)
  })

  test('is put into one line, whether or not it was refused', () => {
    const spent = cpuTime(() => {
      expect((summarizeParameters(schema, 300) ?? '').length).toBeLessThanOrEqual(300)
    })
    expect(spent).toBeLessThan((mostSeconds * 1_000) / 4)
  })
})

describe('a value that can not be checked', () => {
  test('is refused, and the message says why', () => {
    const doubling = { allOf: [{ properties: { a: self } }, { properties: { a: self } }] }
    const { check } = compileJsonSchema(doubling, false)
    expect(check({ a: { a: {} } })).toEqual({ ok: true, value: { a: { a: {} } } })
    expect(check(deepValue)).toEqual({ ok: false, issues: [{ path: '', message: 'takes too long to be checked' }] })
  })
})
