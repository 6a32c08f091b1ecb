// The only list of text formats, and how they are asked for by name.

import { expressionFormats } from './formats/expressions.ts'
import { jsonFormats, taggedJson } from './formats/json.ts'
import { taggedFormats } from './formats/tagged.ts'
import type { ScanOptions } from './options.ts'
import type { TextFormat } from './row.ts'

/**
 * Every format. Where two share an opener and the text could be either, the one that comes first is asked first: the more
 * particular before the more general.
 */
export const textFormats: readonly TextFormat[] = Object.freeze([
  ...jsonFormats,
  ...taggedFormats,
  ...expressionFormats,
])

/** What `formats: true` reads: the formats in wide use whose openers nothing else is likely to write. */
export const usualFormats: readonly string[] = Object.freeze([
  'hermes',
  'seed-name-arguments',
  'mistral-pre-v11',
  'mistral-v11-args',
  'llama3-json',
  'llama3-python-tag',
  'functionary-v3.1',
  'kimi-k2',
  'deepseek-v3',
  'deepseek-v3.1',
  'harmony',
  'lmstudio',
  'bare-json',
  'fenced-json',
  'qwen3-coder-xml',
  'glm45',
  'minimax-m2',
  'dsml',
  'llama4-pythonic',
  'pythonic-bare',
])

const byName = new Map(
  textFormats.flatMap((format) => [format.name, ...(format.aliases ?? [])].map((name) => [name, format])),
)

/** The format of that name or alias. */
export function textFormat(name: string): TextFormat | undefined {
  return byName.get(name)
}

/** The formats that the options ask for, in the order in which they are asked. A name that doesn't exist is a `TypeError`. */
export function chosenFormats(
  options: Pick<ScanOptions, 'formats' | 'openTag' | 'closeTag' | 'tools'>,
): readonly TextFormat[] {
  if (options.formats === undefined || options.formats === true) {
    // Without the caller's tools nothing tells a bare call from an answer in JSON.
    return textFormats.filter(({ name, bare }) => usualFormats.includes(name) && (!bare || options.tools !== undefined))
  }
  const chosen = options.formats.map((asked) => (typeof asked === 'string' ? named(asked, options) : asked))
  // A format of the caller's own has index -1 and is asked before all others.
  return [...new Set(chosen)].sort((a, b) => textFormats.indexOf(a) - textFormats.indexOf(b))
}

function named(name: string, { openTag, closeTag }: Pick<ScanOptions, 'openTag' | 'closeTag'>): TextFormat {
  if (name === 'custom') {
    if (!openTag || !closeTag) throw new TypeError('The text format "custom" needs the options openTag and closeTag.')
    return taggedJson(name, openTag, closeTag)
  }
  const format = byName.get(name)
  if (!format) throw new TypeError(`Unknown text format "${name}". Known: custom, ${[...byName.keys()].join(', ')}.`)
  return format
}
