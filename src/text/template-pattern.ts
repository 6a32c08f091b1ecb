// Reads the regular expressions of response templates, as far as they only string literals and named captures together.

export type PatternPiece =
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'capture'; readonly name: string }
  /** Any white space. */
  | { readonly type: 'space' }
  /** Anything at all, as little as possible. */
  | { readonly type: 'any' }

const capture = /^\(\?P?<(\w+)>(\\w\+|\\S\+|\[[^\]]+\]\+|\.\*\??|\.\+\??)\)/
const space = /^(?:\\s[*+]\??|\\s)/
const any = /^\.[*+]\??/
const escaped = /^\\([^a-zA-Z0-9])/
const controls = new Map([
  ['\\n', '\n'],
  ['\\t', '\t'],
  ['\\r', '\r'],
])

/** The pieces of a pattern; `undefined` where it says more than they can. */
export function readPattern(pattern: string): readonly PatternPiece[] | undefined {
  const pieces: PatternPiece[] = []
  let literal = ''
  const end = (piece?: PatternPiece): void => {
    if (literal !== '') pieces.push({ type: 'literal', text: literal })
    literal = ''
    if (piece) pieces.push(piece)
  }
  for (let rest = pattern; rest !== '';) {
    const control = controls.get(rest.slice(0, 2))
    const found = capture.exec(rest) ?? space.exec(rest) ?? any.exec(rest) ?? escaped.exec(rest)
    const length = control === undefined ? (found?.[0].length ?? 1) : 2
    if (control !== undefined) literal += control
    else if (rest.startsWith('(')) {
      if (found?.[1] === undefined) return undefined
      end({ type: 'capture', name: found[1] })
    } else if (rest.startsWith('\\s')) end({ type: 'space' })
    else if (found && rest.startsWith('.')) end({ type: 'any' })
    else if (found?.[1] !== undefined) literal += found[1]
    else if (/^[\\^$.|?*+()[\]]/.test(rest)) return undefined
    else literal += rest.charAt(0)
    rest = rest.slice(length)
  }
  end()
  return pieces
}
