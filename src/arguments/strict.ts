// The short way: text that is strict JSON and that no rule of the policy could concern. The engine's own parser reads it, and one
// sweep over the text proves that the full pass would have nothing to add. In doubt nothing is said, and the full pass decides.

import type { JsonObject } from '../model/json.ts'
import type { ReadingPolicy } from '../model/reading.ts'
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  dot,
  nine,
  openBrace,
  openBracket,
  quotationMark,
  zero,
} from './characters.ts'
import { isObject } from './json.ts'
import { shortestExtreme, shortestSuspect } from './numbers.ts'

export function readStrict(raw: string, policy: ReadingPolicy): JsonObject | undefined {
  // Before the engine's parser, which may recurse, and would build what is too deep only for it to be thrown away.
  const keys = keysInText(raw, policy.maxDepth)
  if (keys < 0) return undefined
  const value = parse(raw)
  if (!isObject(value) || keys !== keysInValue(value)) return undefined
  return surrogateEscape.test(raw) || !isWellFormed(raw) ? undefined : value
}

/** Nothing where the engine refuses the text. Why it does is for the full pass to find: engines differ in what they say. */
function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** Half of an escaped pair may be a lone one. */
const surrogateEscape = /\\u[dD][89a-fA-F]/

function isWellFormed(text: string): boolean {
  // ES2024, which the engines of the last years have but this project's library types don't.
  const { isWellFormed: ask } = text as { isWellFormed?: () => boolean }
  return ask ? ask.call(text) : !/[\ud800-\udfff]/.test(text)
}

/**
 * How many keys the text spells out, if it is JSON; -1 where it is too deep, breaks off, or has a number that needs a closer look.
 * Written flat, since it is most of the cost.
 */
function keysInText(text: string, maxDepth: number): number {
  const { length } = text
  let keys = 0
  let depth = 0
  for (let at = 0; at < length; at++) {
    let code = text.charCodeAt(at)
    if (code === quotationMark) {
      at = closingQuote(text, at + 1)
      if (at < 0) return -1
    } else if (code === colon) keys++
    else if (code >= zero && code <= nine) {
      const start = at
      do code = text.charCodeAt(++at)
      while (code >= zero && code <= nine)
      if (at - start >= shortestSuspect) return -1
      if (code === dot) {
        do code = text.charCodeAt(++at)
        while (code >= zero && code <= nine)
        if (at - start >= shortestExtreme) return -1
      }
      if (code === smallE || code === capitalE) return -1
      at--
    } else if (code === openBrace || code === openBracket) {
      if (++depth > maxDepth) return -1
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return keys
}

const smallE = 0x65
const capitalE = 0x45

/** Most strings are short, so the first few characters are looked at one by one before the engine's search is called. */
const tokenReach = 24

/** -1 where the text ends first. */
function closingQuote(text: string, start: number): number {
  const near = start + tokenReach
  let at = start
  for (; at < near; at++) {
    const code = text.charCodeAt(at)
    if (code === quotationMark) return at
    if (code === backslash) at++
  }
  for (let quote = text.indexOf('"', at); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote
    while (first > at && text.charCodeAt(first - 1) === backslash) first--
    if ((quote - first) % 2 === 0) return quote
  }
  return -1
}

/** How many keys the value has: fewer than the text where one was repeated. -1 where a key could reach a prototype. */
function keysInValue(root: JsonObject): number {
  let keys = 0
  const open: unknown[] = [root]
  while (open.length > 0) {
    const container = open.pop()
    if (Array.isArray(container)) {
      for (const item of container) if (typeof item === 'object' && item !== null) open.push(item)
      continue
    }
    // Only objects and arrays were put in, and this is no array.
    const members = container as JsonObject
    for (const key in members) {
      if (key === '__proto__' || key === 'prototype') return -1
      keys++
      const value = members[key]
      if (typeof value === 'object' && value !== null) open.push(value)
    }
  }
  return keys
}
