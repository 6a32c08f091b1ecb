// Finds what is broken in a JSON Schema before the first value meets it: the validator itself would find out too late, or never.

import { isKeyword, isNode, subschemas, typesOf, type SchemaNode } from './vocabulary.ts'

/** Every schema of a document by its absolute URI, as `dereference` of the validator makes it. */
export type SchemaLookup = Readonly<Record<string, unknown>>

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
 * references that lead back to themselves without ever looking at a part of the value.
 */
export function inspectSchema(root: SchemaNode, lookup: SchemaLookup): void {
  if (Object.keys(root).length > 0 && !Object.keys(root).some(isKeyword)) {
    throw new TypeError(`it has no keyword of JSON Schema, only ${Object.keys(root).slice(0, 3).join(', ')}`)
  }
  const visited = new Set<SchemaNode>()
  const waiting: { readonly schema: unknown; readonly place: string }[] = [{ schema: root, place: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, place } = next
    if (typeof schema === 'boolean') continue
    if (!isNode(schema)) throw new TypeError(`${at(place)} must be a schema`)
    if (visited.has(schema)) continue
    visited.add(schema)
    inspectKeywords(schema, place)
    const target = referenced(schema, lookup, place)
    if (target !== undefined) waiting.push({ schema: target, place: `${place}/$ref` })
    for (const inner of subschemas(schema)) waiting.push({ schema: inner.schema, place: place + inner.pointer })
  }
  refuseLoops(visited, lookup)
}

/** The schema that `node` refers to, if it refers to one. */
export function referenced(node: SchemaNode, lookup: SchemaLookup, place: string = ''): unknown {
  const reference = node['$ref']
  if (reference === undefined) return undefined
  if (typeof reference !== 'string') throw new TypeError(`${at(place)} has a $ref that is no string`)
  // Set by `dereference`, which resolves the reference against the base URI of its place.
  const absolute = node['__absolute_ref__']
  const target = lookup[typeof absolute === 'string' ? absolute : reference]
  if (target === undefined)
    throw new TypeError(`${at(place)} refers to ${JSON.stringify(reference)}, which is not in the schema`)
  return target
}

function inspectKeywords(node: SchemaNode, place: string): void {
  const fail = (keyword: string, rule: string): never => {
    throw new TypeError(
      `${at(`${place}/${keyword}`)} must be ${rule}, got ${JSON.stringify(node[keyword]).slice(0, 60)}`,
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
      `${at(place)} uses $dynamicRef, which the built-in validator does not know; use $ref, or an Ajv instance by ajvSchema`,
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

/** A reference that comes back to its own schema for the same value would never end. */
function refuseLoops(nodes: ReadonlySet<SchemaNode>, lookup: SchemaLookup): void {
  const finished = new Set<SchemaNode>()
  const onPath = new Set<SchemaNode>()
  const visit = (node: SchemaNode): void => {
    if (finished.has(node)) return
    if (onPath.has(node))
      throw new TypeError(`it refers to itself without an end, at ${JSON.stringify(node).slice(0, 60)}`)
    onPath.add(node)
    const target = referenced(node, lookup)
    if (isNode(target)) visit(target)
    for (const inner of subschemas(node)) if (inner.sameValue && isNode(inner.schema)) visit(inner.schema)
    onPath.delete(node)
    finished.add(node)
  }
  for (const node of nodes) visit(node)
}

function at(place: string): string {
  return place === '' ? 'the schema' : `the schema at ${place}`
}
