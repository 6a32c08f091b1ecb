// `uniqueItems` in linear time. The validator compares each item with every other one, and how many there are is the model's choice.

import { isArray, isObject } from '../arguments/json.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { schemasIn, type SchemaNode } from './vocabulary.ts'

type List = readonly JsonValue[]

/** Whether any schema in the document asks for items that differ. */
export function asksForUniqueItems(root: SchemaNode): boolean {
  return schemasIn(root).some((node) => node['uniqueItems'] === true)
}

/** Takes the keyword out of a document that nobody else holds. For a value whose items all differ that changes nothing. */
export function dropUniqueItems(root: SchemaNode): void {
  for (const node of schemasIn(root)) {
    const written: { [keyword: string]: unknown } = node
    delete written['uniqueItems']
  }
}

/** The lists in the value that hold two equal items, each with such an item. */
export function listsWithEqualItems(value: JsonValue): ReadonlyMap<List, JsonValue> {
  const found = new Map<List, JsonValue>()
  const numbers = new Map<string, number>()
  /** The same number for equal values: numbers by value, objects without regard to the order of their members. */
  const numberOf = (part: JsonValue): number => {
    const shape = shapeOf(part)
    const known = numbers.get(shape)
    if (known !== undefined) return known
    numbers.set(shape, numbers.size)
    return numbers.size - 1
  }
  const shapeOf = (part: JsonValue): string => {
    if (isList(part)) {
      const items = part.map(numberOf)
      const repeat = firstRepeat(items)
      const equal = part[repeat]
      if (equal !== undefined) found.set(part, equal)
      return `[${items.join()}]`
    }
    if (isObject(part)) {
      const members = Object.entries(part).map(([key, member]) => `${JSON.stringify(key)}:${numberOf(member)}`)
      return `{${members.sort().join()}}`
    }
    return typeof part === 'string' ? JSON.stringify(part) : `${typeof part} ${String(part)}`
  }
  numberOf(value)
  return found
}

/** The value with every list of `equal` that is longer than `most` cut down to its equal item, twice. */
export function shortened(value: JsonObject, equal: ReadonlyMap<List, JsonValue>, most: number): JsonObject {
  const short = (part: JsonValue): JsonValue => {
    if (isList(part)) {
      const item = part.length > most ? equal.get(part) : undefined
      return item === undefined ? part.map(short) : [item, item]
    }
    return isObject(part) ? members(part) : part
  }
  const members = (part: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(part).map(([key, member]) => [key, short(member)]))
  return members(value)
}

/** Where the first number stands that stood before; -1 where all differ. */
function firstRepeat(numbers: readonly number[]): number {
  const seen = new Set<number>()
  for (const [at, number] of numbers.entries()) {
    if (seen.has(number)) return at
    seen.add(number)
  }
  return -1
}

function isList(value: JsonValue): value is List {
  return isArray(value)
}
