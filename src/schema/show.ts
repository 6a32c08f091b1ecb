// Shows a received value inside a complaint, with its type, in at most 80 characters.

import { writeJson } from '../arguments/json.ts'
import { valueAtPointer } from '../arguments/pointer.ts'
import { brief } from '../arguments/quote.ts'
import type { JsonValue } from '../model/json.ts'

const most = 80

/** Such as `number 1`, `string "abc"`, `null`, `array [1,2,3]`. */
export function show(value: JsonValue): string {
  if (value === null) return 'null'
  const type = Array.isArray(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value
  return `${type} ${brief(startOf(value), most - type.length - 1)}`
}

/** JSON of the value, or of enough of it: a long value is not written out to be cut again. */
function startOf(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value.length > most * 2 ? value.slice(0, most * 2) : value)
  if (typeof value !== 'object' || value === null) return writeJson(value)
  const open = Array.isArray(value) ? '[' : '{'
  const close = Array.isArray(value) ? ']' : '}'
  let text = ''
  for (const [key, item] of Object.entries(value)) {
    const member = Array.isArray(value) ? startOf(item) : `${JSON.stringify(key)}:${startOf(item)}`
    text += text === '' ? member : `,${member}`
    if (text.length > most * 2) return open + text
  }
  return open + text + close
}

/** The value at a JSON Pointer; `undefined` where there is none. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  // What lies inside JSON is JSON.
  return valueAtPointer(root, pointer) as JsonValue | undefined
}
