// Where a `$ref` leads: in a document that the validator has prepared, and in one as its author wrote it.

import { valueAtPointer } from '../arguments/pointer.ts'
import { isNode, type SchemaNode } from './vocabulary.ts'

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

/**
 * The schema that `node` stands for in the document `root`, as its author wrote it: itself, or the last one that its references
 * reach before they lead out of the document, to no object or in a circle. A reference by `$id` or `$anchor` is not followed: only
 * the validator knows those.
 */
export function dereferenced(node: SchemaNode, root: SchemaNode): SchemaNode {
  const seen = new Set<SchemaNode>()
  let current = node
  for (let reference = current['$ref']; typeof reference === 'string'; reference = current['$ref']) {
    seen.add(current)
    const isPointer = reference === '#' || reference.startsWith('#/')
    const target = isPointer ? valueAtFragment(root, reference.slice(1)) : undefined
    if (!isNode(target) || seen.has(target)) break
    current = target
  }
  return current
}

function valueAtFragment(root: SchemaNode, fragment: string): unknown {
  return valueAtPointer(root, fragment.split('/').map(decode).join('/'))
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A stray percent sign is a reference to a key that has one.
    return segment
  }
}

/** A schema by its JSON Pointer, as messages name it. */
export function placeOf(pointer: string): string {
  return pointer === '' ? 'the schema' : `the schema at ${pointer}`
}
