// OpenAPI's dialect as Gemini's `parameters` speak it, turned into JSON Schema: types in capitals, `nullable`, counts as strings.
// Source: https://ai.google.dev/api/caching#Schema

import { isArray } from '../arguments/json.ts'
import { isNode, schemasIn, type SchemaNode } from './vocabulary.ts'

const typeNames: ReadonlySet<string> = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'])
/** 64-bit integers, which JSON of Google's APIs carries as strings. */
const counts = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']

/** Whether a schema can only be of this dialect. */
export function speaksOpenApi(schema: unknown): boolean {
  return isNode(schema) && typeof schema['type'] === 'string' && typeNames.has(schema['type'])
}

/** Rewrites a schema of this dialect in place; it must be a copy that nobody else holds. */
export function fromOpenApi(schema: SchemaNode): void {
  for (const node of schemasIn(schema)) rewrite(node)
}

/** The caller gave the copy away to be rewritten. */
function rewrite(node: { [keyword: string]: unknown }): void {
  const type = node['type']
  if (type === 'TYPE_UNSPECIFIED') delete node['type']
  else if (typeof type === 'string' && typeNames.has(type)) node['type'] = type.toLowerCase()
  if (node['nullable'] === true) allowNull(node)
  for (const key of counts) {
    const count = node[key]
    if (typeof count === 'string' && /^\d+$/.test(count)) node[key] = Number(count)
  }
}

function allowNull(node: { [keyword: string]: unknown }): void {
  if (typeof node['type'] === 'string') node['type'] = [node['type'], 'null']
  const choices: unknown = node['enum']
  if (isArray(choices) && !choices.includes(null)) node['enum'] = [...choices, null]
  const branches: unknown = node['anyOf']
  if (isArray(branches)) node['anyOf'] = [...branches, { type: 'null' } satisfies SchemaNode]
}
