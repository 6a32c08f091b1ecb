// The short way: text that is strict JSON and that no rule of the policy could concern. The engine's own parser reads it, and one
// sweep over text and value proves that the full pass would have nothing to say. In doubt it says nothing, and the full pass decides.
import type { JsonObject } from '../model/json.ts'
import type { ReadingPolicy } from '../model/reading.ts'
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  DOT,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
  isDigit,
} from './characters.ts'
import { SHORTEST_SUSPECT, readNumber } from './numbers.ts'

export function readStrict(raw: string, policy: ReadingPolicy): JsonObject | undefined {
  const value = parse(raw)
  if (!isObject(value)) return undefined
  const keys = sweep(raw, policy.maxDepth)
  return keys >= 0 && keys === countKeys(value) && !mayHoldLoneSurrogate(raw) ? value : undefined
}

/** Nothing where the engine refuses the text. Why it does is for the full pass to find: engines differ in what they say. */
function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Counts the keys that the text spells out; -1 where a number or the depth needs a closer look. The text is strict JSON. */
function sweep(text: string, maxDepth: number): number {
  let keys = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = closingQuote(text, at + 1)
    else if (code === COLON) keys++
    else if (code === MINUS || isDigit(code)) {
      const end = numberEnd(text, at + 1)
      if (end < 0) return -1
      at = end - 1
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > maxDepth) return -1
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return keys
}

/** Most strings are short, so the first few characters are looked at one by one before the engine's search is called. */
const NEAR = 24

function closingQuote(text: string, start: number): number {
  const near = start + NEAR
  let at = start
  for (; at < near; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  for (let quote = text.indexOf('"', at); ; quote = text.indexOf('"', quote + 1)) {
    let first = quote
    while (first > at && text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((quote - first) % 2 === 0) return quote
  }
}

/** -1 where the number may be one that a double can't hold. `start` is behind its first character. */
function numberEnd(text: string, start: number): number {
  let hasExponent = false
  let end = start
  for (; ; end++) {
    const code = text.charCodeAt(end)
    if (code === 0x65 || code === 0x45) hasExponent = true
    else if (!isDigit(code) && code !== DOT && code !== PLUS && code !== MINUS) break
  }
  if (!hasExponent && end - start + 1 < SHORTEST_SUSPECT) return end
  return readNumber(text.slice(start - 1, end), 'reject').lossy ? -1 : end
}

/** Counts the keys of the value: fewer than in the text where one was repeated. -1 where a key could reach a prototype. */
function countKeys(root: JsonObject): number {
  let count = 0
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') open.push(item)
    } else {
      for (const key in value) {
        if (key === '__proto__' || key === 'prototype') return -1
        count++
        open.push((value as JsonObject)[key])
      }
    }
  }
  return count
}

/** An escaped half may be a lone one; a bare one is told by the engine, or, where that is too old, by the full pass. */
function mayHoldLoneSurrogate(text: string): boolean {
  return /\\u[dD][89a-fA-F]/.test(text) || !isWellFormed(text)
}

function isWellFormed(text: string): boolean {
  // ES2024, which the engines of the last years have but this project's library types don't.
  const { isWellFormed: ask } = text as { isWellFormed?: () => boolean }
  return ask ? ask.call(text) : !/[\ud800-\udfff]/.test(text)
}
