// Arguments that the wire sends as an object, as the text they were received as: a parse and a print in between would lose
// big integers, duplicate keys and the spelling.

import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quotationMark,
  isSpace,
  skipSpace,
} from '../arguments/characters.ts'
import { tryJsonText } from '../arguments/json.ts'
import type { WireMessage } from '../model/formats.ts'
import { stepsOf, type Path } from './path.ts'

/** A message whose JSON was read. */
export type ParsedMessage = Extract<WireMessage, { kind: 'message' }>

type Steps = readonly (string | number)[]

/** A value's place in the source. `members` is filled when a path first leads into it. */
interface Span {
  readonly start: number
  readonly end: number
  members?: ReadonlyMap<string, Span>
}

/** Spans found so far. A memo of a pure function: entries go with their messages. */
const spans = new WeakMap<ParsedMessage, Span>()

/**
 * The text of the value at `path`, exactly as received; for a message fed as an object, its JSON. Of a duplicate key the last
 * value counts, as in `JSON.parse`. `undefined` where there is no such value or it has no JSON (a cycle).
 *
 * Every container on the path is scanned once however many paths lead through it, so a line of many calls stays linear.
 */
export function sliceAt(message: ParsedMessage, path: Path): string | undefined {
  const { source } = message
  const steps = stepsOf(path)
  if (source === undefined) return tryJsonText(valueAt(message.value, steps))
  const root = spans.get(message) ?? rootSpan(source)
  spans.set(message, root)
  const span = follow(source, root, steps)
  return span && source.slice(span.start, span.end)
}

/** Where the value at `steps` stands in a valid JSON text: UTF-16 offsets, end exclusive. Of a duplicate key the last counts. */
export function spanAt(source: string, steps: Steps): { readonly start: number; readonly end: number } | undefined {
  return follow(source, rootSpan(source), steps)
}

function rootSpan(source: string): Span {
  return { start: skipSpace(source, 0), end: endOf(source) }
}

function follow(source: string, root: Span, steps: Steps): Span | undefined {
  let span = root
  for (const step of steps) {
    span.members ??= scanMembers(source, span.start)
    const member = span.members.get(String(step))
    if (member === undefined) return undefined
    span = member
  }
  return span
}

/** Arguments as the wire sent them. `object` marks an object, whose text is its own source. */
export interface SentArguments {
  readonly delta: string
  readonly object?: true
}

/** The members of the object or array that starts at `start`, by key or position. The source has been parsed: it is valid JSON. */
function scanMembers(source: string, start: number): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>()
  const opening = source.charCodeAt(start)
  if (opening !== openBrace && opening !== openBracket) return members
  const isObject = opening === openBrace
  let at = skipSpace(source, start + 1)
  while (at < source.length && source.charCodeAt(at) !== closeBrace && source.charCodeAt(at) !== closeBracket) {
    let key = String(members.size)
    if (isObject) {
      const end = skipString(source, at)
      key = unescapeKey(source.slice(at, end))
      at = skipSpace(source, skipSpace(source, end) + 1)
    }
    const end = skipValue(source, at)
    members.set(key, { start: at, end })
    at = skipSpace(source, end)
    if (source.charCodeAt(at) === comma) at = skipSpace(source, at + 1)
  }
  return members
}

/** Escapes are rare in keys; the parse is for those alone. */
function unescapeKey(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)
}

/** Where the last value of the source ends. */
function endOf(source: string): number {
  let end = source.length
  while (end > 0 && isSpace(source.charCodeAt(end - 1))) end--
  return end
}

/** From an opening quote to behind its closing one: from quote to quote, since long strings hold few. */
function skipString(source: string, start: number): number {
  let end = source.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(source, end)) end = source.indexOf('"', end + 1)
  return end === -1 ? source.length : end + 1
}

/** Whether an odd number of backslashes stands before this quote. The count stops at the quote before it, so none is seen twice. */
function isEscaped(source: string, at: number): boolean {
  let before = at - 1
  while (source.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
}

/** From the first character of a value to behind its last. Containers are crossed by counting, so depth costs nothing. */
function skipValue(source: string, at: number): number {
  let depth = 0
  while (at < source.length) {
    const unit = source.charCodeAt(at)
    if (unit === quotationMark) {
      at = skipString(source, at)
    } else if (unit === openBrace || unit === openBracket) {
      depth++
      at++
    } else if (unit === closeBrace || unit === closeBracket) {
      depth--
      at++
    } else {
      at = depth > 0 ? at + 1 : skipScalar(source, at)
    }
    if (depth === 0) return at
  }
  return source.length
}

/** Behind a number or literal. At least one character on, so that no input can hold the scan. */
function skipScalar(source: string, at: number): number {
  for (at++; at < source.length; at++) {
    const unit = source.charCodeAt(at)
    if (unit === comma || unit === colon || unit === closeBrace || unit === closeBracket || isSpace(unit)) break
  }
  return at
}

function valueAt(value: unknown, steps: Steps): unknown {
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    // Own property of an object, read as unknown.
    value = (value as { readonly [key: string | number]: unknown })[step]
  }
  return value
}
