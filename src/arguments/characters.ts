// The characters that the reading of arguments tells apart, as UTF-16 code units.

export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const QUOTE = 0x22
export const APOSTROPHE = 0x27
export const ASTERISK = 0x2a
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const ZERO = 0x30
export const NINE = 0x39
export const COLON = 0x3a
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const BACKTICK = 0x60
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const TILDE = 0x7e
export const BYTE_ORDER_MARK = 0xfeff

/** White space as RFC 8259 has it: needs no repair anywhere between tokens. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === LINE_FEED || code === CARRIAGE_RETURN || code === 0x09
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
    case BYTE_ORDER_MARK:
      return true
    default:
      return false
  }
}

/** Whether a backslash and the `n`, `r` or `t` of an escaped line break or tab stand here. Outside strings they can only be white space. */
export function isEscapedSpace(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== BACKSLASH) return false
  const next = text[at + 1]
  return next === 'n' || next === 'r' || next === 't'
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
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
