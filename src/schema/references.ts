// Where a `$ref` leads.

import type { SchemaNode } from './vocabulary.ts'

/** Every schema of a document by its absolute URI, as `dereference` of the validator makes it. */
export type SchemaLookup = Readonly<Record<string, unknown>>

/** The schema that `node` refers to, if it refers to one. Throws a `TypeError` where that is nothing; `place` is for its message. */
export function referenced(node: SchemaNode, lookup: SchemaLookup, place: string = ''): unknown {
  const reference = node['$ref']
  if (reference === undefined) return undefined
  if (typeof reference !== 'string') throw new TypeError(`${placeOf(place)} has a $ref that is no string`)
  // Set by `dereference`, which resolves the reference against the base URI of its place.
  const absolute = node['__absolute_ref__']
  const target = lookup[typeof absolute === 'string' ? absolute : reference]
  if (target === undefined)
    throw new TypeError(`${placeOf(place)} refers to ${JSON.stringify(reference)}, which is not in the schema`)
  return target
}

/** A schema by its JSON Pointer, as messages name it. */
export function placeOf(pointer: string): string {
  return pointer === '' ? 'the schema' : `the schema at ${pointer}`
}
