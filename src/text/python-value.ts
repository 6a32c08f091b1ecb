// Reads one value in Python's notation, or in the dialects of it that know marks and bare keys, and writes it as JSON while it comes.

import { backslash, dot, minus, isDigit, isSpace } from '../arguments/characters.ts'
import { isLetter, plus, underscore } from './characters.ts'
import { escapeJson } from './escape.ts'
import { matchLiteral, needsMore, noMatch, skipLayout } from './match.ts'
import { PieceReader } from './piece-reader.ts'
import type { CallPort, ReaderState } from './port.ts'
import { readPythonEscape } from './python-escapes.ts'
import { jsonNumberOf, jsonWord } from './python-words.ts'

export interface ValueRules {
  /** What encloses text besides quotes: it has no escapes inside. */
  readonly mark?: string
  /** Whether keys stand without quotes. */
  readonly bareKeys: boolean
  /** Whether the commas of an object may be missing. */
  readonly commas: 'required' | 'optional'
}

export interface ValueState extends ReaderState {
  /** What comes next, or what is being read: a string, or the number or word in `token`. */
  at: 'value' | 'key' | 'colon' | 'next' | 'string' | 'token'
  /** The open containers, outermost first. */
  readonly stack: ('{' | '[')[]
  /** Whether the string or token that is being read is a key. Set where it begins. */
  isKey: boolean
  /** What closes the open string, and what a backslash in it is: a character like others, itself and an escape, or an escape. */
  quote: string
  escaping: 'plain' | 'raw' | 'escape'
  token: string
  /** A comma that goes out with the next item: Python allows one too many. */
  comma: boolean
}

export function createValue(): ValueState {
  return {
    status: 'reading',
    at: 'value',
    stack: [],
    isKey: false,
    quote: '',
    escaping: 'escape',
    token: '',
    comma: false,
  }
}

/** A value whose first container has been opened already: `call:f{` begins in the middle of one. */
export function createOpenObject(): ValueState {
  return { ...createValue(), stack: ['{'], at: 'key' }
}

/** Reads on from `i` and appends the JSON to the open call. Returns the index up to which the text was taken. */
export function readPythonValue(state: ValueState, rules: ValueRules, text: string, i: number, port: CallPort): number {
  return new ValueReader(state, rules, text, i, port).read()
}

/** How long a number, a word or a bare key may be. */
const maxToken = 512

class ValueReader extends PieceReader<ValueState, ValueRules> {
  protected step(): void {
    const { at } = this.state
    switch (at) {
      case 'string':
        return this.#readString()
      case 'token':
        return this.#readToken()
      case 'value':
      case 'key':
      case 'colon':
      case 'next':
        if (!isSpace(this.text.charCodeAt(this.at))) return this.#readMark(at)
        this.at++
        return
      default:
        return at satisfies never
    }
  }

  // ---- structure

  #readMark(at: 'value' | 'key' | 'colon' | 'next'): void {
    const mark = this.text.charAt(this.at)
    switch (at) {
      case 'value':
        return mark === ']' && this.state.stack.at(-1) === '[' ? this.#close() : this.#beginValue(mark)
      case 'key':
        return mark === '}' ? this.#close() : this.#beginScalar()
      case 'colon':
        if (mark !== ':') return this.fail('":"')
        this.port.append(':')
        this.state.at = 'value'
        this.at++
        return
      case 'next':
        return this.#readNext(mark)
      default:
        return at satisfies never
    }
  }

  /** Behind a value inside a container. */
  #readNext(mark: string): void {
    const state = this.state
    const inObject = state.stack.at(-1) === '{'
    if (mark === (inObject ? '}' : ']')) return this.#close()
    const isComma = mark === ','
    if (!isComma && !(inObject && this.rules.commas === 'optional')) {
      return this.fail(inObject ? '"," or "}"' : '"," or "]"')
    }
    state.comma = true
    state.at = inObject ? 'key' : 'value'
    if (isComma) this.at++
  }

  #beginValue(mark: string): void {
    if (mark !== '[' && mark !== '{') return this.#beginScalar()
    this.#separate()
    this.port.append(mark)
    this.state.stack.push(mark)
    this.state.at = mark === '[' ? 'value' : 'key'
    this.at++
  }

  #close(): void {
    this.port.append(this.state.stack.pop() === '{' ? '}' : ']')
    this.state.comma = false
    this.at++
    this.#endValue()
  }

  #endValue(): void {
    this.state.at = 'next'
    if (this.state.stack.length === 0) this.state.status = 'done'
  }

  #endScalar(): void {
    if (this.state.isKey) this.state.at = 'colon'
    else this.#endValue()
  }

  #separate(): void {
    if (this.state.comma) this.port.append(',')
    this.state.comma = false
  }

  // ---- strings, numbers and words

  /** Begins what is no container: a string in quotes or marks, a bare key, a number or a word. */
  #beginScalar(): void {
    const text = this.text
    const { mark, bareKeys } = this.rules
    const isKey = this.state.at === 'key'
    this.state.isKey = isKey
    if (mark !== undefined) {
      const end = matchLiteral(text, this.at, mark)
      if (end === needsMore) return this.wait()
      if (end >= 0) return this.#beginString(end, mark, 'plain')
    }
    const prefix = text.charAt(this.at)
    const start = 'rRuU'.includes(prefix) ? this.at + 1 : this.at
    if (start >= text.length) return this.wait()
    const quote = text.charAt(start)
    if (quote === '"' || quote === "'") {
      const triple = quote.repeat(3)
      const long = mark === undefined ? matchLiteral(text, start, triple) : noMatch
      if (long === needsMore) return this.wait()
      const escaping = 'rR'.includes(prefix) ? 'raw' : 'escape'
      return long >= 0 ? this.#beginString(long, triple, escaping) : this.#beginString(start + 1, quote, escaping)
    }
    if (isKey && bareKeys) return this.#readBareKey()
    if (!isWord(text.charCodeAt(this.at))) return this.fail(isKey ? 'a key' : 'a value')
    this.#separate()
    this.state.token = ''
    this.state.at = 'token'
  }

  #beginString(start: number, quote: string, escaping: ValueState['escaping']): void {
    this.#separate()
    this.port.append('"')
    this.state.quote = quote
    this.state.escaping = escaping
    this.state.at = 'string'
    this.at = start
  }

  #readBareKey(): void {
    const start = this.at
    const view = this.text.slice(start, start + maxToken)
    const length = view.search(/[:,{}[\]"'<\n]/)
    if (length < 0 && view.length < maxToken) return this.wait()
    const key = view.slice(0, Math.max(length, 0)).trim()
    if (key === '' || view.charAt(length) !== ':') return this.fail('a key and ":"')
    this.#separate()
    this.port.append(JSON.stringify(key))
    this.state.at = 'colon'
    this.at = start + length
  }

  #readString(): void {
    const text = this.text
    const { quote, escaping } = this.state
    const first = quote.charCodeAt(0)
    for (let at = this.at; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === backslash && escaping !== 'plain') {
        this.#passText(at)
        return escaping === 'raw' ? this.#readRawPair() : this.#readEscape()
      }
      if (code !== first) continue
      const end = this.#stringEnd(at)
      if (end === noMatch) continue
      this.#passText(at)
      if (end === needsMore) return this.wait()
      this.port.append('"')
      this.at = end
      return this.#endScalar()
    }
    this.#passText(text.length)
  }

  #passText(end: number): void {
    if (end > this.at) this.port.append(escapeJson(this.text.slice(this.at, end)))
    this.at = end
  }

  /** Where the string ends that may end at `i`. A mark ends it only where a value can end: it may be part of the text. */
  #stringEnd(i: number): number {
    const end = matchLiteral(this.text, i, this.state.quote)
    if (end < 0 || this.state.quote !== this.rules.mark || this.rules.commas === 'optional') return end
    const next = skipLayout(this.text, end)
    if (next < 0) return next
    return ',}]:'.includes(this.text.charAt(next)) ? end : noMatch
  }

  /** A raw string keeps its backslashes, and what follows one can't close it. */
  #readRawPair(): void {
    if (this.at + 1 >= this.text.length) return this.wait()
    this.#passText(this.at + 2)
  }

  #readEscape(): void {
    // JSON's escape for a slash, which Python doesn't have.
    if (this.rules.mark !== undefined && this.text.startsWith('/', this.at + 1)) {
      this.port.append('/')
      this.at += 2
      return
    }
    const escape = readPythonEscape(this.text, this.at)
    if (escape.type === 'cut') return this.wait()
    if (escape.type === 'invalid') return this.fail('an escape sequence')
    this.port.append(escapeJson(escape.decoded))
    this.at = escape.end
  }

  #readToken(): void {
    const state = this.state
    const text = this.text
    const limit = Math.min(text.length, this.at + maxToken - state.token.length)
    let end = this.at
    while (end < limit && isWord(text.charCodeAt(end))) end++
    state.token += text.slice(this.at, end)
    this.at = end
    if (state.token.length === maxToken) return this.fail('a shorter number')
    if (end === text.length) return this.wait()
    const json = jsonWord(state.token) ?? jsonNumberOf(state.token)
    if (json === undefined) return this.fail('a string, a number, a list, an object, True, False or None')
    this.port.append(state.isKey ? JSON.stringify(json) : json)
    this.#endScalar()
  }
}

/** What numbers and words are made of. */
function isWord(code: number): boolean {
  return isDigit(code) || isLetter(code) || code === underscore || code === dot || code === plus || code === minus
}
