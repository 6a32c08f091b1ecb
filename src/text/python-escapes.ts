// The escapes of Python's strings. Source: https://docs.python.org/3/reference/lexical_analysis.html#escape-sequences

export type PythonEscape =
  | { readonly type: 'escape'; readonly decoded: string; /** Behind the escape. */ readonly end: number }
  /** The text ends before the escape does. */
  | { readonly type: 'cut' }
  | { readonly type: 'invalid' }

const cut: PythonEscape = { type: 'cut' }
const invalid: PythonEscape = { type: 'invalid' }

/** What stands for one character each, and a line break that stands for none. */
const simple: ReadonlyMap<string, string> = new Map([
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

/** How many digits belong to the letter. */
const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

const lastCodePoint = 0x10ffff

/** `at` is the offset of the backslash. */
export function readPythonEscape(text: string, at: number): PythonEscape {
  const start = at + 1
  if (start >= text.length) return cut
  const letter = text.charAt(start)
  const decoded = simple.get(letter)
  if (decoded !== undefined) return { type: 'escape', decoded, end: start + 1 }
  const digits = hexDigits.get(letter)
  if (digits !== undefined) return readHex(text, start + 1, digits)
  const octal = /^[0-7]{1,3}/.exec(text.slice(start, start + 3))?.[0]
  if (octal !== undefined) {
    const end = start + octal.length
    if (octal.length < 3 && end === text.length) return cut
    return { type: 'escape', decoded: String.fromCharCode(Number.parseInt(octal, 8)), end }
  }
  // Named characters need a table that is not worth its size; anything else Python keeps as it is.
  return letter === 'N' ? invalid : { type: 'escape', decoded: `\\${letter}`, end: start + 1 }
}

function readHex(text: string, start: number, digits: number): PythonEscape {
  const hex = text.slice(start, start + digits)
  if (!/^[0-9a-fA-F]*$/.test(hex)) return invalid
  if (hex.length < digits) return cut
  const code = Number.parseInt(hex, 16)
  return code > lastCodePoint ? invalid : { type: 'escape', decoded: String.fromCodePoint(code), end: start + digits }
}
