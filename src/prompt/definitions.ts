// Tool definitions as a prompt shows them: every tool's name, what it does, and its parameters with types and what is required.

import { isRecord } from '../arguments/json.ts'
import type { CompiledTool } from '../model/compiled.ts'
import type { JsonSchema } from '../model/tools.ts'
import { jsonText } from '../arguments/json.ts'
import type { Pair } from '../text/row.ts'
import { withoutTag } from './dialect.ts'

/** How the definitions are written: a JSON object a line, as most models were taught, or an element for everything. */
export type DefinitionStyle = 'json' | 'xml'

export function definitionsText(tools: readonly CompiledTool[], style: DefinitionStyle): string {
  return tools.map(style === 'json' ? jsonDefinition : xmlDefinition).join('\n')
}

const noParameters: JsonSchema = { type: 'object', properties: {} }

/** The tags that all definitions stand between. */
export const definitionTags: Pair = ['<tools>\n', '\n</tools>']

function jsonDefinition({ name, description, jsonSchema = noParameters }: CompiledTool): string {
  const definition = { name, ...(description === undefined ? {} : { description }), parameters: jsonSchema }
  return withoutTag(json({ type: 'function', function: definition }), '</tools>')
}

function xmlDefinition({ name, description, jsonSchema = noParameters }: CompiledTool): string {
  return [
    '<function>',
    element('name', name),
    ...(description === undefined ? [] : [element('description', description)]),
    '<parameters>',
    ...xmlParameters(jsonSchema),
    '</parameters>',
    '</function>',
  ].join('\n')
}

/** A parameter each, what is required, and the definitions that they may refer to. What is more than a list of properties stays JSON. */
function xmlParameters(schema: JsonSchema): readonly string[] {
  const { properties, required, $defs, definitions, ...rest } = schema
  if (!isRecord(properties) || ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in rest)) {
    return [element('schema', json(schema))]
  }
  return [
    ...Object.entries(properties).map(([key, property]) => xmlParameter(key, isRecord(property) ? property : {})),
    ...(Array.isArray(required) && required.length > 0 ? [element('required', json(required))] : []),
    ...[$defs, definitions].flatMap((shared) => (shared === undefined ? [] : [element('definitions', json(shared))])),
  ]
}

/** Type and description as elements, everything else that the schema says as JSON in one more. */
function xmlParameter(key: string, { type, description, ...rest }: JsonSchema): string {
  return [
    '<parameter>',
    element('name', key),
    ...(type === undefined ? [] : [element('type', typeof type === 'string' ? type : json(type))]),
    ...(typeof description === 'string' ? [element('description', description)] : []),
    ...(Object.keys(rest).length === 0 ? [] : [element('schema', json(rest))]),
    '</parameter>',
  ].join('\n')
}

/** What a schema holds has JSON. */
function json(value: unknown): string {
  return jsonText(value) ?? 'null'
}

function element(name: string, text: string): string {
  return `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</${name}>`
}
