// Judges what stands behind complete arguments before anything known does: prose, which is left out of the call, or text that could
// be data of it. It reads piece by piece and looks at every character once.

import {
  apostrophe,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quotationMark,
} from '../arguments/characters.ts'
import type { ArgumentsFaultCode } from '../model/failures.ts'
import { semicolon } from './characters.ts'
import { matchAny, needsMore } from './match.ts'

/**
 * How much of the text is asked. `begin`: what comes first, where prose may follow. `tags`: beside that, tags of the format up to its
 * close. `whole`: everything up to the close.
 */
export type Reach = 'begin' | 'tags' | 'whole'

export interface ResidueRules {
  readonly reach: Reach
  /** What closes the call or its section. */
  readonly closes: readonly string[]
  /** What begins something else. */
  readonly borders: readonly string[]
  /** Tags that stand inside a call: what they enclose is data. */
  readonly tags: readonly string[]
  /** Whether parentheses and keyword arguments are part of the notation. */
  readonly python: boolean
  /** Whether white space that comes first is layout. */
  readonly layout: boolean
}

export interface Residue {
  /** All of it, as it came. */
  raw: string
  /**
   * What has come: nothing but white space, a separator, the first string, the end of that string, the first word behind a separator,
   * the end of that word, or prose.
   */
  at: 'start' | 'separator' | 'string' | 'string-end' | 'word' | 'word-end' | 'prose'
  /** The quote that closes the first string. Set by that string's beginning. */
  quote: number
  /** Square brackets that are open. */
  brackets: number
  /** Whether the last character that is no white space was a quote: a colon behind it makes a key of what came before. */
  behindQuote: boolean
}

export type Judged =
  | { readonly is: 'wait' | 'prose' | 'border'; readonly at: number }
  | { readonly is: 'close'; readonly at: number; readonly end: number }
  | { readonly is: 'data'; readonly at: number; readonly code: ArgumentsFaultCode }

/** How far a close is looked for. Further away, the call has none and the text is the answer's. */
const maxResidue = 1_024
const maxFirstString = 256

const openParenthesis = 0x28
const closeParenthesis = 0x29
const equalsSign = 0x3d

export function createResidue(): Residue {
  return { raw: '', at: 'start', quote: 0, brackets: 0, behindQuote: false }
}

/** Reads on from `i`. What was taken is in `raw`, up to the index that the answer has as `at`. */
export function readResidue(residue: Residue, rules: ResidueRules, text: string, i: number): Judged {
  const marks = [...rules.closes, ...rules.borders, ...rules.tags]
  const firsts = new Set(marks.map((mark) => mark.charCodeAt(0)))
  for (let at = i; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const found = firsts.has(code) ? matchMark(residue, rules, marks, text, at) : undefined
    if (found) return found
    const fault = take(residue, rules, code)
    if (fault) return { is: 'data', at, code: fault }
    const isProse = residue.at === 'prose' && rules.reach === 'begin'
    if (isProse || residue.raw.length >= maxResidue) return { is: 'prose', at }
    residue.raw += text.charAt(at)
  }
  return { is: 'wait', at: text.length }
}

/** Whether the text so far stops where data could go on. */
export function isUnfinished(residue: Residue): boolean {
  return residue.brackets !== 0 || residue.at === 'separator' || residue.at === 'string'
}

function matchMark(
  residue: Residue,
  rules: ResidueRules,
  marks: readonly string[],
  text: string,
  at: number,
): Judged | undefined {
  if (matchAny(text, at, marks) === needsMore) return { is: 'wait', at }
  const end = matchAny(text, at, rules.closes)
  if (end >= 0) return residue.brackets === 0 ? { is: 'close', at, end } : { is: 'data', at, code: 'ambiguous-text' }
  if (matchAny(text, at, rules.borders) >= 0) return { is: 'border', at }
  return matchAny(text, at, rules.tags) >= 0 ? { is: 'data', at, code: 'multiple-objects' } : undefined
}

/** Takes one character; answers why it could be data, where it could. */
function take(residue: Residue, rules: ResidueRules, code: number): ArgumentsFaultCode | undefined {
  const isFirst = residue.at !== 'prose'
  if (!isFirst && rules.reach !== 'whole') return undefined
  switch (code) {
    case openBrace:
      return isFirst ? 'multiple-objects' : 'ambiguous-text'
    case closeBrace:
      return 'ambiguous-text'
    case openParenthesis:
    case closeParenthesis:
      if (rules.python) return 'ambiguous-text'
      break
    case openBracket:
      residue.brackets++
      break
    case closeBracket:
      residue.brackets--
      if (residue.brackets < 0) return 'ambiguous-text'
      break
    case colon:
      if (residue.behindQuote) return 'ambiguous-text'
      break
    default:
  }
  if (!isSpace(code)) residue.behindQuote = code === quotationMark || code === apostrophe
  return isFirst ? takeFirst(residue, rules, code) : undefined
}

function isSeparator(code: number): boolean {
  return code === comma || code === semicolon || code === colon
}

/** Takes a character of what comes first: in data, a separator and the next key or value. */
function takeFirst(residue: Residue, { python, layout }: ResidueRules, code: number): ArgumentsFaultCode | undefined {
  const isQuote = code === quotationMark || code === apostrophe
  switch (residue.at) {
    case 'string':
      if (code === residue.quote) residue.at = 'string-end'
      else if (code === 0x0a || residue.raw.length > maxFirstString) residue.at = 'prose'
      return undefined
    case 'start':
    case 'separator':
      if (isSpace(code)) {
        if (!layout && residue.at === 'start') residue.at = 'prose'
        return undefined
      }
      if (isQuote && residue.at === 'separator') return 'ambiguous-text'
      if (isQuote) {
        residue.at = 'string'
        residue.quote = code
      } else if (isSeparator(code) || (code === openBracket && !python)) residue.at = 'separator'
      else residue.at = python && residue.at === 'separator' ? 'word' : 'prose'
      return undefined
    case 'word':
    case 'word-end':
      if (code === equalsSign) return 'ambiguous-text'
      if (isSpace(code)) residue.at = 'word-end'
      else if (residue.at === 'word-end') residue.at = 'prose'
      return undefined
    case 'string-end':
      if (!isSpace(code)) residue.at = 'prose'
      return undefined
    case 'prose':
      return undefined
    default:
      return residue.at satisfies never
  }
}
