// The words and numbers of Python as JSON has them.

const jsonWords: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])
const pythonWords: ReadonlyMap<string, string> = new Map([...jsonWords].map(([python, json]) => [json, python]))

/** JSON's word for a word of either language; `undefined` for any other. */
export function jsonWord(word: string): string | undefined {
  return jsonWords.get(word) ?? (pythonWords.has(word) ? word : undefined)
}

export function pythonWord(value: boolean | null): string {
  return pythonWords.get(String(value)) ?? String(value)
}

/** Whether this is the word for null in either language, or the start of it. */
export function beginsNull(text: string): boolean {
  return 'null'.startsWith(text) || pythonWord(null).startsWith(text)
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const pythonNumber = /^([+-]?)(\d+(?:_\d+)*)?(\.(?:\d+(?:_\d+)*)?)?([eE][+-]?\d+)?$/
const otherBase = /^([+-]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/

/**
 * A number of Python as JSON; `undefined` where it is none. JSON's own numbers keep every digit as written.
 * Source: https://docs.python.org/3/reference/lexical_analysis.html#numeric-literals
 */
export function jsonNumberOf(token: string): string | undefined {
  if (jsonNumber.test(token)) return token
  const based = otherBase.exec(token)
  if (based?.[2] !== undefined) return `${based[1] === '-' ? '-' : ''}${BigInt(based[2])}`
  const parts = pythonNumber.exec(token)
  const [, sign = '', whole, fraction, exponent = ''] = parts ?? []
  if (!parts || (whole === undefined && (fraction === undefined || fraction === '.'))) return undefined
  const digits = (whole ?? '0').replaceAll('_', '')
  // A leading zero is an error in Python, and octal elsewhere.
  if (/^0\d/.test(digits)) return undefined
  const decimals = fraction === undefined ? '' : fraction === '.' ? '.0' : fraction.replaceAll('_', '')
  return `${sign === '-' ? '-' : ''}${digits}${decimals}${exponent}`
}
