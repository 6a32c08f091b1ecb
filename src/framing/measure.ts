// Sizes in UTF-8 bytes and quotes of bounded length, for text that is only known as a JavaScript string.

/** How much of a body a fault may quote, in UTF-16 units. */
export const longestQuote = 2_000

/**
 * The UTF-8 bytes of a slice of `text`. A surrogate counts two wherever its other half is, so the sizes of the pieces of a text
 * add up to its own however it is cut.
 */
export function byteLength(text: string, start: number = 0, end: number = text.length): number {
  let bytes = end - start
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x80) bytes += unit < 0x800 || isSurrogate(unit) ? 1 : 2
  }
  return bytes
}

/** Whether a text has more than `limit` UTF-8 bytes. Counts only where the number of its characters leaves that open. */
export function isLonger(text: string, limit: number): boolean {
  return text.length * 3 > limit && byteLength(text) > limit
}

/** The start of a text as a fault quotes it: whole code points, at most 2,000 characters and at most `limit` bytes. */
export function quote(text: string, limit: number = Infinity): string {
  let end = 0
  let bytes = 0
  while (end < text.length) {
    const width = isPair(text, end) ? 2 : 1
    bytes += byteLength(text, end, end + width)
    if (end + width > longestQuote || bytes > limit) break
    end += width
  }
  return text.slice(0, end)
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}
