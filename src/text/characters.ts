// The characters that text formats tell apart beside those of arguments, as UTF-16 code units.

export const plus = 0x2b
export const semicolon = 0x3b
export const lessThan = 0x3c
export const underscore = 0x5f

/** A letter of ASCII. */
export function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
