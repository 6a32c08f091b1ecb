// Which JSON type a tagged parameter has, by the tool's schema, and what its text is as JSON.

import { isArray, listOf } from '../arguments/json.ts'
import type { JsonSchema } from '../model/tools.ts'
import { dereferenced } from '../schema/references.ts'
import { isNode, typesOf, type SchemaNode } from '../schema/vocabulary.ts'
import { jsonWord } from './python-words.ts'

/**
 * How the text of a parameter becomes a value. `string`: it is the value. `nullable-string`: the same, but `null` alone is null.
 * `json`: it is JSON, or Python's spelling of a literal. `unknown`: nothing says.
 */
export type ParameterKind = 'string' | 'nullable-string' | 'json' | 'unknown'

export function parameterKind(schema: JsonSchema | undefined, key: string): ParameterKind {
  const property = schema && new PropertySearch(schema, key).find(schema)
  if (!schema || property === undefined) return 'unknown'
  const types = new TypeSearch(schema)
  if (!types.collect(property)) return 'unknown'
  if (!types.found.has('string')) return 'json'
  return types.found.has('null') ? 'nullable-string' : 'string'
}

/** The keys that a schema declares at its top. */
export function declaredKeys(schema: JsonSchema | undefined): readonly string[] {
  const properties = schema && dereferenced(schema, schema)['properties']
  return isNode(properties) ? Object.keys(properties) : []
}

/** The keys that a schema requires at its top. */
export function requiredKeys(schema: JsonSchema | undefined): readonly string[] {
  const required = schema && dereferenced(schema, schema)['required']
  return listOf(required).filter((key) => typeof key === 'string')
}

/** Looks for the schema of one property, through references and alternatives. Each schema is asked once, however many lead to it. */
class PropertySearch {
  readonly #root: JsonSchema
  readonly #key: string
  readonly #asked = new Set<SchemaNode>()

  constructor(root: JsonSchema, key: string) {
    this.#root = root
    this.#key = key
  }

  find(schema: unknown): unknown {
    if (!isNode(schema)) return undefined
    const resolved = dereferenced(schema, this.#root)
    if (this.#asked.has(resolved)) return undefined
    this.#asked.add(resolved)
    const { properties, additionalProperties } = resolved
    if (isNode(properties) && Object.hasOwn(properties, this.#key)) return properties[this.#key]
    for (const part of partsOf(resolved)) {
      const found = this.find(part)
      if (found !== undefined) return found
    }
    return isNode(additionalProperties) ? additionalProperties : undefined
  }
}

/** Collects every type that a schema may allow. Each schema is asked once, however many lead to it. */
class TypeSearch {
  readonly found: Set<string> = new Set()
  readonly #root: JsonSchema
  /** Whether a schema says anything about types; no, as long as that is being found out. */
  readonly #says = new Map<SchemaNode, boolean>()

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** Returns whether the schema says anything about types. */
  collect(schema: unknown): boolean {
    if (!isNode(schema)) return false
    const resolved = dereferenced(schema, this.#root)
    const known = this.#says.get(resolved)
    if (known !== undefined) return known
    this.#says.set(resolved, false)
    const says = this.#collectNode(resolved)
    this.#says.set(resolved, says)
    return says
  }

  #collectNode(node: SchemaNode): boolean {
    const named = typesOf(node).filter((type) => typeof type === 'string')
    if (named.length > 0) {
      for (const type of named) this.found.add(type.toLowerCase())
      if (node['nullable'] === true) this.found.add('null')
      return true
    }
    const values = 'const' in node ? [node['const']] : node['enum']
    if (isArray(values)) {
      for (const value of values) this.found.add(value === null ? 'null' : isArray(value) ? 'array' : typeof value)
      return values.length > 0
    }
    // All of them are asked: each may allow another type.
    const said = partsOf(node).map((part) => this.collect(part))
    if (said.includes(true)) return true
    if (isNode(node['properties'])) this.found.add('object')
    else if ('items' in node) this.found.add('array')
    else return false
    return true
  }
}

/** The schemas that judge the same value as the one around them, and may say what it is. */
function partsOf(schema: SchemaNode): readonly unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(schema[keyword]))
}

/** The JSON text for a parameter that is no string, digits and all as written; `undefined` where it isn't JSON. */
export function asJson(text: string): string | undefined {
  const trimmed = text.trim()
  const word = jsonWord(trimmed)
  if (word !== undefined) return word
  try {
    JSON.parse(trimmed)
    return trimmed
  } catch {
    // Nothing but the parser knows JSON, and it has no other way of saying no.
    return undefined
  }
}
