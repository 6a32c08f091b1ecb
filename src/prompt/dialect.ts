// The text formats as the prompt uses them: found by name, and what stands in their tags kept from closing them.

import { jsonText } from '../arguments/json.ts'
import { textFormat, textFormats } from '../text/registry.ts'
import type { Pair, TextFormat } from '../text/row.ts'

/** The dialect that most models were taught, and that any model that follows instructions can write. */
export const defaultDialect = 'hermes'

/** @throws TypeError for a name that is no text format. */
export function dialectOf(format: string | TextFormat): TextFormat {
  const row = typeof format === 'string' ? textFormat(format) : format
  if (row !== undefined) return row
  const known = textFormats.map(({ name }) => name).join(', ')
  throw new TypeError(`There is no text format ${JSON.stringify(format)}. There are: ${known}`)
}

/** What encloses a result where a format doesn't say. */
const defaultResponse: Pair = ['<tool_response>\n', '\n</tool_response>']

export function responseTags({ response = defaultResponse }: TextFormat): Pair {
  return response
}

/**
 * `value` as JSON between tags that nothing in it can close: descriptions come from whoever runs a tool server, and results from
 * anywhere. Where a string holds the closing tag, its first character is written as JSON's own escape; the value stays the same.
 */
export function jsonBetween([open, close]: Pair, value: unknown): string {
  return `${open}${withoutTag(jsonText(value) ?? 'null', close.trim())}${close}`
}

/** JSON text in which `tag` doesn't occur. A tag of markup can only stand inside a string there. */
export function withoutTag(json: string, tag: string): string {
  const escape = `\\u${tag.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replaceAll(tag, `${escape}${tag.slice(1)}`)
}
