// Reads arguments that are written as one tag a parameter, and writes them as JSON while they come.

import type { JsonSchema } from '../model/tools.ts'
import { findTagEnd, readAttributes } from './attributes.ts'
import {
  asMiss,
  findAny,
  matchAny,
  matchBehindLayout,
  matchLiteral,
  needsMore,
  noMatch,
  skipLayout,
  type Miss,
} from './match.ts'
import { declaredKeys, parameterKind, type ParameterKind } from './parameter-types.ts'
import { fillKey, hasKey } from './placeholders.ts'
import { PieceReader } from './piece-reader.ts'
import type { CallPort, ReaderState } from './port.ts'
import type { Shape, ValueTrim } from './row.ts'
import { createTaggedValue, TaggedValueWriter, type TaggedValue, type ValueMode } from './tagged-value.ts'

export interface TaggedState extends ReaderState {
  readonly kind: 'tagged'
  /** Between two parameters, inside the tag of a key, between key and value, or inside a value. */
  at: 'pair' | 'key' | 'gap' | 'value'
  /** The parameter that is being read. */
  key: string
  /** The keys so far. */
  readonly seen: Set<string>
  /** Its value, as far as it has come. */
  value: TaggedValue
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
    value: createTaggedValue('stream'),
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

/** The tag that holds a key, from behind its opening. */
interface KeyTag {
  readonly key: string
  readonly attributes: ReadonlyMap<string, string> | undefined
  /** Behind the tag. */
  readonly end: number
}

class TaggedReader extends PieceReader<TaggedState, TaggedRules> {
  /** The text of this reader is all that came of what was waited with. */
  end(): void {
    const state = this.state
    if (state.status !== 'reading') return
    if (state.at === 'key' || state.at === 'gap') {
      this.port.append((state.at === 'gap' ? state.key : '') + this.text)
    }
    if (state.at !== 'value') return
    const close = this.#closeOf(state.key)
    const held = this.text
    const rest = held.startsWith(close) ? held.slice(close.length).trim() : undefined
    const { closes, ends } = this.rules
    if (rest !== undefined && [...closes, ...ends].some((border) => border.startsWith(rest))) {
      return this.#endValue()
    }
    const writer = this.#valueWriter()
    writer.take(held)
    writer.breakOff()
  }

  protected step(): void {
    const { at } = this.state
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

  // ---- between two values

  #readPair(): void {
    const text = this.text
    const { closes, ends, shape } = this.rules
    const start = skipLayout(text, this.at)
    if (start === needsMore) return this.wait()
    if (start === noMatch) return this.#failPair()
    const close = matchAny(text, start, closes)
    if (close >= 0) {
      this.state.closed = true
      return this.#endCall(close)
    }
    const end = matchAny(text, start, ends)
    if (end >= 0) return this.#endCall(start)
    const open = matchLiteral(text, start, shape.key.open)
    // A close tag may begin like the opener of a key, which is then only half of it.
    if (close === needsMore || end === needsMore || open === needsMore) return this.wait()
    this.at = open === noMatch ? start : open
    if (open === noMatch) return this.#failPair()
    this.state.at = 'key'
  }

  #failPair(): void {
    this.fail('a parameter or the end of the call')
  }

  #endCall(end: number): void {
    closeTaggedArgs(this.state, this.port)
    this.state.status = 'done'
    this.at = end
  }

  #readKey(): void {
    const tag = this.#keyTag(this.at)
    if (tag === needsMore) return this.wait()
    if (tag === noMatch || tag.key === '') return this.#failPair()
    this.state.key = tag.key
    this.state.value = createTaggedValue(this.#modeOf(tag))
    this.state.at = 'gap'
    this.at = tag.end
    if (this.rules.shape.value.open === undefined) this.#beginValue()
  }

  /** The tag of a key whose opening ends at `i`. */
  #keyTag(i: number): KeyTag | Miss {
    const { close, attribute } = this.rules.shape.key
    if (attribute === undefined) {
      const { open = '', close: valueClose } = this.rules.shape.value
      const others = [open, valueClose, ...this.rules.closes, ...this.rules.ends].filter((tag) => tag.length > 1)
      const found = findAny(this.text, i, [close, ...others], maxKey)
      if (typeof found === 'number') return found
      if (!this.text.startsWith(close, found[0])) return noMatch
      return { key: this.text.slice(i, found[0]), attributes: undefined, end: found[1] }
    }
    const end = findTagEnd(this.text, i, close, maxKey)
    if (end < 0) return asMiss(end)
    const attributes = readAttributes(this.text.slice(i, end))
    const key = attributes.get(attribute)
    return key === undefined ? noMatch : { key, attributes, end: end + close.length }
  }

  #modeOf({ key, attributes }: KeyTag): ValueMode {
    const kind = this.#typedBy(attributes) ?? parameterKind(this.rules.schema, key)
    switch (kind) {
      case 'string':
        return 'stream'
      case 'nullable-string':
        return 'null-or-string'
      case 'json':
        return 'buffer'
      case 'unknown':
        return this.rules.untyped === 'string' ? 'stream' : 'buffer'
      default:
        return kind satisfies never
    }
  }

  #typedBy(attributes: KeyTag['attributes']): ParameterKind | undefined {
    const { typed } = this.rules.shape
    const value = typed && attributes?.get(typed.attribute)
    if (!typed || value === undefined) return undefined
    return value === (typed.by === 'name' ? 'string' : 'true') ? 'string' : 'json'
  }

  #readGap(): void {
    const { open = '' } = this.rules.shape.value
    const end = matchBehindLayout(this.text, this.at, open)
    if (end === needsMore) return this.wait()
    if (end === noMatch) return this.fail(`"${open}"`)
    this.at = end
    this.#beginValue()
  }

  #beginValue(): void {
    const state = this.state
    this.port.append(`${state.seen.size === 0 ? '{' : ','}${JSON.stringify(state.key)}:`)
    this.#valueWriter().begin()
    state.seen.add(state.key)
    state.at = 'value'
  }

  // ---- where a value ends

  #readValue(): void {
    const text = this.text
    const writer = this.#valueWriter()
    const close = this.#closeOf(this.state.key)
    const first = close.charAt(0)
    const start = this.at
    for (let at = text.indexOf(first, start); at >= 0; at = text.indexOf(first, at + 1)) {
      const end = this.#valueEnd(at, close)
      if (end === noMatch) continue
      writer.take(text.slice(start, at))
      this.at = end === needsMore ? at : end
      return end === needsMore ? this.wait() : this.#endValue()
    }
    writer.take(text.slice(start))
    this.at = text.length
  }

  #endValue(): void {
    this.#valueWriter().end()
    this.state.at = 'pair'
  }

  #valueWriter(): TaggedValueWriter {
    return new TaggedValueWriter(this.state.value, this.rules.trim, this.port)
  }

  #closeOf(key: string): string {
    return fillKey(this.rules.shape.value.close, key)
  }

  /**
   * Whether the value ends at `i`: the index behind its close tag. A close tag counts only where a parameter can end, that is
   * if the next thing is another parameter or the end of the call; anywhere else it is part of the value.
   */
  #valueEnd(i: number, close: string): number {
    const end = matchLiteral(this.text, i, close)
    if (end === needsMore) return needsMore
    if (end >= 0) {
      const next = skipLayout(this.text, end)
      if (next === needsMore) return needsMore
      if (next === noMatch) return end
      const follows = this.#parameterEnds(next)
      if (follows !== noMatch) return follows === needsMore ? needsMore : end
    }
    return this.rules.implicitClose ? this.#endsImplicitly(i) : noMatch
  }

  /** Whether what stands at `i` may follow a parameter: another one, or the end of the call. */
  #parameterEnds(i: number): number {
    const { closes, ends, shape } = this.rules
    const close = matchAny(this.text, i, closes)
    const end = matchAny(this.text, i, ends)
    if (close === needsMore || end === needsMore) return needsMore
    if (close !== noMatch || end !== noMatch) return Math.max(close, end)
    const open = matchLiteral(this.text, i, shape.key.open)
    if (open < 0 || !hasKey(shape.value.close)) return open
    // Where the tag is the key, any tag in the value looks like one: only what the tool declares, or a name at least, is a key.
    const tag = this.#keyTag(open)
    if (typeof tag === 'number') return tag
    return (this.#isMissing(tag.key) ?? /^\w[\w.-]*$/.test(tag.key)) ? tag.end : noMatch
  }

  /** Whether the next parameter, or the end of the call, stands at `i`: then the value ends there without a close tag. */
  #endsImplicitly(i: number): number {
    const open = matchLiteral(this.text, i, this.rules.shape.key.open)
    if (open === needsMore) return needsMore
    if (open >= 0) {
      const tag = this.#keyTag(open)
      if (typeof tag === 'number') return tag
      return (this.#isMissing(tag.key) ?? !this.state.seen.has(tag.key)) ? i : noMatch
    }
    const close = matchAny(this.text, i, this.rules.closes)
    return close >= 0 ? i : close
  }

  /** Whether the tool declares this parameter and it has not come yet; `undefined` where the tool declares none. */
  #isMissing(key: string): boolean | undefined {
    const declared = declaredKeys(this.rules.schema)
    return declared.length === 0 ? undefined : declared.includes(key) && !this.state.seen.has(key)
  }
}
