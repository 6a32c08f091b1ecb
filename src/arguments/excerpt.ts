/** The evidence that goes into a record: bounded, and never half a character. */

const most = 2000

/** The text, or its first 2,000 UTF-16 units without a split surrogate pair at the end. */
export function excerpt(text: string): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}
