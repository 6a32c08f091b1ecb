// Bare words where JSON wants a value or a key in quotes.
import { isForeignSpace } from './characters.ts'

/** Where the run of characters that could belong to one bare word ends. Quotes, brackets and separators never do. */
export function wordEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && isWordUnit(text.charCodeAt(at))) at++
  return at
}

/** What a bare word may begin with: a letter or another sign of a name or a path. Digits begin numbers, the rest begins something else. */
export function beginsWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= 0x80) return isWordUnit(code)
  return /[A-Za-z_$/~@]/.test(text[at] ?? '') || /^\.{1,2}[A-Za-z_/]/.test(text.slice(at, at + 3))
}

/** A name as programming languages have it, or with dashes. Any other bare key is not one. */
export function isName(word: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(word)
}

/** Comment marks in a bare word leave open where it ends. */
export function holdsComment(word: string): boolean {
  return word.includes('//') || word.includes('/*')
}

export const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** How Python prints the three. */
export const PYTHON_LITERALS: ReadonlyMap<string, 'true' | 'false' | 'null'> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/** Words of other languages that stand for a value, not for themselves: never a string that lost its quotes. */
export function isForeignLiteral(word: string): boolean {
  return /^(?:true|false|null|none|nil|undefined|nan|inf|infinity)$/i.test(word)
}

/** Whether a word at the end of the text may still become a literal. */
export function beginsLiteral(word: string): boolean {
  return ['true', 'false', 'null', 'True', 'False', 'None'].some((literal) => literal.startsWith(word))
}

/** ASCII that ends a bare word, and the quotes of typesetting, which may be somebody's string delimiters. */
const SEPARATOR = /[,:;{}[\]()<>"'`\\“”„‘’‚«»]/

function isWordUnit(code: number): boolean {
  if (code <= 0x20 || code === 0x7f || isForeignSpace(code)) return false
  return !SEPARATOR.test(String.fromCharCode(code))
}
