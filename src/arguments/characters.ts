// The characters that the reading of arguments tells apart, as UTF-16 code units.

export const lineFeed = 0x0a
export const carriageReturn = 0x0d
export const quotationMark = 0x22
export const apostrophe = 0x27
export const asterisk = 0x2a
export const comma = 0x2c
export const minus = 0x2d
export const dot = 0x2e
export const slash = 0x2f
export const zero = 0x30
export const nine = 0x39
export const colon = 0x3a
export const openBracket = 0x5b
export const backslash = 0x5c
export const closeBracket = 0x5d
export const backtick = 0x60
export const openBrace = 0x7b
export const closeBrace = 0x7d
export const tilde = 0x7e
export const byteOrderMark = 0xfeff

/** White space as RFC 8259 has it: needs no repair anywhere between tokens. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === lineFeed || code === carriageReturn || code === 0x09
}

/** What other grammars and typesetting call white space, and characters that don't show. Between tokens it can mean nothing else. */
export function isForeignSpace(code: number): boolean {
  if (code < 0x80) return code === 0x0b || code === 0x0c
  if (code < 0x1680) return code === 0x85 || code === 0xa0
  if (code >= 0x2000 && code <= 0x200d) return true
  switch (code) {
    case 0x1680:
    case 0x180e:
    case 0x2028:
    case 0x2029:
    case 0x202f:
    case 0x205f:
    case 0x2060:
    case 0x3000:
    case byteOrderMark:
      return true
    default:
      return false
  }
}

/** Whether a backslash and the `n`, `r` or `t` of an escaped line break or tab stand here. Outside strings they can only be white space. */
export function isEscapedSpace(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== backslash) return false
  const next = text[at + 1]
  return next === 'n' || next === 'r' || next === 't'
}

export function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** The first place from `at` on that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  let next = at
  while (isSpace(text.charCodeAt(next))) next++
  return next
}

/** The first non-blank place from `at` on, whatever kind of white space is before it. */
export function skipBlank(text: string, at: number): number {
  let next = at
  for (;;) {
    const code = text.charCodeAt(next)
    if (isSpace(code) || isForeignSpace(code)) next++
    else if (isEscapedSpace(text, next)) next += 2
    else return next
  }
}
