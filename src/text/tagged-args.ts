// Reads arguments that are written as one tag a parameter, and writes them as JSON while they come.

import { isSpace, skipSpace } from '../arguments/characters.ts'
import type { JsonSchema } from '../model/tools.ts'
import { findTagEnd, readAttributes } from './attributes.ts'
import { escapeJson } from './escape.ts'
import { asMiss, findAny, matchAny, matchLiteral, MORE, NO, skipLayout, type Miss } from './match.ts'
import { asJson, declaredKeys, parameterKind, type ParameterKind } from './parameter-types.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'
import { beginsNull, jsonWord } from './python-words.ts'
import type { Shape, ValueTrim } from './row.ts'

export interface TaggedState extends ReaderState {
  readonly kind: 'tagged'
  /** Between two parameters, inside the tag of a key, between key and value, or inside a value. */
  at: 'pair' | 'key' | 'gap' | 'value'
  /** The parameter that is being read. */
  key: string
  /** The keys so far. */
  readonly seen: Set<string>
  /** How the value of `key` is read: as a string that grows, as text that is converted at its end, or as a string unless it is null. */
  mode: 'stream' | 'buffer' | 'null-or-string'
  /** Whether the value has begun: whatever of its start is markup has been taken off. */
  begun: boolean
  /** The value so far, unless it streams. */
  text: string
  /** White space at the end of a streaming value, which its close tag may make markup. */
  tail: string
  /** Whether the call's own close tag has been read. */
  closed: boolean
}

export interface TaggedRules {
  readonly shape: Shape & { readonly kind: 'tagged' }
  readonly trim: ValueTrim
  readonly untyped: 'string' | 'json'
  /** What closes the call. */
  readonly closes: readonly string[]
  /** What else can't stand inside the call: the section's close tag, and openers. */
  readonly ends: readonly string[]
  /** Both of them: what may follow the last parameter. */
  readonly borders: readonly string[]
  /** Whether the next parameter, or the end of the call, closes an open one. */
  readonly implicitClose: boolean
  /** What the tool says of its parameters. */
  readonly schema: JsonSchema | undefined
}

export function createTaggedArgs(): TaggedState {
  return {
    kind: 'tagged',
    status: 'reading',
    at: 'pair',
    key: '',
    seen: new Set(),
    mode: 'stream',
    begun: false,
    text: '',
    tail: '',
    closed: false,
  }
}

export function readTaggedArgs(
  state: TaggedState,
  rules: TaggedRules,
  text: string,
  i: number,
  port: CallPort,
): number {
  return new TaggedReader(state, rules, text, i, port).read()
}

/** The text ended, and `held` is what was waited with. Keeps it, unless it is a close tag and the start of what may follow one. */
export function endTaggedArgs(state: TaggedState, rules: TaggedRules, held: string, port: CallPort): void {
  new TaggedReader(state, rules, held, 0, port).end()
}

/** The parameters stop here and are whole: nothing but the end of their object is missing. */
export function closeTaggedArgs(state: TaggedState, port: CallPort): void {
  port.append(state.seen.size === 0 ? '{}' : '}')
}

/** How long the tag of a key may be. */
const maxKey = 256
/** How much white space around it may make null out of a word. */
const maxNull = 16

/** The tag that holds a key, from behind its opening. */
interface KeyTag {
  readonly key: string
  readonly attributes: ReadonlyMap<string, string> | undefined
  /** Behind the tag. */
  readonly end: number
}

class TaggedReader {
  readonly #state: TaggedState
  readonly #rules: TaggedRules
  readonly #text: string
  readonly #port: CallPort
  #at: number

  constructor(state: TaggedState, rules: TaggedRules, text: string, i: number, port: CallPort) {
    this.#state = state
    this.#rules = rules
    this.#text = text
    this.#at = i
    this.#port = port
  }

  read(): number {
    let goesOn = true
    while (goesOn && this.#at < this.#text.length && this.#state.status === 'reading') goesOn = this.#step()
    return this.#at
  }

  end(): void {
    const state = this.#state
    if (state.status !== 'reading' || state.at !== 'value') return
    const close = this.#closeOf(state.key)
    const held = this.#text
    const rest = held.startsWith(close) ? held.slice(close.length).trim() : undefined
    if (rest !== undefined && this.#rules.borders.some((border) => border.startsWith(rest))) return this.#endValue()
    this.#take(held)
    this.#port.append(state.mode === 'stream' ? escapeJson(state.tail) : state.text)
  }

  /** False where the text has to go on before it tells what stands here. */
  #step(): boolean {
    const { at } = this.#state
    switch (at) {
      case 'pair':
        return this.#readPair()
      case 'key':
        return this.#readKey()
      case 'gap':
        return this.#readGap()
      case 'value':
        return this.#readValue()
      default:
        return at satisfies never
    }
  }

  #fail(expected: string): boolean {
    fail(this.#state, expected)
    return true
  }

  // ---- between two values

  #readPair(): boolean {
    const text = this.#text
    const { closes, ends, shape } = this.#rules
    const start = skipLayout(text, this.#at)
    if (start === MORE) return false
    if (start === NO) return this.#failPair()
    const close = matchAny(text, start, closes)
    if (close >= 0) {
      this.#state.closed = true
      return this.#endCall(close)
    }
    const end = matchAny(text, start, ends)
    if (end >= 0) return this.#endCall(start)
    const open = matchLiteral(text, start, shape.key.open)
    // A close tag may begin like the opener of a key, which is then only half of it.
    if (close === MORE || end === MORE || open === MORE) return false
    this.#at = open === NO ? start : open
    if (open === NO) return this.#failPair()
    this.#state.at = 'key'
    return true
  }

  #failPair(): boolean {
    return this.#fail('a parameter or the end of the call')
  }

  #endCall(end: number): boolean {
    closeTaggedArgs(this.#state, this.#port)
    this.#state.status = 'done'
    this.#at = end
    return true
  }

  #readKey(): boolean {
    const tag = this.#keyTag(this.#at)
    if (tag === MORE) return false
    if (tag === NO || tag.key === '') return this.#failPair()
    this.#state.key = tag.key
    this.#state.mode = this.#modeOf(tag)
    this.#state.at = 'gap'
    this.#at = tag.end
    return this.#rules.shape.value.open === undefined ? this.#beginValue() : true
  }

  /** The tag of a key whose opening ends at `i`. */
  #keyTag(i: number): KeyTag | Miss {
    const { close, attribute } = this.#rules.shape.key
    if (attribute === undefined) {
      const found = findAny(this.#text, i, [close], maxKey)
      if (typeof found === 'number') return found
      return { key: this.#text.slice(i, found[0]), attributes: undefined, end: found[1] }
    }
    const end = findTagEnd(this.#text, i, close, maxKey)
    if (end < 0) return asMiss(end)
    const attributes = readAttributes(this.#text.slice(i, end))
    const key = attributes.get(attribute)
    return key === undefined ? NO : { key, attributes, end: end + close.length }
  }

  #modeOf({ key, attributes }: KeyTag): TaggedState['mode'] {
    const kind = this.#typedBy(attributes) ?? parameterKind(this.#rules.schema, key)
    switch (kind) {
      case 'string':
        return 'stream'
      case 'nullable-string':
        return 'null-or-string'
      case 'json':
        return 'buffer'
      case 'unknown':
        return this.#rules.untyped === 'string' ? 'stream' : 'buffer'
      default:
        return kind satisfies never
    }
  }

  #typedBy(attributes: KeyTag['attributes']): ParameterKind | undefined {
    const { typed } = this.#rules.shape
    const value = typed && attributes?.get(typed.attribute)
    if (!typed || value === undefined) return undefined
    return value === (typed.by === 'name' ? 'string' : 'true') ? 'string' : 'json'
  }

  #readGap(): boolean {
    const { open = '' } = this.#rules.shape.value
    const start = skipLayout(this.#text, this.#at)
    const end = start < 0 ? start : matchLiteral(this.#text, start, open)
    if (end === MORE) return false
    if (end === NO) return this.#fail(`"${open}"`)
    this.#at = end
    return this.#beginValue()
  }

  #beginValue(): boolean {
    const state = this.#state
    this.#port.append(`${state.seen.size === 0 ? '{' : ','}${JSON.stringify(state.key)}:`)
    if (state.mode === 'stream') this.#port.append('"')
    state.seen.add(state.key)
    state.at = 'value'
    state.begun = false
    state.text = ''
    state.tail = ''
    return true
  }

  // ---- where a value ends

  #readValue(): boolean {
    const text = this.#text
    const close = this.#closeOf(this.#state.key)
    const first = close.charAt(0)
    for (let at = text.indexOf(first, this.#at); at >= 0; at = text.indexOf(first, at + 1)) {
      const end = this.#valueEnd(at, close)
      if (end === NO) continue
      this.#takeTo(at)
      if (end === MORE) return false
      this.#at = end
      this.#endValue()
      return true
    }
    this.#takeTo(text.length)
    return true
  }

  #closeOf(key: string): string {
    return this.#rules.shape.value.close.replace('{key}', () => key)
  }

  /**
   * Whether the value ends at `i`: the index behind its close tag. A close tag counts only where a parameter can end, that is
   * if the next thing is another parameter or the end of the call; anywhere else it is part of the value.
   */
  #valueEnd(i: number, close: string): number {
    const end = matchLiteral(this.#text, i, close)
    if (end === MORE) return MORE
    if (end >= 0) {
      const next = skipLayout(this.#text, end)
      if (next === MORE) return MORE
      if (next === NO) return end
      const follows = this.#parameterEnds(next)
      if (follows !== NO) return follows === MORE ? MORE : end
    }
    return this.#rules.implicitClose ? this.#endsImplicitly(i) : NO
  }

  /** Whether what stands at `i` may follow a parameter: another one, or the end of the call. */
  #parameterEnds(i: number): number {
    const { borders, shape } = this.#rules
    const border = matchAny(this.#text, i, borders)
    if (border !== NO) return border
    const open = matchLiteral(this.#text, i, shape.key.open)
    if (open < 0 || !shape.value.close.includes('{key}')) return open
    // Where the tag is the key, any tag in the value looks like one: only what the tool declares, or a name at least, is a key.
    const tag = this.#keyTag(open)
    if (typeof tag === 'number') return tag
    return (this.#isMissing(tag.key) ?? /^\w[\w.-]*$/.test(tag.key)) ? tag.end : NO
  }

  /** Whether the next parameter, or the end of the call, stands at `i`: then the value ends there without a close tag. */
  #endsImplicitly(i: number): number {
    const open = matchLiteral(this.#text, i, this.#rules.shape.key.open)
    if (open === MORE) return MORE
    if (open >= 0) {
      const tag = this.#keyTag(open)
      if (typeof tag === 'number') return tag
      return (this.#isMissing(tag.key) ?? !this.#state.seen.has(tag.key)) ? i : NO
    }
    const close = matchAny(this.#text, i, this.#rules.closes)
    return close >= 0 ? i : close
  }

  /** Whether the tool declares this parameter and it has not come yet; `undefined` where the tool declares none. */
  #isMissing(key: string): boolean | undefined {
    const declared = declaredKeys(this.#rules.schema)
    return declared.length === 0 ? undefined : declared.includes(key) && !this.#state.seen.has(key)
  }

  // ---- what a value is

  #takeTo(end: number): void {
    this.#take(this.#text.slice(this.#at, end))
    this.#at = end
  }

  #take(raw: string): void {
    const state = this.#state
    const piece = state.begun ? raw : trimStart(raw, this.#rules.trim)
    if (raw === '' || (piece === '' && this.#rules.trim === 'all')) return
    state.begun = true
    if (state.mode === 'stream') return this.#stream(piece)
    state.text += piece
    if (state.mode === 'buffer' || mayBeNull(state.text)) return
    state.mode = 'stream'
    this.#port.append('"')
    this.#stream(state.text)
    state.text = ''
  }

  /** Passes a piece of a string on, but for the white space at its end that may be markup. */
  #stream(piece: string): void {
    const plain = trimEnd(piece, this.#rules.trim)
    if (plain === '' && this.#rules.trim === 'all') this.#state.tail += piece
    else {
      this.#port.append(escapeJson(this.#state.tail + plain))
      this.#state.tail = piece.slice(plain.length)
    }
  }

  #endValue(): void {
    const state = this.#state
    this.#port.append(state.mode === 'stream' ? '"' : this.#heldValue())
    state.at = 'pair'
    state.text = ''
    state.tail = ''
  }

  /** The JSON of a value that was held back whole. What is none is a string: the schema will say what was wanted of it. */
  #heldValue(): string {
    const { mode, text } = this.#state
    const json = mode === 'buffer' ? asJson(text) : jsonWord(text.trim())
    return json ?? `"${escapeJson(trimEnd(text, this.#rules.trim))}"`
  }
}

function mayBeNull(text: string): boolean {
  return text.length <= maxNull && beginsNull(text.trim())
}

function trimStart(text: string, trim: ValueTrim): string {
  switch (trim) {
    case 'none':
      return text
    case 'one-newline':
      return text.startsWith('\n') ? text.slice(1) : text
    case 'all':
      return text.slice(skipSpace(text, 0))
    default:
      return trim satisfies never
  }
}

function trimEnd(text: string, trim: ValueTrim): string {
  switch (trim) {
    case 'none':
      return text
    case 'one-newline':
      return text.endsWith('\n') ? text.slice(0, -1) : text
    case 'all': {
      let end = text.length
      while (isSpace(text.charCodeAt(end - 1))) end--
      return text.slice(0, end)
    }
    default:
      return trim satisfies never
  }
}
