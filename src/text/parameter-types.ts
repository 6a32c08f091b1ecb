/** Which JSON type a tagged parameter has, by the tool's schema, and what its text is as JSON. */
import type { JsonSchema } from '../model/tools.ts'

/**
 * How the text of a parameter becomes a value. `string`: it is the value. `nullable-string`: the same, but `null` alone is null.
 * `json`: it is JSON, or Python's spelling of a literal. `unknown`: nothing says.
 */
export type ParameterKind = 'string' | 'nullable-string' | 'json' | 'unknown'

/** Deeper references and unions than this say nothing. */
const maxDepth = 16

export function parameterKind(schema: JsonSchema | undefined, key: string): ParameterKind {
  const types = new Set<string>()
  const property = schema && propertyOf(schema, schema, key, 0)
  if (!schema || property === undefined || !collectTypes(property, schema, types, 0)) return 'unknown'
  if (!types.has('string')) return 'json'
  return types.has('null') ? 'nullable-string' : 'string'
}

/** The keys that a schema declares at its top. */
export function declaredKeys(schema: JsonSchema | undefined): readonly string[] {
  const properties = schema && resolve(schema, schema)?.['properties']
  return isSchema(properties) ? Object.keys(properties) : []
}

/** The keys that a schema requires at its top. */
export function requiredKeys(schema: JsonSchema | undefined): readonly string[] {
  const required = schema && resolve(schema, schema)?.['required']
  return Array.isArray(required) ? required.filter((key): key is string => typeof key === 'string') : []
}

function propertyOf(schema: JsonSchema, root: JsonSchema, key: string, depth: number): unknown {
  const resolved = resolve(schema, root)
  if (!resolved || depth > maxDepth) return undefined
  const { properties } = resolved
  if (isSchema(properties) && Object.hasOwn(properties, key)) return properties[key]
  for (const part of unionOf(resolved)) {
    const found = isSchema(part) ? propertyOf(part, root, key, depth + 1) : undefined
    if (found !== undefined) return found
  }
  return isSchema(resolved['additionalProperties']) ? resolved['additionalProperties'] : undefined
}

/** Adds every type that the schema may allow. Returns whether it says anything about types. */
function collectTypes(schema: unknown, root: JsonSchema, types: Set<string>, depth: number): boolean {
  if (!isSchema(schema) || depth > maxDepth) return false
  const resolved = resolve(schema, root)
  if (!resolved) return false
  const { type } = resolved
  const named = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  if (named.length > 0) {
    for (const name of named) types.add(name.toLowerCase())
    if (resolved['nullable'] === true) types.add('null')
    return true
  }
  const values = 'const' in resolved ? [resolved['const']] : resolved['enum']
  if (Array.isArray(values)) {
    for (const value of values) types.add(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
    return values.length > 0
  }
  const parts = unionOf(resolved)
  const said = parts.map((part) => collectTypes(part, root, types, depth + 1))
  if (said.includes(true)) return true
  if (isSchema(resolved['properties'])) types.add('object')
  else if ('items' in resolved) types.add('array')
  else return false
  return true
}

function unionOf(schema: JsonSchema): readonly unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => {
    const parts = schema[keyword]
    return Array.isArray(parts) ? parts : []
  })
}

/** Follows `$ref` inside the document. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  let current: unknown = schema
  for (let depth = 0; depth <= maxDepth; depth++) {
    if (!isSchema(current)) return undefined
    const { $ref: reference } = current
    if (typeof reference !== 'string') return current
    if (!reference.startsWith('#')) return undefined
    current = reference
      .slice(1)
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (place, part) => (isSchema(place) ? place[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
        root,
      )
  }
  return undefined
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const literals = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/** The JSON text for a parameter that is no string, digits and all as written; `undefined` where it isn't JSON. */
export function asJson(text: string): string | undefined {
  const trimmed = text.trim()
  const literal = literals.get(trimmed)
  if (literal !== undefined) return literal
  try {
    JSON.parse(trimmed)
    return trimmed
  } catch {
    // Not JSON: the schema will say what was wanted of the string that it then is.
    return undefined
  }
}
