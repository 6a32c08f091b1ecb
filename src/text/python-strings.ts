/** Decodes Python's string escapes. Source: https://docs.python.org/3/reference/lexical_analysis.html#escape-sequences */

const simple = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\u0007'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['\n', ''],
])
const hexDigits = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/** The text of an escape that begins at `i`, behind its backslash, and where it ends. `more` where the text stops in it; `bad` where it means nothing. */
export function decodeEscape(
  text: string,
  i: number,
): { readonly value: string; readonly end: number } | 'more' | 'bad' {
  if (i >= text.length) return 'more'
  const letter = text.charAt(i)
  const value = simple.get(letter)
  if (value !== undefined) return { value, end: i + 1 }
  const digits = hexDigits.get(letter)
  if (digits !== undefined) {
    const hex = text.slice(i + 1, i + 1 + digits)
    if (!/^[0-9a-fA-F]*$/.test(hex)) return 'bad'
    if (hex.length < digits) return 'more'
    const code = Number.parseInt(hex, 16)
    return code > 0x10ffff ? 'bad' : { value: String.fromCodePoint(code), end: i + 1 + digits }
  }
  const octal = /^[0-7]{1,3}/.exec(text.slice(i, i + 3))?.[0]
  if (octal !== undefined) {
    if (octal.length < 3 && i + octal.length >= text.length) return 'more'
    return { value: String.fromCharCode(Number.parseInt(octal, 8)), end: i + octal.length }
  }
  // Named characters need a table that is not worth its size; anything else Python keeps as it is.
  return letter === 'N' ? 'bad' : { value: `\\${letter}`, end: i + 1 }
}
