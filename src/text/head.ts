// Reads what stands between an opener and the arguments, and tells by it which format a block is of.

import { isSpace } from '../arguments/characters.ts'
import type { JsonObject } from '../model/json.ts'
import type { ToolTable } from '../model/tools.ts'
import { findTagEnd, readAttributes } from './attributes.ts'
import type { CompiledFormat, Opening } from './grammar.ts'
import { asMiss, findAny, matchAny, matchLiteral, MORE, NO, skipLayout, type Miss } from './match.ts'
import type { Header, Shape } from './row.ts'

/** A call as far as its arguments. */
export interface Head {
  /** Where the arguments begin. */
  readonly at: number
  /** Which of the format's shapes they are in. */
  readonly shape: number
  /** Absent where the name stands inside the shape. */
  readonly name?: string
  readonly id: string | null
  readonly extra?: JsonObject
  /** Whether a code fence was opened before the arguments. */
  readonly fenced?: true
  /** No call: a message of reasoning or plain text begins at `at`. */
  readonly becomes?: 'reasoning' | 'text'
}

type Found<T> = T | Miss

const maxName = 128
const maxHeader = 256

export interface HeadRules {
  readonly tools: ToolTable | undefined
  /** Whether a tagged call of an unknown tool is plain text. */
  readonly knownOnly: boolean
}

/** Reads the head of a call whose opener ends at `i`. `opener` is that opener's literal. */
export function readHead(
  compiled: CompiledFormat,
  opening: Opening,
  opener: string,
  text: string,
  i: number,
  rules: HeadRules,
): Found<Head> {
  const { format, callOpen } = compiled
  let at = i
  if (opening.as === 'section' && format.call) {
    const start = skipLayout(text, at)
    if (start < 0) return asMiss(start)
    const end = matchAny(text, start, callOpen)
    if (end < 0) return asMiss(end)
    opener = callOpen.find((literal) => text.startsWith(literal, start)) ?? opener
    at = end
  }
  const name = readHeader(format.header, opening, opener, text, at, rules)
  if (name === MORE || name === NO) return name
  if (name.becomes) return { ...name, shape: 0 }
  if (rules.knownOnly && name.name !== undefined && rules.tools?.has(name.name) === false) return NO
  return readStart(compiled, name, text, rules)
}

type Named = Omit<Head, 'shape'>

function readHeader(
  header: Header | undefined,
  opening: Opening,
  opener: string,
  text: string,
  i: number,
  rules: HeadRules,
): Found<Named> {
  switch (header?.in) {
    case undefined:
      return { at: i, id: null }
    case 'tag':
      return opening.tool === undefined ? NO : { at: i, id: null, name: opening.tool }
    case 'attributes': {
      const end = findTagEnd(text, i, header.close, maxHeader)
      if (end < 0) return asMiss(end)
      const name = readAttributes(text.slice(i, end)).get(header.name)
      return name === undefined ? NO : { at: end + header.close.length, id: null, name }
    }
    case 'id':
      return readId(header, text, i)
    case 'channel':
      return readChannel(header, opener, text, i, rules)
    case 'text':
      return readName(header, text, i)
    default:
      return header satisfies never
  }
}

function readId(header: Header & { in: 'id' }, text: string, i: number): Found<Named> {
  const found = findAny(text, i, header.until, maxHeader)
  if (typeof found === 'number') return found
  const id = text.slice(i, found[0]).trim()
  const [, name = ''] = /^(.*?)(?::\d+)?$/s.exec(id) ?? []
  // A bare counter is an id without a name.
  const bare = /^\d*$/.test(name) ? '' : name.startsWith(header.prefix) ? name.slice(header.prefix.length) : name
  return { at: found[1], id: id === '' ? null : id, name: bare }
}

function readChannel(
  header: Header & { in: 'channel' },
  opener: string,
  text: string,
  i: number,
  { tools }: HeadRules,
): Found<Named> {
  const found = findAny(text, i, [header.until], maxHeader)
  if (typeof found === 'number') return found
  const [, end] = found
  const message = opener + text.slice(i, found[0])
  const recipient = /\sto=([^\s<]+)/.exec(message)?.[1]
  const channel = /<\|channel\|>\s*(\w+)/.exec(message)?.[1]
  if (recipient?.startsWith(header.recipient)) {
    return { at: end, id: null, name: recipient.slice(header.recipient.length) }
  }
  // A message to somebody else, such as a tool that the model's own trainers built in, is not ours to read.
  if (recipient !== undefined) return tools?.has(recipient) ? { at: end, id: null, name: recipient } : NO
  return { at: end, id: null, becomes: channel === header.reasoning ? 'reasoning' : 'text' }
}

function readName(header: Header & { in: 'text' }, text: string, i: number): Found<Named> {
  let at = i
  const beside: Record<string, string> = {}
  for (const { pair, key } of header.beside ?? []) {
    const start = skipLayout(text, at)
    const open = start < 0 ? start : matchLiteral(text, start, pair[0])
    if (open === MORE) return MORE
    if (open < 0) continue
    const close = findAny(text, open, [pair[1]], maxHeader)
    if (typeof close === 'number') return close
    beside[key] = text.slice(open, close[0]).trim()
    at = close[1]
  }
  const start = skipLayout(text, at)
  if (start < 0) return asMiss(start)
  const open = header.open === undefined ? start : matchLiteral(text, start, header.open)
  if (open < 0) return asMiss(open)
  const ends = header.id === undefined ? header.until : [header.id, ...header.until]
  const found = findAny(text, open, ends, maxName)
  if (typeof found === 'number') return found
  const written = text.slice(open, found[0]).trim()
  const name = header.firstWord ? (/^[\p{L}\p{N}_.-]*/u.exec(written)?.[0] ?? '') : written
  if (!isName(name)) return NO
  const withExtra: { extra?: JsonObject } = Object.keys(beside).length > 0 ? { extra: beside } : {}
  if (header.plain !== undefined && name === header.plain) return { at: found[1], id: null, becomes: 'text' }
  if (header.id === undefined || !text.startsWith(header.id, found[0])) {
    return { at: behind(text, found), id: null, name, ...withExtra }
  }
  const second = findAny(text, found[1], header.until, maxName)
  if (typeof second === 'number') return second
  return { at: behind(text, second), id: text.slice(found[1], second[0]).trim() || null, name, ...withExtra }
}

/** A `{` or `<` that ends the name is where the arguments begin. */
function behind(text: string, [start, end]: readonly [number, number]): number {
  return end - start === 1 && '{<'.includes(text.charAt(start)) ? start : end
}

/** Names hold letters of any script and spaces too, but no markup and no line breaks. */
function isName(name: string): boolean {
  return name !== '' && !/[\n\r<>{}]/.test(name)
}

/** Finds the shape that the arguments begin like. Models put a code fence around JSON even inside a tag. */
function readStart(compiled: CompiledFormat, named: Named, text: string, rules: HeadRules): Found<Head> {
  const start = skipLayout(text, named.at)
  if (start < 0) return asMiss(start)
  for (const [shape, candidate] of compiled.format.shapes.entries()) {
    const answer = beginsLike(candidate, compiled, named, text, start, rules)
    if (answer === MORE) return MORE
    if (answer >= 0) return { ...named, at: start, shape }
    if (candidate.kind !== 'object' || compiled.format.closes !== 'tag' || compiled.format.bare) continue
    const at = skipFence(text, start)
    const inside = at < 0 ? at : beginsLike(candidate, compiled, named, text, at, rules)
    if (inside === MORE) return MORE
    if (inside >= 0) return { ...named, at, shape, fenced: true }
  }
  return NO
}

function skipFence(text: string, i: number): number {
  const fence = matchAny(text, i, ['```json', '```'])
  return fence < 0 ? fence : skipLayout(text, fence)
}

function beginsLike(
  shape: Shape,
  compiled: CompiledFormat,
  named: Named,
  text: string,
  i: number,
  rules: HeadRules,
): number {
  const { format, sectionClose } = compiled
  const callClose = (format.call?.close ?? []).map((close) => close.replace('{name}', () => named.name ?? ''))
  switch (shape.kind) {
    case 'object':
      return text.charAt(i) === '{' && shape.list !== 'always' ? i : shape.list === 'never' ? NO : listOf('{', text, i)
    case 'keyed-object':
      return text.charAt(i) === '{' && shape.list !== 'always' ? i : listOf('{', text, i)
    case 'json':
      if (shape.open !== undefined) return matchAny(text, i, [shape.open, ...callClose])
      return '{["\''.includes(text.charAt(i)) ? i : matchAny(text, i, callClose)
    case 'tagged': {
      const close = matchAny(text, i, [...callClose, ...sectionClose])
      if (close === MORE) return MORE
      if (close >= 0) {
        // A name and nothing else could be prose between two tags.
        const isCall =
          format.section !== undefined || format.header?.in !== 'text' || isCallable(named.name, rules.tools)
        return isCall ? i : NO
      }
      return matchLiteral(text, i, shape.key.open)
    }
    case 'python':
      return shape.list === 'brackets' ? listOf('(', text, i) : callAt(text, i, shape.suffix ?? '')
    case 'dict':
      return matchLiteral(text, i, shape.open)
    default:
      return shape satisfies never
  }
}

function isCallable(name: string | undefined, tools: ToolTable | undefined): boolean {
  if (name === undefined) return false
  return tools ? tools.has(name) : /^[\w.:-]+$/.test(name)
}

/** A list that is empty or whose first item is an object (`{`) or a call (`(`). */
function listOf(item: '{' | '(', text: string, i: number): number {
  if (text.charAt(i) !== '[') return NO
  const start = skipLayout(text, i + 1)
  if (start < 0) return start
  if (text.charAt(start) === ']') return i
  if (item === '{') return text.charAt(start) === '{' ? i : NO
  return callAt(text, start, '')
}

/** A name with that suffix and an opening parenthesis. */
export function callAt(text: string, i: number, suffix: string): number {
  const length = text.slice(i, i + maxName).search(/[^\p{L}\p{N}\p{Cs}_.:/-]/u)
  if (length < 0) return text.length - i < maxName ? MORE : NO
  if (length === 0 || isSpace(text.charCodeAt(i))) return NO
  return text.charAt(i + length) === '(' && text.slice(i, i + length).endsWith(suffix) ? i : NO
}
