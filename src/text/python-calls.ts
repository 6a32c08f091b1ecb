/** Reads Python call expressions: a list of them, one a line, or a single one. */
import { createLiteral, readLiteral, type LiteralRules, type LiteralState } from './literal.ts'
import { isSpace } from './literals.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'
import type { Shape } from './row.ts'

const pythonRules: LiteralRules = { bareKeys: false, commas: 'required' }
const maxName = 128

export interface PythonState extends ReaderState {
  readonly kind: 'python'
  at:
    | 'start'
    | 'first-call'
    | 'call'
    | 'name'
    | 'first-argument'
    | 'argument'
    | 'key'
    | 'equals'
    | 'value'
    | 'next'
    | 'skip'
    | 'between'
  /** The name of a call or an argument so far. */
  token: string
  /** Arguments of the open call so far. */
  count: number
  literal: LiteralState
  /** While a call that can't be read is skipped: brackets that are open, and the quote of the open string. */
  depth: number
  quote: string
  escaped: boolean
}

export interface PythonRules {
  readonly shape: Shape & { kind: 'python' }
  /** Whether a call that can't be read is refused alone. */
  readonly isolated: boolean
  /** For lists without a tag: whether a name may be called so. Any other name is a fault. */
  readonly mayCall?: (name: string) => boolean
}

export function createPython(): PythonState {
  return {
    kind: 'python',
    status: 'reading',
    at: 'start',
    token: '',
    count: 0,
    literal: createLiteral(),
    depth: 0,
    quote: '',
    escaped: false,
  }
}

export function readPython(state: PythonState, rules: PythonRules, text: string, i: number, port: CallPort): number {
  while (i < text.length && state.status === 'reading') {
    const before = i
    const { at } = state
    if (at === 'value') i = readValue(state, rules, text, i, port)
    else if (at === 'name' || at === 'key') i = readIdentifier(state, rules, text, i, port)
    else if (at === 'skip') i = skip(state, rules, text, i, port)
    else if (isSpace(text.charCodeAt(i))) i++
    else i = readMark(state, rules, text, i, port)
    if (i === before && state.at === at) return i
  }
  return i
}

function stop(state: PythonState, i: number, expected: string): number {
  fail(state, expected)
  return i
}

function readMark(state: PythonState, rules: PythonRules, text: string, i: number, port: CallPort): number {
  const mark = text.charAt(i)
  switch (state.at) {
    case 'start':
      if (rules.shape.list !== 'brackets') return beginName(state, i, mark)
      if (mark !== '[') return stop(state, i, '"["')
      state.at = 'first-call'
      return i + 1
    case 'first-call':
      return mark === ']' ? endList(state, i + 1) : beginName(state, i, mark)
    case 'call':
      return mark === ']' ? endList(state, i + 1) : beginName(state, i, mark)
    case 'first-argument':
    case 'argument':
      if (mark === ')') return endCall(state, rules, i, port)
      if (!isIdentifier(mark)) return misread(state, rules, i, 'a keyword argument', port)
      state.token = ''
      state.at = 'key'
      return i
    case 'equals':
      if (mark === '=') return beginValue(state, i, port)
      port.append(state.token)
      return misread(state, rules, i, 'a keyword argument', port)
    case 'next':
      if (mark === ',') {
        state.at = 'argument'
        return i + 1
      }
      if (mark === ')') return endCall(state, rules, i, port)
      // A bracket that doesn't match: nobody knows where this call ends.
      return mark === ']' || mark === '}' ? stop(state, i, '"," or ")"') : misread(state, rules, i, '"," or ")"', port)
    case 'between':
      if (mark === ',') {
        state.at = 'call'
        return i + 1
      }
      return mark === ']' ? endList(state, i + 1) : stop(state, i, '"," or "]"')
    default:
      return stop(state, i, 'a call')
  }
}

function beginName(state: PythonState, i: number, mark: string): number {
  if (!isIdentifier(mark)) return stop(state, i, 'the name of a tool')
  state.token = ''
  state.at = 'name'
  return i
}

function endList(state: PythonState, i: number): number {
  state.status = 'done'
  return i
}

/** Letters of any script, digits, and what tools' names hold beside them. */
function isIdentifier(character: string): boolean {
  return /[\p{L}\p{N}_.:/-]/u.test(character) || character >= '\ud800'
}

function readIdentifier(state: PythonState, rules: PythonRules, text: string, i: number, port: CallPort): number {
  const limit = Math.min(text.length, i + maxName - state.token.length)
  let end = i
  while (end < limit && isIdentifier(text.charAt(end))) end++
  state.token += text.slice(i, end)
  if (state.token.length === maxName) return stop(state, end, 'a shorter name')
  if (end === text.length) return end
  const mark = text.charAt(end)
  if (state.at === 'name') return mark === '(' ? beginCall(state, rules, end, port) : stop(state, end, '"("')
  state.at = 'equals'
  return end
}

function beginValue(state: PythonState, i: number, port: CallPort): number {
  port.append(`${state.count === 0 ? '{' : ','}${JSON.stringify(state.token)}:`)
  state.count++
  state.literal = createLiteral()
  state.at = 'value'
  return i + 1
}

function beginCall(state: PythonState, rules: PythonRules, i: number, port: CallPort): number {
  const { suffix } = rules.shape
  const { token } = state
  if (suffix !== undefined && !token.endsWith(suffix)) return stop(state, i, `a name with "${suffix}"`)
  const name = suffix === undefined ? token : token.slice(0, -suffix.length)
  if (rules.mayCall && !rules.mayCall(name)) return stop(state, i, 'the name of a tool of this turn')
  port.open(name, null)
  state.count = 0
  state.at = 'first-argument'
  return i + 1
}

function endCall(state: PythonState, rules: PythonRules, i: number, port: CallPort): number {
  port.append(state.count === 0 ? '{}' : '}')
  return leaveCall(state, rules, i + 1)
}

function leaveCall(state: PythonState, rules: PythonRules, i: number): number {
  if (rules.shape.list === 'brackets') state.at = 'between'
  else state.status = 'done'
  return i
}

function readValue(state: PythonState, rules: PythonRules, text: string, i: number, port: CallPort): number {
  const end = readLiteral(state.literal, pythonRules, text, i, (json) => port.append(json))
  if (state.literal.status === 'done') state.at = 'next'
  else if (state.literal.status === 'fault') {
    const mark = text.charAt(end)
    const open = state.literal.stack.at(-1)
    const mismatched = (mark === ']' && open !== '[') || (mark === '}' && open !== '{')
    return mismatched
      ? stop(state, end, state.literal.expected)
      : misread(state, rules, end, state.literal.expected, port)
  }
  return end
}

/** The call can't be read from `i` on. Its brackets tell where it ends, so that the ones after it can be. */
function misread(state: PythonState, rules: PythonRules, i: number, expected: string, port: CallPort): number {
  if (!rules.isolated) return stop(state, i, expected)
  port.refuse({ code: 'malformed', expected })
  const { literal } = state
  if (state.at === 'value') port.append(literal.token)
  state.depth = (state.at === 'value' ? literal.stack.length : 0) + 1
  state.quote = state.at === 'value' && literal.at === 'string' ? literal.quote : ''
  state.escaped = false
  state.at = 'skip'
  return i
}

/** What is skipped stays with the refused call: it is what was sent. */
function skip(state: PythonState, rules: PythonRules, text: string, i: number, port: CallPort): number {
  for (let at = i; at < text.length; at++) {
    const character = text.charAt(at)
    if (state.escaped) state.escaped = false
    else if (state.quote !== '') {
      if (character === '\\') state.escaped = true
      else if (state.quote.endsWith(character)) state.quote = ''
    } else if (character === '"' || character === "'") state.quote = character
    else if ('([{'.includes(character)) state.depth++
    else if (')]}'.includes(character) && --state.depth === 0) {
      port.append(text.slice(i, at))
      return leaveCall(state, rules, at + 1)
    }
  }
  port.append(text.slice(i))
  return text.length
}
