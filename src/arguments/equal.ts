// Whether two JSON values are the same. Without recursion, because the depth is the sender's choice.
import type { JsonObject, JsonValue } from '../model/json.ts'

/** The order of keys doesn't count; 0 and -0 differ, as they do when written again. */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  const lefts: JsonValue[] = [left]
  const rights: JsonValue[] = [right]
  while (lefts.length > 0) {
    const a = lefts.pop() ?? null
    const b = rights.pop() ?? null
    if (!isContainer(a) || !isContainer(b)) {
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

function isContainer(value: JsonValue): value is readonly JsonValue[] | JsonObject {
  return typeof value === 'object' && value !== null
}

/** `Array.isArray` doesn't narrow readonly arrays away from objects. */
function isArray(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value)
}
