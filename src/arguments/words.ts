// Words without quotes: the literals of JSON and of Python, keys, and values that lost their quotes.

import { closeBrace, closeBracket, comma, isForeignSpace, skipSpace } from './characters.ts'
import { isCommentStart } from './gaps.ts'

export type WordToken =
  | { readonly type: 'literal'; readonly value: boolean | null; readonly end: number }
  | { readonly type: 'python'; readonly value: boolean | null; readonly literal: string; readonly end: number }
  /** A word whose end is beyond doubt, without comment marks or half pairs in it. */
  | { readonly type: 'bare'; readonly word: string; readonly end: number }
  /** A value without quotes whose end nobody knows. */
  | { readonly type: 'unreadable' }
  /** Stands for a value in some other language, so it is no string that lost its quotes. */
  | { readonly type: 'foreign' }
  /** The text ends in what may be the beginning of a literal. */
  | { readonly type: 'cut' }

/** `start` is where `beginsWord` said yes. */
export function readWord(text: string, start: number): WordToken {
  const end = wordEnd(text, start)
  const word = text.slice(start, end)
  const value = literals.get(word)
  if (value !== undefined) return { type: 'literal', value, end }
  const python = pythonLiterals.get(word)
  if (python !== undefined) return { type: 'python', value: literals.get(python) ?? null, literal: python, end }
  if (end === text.length && beginsLiteral(word)) return { type: 'cut' }
  if (foreignLiteral.test(word)) return { type: 'foreign' }
  const isClear = endsValue(text, end) && !/\/[/*]|\p{Surrogate}/u.test(word)
  return isClear ? { type: 'bare', word, end } : { type: 'unreadable' }
}

/** A letter or another sign that a name or a path begins with. Digits begin numbers, and the rest begins something else. */
export function beginsWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= 0x80) return isWordUnit(code)
  return /[A-Za-z_$/~@]/.test(text[at] ?? '') || /^\.{1,2}[A-Za-z_/]/.test(text.slice(at, at + 3))
}

/** A name as programming languages have it, or with dashes; any other bare key is not one. Nothing where no such name begins. */
export function readName(text: string, start: number): string | undefined {
  const word = text.slice(start, wordEnd(text, start))
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(word) ? word : undefined
}

const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

const pythonLiterals: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

const foreignLiteral = /^(?:true|false|null|none|nil|undefined|nan|inf|infinity)$/i

function beginsLiteral(word: string): boolean {
  return ['true', 'false', 'null', 'True', 'False', 'None'].some((literal) => literal.startsWith(word))
}

/** Whether what follows leaves no doubt that a word ends here. */
function endsValue(text: string, at: number): boolean {
  const next = skipSpace(text, at)
  const code = text.charCodeAt(next)
  if (Number.isNaN(code) || code === comma || code === closeBrace || code === closeBracket) return true
  return isCommentStart(text, next)
}

function wordEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && isWordUnit(text.charCodeAt(at))) at++
  return at
}

/** ASCII that ends a bare word, and the quotes of typesetting, which may be somebody's string delimiters. */
const separator = /[,:;{}[\]()<>"'`\\“”„‘’‚«»]/

function isWordUnit(code: number): boolean {
  if (code <= 0x20 || code === 0x7f || isForeignSpace(code)) return false
  return !separator.test(String.fromCharCode(code))
}
