// Reads what stands between an opener and the arguments, and tells by it which format a block is of.

import { isSpace } from '../arguments/characters.ts'
import type { JsonObject } from '../model/json.ts'
import type { ToolTable } from '../model/compiled.ts'
import { findTagEnd, readAttributes } from './attributes.ts'
import { formatAt, type CompiledFormat, type Grammar, type Opening } from './grammar.ts'
import { asMiss, findAny, matchAny, matchBehindLayout, matchLiteral, needsMore, noMatch, skipLayout } from './match.ts'
import type { Miss, Span } from './match.ts'
import { fillNames } from './placeholders.ts'
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
type Named = Omit<Head, 'shape'>
type HeaderIn<Place extends Header['in']> = Header & { readonly in: Place }

const maxName = 128
const maxHeader = 256

/** Reads the head of the call whose opener stands at these places. `knownOnly`: a call of an unknown tool is none. */
export function readHead(
  grammar: Grammar,
  opening: Opening,
  opener: Span,
  text: string,
  knownOnly: boolean = grammar.options.unknownTool === 'text',
): Found<Head> {
  const reader = new HeadReader(formatAt(grammar, opening.format), opening, text, grammar.tools)
  return reader.read(opener, knownOnly)
}

class HeadReader {
  readonly #compiled: CompiledFormat
  readonly #opening: Opening
  readonly #text: string
  readonly #tools: ToolTable | undefined

  constructor(compiled: CompiledFormat, opening: Opening, text: string, tools: ToolTable | undefined) {
    this.#compiled = compiled
    this.#opening = opening
    this.#text = text
    this.#tools = tools
  }

  read(opener: Span, knownOnly: boolean): Found<Head> {
    const call = this.#callOpener(opener)
    if (typeof call === 'number') return call
    const named = this.#readHeader(this.#compiled.format.header, call)
    if (typeof named === 'number') return named
    if (named.becomes) return { ...named, shape: 0 }
    if (knownOnly && named.name !== undefined && this.#tools?.has(named.name) === false) return noMatch
    return this.#readStart(named)
  }

  /** The opener of the first call, which a section's opener is not. */
  #callOpener(opener: Span): Found<Span> {
    const { format, callOpen } = this.#compiled
    if (this.#opening.as === 'call' || !format.call) return opener
    const start = skipLayout(this.#text, opener[1])
    const end = start < 0 ? start : matchAny(this.#text, start, callOpen)
    return end < 0 ? asMiss(end) : [start, end]
  }

  // ---- the header

  #readHeader(header: Header | undefined, opener: Span): Found<Named> {
    const at = opener[1]
    switch (header?.in) {
      case undefined:
        return { at, id: null }
      case 'tag':
        return this.#opening.tool === undefined ? noMatch : { at, id: null, name: this.#opening.tool }
      case 'attributes':
        return this.#readAttributes(header, at)
      case 'id':
        return this.#readId(header, at)
      case 'channel':
        return this.#readChannel(header, opener)
      case 'text':
        return this.#readText(header, at)
      default:
        return header satisfies never
    }
  }

  #readAttributes(header: HeaderIn<'attributes'>, i: number): Found<Named> {
    const end = findTagEnd(this.#text, i, header.close, maxHeader)
    if (end < 0) return asMiss(end)
    const name = readAttributes(this.#text.slice(i, end)).get(header.name)
    return name === undefined ? noMatch : { at: end + header.close.length, id: null, name }
  }

  #readId({ prefix, until }: HeaderIn<'id'>, i: number): Found<Named> {
    const found = findAny(this.#text, i, until, maxHeader)
    if (typeof found === 'number') return found
    const id = this.#text.slice(i, found[0]).trim()
    const [, name = ''] = /^(.*?)(?::\d+)?$/s.exec(id) ?? []
    // A bare counter is an id without a name.
    const bare = /^\d*$/.test(name) ? '' : name.startsWith(prefix) ? name.slice(prefix.length) : name
    return { at: found[1], id: id === '' ? null : id, name: bare }
  }

  #readChannel(header: HeaderIn<'channel'>, opener: Span): Found<Named> {
    const found = findAny(this.#text, opener[1], [header.until], maxHeader)
    if (typeof found === 'number') return found
    const message = this.#text.slice(opener[0], found[0])
    const at = found[1]
    const recipient = /\sto=([^\s<]+)/.exec(message)?.[1]
    if (recipient?.startsWith(header.recipient)) return { at, id: null, name: recipient.slice(header.recipient.length) }
    // A tool of the caller's may come without its namespace. A message to anybody else, such as a tool that the model's own trainers
    // built in, is not ours to read.
    if (recipient !== undefined) return this.#tools?.has(recipient) ? { at, id: null, name: recipient } : noMatch
    const channel = /<\|channel\|>\s*(\w+)/.exec(message)?.[1]
    return { at, id: null, becomes: channel === header.reasoning ? 'reasoning' : 'text' }
  }

  #readText(header: HeaderIn<'text'>, i: number): Found<Named> {
    const text = this.#text
    const beside = this.#readBeside(header, i)
    if (typeof beside === 'number') return beside
    const start = matchBehindLayout(text, beside.at, header.open ?? '')
    if (start < 0) return asMiss(start)
    const { id: mark, until } = header
    const end = findAny(text, start, mark === undefined ? until : [mark, ...until], maxName)
    if (typeof end === 'number') return end
    const written = text.slice(start, end[0]).trim()
    const name = header.firstWord ? (/^[\p{L}\p{N}_.-]*/u.exec(written)?.[0] ?? '') : written
    if (!isName(name)) return noMatch
    if (name === header.plain) return { at: end[1], id: null, becomes: 'text' }
    const named = { name, ...(beside.extra && { extra: beside.extra }) }
    if (mark === undefined || !text.startsWith(mark, end[0])) return { ...named, at: headerEnd(text, end), id: null }
    const idEnd = findAny(text, end[1], until, maxName)
    if (typeof idEnd === 'number') return idEnd
    return { ...named, at: headerEnd(text, idEnd), id: text.slice(end[1], idEnd[0]).trim() || null }
  }

  /** Reads the elements that may stand before the name. */
  #readBeside(header: HeaderIn<'text'>, i: number): Found<Pick<Named, 'at' | 'extra'>> {
    let at = i
    const found: [key: string, value: string][] = []
    for (const { pair, key } of header.beside ?? []) {
      const open = matchBehindLayout(this.#text, at, pair[0])
      if (open === needsMore) return needsMore
      if (open === noMatch) continue
      const close = findAny(this.#text, open, [pair[1]], maxHeader)
      if (typeof close === 'number') return close
      found.push([key, this.#text.slice(open, close[0]).trim()])
      at = close[1]
    }
    return found.length > 0 ? { at, extra: Object.fromEntries(found) } : { at }
  }

  // ---- the arguments

  /** Finds the shape that the arguments begin like. Models put a code fence around JSON even inside a tag. */
  #readStart(named: Named): Found<Head> {
    const { format } = this.#compiled
    const start = skipLayout(this.#text, named.at)
    if (start < 0) return asMiss(start)
    for (const [number, shape] of format.shapes.entries()) {
      const bare = this.#beginsLike(shape, named.name, start)
      if (bare === needsMore) return needsMore
      if (bare >= 0) return { ...named, at: start, shape: number }
      if (shape.kind !== 'object' || format.closes !== 'tag' || format.bare) continue
      const inside = this.#behindFence(start)
      const fenced = inside < 0 ? inside : this.#beginsLike(shape, named.name, inside)
      if (fenced === needsMore) return needsMore
      if (fenced >= 0) return { ...named, at: inside, shape: number, fenced: true }
    }
    return noMatch
  }

  #behindFence(i: number): number {
    const fence = matchAny(this.#text, i, ['```json', '```'])
    return fence < 0 ? fence : skipLayout(this.#text, fence)
  }

  /** Whether arguments in this shape begin at `i`. No shape has to have any: then what closes the call stands here. */
  #beginsLike(shape: Shape, name: string | undefined, i: number): number {
    const text = this.#text
    switch (shape.kind) {
      case 'object':
      case 'keyed-object':
        if (text.charAt(i) === '{' && shape.list !== 'always') return i
        return shape.list === 'never' ? noMatch : listOf('{', text, i)
      case 'json':
        if (shape.open !== undefined) return matchAny(text, i, [shape.open, ...this.#closes(name)])
        return '{["\''.includes(text.charAt(i)) ? i : matchAny(text, i, this.#closes(name))
      case 'tagged': {
        const close = matchAny(text, i, [...this.#closes(name), ...this.#compiled.sectionClose])
        if (close === noMatch) return matchLiteral(text, i, shape.key.open)
        return close === needsMore ? needsMore : this.#mayBeEmpty(name) ? i : noMatch
      }
      case 'python':
        return shape.list === 'brackets' ? listOf('(', text, i) : callAt(text, i, shape.suffix ?? '')
      case 'dict':
        return matchLiteral(text, i, shape.open)
      default:
        return shape satisfies never
    }
  }

  #closes(name: string = ''): readonly string[] {
    return fillNames(this.#compiled.callClose, name)
  }

  /** A name and nothing else could be prose between two tags. */
  #mayBeEmpty(name: string | undefined): boolean {
    const { format } = this.#compiled
    if (format.section || format.header?.in !== 'text') return true
    return name !== undefined && (this.#tools ? this.#tools.has(name) : /^[\w.:-]+$/.test(name))
  }
}

/** A `{` or `<` that ends the name is where the arguments begin. */
function headerEnd(text: string, [start, end]: Span): number {
  return end - start === 1 && '{<'.includes(text.charAt(start)) ? start : end
}

/** Names hold letters of any script and spaces too, but no markup and no line breaks. */
function isName(name: string): boolean {
  return name !== '' && !/[\n\r<>{}]/.test(name)
}

/** A list that is empty or whose first item is an object (`{`) or a call (`(`). */
function listOf(item: '{' | '(', text: string, i: number): number {
  if (text.charAt(i) !== '[') return noMatch
  const start = skipLayout(text, i + 1)
  if (start < 0) return start
  if (text.charAt(start) === ']') return i
  if (item === '{') return text.charAt(start) === '{' ? i : noMatch
  return callAt(text, start, '')
}

/** A name with that suffix and an opening parenthesis. */
export function callAt(text: string, i: number, suffix: string): number {
  const length = text.slice(i, i + maxName).search(/[^\p{L}\p{N}\p{Cs}_.:/-]/u)
  if (length < 0) return text.length - i < maxName ? needsMore : noMatch
  if (length === 0 || isSpace(text.charCodeAt(i))) return noMatch
  return text.charAt(i + length) === '(' && text.slice(i, i + length).endsWith(suffix) ? i : noMatch
}
