// One JSON object from a place in a text: at once strict parser, repairer, locator of faults and checker of the policy.
// One pass, no recursion. What surrounds the object is not its business.

import type { OpenEnd, ReadingPolicy } from '../model/reading.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import {
  apostrophe,
  backslash,
  backtick,
  closeBrace,
  closeBracket,
  colon,
  comma,
  minus,
  openBrace,
  openBracket,
  quotationMark,
  tilde,
  isDigit,
  skipSpace,
} from './characters.ts'
import { openComment, skipGap } from './gaps.ts'
import { isSameJson, setOwn } from './json.ts'
import { Edit, type Mark, Notes } from './notes.ts'
import { matchNumber, readNumber } from './numbers.ts'
import { type StringReading, readString } from './strings.ts'
import { beginsWord, readName, readWord } from './words.ts'

export type Parsed =
  | { readonly type: 'object'; readonly value: JsonObject; readonly end: number; readonly notes: Notes }
  | {
      readonly type: 'cut'
      readonly at: number
      readonly open: OpenEnd
      readonly expected: string
      /** The object with its closers put in by the notes' edits, where the text broke off after a whole token and the policy wants it closed. */
      readonly closed?: JsonObject
      readonly notes: Notes
    }
  | { readonly type: 'fault'; readonly fault: Mark; readonly notes: Notes }

/** `start` is the offset of the opening brace. */
export function parseObject(text: string, start: number, policy: ReadingPolicy): Parsed {
  return new ObjectParser(text, start, policy).parse()
}

/** What may come next. `first-…` comes right after an opening bracket, where closing is fine without a comma before it. */
type Expecting = 'first-key' | 'key' | 'colon' | 'value' | 'first-item' | 'item' | 'separator'

const expectedFor: { readonly [expecting in Expecting]: string } = {
  'first-key': 'a key in double quotes or }',
  key: 'a key in double quotes',
  colon: 'a colon after the key',
  value: 'a value',
  'first-item': 'a value or ]',
  item: 'a value',
  separator: 'a comma or }',
}

/** A container that is still open. */
interface OpenContainer {
  readonly value: Record<string, JsonValue> | JsonValue[]
  /** The key whose value comes next or came last. Stays empty in arrays. */
  key: string
  keyStart: number
  /** The comma before the current member, and how many edits there were at it: what goes when the member turns out to be a repeated one. */
  comma: number
  editsAtComma: number
}

interface Quotes {
  readonly close: number
  /** The repair that such quotes need. */
  readonly repair?: 'single-quotes' | 'smart-quotes'
}

const quotesByOpener: ReadonlyMap<number, Quotes> = new Map([
  [quotationMark, { close: quotationMark }],
  [apostrophe, { close: apostrophe, repair: 'single-quotes' }],
  [0x201c, { close: 0x201d, repair: 'smart-quotes' }],
  [0x2018, { close: 0x2019, repair: 'smart-quotes' }],
])

class ObjectParser {
  readonly #text: string
  readonly #policy: ReadingPolicy
  readonly #notes: Notes
  readonly #containers: OpenContainer[] = []
  #at: number
  #expecting: Expecting = 'value'

  constructor(text: string, start: number, policy: ReadingPolicy) {
    this.#text = text
    this.#at = start
    this.#policy = policy
    this.#notes = new Notes(policy.repair)
  }

  parse(): Parsed {
    for (;;) {
      const stop = this.#step()
      if (stop) return stop
    }
  }

  /** Takes the next token and what is between; gives the outcome with the last one. */
  #step(): Parsed | undefined {
    const text = this.#text
    const at = skipGap(text, this.#at, this.#expected, this.#notes)
    if (at === openComment) return this.#cut('open-container', false)
    this.#at = at
    const code = text.charCodeAt(at)
    if (Number.isNaN(code)) return this.#cut('open-container', this.#expecting === 'separator')
    if (code === backslash && at + 1 === text.length) return this.#cut('open-escape', false)
    if ((code === backtick || code === tilde) && this.#isLastFence(at)) return this.#cut('open-container', false, at)
    if (code === closeBrace || code === closeBracket) return this.#close(code)
    switch (this.#expecting) {
      case 'first-key':
      case 'key':
        return this.#key(code)
      case 'colon':
        if (code !== colon) return this.#malformed()
        this.#at++
        this.#expecting = 'value'
        return undefined
      case 'separator':
        return code === comma ? this.#comma() : this.#malformed()
      case 'value':
      case 'first-item':
      case 'item':
        return this.#value(code)
      default:
        return this.#expecting satisfies never
    }
  }

  get #top(): OpenContainer | undefined {
    return this.#containers.at(-1)
  }

  /** What would be right here, in words. */
  get #expected(): string {
    return this.#expecting === 'separator' && Array.isArray(this.#top?.value)
      ? 'a comma or ]'
      : expectedFor[this.#expecting]
  }

  /** A code fence closed before its object: the writer was done, though the object isn't. */
  #isLastFence(at: number): boolean {
    const text = this.#text
    const mark = text[at]
    let end = at
    while (text[end] === mark) end++
    return end - at >= 3 && skipSpace(text, end) === text.length
  }

  #comma(): undefined {
    const top = this.#top
    if (top) {
      top.comma = this.#at
      top.editsAtComma = this.#notes.edits.length
      this.#expecting = Array.isArray(top.value) ? 'item' : 'key'
    }
    this.#at++
  }

  #open(isArray: boolean): Parsed | undefined {
    if (this.#containers.length >= this.#policy.maxDepth) {
      return this.#fault('too-deep', this.#at, `at most ${this.#policy.maxDepth} levels of objects and arrays`)
    }
    this.#containers.push({ value: isArray ? [] : {}, key: '', keyStart: 0, comma: 0, editsAtComma: 0 })
    this.#expecting = isArray ? 'first-item' : 'first-key'
    this.#at++
    return undefined
  }

  #close(code: number): Parsed | undefined {
    const top = this.#top
    const isArray = Array.isArray(top?.value)
    if (top === undefined || isArray !== (code === closeBracket)) return this.#malformed()
    switch (this.#expecting) {
      case 'first-key':
      case 'first-item':
      case 'separator':
        break
      case 'key':
      case 'item':
        this.#notes.repair('trailing-comma', top.comma, top.comma + 1, this.#expected)
        this.#notes.edits.splice(top.editsAtComma, 0, new Edit(top.comma, top.comma + 1, ''))
        break
      case 'colon':
      case 'value':
        return this.#malformed()
      default:
        return this.#expecting satisfies never
    }
    this.#at++
    return this.#leave(top)
  }

  /** The innermost container is complete: it becomes a value of the one around it, or the outcome. */
  #leave(container: OpenContainer): Extract<Parsed, { type: 'object' }> | undefined {
    this.#containers.pop()
    const { value } = container
    if (this.#containers.length > 0 || Array.isArray(value)) this.#store(value)
    else return { type: 'object', value, end: this.#at, notes: this.#notes }
    return undefined
  }

  #store(value: JsonValue): void {
    this.#expecting = 'separator'
    const top = this.#top
    if (top === undefined) return
    if (Array.isArray(top.value)) top.value.push(value)
    else if (!Object.hasOwn(top.value, top.key)) setOwn(top.value, top.key, value)
    else this.#repeated(top, top.value[top.key] ?? null, value)
  }

  #repeated(container: OpenContainer, first: JsonValue, again: JsonValue): void {
    if (!isSameJson(first, again)) {
      this.#notes.find('duplicate-key', container.keyStart, 'each key only once')
      return
    }
    this.#notes.repair('duplicate-key', container.keyStart, this.#at, 'each key only once')
    this.#notes.edits.length = container.editsAtComma
    this.#notes.edit(container.comma, this.#at, '')
  }

  #key(code: number): Parsed | undefined {
    const start = this.#at
    const quotes = quotesByOpener.get(code)
    if (quotes) {
      const reading = this.#string(quotes, true)
      if (reading.type === 'stray-quote')
        return this.#malformed(reading.at, 'the closing quote that matches the opening one')
      if (reading.type === 'cut') return this.#cut(reading.open, false)
      this.#named(reading.value, start)
      return undefined
    }
    const name = readName(this.#text, start)
    if (name === undefined) return this.#malformed()
    this.#notes.repair('unquoted-key', start, start + name.length, this.#expected)
    this.#replace(start, start + name.length, `"${name}"`)
    this.#named(name, start)
    return undefined
  }

  #named(key: string, start: number): void {
    const { length } = this.#containers
    const top = this.#containers[length - 1]
    const around = this.#containers[length - 2]
    if (top === undefined) return
    top.key = key
    top.keyStart = start
    const isPrototype = key === 'prototype' && around?.key === 'constructor' && !Array.isArray(around.value)
    if (key === '__proto__' || isPrototype) this.#notes.find('forbidden-key', start, 'a key that names no prototype')
    this.#expecting = 'colon'
  }

  #value(code: number): Parsed | undefined {
    if (code === openBrace || code === openBracket) return this.#open(code === openBracket)
    const quotes = quotesByOpener.get(code)
    if (quotes) return this.#stringValue(quotes)
    if (code === minus || isDigit(code)) return this.#number()
    if (beginsWord(this.#text, this.#at)) return this.#word()
    return code === backslash ? this.#unreadableValue(this.#at) : this.#malformed()
  }

  #stringValue(quotes: Quotes): Parsed | undefined {
    const reading = this.#string(quotes, false)
    switch (reading.type) {
      case 'string':
        this.#store(reading.value)
        return undefined
      case 'stray-quote':
        return this.#malformed(reading.at, 'the closing quote that matches the opening one')
      case 'cut':
        if (!reading.whole || !this.#policy.closeTruncated) return this.#cut(reading.open, false)
        this.#at = this.#text.length
        this.#notes.edit(this.#at, this.#at, '"')
        this.#store(reading.value)
        return this.#cut(reading.open, true, this.#at, expectedQuote)
      default:
        return reading satisfies never
    }
  }

  #string(quotes: Quotes, isKey: boolean): StringReading {
    const start = this.#at
    const notes = this.#notes
    if (quotes.repair) notes.edit(start, start + 1, '"')
    const reading = readString(this.#text, start + 1, { close: quotes.close, isKey }, notes)
    const end = reading.type === 'string' ? reading.end : this.#text.length
    if (quotes.repair) {
      notes.repair(quotes.repair, start, end, 'straight double quotes')
      if (reading.type === 'string') notes.edit(end - 1, end, '"')
    }
    if (reading.type === 'string') this.#at = end
    return reading
  }

  #number(): Parsed | undefined {
    const token = matchNumber(this.#text, this.#at)
    switch (token.type) {
      case 'number': {
        const { value, lossy } = readNumber(token.literal, this.#policy.integers)
        if (lossy) this.#notes.find('lossy-number', this.#at, 'a number that a 64-bit double can hold')
        this.#at = token.end
        this.#store(value)
        return undefined
      }
      case 'cut':
        return this.#cut('open-number', false)
      case 'malformed':
        return this.#malformed(token.at, 'a digit')
      default:
        return token satisfies never
    }
  }

  #word(): Parsed | undefined {
    const start = this.#at
    const token = readWord(this.#text, start)
    switch (token.type) {
      case 'literal':
        this.#at = token.end
        this.#store(token.value)
        return undefined
      case 'python':
        this.#notes.repair('python-literals', start, token.end, `${token.literal}, as JSON spells it`)
        this.#replace(start, token.end, token.literal)
        this.#store(token.value)
        return undefined
      case 'bare':
        return this.#bareString(token.word, start, token.end)
      case 'unreadable':
        return this.#unreadableValue(start)
      case 'foreign':
        return this.#malformed()
      case 'cut':
        return this.#cut('open-literal', false)
      default:
        return token satisfies never
    }
  }

  #bareString(word: string, start: number, end: number): Parsed | undefined {
    this.#notes.repair('unquoted-value', start, end, expectedString)
    if (end === this.#text.length) return this.#cut('open-literal', false)
    if (!this.#policy.stringAt?.(this.#path())) this.#notes.find('unquoted-value', start, expectedString)
    this.#replace(start, end, `"${word}"`)
    this.#store(word)
    return undefined
  }

  /** No tier repairs this, though the missing quotes are what is wrong. */
  #unreadableValue(start: number): Parsed {
    return this.#fault('unquoted-value', start, expectedString)
  }

  #replace(start: number, end: number, replacement: string): void {
    this.#notes.edit(start, end, replacement)
    this.#at = end
  }

  #path(): (string | number)[] {
    return this.#containers.map(({ value, key }) => (Array.isArray(value) ? value.length : key))
  }

  #malformed(offset: number = this.#at, expected: string = this.#expected): Parsed {
    return this.#fault('malformed', offset, expected)
  }

  #fault(code: Mark['code'], offset: number, expected: string): Parsed {
    return { type: 'fault', fault: this.#notes.fault ?? { code, offset, expected }, notes: this.#notes }
  }

  #cut(open: OpenEnd, closable: boolean, at: number = this.#text.length, expected?: string): Parsed {
    const cut = { type: 'cut', at, open, expected: expected ?? expectedAtEnd(open), notes: this.#notes } as const
    if (!closable || !this.#policy.closeTruncated) return cut
    this.#at = this.#text.length
    for (;;) {
      const top = this.#top
      if (top === undefined) return cut
      this.#notes.edit(this.#at, this.#at, Array.isArray(top.value) ? ']' : '}')
      const whole = this.#leave(top)
      if (whole) return { ...cut, closed: whole.value }
    }
  }
}

const expectedQuote = 'the closing "'
const expectedString = 'a string in double quotes'

function expectedAtEnd(open: OpenEnd): string {
  switch (open) {
    case 'open-string':
      return expectedQuote
    case 'open-escape':
      return 'the rest of the escape'
    case 'open-number':
      return 'the rest of the number'
    case 'open-literal':
      return 'the rest of the value'
    case 'open-container':
      return 'the rest of the object'
    default:
      return open satisfies never
  }
}
