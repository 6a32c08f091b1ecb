// Tells where a JSON Schema certainly says string: only there may a token without quotes be read as one.

import { listOf } from '../arguments/json.ts'
import { referenced, type SchemaLookup } from './inspect.ts'
import { isNode, typesOf, type SchemaNode } from './vocabulary.ts'

type Path = readonly (string | number)[]

/** The answer for one schema, which has passed inspection. Where it can't tell, the answer is no. */
export function createStringAt(root: SchemaNode, lookup: SchemaLookup): (path: Path) => boolean {
  return (path) => saysString(root, path, 0, lookup, [])
}

/**
 * A schema is a conjunction: one part that says string is enough. Alternatives have to agree. `seen` holds the schemas that were
 * asked about this same value, since recursive schemas lead back to them.
 */
function saysString(
  schema: unknown,
  path: Path,
  depth: number,
  lookup: SchemaLookup,
  seen: readonly SchemaNode[],
): boolean {
  if (!isNode(schema) || seen.includes(schema)) return false
  const here = [...seen, schema]
  const ask = (part: unknown): boolean => saysString(part, path, depth, lookup, here)
  if (depth === path.length ? isStringType(schema) : inside(schema, path, depth, lookup)) return true
  if (ask(referenced(schema, lookup))) return true
  if (listOf(schema['allOf']).some(ask)) return true
  return [schema['anyOf'], schema['oneOf']].some((alternatives) => {
    const open = listOf(alternatives).filter((alternative) => !isNullOnly(alternative))
    return open.length > 0 && open.every(ask)
  })
}

function inside(schema: SchemaNode, path: Path, depth: number, lookup: SchemaLookup): boolean {
  const step = path[depth]
  if (step === undefined) return false
  return partsFor(schema, step).some((part) => saysString(part, path, depth + 1, lookup, []))
}

/** The subschemas that judge the member or item `step`. */
function partsFor(schema: SchemaNode, step: string | number): readonly unknown[] {
  if (typeof step === 'number') {
    const tuple = listOf(schema['prefixItems'] ?? schema['items'])
    if (step < tuple.length) return [tuple[step]]
    return [Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items']]
  }
  const properties = schema['properties']
  if (isNode(properties) && Object.hasOwn(properties, step)) return [properties[step]]
  // A pattern may match this key; then what `additionalProperties` says would not count.
  return schema['patternProperties'] === undefined ? [schema['additionalProperties']] : []
}

function isStringType(schema: SchemaNode): boolean {
  const types = typesOf(schema)
  if (types.includes('string') && types.every((type) => type === 'string' || type === 'null')) return true
  if (typeof schema['const'] === 'string') return true
  const choices = listOf(schema['enum']).filter((choice) => choice !== null)
  return choices.length > 0 && choices.every((choice) => typeof choice === 'string')
}

function isNullOnly(schema: unknown): boolean {
  return (
    isNode(schema) &&
    (schema['const'] === null || (schema['type'] !== undefined && typesOf(schema).every((type) => type === 'null')))
  )
}
