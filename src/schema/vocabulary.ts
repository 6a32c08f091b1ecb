// Where JSON Schema keeps schemas inside schemas: the one list that every walk over a schema uses.

import { isArray, isRecord } from '../arguments/json.ts'
import { escapePointer } from '../arguments/pointer.ts'

/** A JSON Schema node as it is walked: an object whose keywords are not trusted yet. */
export type SchemaNode = { readonly [keyword: string]: unknown }

/** How a keyword holds its subschemas, and whether they judge the same value as the schema around them. */
interface Holder {
  readonly shape: 'one' | 'list' | 'map' | 'one-or-list' | 'map-of-schemas-or-names'
  readonly sameValue: boolean
}

/** Keywords with subschemas, drafts 4 to 2020-12. */
export const holders: ReadonlyMap<string, Holder> = new Map<string, Holder>([
  ['properties', { shape: 'map', sameValue: false }],
  ['patternProperties', { shape: 'map', sameValue: false }],
  ['additionalProperties', { shape: 'one', sameValue: false }],
  ['unevaluatedProperties', { shape: 'one', sameValue: false }],
  ['propertyNames', { shape: 'one', sameValue: false }],
  ['items', { shape: 'one-or-list', sameValue: false }],
  ['prefixItems', { shape: 'list', sameValue: false }],
  ['additionalItems', { shape: 'one', sameValue: false }],
  ['unevaluatedItems', { shape: 'one', sameValue: false }],
  ['contains', { shape: 'one', sameValue: false }],
  ['allOf', { shape: 'list', sameValue: true }],
  ['anyOf', { shape: 'list', sameValue: true }],
  ['oneOf', { shape: 'list', sameValue: true }],
  ['not', { shape: 'one', sameValue: true }],
  ['if', { shape: 'one', sameValue: true }],
  ['then', { shape: 'one', sameValue: true }],
  ['else', { shape: 'one', sameValue: true }],
  ['dependentSchemas', { shape: 'map', sameValue: true }],
  ['dependencies', { shape: 'map-of-schemas-or-names', sameValue: true }],
])

/** Keywords without subschemas. With `holders` and anything that begins with `$` or `x-`: what marks an object as a JSON Schema. */
const plainKeywords: ReadonlySet<string> = new Set(
  (
    'type enum const required format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minItems maxItems uniqueItems minContains maxContains minProperties maxProperties dependentRequired ' +
    'title description default examples example deprecated readOnly writeOnly nullable definitions id strict ' +
    'contentEncoding contentMediaType contentSchema discriminator propertyOrdering'
  ).split(' '),
)

export function isKeyword(key: string): boolean {
  return holders.has(key) || plainKeywords.has(key) || key.startsWith('$') || key.startsWith('x-')
}

export function isNode(value: unknown): value is SchemaNode {
  return isRecord(value)
}

/** A schema of its own, to be written into. Schemas are JSON; what isn't (the marks of typebox, functions) has no meaning to a validator. */
export function copySchema(schema: SchemaNode): SchemaNode {
  const copy: unknown = JSON.parse(JSON.stringify(schema))
  if (!isNode(copy)) throw new TypeError('it must be a schema: an object, a boolean or a Standard Schema')
  return copy
}

/** What stands under `type`, one or several, as a list. */
export function typesOf({ type }: SchemaNode): readonly unknown[] {
  return isArray(type) ? type : [type]
}

/** One schema directly inside another. */
export interface Subschema {
  readonly keyword: string
  /** JSON Pointer from the schema around it. */
  readonly pointer: string
  readonly schema: unknown
  readonly sameValue: boolean
}

/** The schemas directly inside `node`, in the order of its keywords. What has another shape than its keyword asks for is left out. */
export function subschemas(node: SchemaNode): readonly Subschema[] {
  const found: Subschema[] = []
  for (const keyword of Object.keys(node)) {
    const holder = holders.get(keyword)
    if (holder === undefined) continue
    const held = node[keyword]
    const add = (schema: unknown, pointer: string): void => {
      found.push({ keyword, pointer, schema, sameValue: holder.sameValue })
    }
    if (Array.isArray(held)) {
      if (holder.shape === 'list' || holder.shape === 'one-or-list') {
        held.forEach((schema: unknown, index) => add(schema, `/${keyword}/${index}`))
      }
    } else if (holder.shape === 'one' || holder.shape === 'one-or-list') add(held, `/${keyword}`)
    else if (isNode(held) && holder.shape !== 'list') {
      for (const key of Object.keys(held)) {
        if (!Array.isArray(held[key])) add(held[key], `/${keyword}/${escapePointer(key)}`)
      }
    }
  }
  return found
}

/** Keywords whose values may look like schemas and are data. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example'])

/**
 * Every object of a document that may serve as a schema: also where JSON Schema has no place for one, since references lead there
 * as well (`#/components/schemas/User`). Found before any is given out, so that the caller may change them.
 */
export function schemasIn(document: unknown): readonly SchemaNode[] {
  const found: SchemaNode[] = []
  const waiting: { readonly value: unknown; readonly isMap: boolean }[] = [{ value: document, isMap: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, isMap } = next
    if (isArray(value)) for (const item of value) waiting.push({ value: item, isMap: false })
    if (!isNode(value)) continue
    if (!isMap) found.push(value)
    for (const key of Object.keys(value)) {
      // The keys of a map are the author's own names.
      if (isMap || !dataKeywords.has(key)) waiting.push({ value: value[key], isMap: !isMap && holdsMap(key) })
    }
  }
  return found
}

function holdsMap(keyword: string): boolean {
  const shape = holders.get(keyword)?.shape
  return shape === 'map' || shape === 'map-of-schemas-or-names' || keyword === '$defs' || keyword === 'definitions'
}
