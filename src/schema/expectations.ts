// What each keyword of JSON Schema expects, in words.

import { listOf } from '../arguments/json.ts'
import { brief } from '../arguments/quote.ts'
import { typesOf, type SchemaNode } from './vocabulary.ts'

export interface Expectation {
  /** Completes "expected …, got …". Absent where the rule is no expectation of the value itself. */
  readonly expected?: string
  /** The whole complaint, where `expected` is absent. */
  readonly rule: string
  /** `type`: another kind of value was expected; `fixed`: one of certain values. */
  readonly kind?: 'type' | 'fixed'
}

/** `node` is the schema that the keyword stands in; `fallback` the validator's own text, for keywords without words of ours. */
export function expectationOf(keyword: string, node: SchemaNode, fallback: string): Expectation {
  const said = node[keyword]
  // The keywords that say a limit say it as a number or a text. Others hold what a model's own keys can be.
  const limit = typeof said === 'number' || typeof said === 'string' ? String(said) : ''
  switch (keyword) {
    case 'type':
      return { ...wants(typesOf(node).map(String).join(' or ')), kind: 'type' }
    case 'const':
      return { ...wants(literal(node['const'])), kind: 'fixed' }
    case 'enum':
      return { ...wants(oneOf(node['enum'])), kind: 'fixed' }
    case 'minimum':
      return wants(`a number ${node['exclusiveMinimum'] === true ? 'greater than' : 'of at least'} ${limit}`)
    case 'maximum':
      return wants(`a number ${node['exclusiveMaximum'] === true ? 'less than' : 'of at most'} ${limit}`)
    case 'exclusiveMinimum':
      return wants(`a number greater than ${limit}`)
    case 'exclusiveMaximum':
      return wants(`a number less than ${limit}`)
    case 'multipleOf':
      return wants(`a multiple of ${limit}`)
    case 'minLength':
      return wants(`at least ${count(node[keyword], 'character')}`)
    case 'maxLength':
      return wants(`at most ${count(node[keyword], 'character')}`)
    case 'pattern':
      return wants(`a match of the pattern ${brief(limit, 80)}`)
    case 'format':
      return wants(`the format ${brief(limit, 40)}`)
    case 'minItems':
      return wants(`at least ${count(node[keyword], 'item')}`)
    case 'maxItems':
      return wants(`at most ${count(node[keyword], 'item')}`)
    case 'minProperties':
      return wants(`at least ${count(node[keyword], 'member')}`)
    case 'maxProperties':
      return wants(`at most ${count(node[keyword], 'member')}`)
    case 'uniqueItems':
      return wants('items that are all different')
    case 'contains':
    case 'minContains':
      return wants(`at least ${count(node['minContains'] ?? 1, 'item')} of the kind that the schema asks for`)
    case 'maxContains':
      return wants(`at most ${count(node['maxContains'], 'item')} of the kind that the schema limits`)
    case 'not':
      return { rule: 'is what the schema rules out' }
    default:
      return { rule: fallback }
  }
}

function wants(expected: string): Expectation {
  return { expected, rule: `expected ${expected}` }
}

function oneOf(choices: unknown): string {
  const all = listOf(choices).map(literal)
  if (all.length === 1) return all[0] ?? ''
  return all.length <= 8 ? `one of ${all.join(', ')}` : `one of ${all.slice(0, 8).join(', ')} or ${all.length - 8} more`
}

function literal(value: unknown): string {
  return brief(JSON.stringify(value) ?? String(value), 60)
}

function count(most: unknown, thing: string): string {
  return `${String(most)} ${thing}${most === 1 ? '' : 's'}`
}
