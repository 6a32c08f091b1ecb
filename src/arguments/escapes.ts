// The escapes of JSON strings (RFC 8259, section 7).

export type Escape =
  | { readonly type: 'escape'; readonly decoded: string; readonly length: 2 | 6 }
  /** The text ends before the escape does. */
  | { readonly type: 'cut' }
  | { readonly type: 'invalid' }

const cutEscape: Escape = { type: 'cut' }
const invalidEscape: Escape = { type: 'invalid' }

/** `at` is the offset of the backslash. */
export function readEscape(text: string, at: number): Escape {
  const letter = text[at + 1]
  if (letter === undefined) return cutEscape
  const simple = simpleEscapes.get(letter)
  if (simple) return simple
  if (letter !== 'u') return invalidEscape
  const hex = text.slice(at + 2, at + 6)
  if (/^[0-9a-fA-F]{4}$/.test(hex)) {
    return { type: 'escape', decoded: String.fromCharCode(Number.parseInt(hex, 16)), length: 6 }
  }
  return /^[0-9a-fA-F]*$/.test(hex) && at + 2 + hex.length === text.length ? cutEscape : invalidEscape
}

/** What the letter behind a backslash stands for; `u` and its digits apart. */
export const escapedLetters: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

const simpleEscapes: ReadonlyMap<string, Escape> = new Map(
  [...escapedLetters].map(([letter, decoded]) => [letter, { type: 'escape', decoded, length: 2 }]),
)
