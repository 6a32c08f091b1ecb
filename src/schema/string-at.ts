// Tells where a JSON Schema certainly says string: only there may a token without quotes be read as one.

import { listOf } from '../arguments/json.ts'
import { referenced, type SchemaLookup } from './references.ts'
import { isNode, typesOf, type SchemaNode } from './vocabulary.ts'

/**
 * The answer for one schema, which has passed inspection. Where it can't tell, the answer is no. Each schema is asked once about
 * each value on the path: first all that have a say are found, from the outside in, then they are asked from the inside out.
 */
export function createStringAt(
  root: SchemaNode,
  lookup: SchemaLookup,
): (path: readonly (string | number)[]) => boolean {
  return (path) => {
    const levels = [withParts([root], lookup)]
    for (const step of path) {
      const around = levels.at(-1) ?? []
      levels.push(withParts(around.flatMap((node) => partsFor(node, step)).filter(isNode), lookup))
    }
    let saying = saysSo(levels.pop() ?? [], isStringType, lookup)
    for (let level = levels.pop(); level !== undefined; level = levels.pop()) {
      const step = path[levels.length] ?? 0
      const inside = saying
      saying = saysSo(level, (node) => partsFor(node, step).some((part) => inside.has(part)), lookup)
    }
    return saying.has(root)
  }
}

/** The schemas given and all that judge the same value by their word, each once. */
function withParts(schemas: readonly SchemaNode[], lookup: SchemaLookup): readonly SchemaNode[] {
  const found = new Set(schemas)
  // A set is walked to its end, what is added on the way included.
  for (const node of found) {
    for (const part of [referenced(node, lookup), ...conjunction(node), ...alternatives(node).flat()]) {
      if (isNode(part)) found.add(part)
    }
  }
  return [...found]
}

/**
 * Those of the schemas that say string, by their own word or by that of their parts. A schema is a conjunction: one part that says
 * it is enough. Alternatives have to agree.
 */
function saysSo(
  schemas: readonly SchemaNode[],
  byItself: (node: SchemaNode) => boolean,
  lookup: SchemaLookup,
): ReadonlySet<unknown> {
  const answers = new Map<unknown, boolean>()
  const ask = (schema: unknown): boolean => {
    if (!isNode(schema)) return false
    const known = answers.get(schema)
    if (known !== undefined) return known
    const answer =
      byItself(schema) ||
      ask(referenced(schema, lookup)) ||
      conjunction(schema).some(ask) ||
      alternatives(schema).some((open) => open.length > 0 && open.every(ask))
    answers.set(schema, answer)
    return answer
  }
  return new Set(schemas.filter(ask))
}

function conjunction(node: SchemaNode): readonly unknown[] {
  return listOf(node['allOf'])
}

/** What `anyOf` and `oneOf` leave open, apart from null. */
function alternatives(node: SchemaNode): readonly (readonly unknown[])[] {
  return [node['anyOf'], node['oneOf']].map((schemas) => listOf(schemas).filter((schema) => !isNullOnly(schema)))
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
