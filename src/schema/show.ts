// Shows a received value inside a complaint, with its type, in at most 80 characters.

import { isArray, isObject, setOwn, writeJson } from '../arguments/json.ts'
import { valueAtPointer } from '../arguments/pointer.ts'
import { brief } from '../arguments/quote.ts'
import type { JsonValue } from '../model/json.ts'

const most = 80

/** Such as `number 1`, `string "abc"`, `null`, `array [1,2,3]`. */
export function show(value: JsonValue): string {
  if (value === null) return 'null'
  const type = Array.isArray(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value
  return `${type} ${brief(writeJson(startOf(value)), most - type.length - 1)}`
}

/** The value, or enough of it: a long one is not written out to be cut again. `room` is how many characters may still be shown. */
function startOf(value: JsonValue, room = { left: most * 2 }): JsonValue {
  room.left--
  if (typeof value === 'string') {
    const start = value.slice(0, Math.max(room.left, 0))
    room.left -= start.length
    return start
  }
  if (isArray(value)) {
    const items: JsonValue[] = []
    for (const item of value) {
      if (room.left <= 0) break
      items.push(startOf(item, room))
    }
    return items
  }
  if (!isObject(value)) return value
  const members: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value)) {
    if (room.left <= 0) break
    room.left -= key.length
    setOwn(members, key, startOf(member, room))
  }
  return members
}

/** The value at a JSON Pointer; `undefined` where there is none. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  // What lies inside JSON is JSON.
  return valueAtPointer(root, pointer) as JsonValue | undefined
}
