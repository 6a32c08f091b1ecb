// The parameters of a tool in one line, for the model that has to fill them in again.

import type { JsonSchema } from '../model/tools.ts'
import { isArray, isRecord, listOf } from './json.ts'
import { unescapePointer } from './pointer.ts'
import { brief } from './quote.ts'

type Node = { readonly [keyword: string]: unknown }

/** Objects inside objects are written out this far; deeper ones are `object`. */
const deepest = 2

/**
 * Such as `{"path": string (required), "limit": integer}`, in at most `most` characters: required parameters first, then as many
 * others as fit, then `…`. `undefined` where the schema names no properties, or where not even one fits.
 */
export function summarizeParameters(schema: JsonSchema, most: number): string | undefined {
  const root = resolve(schema, schema)
  const members = membersOf(root, schema, 0)
  if (members.length === 0) return undefined
  let line = ''
  for (const [index, member] of members.entries()) {
    const longer = index === 0 ? member : `${line}, ${member}`
    const rest = index === members.length - 1 ? 2 : 5
    if (longer.length + rest > most) return index === 0 ? undefined : `{${line}, …}`
    line = longer
  }
  return `{${line}}`
}

function membersOf(node: Node, root: Node, depth: number): readonly string[] {
  const properties = node['properties']
  if (!isRecord(properties)) return []
  const required = new Set(listOf(node['required']))
  const write = (key: string, mark: string): string =>
    `"${brief(JSON.stringify(key).slice(1, -1), 60)}": ${typeOf(properties[key], root, depth + 1)}${mark}`
  const keys = Object.keys(properties)
  return [
    ...keys.filter((key) => required.has(key)).map((key) => write(key, ' (required)')),
    ...keys.filter((key) => !required.has(key)).map((key) => write(key, '')),
  ]
}

function typeOf(schema: unknown, root: Node, depth: number): string {
  if (!isRecord(schema)) return 'any'
  const node = resolve(schema, root)
  if (node['const'] !== undefined) return literal(node['const'])
  const choices = listOf(node['enum'])
  if (choices.length > 0) return shorten(choices.map(literal))
  const alternatives = [...listOf(node['anyOf']), ...listOf(node['oneOf'])]
  if (alternatives.length > 0) {
    if (depth > deepest + 1) return 'any'
    return shorten([...new Set(alternatives.map((alternative) => typeOf(alternative, root, depth + 1)))])
  }
  const types = isArray(node['type']) ? node['type'] : [node['type']]
  return types.map((type) => oneType(type, node, root, depth)).join(' | ')
}

function oneType(type: unknown, node: Node, root: Node, depth: number): string {
  if (type === 'array') {
    const item = depth > deepest + 2 ? 'any' : typeOf(node['items'], root, depth + 1)
    return item.includes(' ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (type === 'object' || (type === undefined && isRecord(node['properties']))) {
    const members = depth > deepest ? [] : membersOf(node, root, depth)
    return members.length === 0 ? 'object' : `{${members.join(', ')}}`
  }
  return typeof type === 'string' ? brief(type, 30) : 'any'
}

/** Follows references inside the document. One that leads elsewhere, or in a circle, is left as it is. */
function resolve(node: Node, root: Node): Node {
  let current = node
  for (let hops = 0; hops < 8; hops++) {
    const reference = current['$ref']
    if (typeof reference !== 'string') return current
    const target = find(root, reference)
    if (!isRecord(target)) return current
    current = target
  }
  return current
}

function find(root: Node, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let current: unknown = root
  for (const segment of reference.slice(2).split('/')) {
    const key = unescapePointer(decode(segment))
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  return current
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A stray percent sign is a reference to a key that has one.
    return segment
  }
}

function shorten(choices: readonly string[]): string {
  return choices.length <= 8 ? choices.join(' | ') : `${choices.slice(0, 8).join(' | ')} | …`
}

function literal(value: unknown): string {
  return brief(JSON.stringify(value) ?? 'any', 40)
}
