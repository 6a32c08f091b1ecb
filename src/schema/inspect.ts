// Finds what is broken in a JSON Schema before the first value meets it: the validator itself would find out too late, or never.

import { placeOf, referenced, type SchemaLookup } from './references.ts'
import { isKeyword, isNode, subschemas, typesOf, type SchemaNode } from './vocabulary.ts'
import { measureWork } from './workload.ts'

const typeNames: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])
const counts = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
]
const numbers = ['minimum', 'maximum', 'multipleOf']
const maps = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  'dependentRequired',
  '$defs',
  'definitions',
]
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'enum', 'required']

/**
 * Walks everything that a value can reach from `root`, through references too. Throws a `TypeError` that says where the schema is
 * broken and how: an unknown type, a keyword of the wrong shape, a pattern that is no regular expression, a reference to nothing,
 * more work than can be done. Returns the most checks that one part of a value can take.
 */
export function inspectSchema(root: SchemaNode, lookup: SchemaLookup): number {
  if (Object.keys(root).length > 0 && !Object.keys(root).some(isKeyword)) {
    throw new TypeError(`it has no keyword of JSON Schema, only ${Object.keys(root).slice(0, 3).join(', ')}`)
  }
  const visited = new Set<SchemaNode>()
  const waiting: { readonly schema: unknown; readonly place: string }[] = [{ schema: root, place: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, place } = next
    if (typeof schema === 'boolean') continue
    if (!isNode(schema)) throw new TypeError(`${placeOf(place)} must be a schema`)
    if (visited.has(schema)) continue
    visited.add(schema)
    inspectKeywords(schema, place)
    const target = referenced(schema, lookup, place)
    if (target !== undefined) waiting.push({ schema: target, place: `${place}/$ref` })
    for (const inner of subschemas(schema)) waiting.push({ schema: inner.schema, place: place + inner.pointer })
  }
  return measureWork(visited, lookup)
}

function inspectKeywords(node: SchemaNode, place: string): void {
  const fail = (keyword: string, rule: string): never => {
    throw new TypeError(
      `${placeOf(`${place}/${keyword}`)} must be ${rule}, got ${JSON.stringify(node[keyword]).slice(0, 60)}`,
    )
  }
  if (node['type'] !== undefined && !typesOf(node).every((name) => typeNames.has(name))) {
    fail('type', 'one or several of the types of JSON Schema')
  }
  for (const key of counts) {
    if (node[key] !== undefined && !(Number.isInteger(node[key]) && Number(node[key]) >= 0)) fail(key, 'a count')
  }
  for (const key of numbers) if (node[key] !== undefined && typeof node[key] !== 'number') fail(key, 'a number')
  for (const key of maps) if (node[key] !== undefined && !isNode(node[key])) fail(key, 'an object')
  for (const key of lists) if (node[key] !== undefined && !Array.isArray(node[key])) fail(key, 'an array')
  const required: unknown = node['required']
  if (Array.isArray(required) && !required.every((name) => typeof name === 'string'))
    fail('required', 'an array of names')
  if (node['pattern'] !== undefined && !isPattern(node['pattern']))
    fail('pattern', 'a regular expression in Unicode mode')
  for (const pattern of Object.keys(isNode(node['patternProperties']) ? node['patternProperties'] : {})) {
    if (!isPattern(pattern))
      fail('patternProperties', `keyed by regular expressions in Unicode mode (${pattern} is none)`)
  }
  if (node['$dynamicRef'] !== undefined) {
    throw new TypeError(
      `${placeOf(place)} uses $dynamicRef, which the built-in validator does not know; use $ref, or an Ajv instance by ajvSchema`,
    )
  }
}

function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    // The constructor has no other way of saying no.
    return false
  }
}
