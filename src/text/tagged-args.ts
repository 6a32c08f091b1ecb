/** Reads arguments that are written as one tag a parameter, and writes them as JSON while they come. */
import { findTagEnd, readAttributes } from './attributes.ts'
import { escapeJson } from './escape.ts'
import { findAny, isSpace, matchAny, matchLiteral, MORE, NO, skipSpace } from './literals.ts'
import { asJson, type ParameterKind } from './parameter-types.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'
import type { Shape, ValueTrim } from './row.ts'

const maxKey = 256

export interface TaggedState extends ReaderState {
  readonly kind: 'tagged'
  at: 'pair' | 'key' | 'gap' | 'value'
  key: string
  /** The keys so far, in order. */
  readonly seen: string[]
  /** How the value of `key` is read. `stream`: as a string that grows. `buffer`: whole, then converted. `null-or-string`: either. */
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
  readonly shape: Shape & { kind: 'tagged' }
  readonly trim: ValueTrim
  readonly untyped: 'string' | 'json'
  /** What closes the call. */
  readonly closes: readonly string[]
  /** What else can't stand inside the call: the section's close tag, and openers. */
  readonly ends: readonly string[]
  /** Whether the next parameter, or the end of the call, closes an open one. */
  readonly implicitClose: boolean
  /** The parameters that the tool declares; empty where that isn't known. */
  readonly declared: readonly string[]
  kindOf(key: string): ParameterKind
}

export function createTaggedArgs(): TaggedState {
  return {
    kind: 'tagged',
    status: 'reading',
    at: 'pair',
    key: '',
    seen: [],
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
  for (;;) {
    const before = i
    const { at } = state
    if (at === 'pair') i = readPair(state, rules, text, i, port)
    else if (at === 'key') i = readKey(state, rules, text, i, port)
    else if (at === 'gap') i = readGap(state, rules, text, i, port)
    else i = readValue(state, rules, text, i, port)
    if (state.status !== 'reading' || (i === before && state.at === at) || i >= text.length) return i
  }
}

/** The text ended. Keeps what was held back, and closes a value whose close tag is the last thing that came. */
export function endTaggedArgs(state: TaggedState, rules: TaggedRules, held: string, port: CallPort): void {
  if (state.status !== 'reading' || state.at !== 'value') return
  const close = closeOf(rules, state.key)
  const rest = held.startsWith(close) ? held.slice(close.length).trim() : undefined
  const isClosed = rest !== undefined && [...rules.closes, ...rules.ends].some((literal) => literal.startsWith(rest))
  if (isClosed) endValue(state, rules, port)
  else {
    take(state, rules, held, port)
    if (state.mode === 'stream') port.append(escapeJson(state.tail))
    else port.append(state.text)
  }
}

function readPair(state: TaggedState, rules: TaggedRules, text: string, i: number, port: CallPort): number {
  const start = skipSpace(text, i)
  if (start === MORE) return i
  if (start === NO) return stop(state, i)
  const close = matchAny(text, start, rules.closes)
  if (close >= 0) {
    port.append(state.seen.length === 0 ? '{}' : '}')
    state.closed = true
    state.status = 'done'
    return close
  }
  const end = matchAny(text, start, rules.ends)
  if (end >= 0) {
    port.append(state.seen.length === 0 ? '{}' : '}')
    state.status = 'done'
    return start
  }
  const open = matchLiteral(text, start, rules.shape.key.open)
  // A close tag may begin like the opener of a key, which is then only half of it.
  if (close === MORE || end === MORE || open === MORE) return i
  if (open === NO) return stop(state, start)
  state.at = 'key'
  return open
}

function stop(state: TaggedState, i: number): number {
  fail(state, 'a parameter or the end of the call')
  return i
}

function readKey(state: TaggedState, rules: TaggedRules, text: string, i: number, port: CallPort): number {
  const { key } = rules.shape
  const end = key.attribute === undefined ? plainEnd(text, i, key.close) : findTagEnd(text, i, key.close, maxKey)
  if (end === MORE) return i
  if (end === NO) return stop(state, i)
  const inside = text.slice(i, end)
  const attributes = key.attribute === undefined ? undefined : readAttributes(inside)
  const name = attributes && key.attribute !== undefined ? attributes.get(key.attribute) : inside
  if (name === undefined || name === '') return stop(state, i)
  state.key = name
  const kind = typedBy(rules, attributes) ?? rules.kindOf(name)
  state.mode =
    kind === 'string' || (kind === 'unknown' && rules.untyped === 'string')
      ? 'stream'
      : kind === 'nullable-string'
        ? 'null-or-string'
        : 'buffer'
  state.at = 'gap'
  const next = end + key.close.length
  return rules.shape.value.open === undefined ? beginValue(state, next, port) : next
}

function plainEnd(text: string, i: number, close: string): number {
  const found = findAny(text, i, [close], maxKey)
  return typeof found === 'number' ? found : found[0]
}

function typedBy(rules: TaggedRules, attributes: ReadonlyMap<string, string> | undefined): ParameterKind | undefined {
  const { typed } = rules.shape
  const value = typed && attributes?.get(typed.attribute)
  if (!typed || value === undefined) return undefined
  const isString = typed.by === 'name' ? value === 'string' : value === 'true'
  return isString ? 'string' : 'json'
}

function readGap(state: TaggedState, rules: TaggedRules, text: string, i: number, port: CallPort): number {
  const start = skipSpace(text, i)
  if (start === MORE) return i
  const { open = '' } = rules.shape.value
  const end = start === NO ? NO : matchLiteral(text, start, open)
  if (end === MORE) return i
  if (end === NO) {
    fail(state, `"${open}"`)
    return i
  }
  return beginValue(state, end, port)
}

function beginValue(state: TaggedState, i: number, port: CallPort): number {
  port.append(`${state.seen.length === 0 ? '{' : ','}${JSON.stringify(state.key)}:`)
  if (state.mode === 'stream') port.append('"')
  state.seen.push(state.key)
  state.at = 'value'
  state.begun = false
  state.text = ''
  state.tail = ''
  return i
}

function readValue(state: TaggedState, rules: TaggedRules, text: string, i: number, port: CallPort): number {
  const close = closeOf(rules, state.key)
  const first = close.charAt(0)
  let at = i
  for (;;) {
    at = text.indexOf(first, at)
    if (at < 0) {
      take(state, rules, text.slice(i), port)
      return text.length
    }
    const end = closesAt(state, rules, text, at, close)
    if (end === MORE) {
      take(state, rules, text.slice(i, at), port)
      return at
    }
    if (end !== NO) {
      take(state, rules, text.slice(i, at), port)
      endValue(state, rules, port)
      return end
    }
    at++
  }
}

function closeOf(rules: TaggedRules, key: string): string {
  return rules.shape.value.close.replace('{key}', () => key)
}

/**
 * Whether the value ends at `i`: the index behind its close tag. A close tag counts only where a parameter can end, that is
 * if the next thing is another parameter or the end of the call; anywhere else it is part of the value.
 */
function closesAt(state: TaggedState, rules: TaggedRules, text: string, i: number, close: string): number {
  const end = matchLiteral(text, i, close)
  if (end === MORE) return MORE
  if (end >= 0) {
    const next = skipSpace(text, end)
    if (next === MORE) return MORE
    if (next === NO) return end
    const follows = followsParameter(state, rules, text, next)
    if (follows !== NO) return follows === MORE ? MORE : end
  }
  return rules.implicitClose ? closesImplicitly(state, rules, text, i) : NO
}

/** Whether a parameter may end before `i`: at the next one, or where the call ends. */
function followsParameter(state: TaggedState, rules: TaggedRules, text: string, i: number): number {
  const end = matchAny(text, i, [...rules.closes, ...rules.ends])
  if (end !== NO) return end
  const open = matchLiteral(text, i, rules.shape.key.open)
  if (open < 0 || !rules.shape.value.close.includes('{key}')) return open
  // Where the tag is the key, any tag in the value looks like one: only what the tool declares, or a name at least, is a key.
  const close = plainEnd(text, open, rules.shape.key.close)
  if (close < 0) return close
  const key = text.slice(open, close)
  const isKey =
    rules.declared.length > 0 ? rules.declared.includes(key) && !state.seen.includes(key) : /^\w[\w.-]*$/.test(key)
  return isKey ? close : NO
}

function closesImplicitly(state: TaggedState, rules: TaggedRules, text: string, i: number): number {
  const { key } = rules.shape
  const open = matchLiteral(text, i, key.open)
  if (open === MORE) return MORE
  if (open >= 0) {
    const end =
      key.attribute === undefined ? plainEnd(text, open, key.close) : findTagEnd(text, open, key.close, maxKey)
    if (end === MORE) return MORE
    if (end === NO) return NO
    const inside = text.slice(open, end)
    const name = key.attribute === undefined ? inside : readAttributes(inside).get(key.attribute)
    const isNext =
      name !== undefined && !state.seen.includes(name) && (rules.declared.length === 0 || rules.declared.includes(name))
    return isNext ? i : NO
  }
  const close = matchAny(text, i, rules.closes)
  return close >= 0 ? i : close
}

function take(state: TaggedState, rules: TaggedRules, piece: string, port: CallPort): void {
  if (piece === '') return
  if (!state.begun && rules.trim !== 'none') {
    if (rules.trim === 'one-newline') {
      if (piece.startsWith('\n')) piece = piece.slice(1)
    } else {
      piece = piece.trimStart()
      if (piece === '') return
    }
  }
  state.begun = true
  if (state.mode === 'stream') return stream(state, rules, piece, port)
  state.text += piece
  if (state.mode === 'null-or-string' && !couldBeNull(state.text)) {
    const { text } = state
    state.mode = 'stream'
    state.text = ''
    port.append('"')
    stream(state, rules, text, port)
  }
}

function stream(state: TaggedState, rules: TaggedRules, piece: string, port: CallPort): void {
  let end = piece.length
  if (rules.trim === 'one-newline') {
    if (piece.endsWith('\n')) end--
  } else if (rules.trim === 'all') {
    while (end > 0 && isSpace(piece.charCodeAt(end - 1))) end--
    if (end === 0) {
      state.tail += piece
      return
    }
  }
  const out = state.tail + piece.slice(0, end)
  state.tail = piece.slice(end)
  if (out !== '') port.append(escapeJson(out))
}

function couldBeNull(text: string): boolean {
  return text.length <= 16 && /^\s*(?:n(?:u(?:ll?)?)?|N(?:o(?:ne?)?)?)?\s*$/.test(text)
}

function endValue(state: TaggedState, rules: TaggedRules, port: CallPort): void {
  if (state.mode === 'stream') port.append('"')
  else {
    const isNull = state.mode === 'null-or-string' && /^\s*(?:null|None)\s*$/.test(state.text)
    const json = state.mode === 'buffer' ? asJson(state.text) : isNull ? 'null' : undefined
    port.append(json ?? `"${escapeJson(trimEnd(state.text, rules.trim))}"`)
  }
  state.at = 'pair'
  state.text = ''
  state.tail = ''
}

function trimEnd(text: string, trim: ValueTrim): string {
  if (trim === 'all') return text.trimEnd()
  return trim === 'one-newline' && text.endsWith('\n') ? text.slice(0, -1) : text
}
