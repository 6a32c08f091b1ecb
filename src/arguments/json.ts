/** JSON values as values: copied, compared and written, with `bigint` for the integers that a double can't hold. */
import type { JsonObject, JsonValue } from '../model/json.ts'

/** A copy that shares no object with the original. Every key becomes an own property, `__proto__` too. */
export function copyJson<T extends JsonValue>(value: T): T
export function copyJson(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (isArray(value)) return value.map((item) => copyJson(item))
  const copy: Record<string, JsonValue> = {}
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key] ?? null))
  return copy
}

/** Whether both are the same JSON value. The order of keys doesn't count. */
export function equalJson(left: JsonValue, right: JsonValue): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return Object.is(left, right)
  if (isArray(left) || isArray(right)) {
    if (!isArray(left) || !isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => equalJson(item, right[index] ?? null))
  }
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key] ?? null, right[key] ?? null))
}

/** The strict JSON text of a value. A `bigint` keeps all its digits. */
export function writeJson(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isArray(value)) return `[${value.map(writeJson).join(',')}]`
  const members = Object.keys(value).map((key) => `${JSON.stringify(key)}:${writeJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

/** `Array.isArray` that also tells TypeScript about readonly arrays. */
export function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Whether a value is an object that can stand for the arguments: neither `null` nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Plain assignment to `__proto__` would set the prototype instead. */
function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
