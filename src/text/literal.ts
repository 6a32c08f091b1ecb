/** Reads one value in Python's or a dict dialect's notation and writes it as JSON while it comes. */
import { escapeJson } from './escape.ts'
import { isSpace, matchLiteral, MORE, NO, skipSpace } from './literals.ts'
import { decodeEscape } from './python-strings.ts'

export interface LiteralRules {
  /** What encloses text besides quotes: it has no escapes inside. */
  readonly mark?: string
  /** Whether keys stand without quotes and commas may be missing. */
  readonly bareKeys: boolean
  readonly commas: 'required' | 'optional'
}

export interface LiteralState {
  status: 'reading' | 'done' | 'fault'
  /** What would have been right. Set with the status `fault`. */
  expected: string
  at: 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next' | 'string' | 'token'
  /** The open containers, outermost first. */
  readonly stack: string[]
  /** Whether the string or token that is being read is a key. */
  isKey: boolean
  /** What closes the open string. */
  quote: string
  /** Whether the open string has no escapes. */
  raw: boolean
  /** The number or word that is being read. */
  token: string
  /** A comma that goes out with the next item: Python allows one too many. */
  comma: boolean
}

export function createLiteral(): LiteralState {
  return {
    status: 'reading',
    expected: '',
    at: 'value',
    stack: [],
    isKey: false,
    quote: '',
    raw: false,
    token: '',
    comma: false,
  }
}

/** A literal whose first container has been opened already: `call:f{` begins in the middle of one. */
export function createOpenObject(): LiteralState {
  return { ...createLiteral(), stack: ['{'], at: 'first-key' }
}

/** How long a number, a word or a bare key may be. */
const maxToken = 512

export function readLiteral(
  state: LiteralState,
  rules: LiteralRules,
  text: string,
  i: number,
  emit: (json: string) => void,
): number {
  while (i < text.length && state.status === 'reading') {
    const before = i
    const { at } = state
    switch (at) {
      case 'string':
        i = readString(state, rules, text, i, emit)
        break
      case 'token':
        i = readToken(state, text, i, emit)
        break
      case 'value':
      case 'first-item':
      case 'first-key':
      case 'key':
      case 'colon':
      case 'next':
        i = isSpace(text.charCodeAt(i)) ? i + 1 : readMark(state, rules, text, i, emit)
        break
      default:
        at satisfies never
    }
    if (i === before && state.at === at) return i
  }
  return i
}

function stop(state: LiteralState, i: number, expected: string): number {
  state.status = 'fault'
  state.expected = expected
  return i
}

function readMark(
  state: LiteralState,
  rules: LiteralRules,
  text: string,
  i: number,
  emit: (json: string) => void,
): number {
  const mark = text.charAt(i)
  switch (state.at) {
    case 'first-item':
      if (mark === ']') return close(state, i, emit)
      return beginValue(state, rules, text, i, emit)
    case 'value':
      if (mark === ']' && state.stack.at(-1) === '[') return close(state, i, emit)
      return beginValue(state, rules, text, i, emit)
    case 'first-key':
    case 'key':
      if (mark === '}') return close(state, i, emit)
      return beginKey(state, rules, text, i, emit)
    case 'colon':
      if (mark !== ':') return stop(state, i, '":"')
      emit(':')
      state.at = 'value'
      return i + 1
    case 'next':
      return readNext(state, rules, text, i, emit)
    default:
      return stop(state, i, 'a value')
  }
}

function readNext(
  state: LiteralState,
  rules: LiteralRules,
  text: string,
  i: number,
  emit: (json: string) => void,
): number {
  const mark = text.charAt(i)
  const inside = state.stack.at(-1)
  if (mark === ',') {
    state.comma = true
    state.at = inside === '{' ? 'key' : 'value'
    return i + 1
  }
  if (mark === (inside === '{' ? '}' : ']')) return close(state, i, emit)
  if (inside === '{' && rules.commas === 'optional') {
    state.comma = true
    state.at = 'key'
    return i
  }
  return stop(state, i, inside === '{' ? '"," or "}"' : '"," or "]"')
}

function close(state: LiteralState, i: number, emit: (json: string) => void): number {
  emit(state.stack.pop() === '{' ? '}' : ']')
  state.comma = false
  finishValue(state)
  return i + 1
}

function finishValue(state: LiteralState): void {
  state.at = 'next'
  if (state.stack.length === 0) state.status = 'done'
}

function separate(state: LiteralState, emit: (json: string) => void): void {
  if (state.comma) emit(',')
  state.comma = false
}

function beginValue(
  state: LiteralState,
  rules: LiteralRules,
  text: string,
  i: number,
  emit: (json: string) => void,
): number {
  const mark = text.charAt(i)
  if (mark === '[' || mark === '{') {
    separate(state, emit)
    emit(mark)
    state.stack.push(mark)
    state.at = mark === '[' ? 'first-item' : 'first-key'
    return i + 1
  }
  return beginScalar(state, rules, text, i, false, emit)
}

function beginKey(
  state: LiteralState,
  rules: LiteralRules,
  text: string,
  i: number,
  emit: (json: string) => void,
): number {
  return beginScalar(state, rules, text, i, true, emit)
}

/** A string in quotes or marks, or a word. Returns the same index where the text doesn't tell yet. */
function beginScalar(
  state: LiteralState,
  rules: LiteralRules,
  text: string,
  i: number,
  isKey: boolean,
  emit: (json: string) => void,
): number {
  if (rules.mark !== undefined) {
    const end = matchLiteral(text, i, rules.mark)
    if (end === MORE) return i
    if (end >= 0) return beginString(state, end, rules.mark, true, isKey, emit)
  }
  const prefix = /^[rRuU]?/.exec(text.slice(i, i + 1))?.[0] ?? ''
  const start = i + prefix.length
  if (start >= text.length) return i
  const mark = text.charAt(start)
  if (mark === '"' || mark === "'") {
    const isLong = rules.mark === undefined ? matchLiteral(text, start, mark.repeat(3)) : NO
    // Two quotes at the end may still be the start of three.
    if (isLong === MORE) return i
    const quote = isLong >= 0 ? mark.repeat(3) : mark
    return beginString(state, start + quote.length, quote, prefix.toLowerCase() === 'r', isKey, emit)
  }
  if (isKey && rules.bareKeys) return beginBareKey(state, text, i, emit)
  if (!isWord(text.charCodeAt(i))) return stop(state, i, isKey ? 'a key' : 'a value')
  separate(state, emit)
  state.isKey = isKey
  state.token = ''
  state.at = 'token'
  return i
}

function beginString(
  state: LiteralState,
  i: number,
  quote: string,
  raw: boolean,
  isKey: boolean,
  emit: (json: string) => void,
): number {
  separate(state, emit)
  emit('"')
  state.quote = quote
  state.raw = raw
  state.isKey = isKey
  state.at = 'string'
  return i
}

function beginBareKey(state: LiteralState, text: string, i: number, emit: (json: string) => void): number {
  const length = text.slice(i, i + maxToken).search(/[:,{}[\]"'<\n]/)
  if (length < 0) return text.length - i < maxToken ? i : stop(state, i, 'a key and ":"')
  const key = text.slice(i, i + length).trim()
  if (key === '' || text.charAt(i + length) !== ':') return stop(state, i, 'a key and ":"')
  separate(state, emit)
  emit(JSON.stringify(key))
  state.at = 'colon'
  return i + length
}

function readString(
  state: LiteralState,
  rules: LiteralRules,
  text: string,
  i: number,
  emit: (json: string) => void,
): number {
  const first = state.quote.charCodeAt(0)
  const marked = state.quote === rules.mark
  let from = i
  for (let at = i; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === 92 && !marked) {
      if (at > from) emit(escapeJson(text.slice(from, at)))
      const end = readEscape(state, rules, text, at, emit)
      if (end === at) return at
      at = end
      from = end
      if (state.status === 'fault') return at
      continue
    }
    if (code === first) {
      const end = stringEnd(state, rules, text, at)
      if (end !== NO) {
        if (at > from) emit(escapeJson(text.slice(from, at)))
        if (end === MORE) return at
        return endString(state, end, emit)
      }
    }
    at++
  }
  if (text.length > from) emit(escapeJson(text.slice(from)))
  return text.length
}

/** Where the string ends that may end at `i`. A mark ends it only where a value can end: it may be part of the text. */
function stringEnd(state: LiteralState, rules: LiteralRules, text: string, i: number): number {
  const end = matchLiteral(text, i, state.quote)
  if (end < 0 || state.quote !== rules.mark || rules.commas === 'optional') return end
  const next = skipSpace(text, end)
  if (next < 0) return next === MORE ? MORE : NO
  return ',}]:'.includes(text.charAt(next)) ? end : NO
}

function readEscape(
  state: LiteralState,
  rules: LiteralRules,
  text: string,
  i: number,
  emit: (json: string) => void,
): number {
  if (state.raw) {
    // A raw string keeps its backslashes, and what follows one can't close it.
    if (i + 1 >= text.length) return i
    emit(escapeJson(text.slice(i, i + 2)))
    return i + 2
  }
  if (rules.mark !== undefined && text.startsWith('/', i + 1)) {
    emit('/')
    return i + 2
  }
  const escape = decodeEscape(text, i + 1)
  if (escape === 'more') return i
  if (escape === 'bad') return stop(state, i, 'an escape sequence')
  emit(escapeJson(escape.value))
  return escape.end
}

function endString(state: LiteralState, end: number, emit: (json: string) => void): number {
  emit('"')
  if (state.isKey) state.at = 'colon'
  else finishValue(state)
  return end
}

function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 46 ||
    code === 43 ||
    code === 45
  )
}

function readToken(state: LiteralState, text: string, i: number, emit: (json: string) => void): number {
  const limit = Math.min(text.length, i + maxToken - state.token.length)
  let end = i
  while (end < limit && isWord(text.charCodeAt(end))) end++
  state.token += text.slice(i, end)
  if (state.token.length === maxToken) return stop(state, end, 'a shorter number')
  if (end === text.length) return end
  const json = wordAsJson(state.token)
  if (json === undefined) return stop(state, end, 'a string, a number, a list, an object, True, False or None')
  emit(state.isKey ? JSON.stringify(json) : json)
  if (state.isKey) state.at = 'colon'
  else finishValue(state)
  return end
}

const words = new Map([
  ['True', 'true'],
  ['true', 'true'],
  ['False', 'false'],
  ['false', 'false'],
  ['None', 'null'],
  ['null', 'null'],
])
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const pythonNumber = /^([+-]?)(\d+(?:_\d+)*)?(\.(?:\d+(?:_\d+)*)?)?([eE][+-]?\d+)?$/
const otherBase = /^([+-]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/

/** A number or a word as JSON. JSON's own numbers keep every digit as written. */
function wordAsJson(token: string): string | undefined {
  const word = words.get(token)
  if (word !== undefined) return word
  if (jsonNumber.test(token)) return token
  const based = otherBase.exec(token)
  if (based?.[2] !== undefined) return `${based[1] === '-' ? '-' : ''}${BigInt(based[2])}`
  const parts = pythonNumber.exec(token)
  const [, sign = '', whole, fraction, exponent = ''] = parts ?? []
  if (!parts || (whole === undefined && (fraction === undefined || fraction === '.'))) return undefined
  const digits = (whole ?? '0').replaceAll('_', '')
  // A leading zero is an error in Python, and octal elsewhere.
  if (/^0\d/.test(digits)) return undefined
  const decimals = fraction === undefined ? '' : fraction === '.' ? '.0' : fraction.replaceAll('_', '')
  return `${sign === '-' ? '-' : ''}${digits}${decimals}${exponent}`
}
