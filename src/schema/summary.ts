// The parameters of a tool in one line, for the model that has to fill them in again.

import { isArray, isRecord, listOf } from '../arguments/json.ts'
import { brief } from '../arguments/quote.ts'
import type { JsonSchema } from '../model/tools.ts'
import { dereferenced } from './references.ts'
import type { SchemaNode } from './vocabulary.ts'

/** Objects inside objects are written out this far; deeper ones are `object`. */
const deepest = 2

/** So many choices are written out, or alternatives. */
const mostChoices = 8

/** What stands around the members of a line, and behind them where some are left out. */
const braces = '{}'
const andMore = ', …'

/**
 * Such as `{"path": string (required), "limit": integer}`, in at most `most` characters: required parameters first, then as many
 * others as fit, then `…`. `undefined` where the schema names no properties, or where not even one fits.
 */
export function summarizeParameters(schema: JsonSchema, most: number): string | undefined {
  return new Summary(schema, most).line()
}

/** A member that is still to be written. */
interface Member {
  readonly key: string
  readonly schema: unknown
  readonly required: boolean
}

/**
 * One summary in the making. Nothing is written that can't fit any more, and each schema is written once at each depth, so that
 * the work stays in proportion to the schema, however its references run.
 */
class Summary {
  readonly #root: SchemaNode
  readonly #most: number
  /** What was written for a schema, by the depth at which it stands. */
  readonly #written = new Map<SchemaNode, Map<number, string>>()

  constructor(root: SchemaNode, most: number) {
    this.#root = root
    this.#most = most
  }

  line(): string | undefined {
    const members = membersOf(dereferenced(this.#root, this.#root))
    let line = ''
    for (const [index, member] of members.entries()) {
      const text = this.#member(member, 0)
      const longer = index === 0 ? text : `${line}, ${text}`
      const rest = (index === members.length - 1 ? braces : `${braces}${andMore}`).length
      if (longer.length + rest > this.#most) return index === 0 ? undefined : `{${line}${andMore}}`
      line = longer
    }
    return members.length === 0 ? undefined : `{${line}}`
  }

  #member({ key, schema, required }: Member, depth: number): string {
    const type = isRecord(schema) ? this.#typeOf(schema, depth + 1) : 'any'
    return `"${brief(JSON.stringify(key).slice(1, -1), 60)}": ${type}${required ? ' (required)' : ''}`
  }

  #typeOf(schema: SchemaNode, depth: number): string {
    const node = dereferenced(schema, this.#root)
    const known = this.#written.get(node) ?? new Map<number, string>()
    this.#written.set(node, known)
    const type = known.get(depth) ?? this.#fit(this.#write(node, depth))
    known.set(depth, type)
    return type
  }

  /** What is longer than the whole line may be is never shown, only found to be too long. */
  #fit(text: string): string {
    return text.length > this.#most ? text.slice(0, this.#most + 1) : text
  }

  #write(node: SchemaNode, depth: number): string {
    if (node['const'] !== undefined) return literal(node['const'])
    const choices = listOf(node['enum'])
    if (choices.length > 0) return shorten(choices.slice(0, mostChoices + 1).map(literal))
    const alternatives = [...listOf(node['anyOf']), ...listOf(node['oneOf'])]
    if (alternatives.length > 0) return depth > deepest + 1 ? 'any' : this.#alternatives(alternatives, depth)
    const types = isArray(node['type']) ? node['type'].slice(0, mostChoices) : [node['type']]
    return types.map((type) => this.#oneType(type, node, depth)).join(' | ')
  }

  #alternatives(alternatives: readonly unknown[], depth: number): string {
    const types = new Set<string>()
    for (const alternative of alternatives) {
      types.add(isRecord(alternative) ? this.#typeOf(alternative, depth + 1) : 'any')
      if (types.size > mostChoices) break
    }
    return shorten([...types])
  }

  #oneType(type: unknown, node: SchemaNode, depth: number): string {
    if (type === 'array') {
      const items = node['items']
      const item = depth > deepest + 2 || !isRecord(items) ? 'any' : this.#typeOf(items, depth + 1)
      return item.includes(' ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
    }
    if (type === 'object' || (type === undefined && isRecord(node['properties']))) return this.#object(node, depth)
    return typeof type === 'string' ? brief(type, 30) : 'any'
  }

  #object(node: SchemaNode, depth: number): string {
    const members = depth > deepest ? [] : membersOf(node)
    if (members.length === 0) return 'object'
    const written: string[] = []
    let length = 0
    for (const member of members) {
      if (length > this.#most) break
      const text = this.#member(member, depth)
      written.push(text)
      length += text.length
    }
    return `{${written.join(', ')}}`
  }
}

/** The members that a schema names, required ones first. */
function membersOf(node: SchemaNode): readonly Member[] {
  const properties = node['properties']
  if (!isRecord(properties)) return []
  const names = new Set(listOf(node['required']))
  const members = Object.keys(properties).map((key) => ({ key, schema: properties[key], required: names.has(key) }))
  return [...members.filter(({ required }) => required), ...members.filter(({ required }) => !required)]
}

function shorten(choices: readonly string[]): string {
  return choices.length <= mostChoices ? choices.join(' | ') : `${choices.slice(0, mostChoices).join(' | ')} | …`
}

function literal(value: unknown): string {
  return brief(JSON.stringify(value) ?? 'any', 40)
}
