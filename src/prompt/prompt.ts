// The system prompt that gives a model its tools in words, from the same row of data that its calls are read with.

import { defaultLimits } from '../model/limits.ts'
import type { Tools } from '../model/tools.ts'
import { compileTools } from '../schema/tools.ts'
import { renderCalls, type WrittenCall } from '../text/render.ts'
import type { Shape, TextFormat } from '../text/row.ts'
import { definitionsText, definitionTags, type DefinitionStyle } from './definitions.ts'
import { defaultDialect, dialectOf, responseTags } from './dialect.ts'

export interface ToolPromptOptions {
  /** The dialect to ask for: the name or alias of a text format, or a row of your own. Default `hermes`. */
  readonly format?: string | TextFormat
  /** How to write the definitions. Default: as elements for dialects that write a tag a parameter, else as JSON. */
  readonly definitions?: DefinitionStyle
}

/**
 * The part of a system prompt that tells a model which tools there are and how to call them, for `createTextScanner` or the option
 * `textCalls` with the same format to read. `''` without tools. The same tools always give the same text, so that prompt caches hold.
 *
 * What it can't know: whether the model follows it; small models forget, and none is held to the schema while it writes. Nor whether a
 * dialect's tags survive the server: special tokens such as `[TOOL_CALLS]` are often left out of what it sends, which is why the default
 * uses none. The model's own chat template may add instructions of its own if tools are sent through the API as well: don't do both.
 *
 * @throws TypeError for an unknown format, or what is no tool definition.
 */
export function toolPrompt(tools: Tools, options: ToolPromptOptions = {}): string {
  const row = dialectOf(options.format ?? defaultDialect)
  const table = compileTools(tools, { policy: {}, maxDepth: defaultLimits.maxDepth })
  if (table === undefined || table.size === 0) return ''
  const style = options.definitions ?? (row.shapes[0]?.kind === 'tagged' ? 'xml' : 'json')
  const [open, close] = definitionTags
  return [
    'You can call tools to help with what the user asks. Call one only where it is needed; otherwise answer right away.',
    `These are the tools, between ${open.trim()} and ${close.trim()}${style === 'json' ? ', with their parameters as JSON Schema' : ''}:`,
    `${open}${definitionsText([...table.values()], style)}${close}`,
    'To call a tool, write exactly this, with the name of the tool and your own arguments:',
    renderCalls(row, [example]),
    'To call several tools at once:',
    renderCalls(row, several),
    rules(row)
      .map((rule) => `- ${rule}`)
      .join('\n'),
  ].join('\n\n')
}

/** Placeholders that no model takes for a real tool. */
const example: WrittenCall = { name: 'tool_name', arguments: { parameter: 'value', other_parameter: 1 } }
const several: readonly WrittenCall[] = ['tool_name', 'other_tool_name'].map((name) => ({
  name,
  arguments: { parameter: 'value' },
}))

function rules(row: TextFormat): readonly string[] {
  const [open, close] = responseTags(row)
  return [
    ...row.shapes.slice(0, 1).map(notation),
    'Give every required parameter, with values of the type that it asks for, and no parameter that is not listed.',
    'Never make up a value that you were not given: ask for it.',
    row.bare === undefined
      ? 'You may write text before a call. After the last call, stop and wait.'
      : 'A call is the whole answer: nothing before it, nothing after it.',
    // Some dialects are a code fence.
    ...(renderCalls(row, [example]).includes('```') ? [] : ['Put no code fence around a call.']),
    ...thinkingRule(row),
    `The results come in the next message, in the order of the calls, between ${open.trim()} and ${close.trim()}.`,
  ]
}

/** What a model must know to write values in this notation. */
function notation(shape: Shape): string {
  switch (shape.kind) {
    case 'object':
    case 'keyed-object':
    case 'json':
      return 'Arguments are one JSON object. In strings, write a quotation mark as \\", a backslash as \\\\ and a line break as \\n.'
    case 'tagged':
      return 'Write text as it is, without quotation marks and without escapes; numbers, true, false, null, objects and lists as JSON.'
    case 'python':
      return 'Arguments are keyword arguments with literal values, as in Python.'
    case 'dict':
      return `Write text between ${shape.quote} and ${shape.quote}, as it is; everything else as JSON, with bare keys.`
    default:
      return shape satisfies never
  }
}

function thinkingRule({ thinking = [], endsThinking }: TextFormat): readonly string[] {
  const [pair] = thinking
  return pair === undefined || endsThinking === true
    ? []
    : [`A call between ${pair[0].trim()} and ${pair[1].trim()} is not run: close the thinking first.`]
}
