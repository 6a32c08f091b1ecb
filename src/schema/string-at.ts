// Tells where a JSON Schema certainly says string: only there may a token without quotes be read as one.

import { listOf } from '../arguments/json.ts'
import { referenced, type SchemaLookup } from './references.ts'
import { isNode, typesOf, type SchemaNode } from './vocabulary.ts'

type Path = readonly (string | number)[]

/** How many schemas are followed into each other at the most: the stack has to hold them. */
const mostHops = 1000

/**
 * The answer for one schema, which has passed inspection. Where it can't tell, the answer is no. Each schema is asked once about
 * each value on the path, and about the value at its end once for all paths.
 */
export function createStringAt(root: SchemaNode, lookup: SchemaLookup): (path: Path) => boolean {
  const strings = new Map<SchemaNode, boolean>()
  const isString = (schema: unknown): boolean =>
    isNode(schema) && remember(strings, schema, () => isStringType(schema) || byItsParts(schema, lookup, isString))

  return (path) => {
    const answers = path.map(() => new Map<SchemaNode, boolean>())
    const says = (schema: unknown, depth: number, hops: number): boolean => {
      const step = path[depth]
      const known = answers[depth]
      if (step === undefined || known === undefined) return isString(schema)
      if (!isNode(schema) || hops > mostHops) return false
      return remember(
        known,
        schema,
        () =>
          partsFor(schema, step).some((part) => says(part, depth + 1, hops + 1)) ||
          byItsParts(schema, lookup, (part) => says(part, depth, hops + 1)),
      )
    }
    return says(root, 0, 0)
  }
}

/** An answer that is being found out counts as no. */
function remember(answers: Map<SchemaNode, boolean>, schema: SchemaNode, find: () => boolean): boolean {
  const known = answers.get(schema)
  if (known !== undefined) return known
  answers.set(schema, false)
  const answer = find()
  answers.set(schema, answer)
  return answer
}

/** A schema is a conjunction: one part that says string is enough. Alternatives have to agree. */
function byItsParts(schema: SchemaNode, lookup: SchemaLookup, ask: (part: unknown) => boolean): boolean {
  if (ask(referenced(schema, lookup)) || listOf(schema['allOf']).some(ask)) return true
  return [schema['anyOf'], schema['oneOf']].some((alternatives) => {
    const open = listOf(alternatives)
    return open.every((part) => isNullOnly(part) || ask(part)) && !open.every(isNullOnly)
  })
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
