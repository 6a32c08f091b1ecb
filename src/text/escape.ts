// Writes text into a JSON string, piece by piece.

// oxlint-disable-next-line no-control-regex -- these are the characters that JSON forbids in strings
const forbidden = /["\\\u0000-\u001f]/g

const short = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\b', '\\b'],
  ['\f', '\\f'],
])

/**
 * The inside of the JSON string for `text`. Unlike `JSON.stringify` it leaves half a surrogate pair as it is: its other half may be
 * the start of the next piece.
 */
export function escapeJson(text: string): string {
  return text.replace(
    forbidden,
    (character) => short.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
