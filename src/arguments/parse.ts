// One JSON object from a place in a text: at once strict parser, repairer, locator of faults and checker of the policy.
// One pass, no recursion. What surrounds the object is not its business.
import type { OpenEnd, ReadingPolicy } from '../model/reading.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import {
  APOSTROPHE,
  ASTERISK,
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SLASH,
  TILDE,
  isDigit,
  isEscapedSpace,
  isForeignSpace,
  skipSpace,
} from './characters.ts'
import { isSameJson } from './equal.ts'
import { type Mark, Notes } from './notes.ts'
import { readNumber } from './numbers.ts'
import { type StringReading, readString } from './strings.ts'
import {
  LITERALS,
  PYTHON_LITERALS,
  beginsLiteral,
  beginsWord,
  holdsComment,
  isForeignLiteral,
  isName,
  wordEnd,
} from './words.ts'

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

const EXPECTED: { readonly [expecting in Expecting]: string } = {
  'first-key': 'a key in double quotes or }',
  key: 'a key in double quotes',
  colon: 'a colon after the key',
  value: 'a value',
  'first-item': 'a value or ]',
  item: 'a value',
  separator: 'a comma or }',
}

/** A container that is still open. */
interface Frame {
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

const QUOTES: ReadonlyMap<number, Quotes> = new Map([
  [QUOTE, { close: QUOTE }],
  [APOSTROPHE, { close: APOSTROPHE, repair: 'single-quotes' }],
  [0x201c, { close: 0x201d, repair: 'smart-quotes' }],
  [0x2018, { close: 0x2019, repair: 'smart-quotes' }],
])

/** Sticky, so `lastIndex` is set before each use. */
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

class ObjectParser {
  readonly #text: string
  readonly #policy: ReadingPolicy
  readonly #notes: Notes
  readonly #frames: Frame[] = []
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
    const brokeOff = this.#skipGap()
    if (brokeOff) return brokeOff
    const code = this.#text.charCodeAt(this.#at)
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return this.#close(code)
    switch (this.#expecting) {
      case 'first-key':
      case 'key':
        return this.#key(code)
      case 'colon':
        if (code !== COLON) return this.#malformed()
        this.#at++
        this.#expecting = 'value'
        return undefined
      case 'separator':
        return code === COMMA ? this.#comma() : this.#malformed()
      case 'value':
      case 'first-item':
      case 'item':
        return this.#value(code)
      default:
        return this.#expecting satisfies never
    }
  }

  get #top(): Frame | undefined {
    return this.#frames.at(-1)
  }

  /** What would be right here, in words. */
  get #expected(): string {
    return this.#expecting === 'separator' && Array.isArray(this.#top?.value)
      ? 'a comma or ]'
      : EXPECTED[this.#expecting]
  }

  /** Passes white space of every kind, and comments. Gives an outcome where the text ends. */
  #skipGap(): Parsed | undefined {
    const text = this.#text
    for (;;) {
      const at = skipSpace(text, this.#at)
      this.#at = at
      const code = text.charCodeAt(at)
      if (Number.isNaN(code)) return this.#cut('open-container', this.#expecting === 'separator')
      if (code === BACKSLASH && isEscapedSpace(text, at)) {
        this.#notes.repair('escaped-whitespace', at, at + 2, this.#expected)
        this.#replace(at, at + 2, ' ')
      } else if (code === BACKSLASH && at + 1 === text.length) {
        return this.#cut('open-escape', false)
      } else if (isForeignSpace(code)) {
        this.#notes.repair('unicode-whitespace', at, at + 1, 'plain white space')
        this.#replace(at, at + 1, ' ')
      } else if (code === SLASH && this.#isComment(at)) {
        const brokeOff = this.#comment(at)
        if (brokeOff) return brokeOff
      } else {
        return (code === BACKTICK || code === TILDE) && this.#isLastFence(at)
          ? this.#cut('open-container', false, at)
          : undefined
      }
    }
  }

  #replace(start: number, end: number, replacement: string): void {
    this.#notes.edit(start, end, replacement)
    this.#at = end
  }

  #isComment(at: number): boolean {
    const next = this.#text.charCodeAt(at + 1)
    return next === SLASH || next === ASTERISK
  }

  #comment(at: number): Parsed | undefined {
    const text = this.#text
    const isBlock = text.charCodeAt(at + 1) === ASTERISK
    const found = isBlock ? text.indexOf('*/', at + 2) : text.indexOf('\n', at + 2)
    const end = found < 0 ? text.length : found + (isBlock ? 2 : 0)
    this.#notes.repair('comments', at, end, this.#expected)
    this.#replace(at, end, '')
    return found < 0 ? this.#cut('open-container', false) : undefined
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
    if (this.#frames.length >= this.#policy.maxDepth) {
      return this.#fault('too-deep', this.#at, `at most ${this.#policy.maxDepth} levels of objects and arrays`)
    }
    this.#frames.push({ value: isArray ? [] : {}, key: '', keyStart: 0, comma: 0, editsAtComma: 0 })
    this.#expecting = isArray ? 'first-item' : 'first-key'
    this.#at++
    return undefined
  }

  #close(code: number): Parsed | undefined {
    const top = this.#top
    const isArray = Array.isArray(top?.value)
    if (top === undefined || isArray !== (code === CLOSE_BRACKET)) return this.#malformed()
    switch (this.#expecting) {
      case 'first-key':
      case 'first-item':
      case 'separator':
        break
      case 'key':
      case 'item':
        this.#notes.repair('trailing-comma', top.comma, top.comma + 1, this.#expected)
        this.#notes.edits.splice(top.editsAtComma, 0, { start: top.comma, end: top.comma + 1, text: '' })
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
  #leave(frame: Frame): Extract<Parsed, { type: 'object' }> | undefined {
    this.#frames.pop()
    const { value } = frame
    if (this.#frames.length > 0 || Array.isArray(value)) this.#store(value)
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

  #repeated(frame: Frame, first: JsonValue, again: JsonValue): void {
    if (!isSameJson(first, again)) {
      this.#notes.find('duplicate-key', frame.keyStart, 'each key only once')
      return
    }
    this.#notes.repair('duplicate-key', frame.keyStart, this.#at, 'each key only once')
    this.#notes.edits.length = frame.editsAtComma
    this.#notes.edit(frame.comma, this.#at, '')
  }

  #key(code: number): Parsed | undefined {
    const start = this.#at
    const quotes = QUOTES.get(code)
    if (quotes) {
      const reading = this.#string(quotes, true)
      if (reading.type === 'stray-quote')
        return this.#malformed(reading.at, 'the closing quote that matches the opening one')
      if (reading.type === 'cut') return this.#cut(reading.open, false)
      this.#named(reading.value, start)
      return undefined
    }
    const end = wordEnd(this.#text, start)
    const word = this.#text.slice(start, end)
    if (!isName(word)) return this.#malformed()
    this.#notes.repair('unquoted-key', start, end, this.#expected)
    this.#replace(start, end, `"${word}"`)
    this.#named(word, start)
    return undefined
  }

  #named(key: string, start: number): void {
    const { length } = this.#frames
    const top = this.#frames[length - 1]
    const around = this.#frames[length - 2]
    if (top === undefined) return
    top.key = key
    top.keyStart = start
    const isPrototype = key === 'prototype' && around?.key === 'constructor' && !Array.isArray(around.value)
    if (key === '__proto__' || isPrototype) this.#notes.find('forbidden-key', start, 'a key that names no prototype')
    this.#expecting = 'colon'
  }

  #value(code: number): Parsed | undefined {
    if (code === OPEN_BRACE || code === OPEN_BRACKET) return this.#open(code === OPEN_BRACKET)
    const quotes = QUOTES.get(code)
    if (quotes) return this.#stringValue(quotes)
    if (code === MINUS || isDigit(code)) return this.#number()
    if (beginsWord(this.#text, this.#at)) return this.#word()
    return code === BACKSLASH ? this.#unreadableValue(this.#at) : this.#malformed()
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
        return this.#cut(reading.open, true, this.#at, EXPECTED_QUOTE)
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
    const text = this.#text
    const start = this.#at
    NUMBER.lastIndex = start
    const literal = NUMBER.exec(text)?.[0]
    const end = start + (literal?.length ?? 1)
    if (end === text.length || this.#isNumberTail(end)) return this.#cut('open-number', false)
    if (literal === undefined) return this.#malformed(end, 'a digit')
    const { value, lossy } = readNumber(literal, this.#policy.integers)
    if (lossy) this.#notes.find('lossy-number', start, 'a number that a 64-bit double can hold')
    this.#at = end
    this.#store(value)
    return undefined
  }

  /** Whether the text ends within a fraction or an exponent that has no digit yet. */
  #isNumberTail(at: number): boolean {
    return this.#text.length - at <= 2 && /^(?:\.|[eE][+-]?)$/.test(this.#text.slice(at))
  }

  #word(): Parsed | undefined {
    const text = this.#text
    const start = this.#at
    const end = wordEnd(text, start)
    const word = text.slice(start, end)
    const literal = LITERALS.get(word)
    if (literal !== undefined) {
      this.#at = end
      this.#store(literal)
      return undefined
    }
    if (end === text.length && beginsLiteral(word) && !PYTHON_LITERALS.has(word))
      return this.#cut('open-literal', false)
    const python = PYTHON_LITERALS.get(word)
    if (python !== undefined) {
      this.#notes.repair('python-literals', start, end, `${python}, as JSON spells it`)
      this.#replace(start, end, python)
      this.#store(LITERALS.get(python) ?? null)
      return undefined
    }
    return isForeignLiteral(word) ? this.#malformed() : this.#bareString(word, start, end)
  }

  #bareString(word: string, start: number, end: number): Parsed | undefined {
    if (!this.#endsValue(end) || holdsComment(word)) return this.#unreadableValue(start)
    const expected = 'a string in double quotes'
    this.#notes.repair('unquoted-value', start, end, expected)
    if (end === this.#text.length) return this.#cut('open-literal', false)
    if (!this.#policy.stringAt?.(this.#path())) this.#notes.find('unquoted-value', start, expected)
    this.#replace(start, end, `"${word}"`)
    this.#store(word)
    return undefined
  }

  /** Whether what follows leaves no doubt that a bare word ends here. */
  #endsValue(at: number): boolean {
    const next = skipSpace(this.#text, at)
    const code = this.#text.charCodeAt(next)
    if (Number.isNaN(code) || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) return true
    return code === SLASH && this.#isComment(next)
  }

  /** A value without quotes whose end nobody knows: no tier repairs it, though the missing quotes are what is wrong. */
  #unreadableValue(start: number): Parsed {
    return this.#fault('unquoted-value', start, 'a string in double quotes')
  }

  #path(): (string | number)[] {
    return this.#frames.map(({ value, key }) => (Array.isArray(value) ? value.length : key))
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

const EXPECTED_QUOTE = 'the closing "'

function expectedAtEnd(open: OpenEnd): string {
  switch (open) {
    case 'open-string':
      return EXPECTED_QUOTE
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

/** Plain assignment to `__proto__` would set the prototype instead. */
function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
