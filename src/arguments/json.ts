// JSON values as values: told apart, copied, compared and written, with `bigint` for the integers that a double can't hold.

import type { JsonObject, JsonValue } from '../model/json.ts'

/** `Array.isArray` that also tells TypeScript about readonly arrays. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** The items of an array; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return isArray(value) ? value : []
}

/** Whether a value has keys: neither `null` nor an array. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The same for what is JSON, whatever its declared type says. */
export function isObject(value: unknown): value is JsonObject {
  return isRecord(value)
}

/** Plain assignment to `__proto__` would set the prototype instead. */
export function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A copy that shares no object with the original. Every key becomes an own property, `__proto__` too. */
export function copyJson<T extends JsonValue>(value: T): T
export function copyJson(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (isArray(value)) return value.map((item) => copyJson(item))
  const copy: Record<string, JsonValue> = {}
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key] ?? null))
  return copy
}

/**
 * Whether both are the same JSON value. The order of keys doesn't count; 0 and -0 differ, as they do when written again.
 * Without recursion, because the depth is the sender's choice.
 */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  const lefts: JsonValue[] = [left]
  const rights: JsonValue[] = [right]
  while (lefts.length > 0) {
    const a = lefts.pop() ?? null
    const b = rights.pop() ?? null
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      if (!Object.is(a, b)) return false
    } else if (isArray(a) || isArray(b)) {
      if (!isArray(a) || !isArray(b) || a.length !== b.length) return false
      for (const item of a) lefts.push(item)
      for (const item of b) rights.push(item)
    } else {
      const keys = Object.keys(a)
      if (keys.length !== Object.keys(b).length) return false
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false
        lefts.push(a[key] ?? null)
        rights.push(b[key] ?? null)
      }
    }
  }
  return true
}

/** The strict JSON text of a JSON value. A `bigint` keeps all its digits. */
export function writeJson(value: JsonValue): string {
  // Whatever is JSON has a text.
  return jsonText(value) ?? 'null'
}

/**
 * The JSON text of any value, `undefined` where it has none (a function, a symbol). As `JSON.stringify`, except that a `bigint`
 * becomes the number that it is, digit by digit.
 * @throws TypeError for a value that holds itself, RangeError for one that is deeper than the stack, and what a `toJSON` throws.
 */
export function jsonText(value: unknown): string | undefined {
  try {
    // Many times as fast as any code of ours, and nearly always enough.
    return JSON.stringify(value)
  } catch {
    return write(value, '', new Set())
  }
}

/** The same for values from anywhere: `undefined` also where `jsonText` throws. */
export function tryJsonText(value: unknown): string | undefined {
  try {
    return jsonText(value)
  } catch {
    return undefined
  }
}

/** `within` holds the containers that are being written around `given`; each one takes itself out again. */
function write(given: unknown, key: string, within: Set<object>): string | undefined {
  const value = served(given, key)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null || isBoxed(value)) return JSON.stringify(value)
  if (within.has(value)) throw new TypeError('The value holds itself: JSON has no way to write that')
  within.add(value)
  const text = isArray(value) ? writeItems(value, within) : writeMembers(value, within)
  within.delete(value)
  return text
}

function writeItems(items: readonly unknown[], within: Set<object>): string {
  return `[${items.map((item, at) => write(item, String(at), within) ?? 'null').join(',')}]`
}

/** JSON leaves out a member that has no text. */
function writeMembers(value: object, within: Set<object>): string {
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    const text = write(member, key, within)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** What the value wants to be written as: dates and many classes bring a `toJSON`. */
function served(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value
  return typeof value.toJSON === 'function' ? value.toJSON(key) : value
}

function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean
}
