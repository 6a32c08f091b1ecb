// Reads the locations in the validator's errors: URI fragments that follow the value, or the evaluation of the schema.

import { unescapePointer } from '../arguments/pointer.ts'
import { referenced, type SchemaLookup } from './references.ts'
import { holders, isNode, type SchemaNode } from './vocabulary.ts'

/** One error as the validator reports it. */
export interface ValidatorError {
  readonly keyword: string
  /** The path of evaluation, through references. */
  readonly keywordLocation: string
  readonly instanceLocation: string
  readonly error: string
}

/** The schema that a keyword stands in, and what lay on the way to it. */
export interface Place {
  readonly node: SchemaNode
  readonly inContains: boolean
  readonly inPropertyNames: boolean
}

/** Follows a location of the validator: the path of evaluation as a URI fragment. `undefined` where it leads nowhere. */
export function resolvePlace(location: string, root: SchemaNode, lookup: SchemaLookup): Place | undefined {
  const steps = location.split('/').slice(1).map(decode)
  let node: unknown = root
  let inContains = false
  let inPropertyNames = false
  for (let at = 0; at < steps.length - 1; at++) {
    const keyword = steps[at] ?? ''
    if (!isNode(node)) return undefined
    inContains ||= keyword === 'contains'
    inPropertyNames ||= keyword === 'propertyNames'
    const held: unknown = keyword === '$ref' ? referenced(node, lookup) : node[keyword]
    const shape = holders.get(keyword)?.shape
    const isMap = shape === 'map' || shape === 'map-of-schemas-or-names'
    const keyed = isMap || (shape !== 'one' && Array.isArray(held))
    // A list of one index, or a map of one key: that step is no keyword.
    if (keyed && typeof held === 'object' && held !== null) {
      at++
      const key = steps[at]
      if (key === undefined || at === steps.length - 1) return { node, inContains, inPropertyNames }
      node = Reflect.get(held, isMap ? unescapePointer(key) : key)
    } else node = held
  }
  return isNode(node) ? { node, inContains, inPropertyNames } : undefined
}

/** The JSON Pointer in a location such as `#/a%20b/0`. */
export function pointerOf(location: string): string {
  return decode(location.slice(1))
}

function decode(text: string): string {
  // The validator encodes whole pointers with `encodeURI`, so every percent sign in them is its own.
  return decodeURIComponent(text)
}
