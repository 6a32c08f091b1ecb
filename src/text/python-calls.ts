// Reads Python call expressions: a list of them, one a line, or a single one.

import { isHighSurrogate, isLowSurrogate, isSpace } from '../arguments/characters.ts'
import { PieceReader } from './piece-reader.ts'
import type { CallPort, ReaderState } from './port.ts'
import { createValue, readPythonValue, type ValueRules, type ValueState } from './python-value.ts'
import type { Shape } from './row.ts'

const valueRules: ValueRules = { bareKeys: false, commas: 'required' }
/** How long the name of a call or an argument may be. */
const maxName = 128

export interface PythonState extends ReaderState {
  readonly kind: 'python'
  at: 'start' | 'call' | 'name' | 'argument' | 'key' | 'equals' | 'value' | 'next' | 'skip' | 'between'
  /** The name of a call or an argument so far. */
  token: string
  /** Arguments of the open call so far. */
  count: number
  /** The value of the open argument. */
  value: ValueState
  /** While a call that can't be read is skipped: brackets that are open, and the quote of the open string. */
  depth: number
  quote: string
  escaped: boolean
}

export interface PythonRules {
  readonly shape: Shape & { readonly kind: 'python' }
  /** Whether a call that can't be read is refused alone. */
  readonly isolated: boolean
}

export function createPython(): PythonState {
  return {
    kind: 'python',
    status: 'reading',
    at: 'start',
    token: '',
    count: 0,
    value: createValue(),
    depth: 0,
    quote: '',
    escaped: false,
  }
}

export function readPython(state: PythonState, rules: PythonRules, text: string, i: number, port: CallPort): number {
  return new PythonReader(state, rules, text, i, port).read()
}

class PythonReader extends PieceReader<PythonState, PythonRules> {
  protected step(): void {
    const { at } = this.state
    switch (at) {
      case 'value':
        return this.#readValue()
      case 'name':
      case 'key':
        return this.#readIdentifier()
      case 'skip':
        return this.#skip()
      case 'start':
      case 'call':
      case 'argument':
      case 'equals':
      case 'next':
      case 'between':
        if (isSpace(this.text.charCodeAt(this.at))) this.at++
        else this.#readMark(at, this.text.charAt(this.at))
        break
      default:
        at satisfies never
    }
  }

  // ---- structure

  /** Reads one character of the structure, or stays where it is none. */
  #readMark(at: Exclude<PythonState['at'], 'value' | 'name' | 'key' | 'skip'>, mark: string): void {
    switch (at) {
      case 'start':
        if (this.rules.shape.list !== 'brackets') return this.#beginName(mark)
        return mark === '[' ? this.#goOn('call') : this.fail('"["')
      case 'call':
        return mark === ']' ? this.#endList() : this.#beginName(mark)
      case 'argument':
        return mark === ')' ? this.#endCall() : this.#beginKey(mark)
      case 'equals':
        if (mark === '=') return this.#beginValue()
        this.port.append(this.state.token)
        this.state.token = ''
        return this.#misread('a keyword argument')
      case 'next':
        if (mark === ',') return this.#goOn('argument')
        if (mark === ')') return this.#endCall()
        // A bracket that doesn't match: nobody knows where this call ends.
        return mark === ']' || mark === '}' ? this.fail('"," or ")"') : this.#misread('"," or ")"')
      case 'between':
        if (mark === ',') return this.#goOn('call')
        return mark === ']' ? this.#endList() : this.fail('"," or "]"')
      default:
        return at satisfies never
    }
  }

  #goOn(at: PythonState['at']): void {
    this.state.at = at
    this.at++
  }

  #endList(): void {
    this.state.status = 'done'
    this.at++
  }

  // ---- names

  #beginName(mark: string): void {
    if (!isIdentifier(mark)) return this.fail('the name of a tool')
    this.state.token = ''
    this.state.at = 'name'
  }

  #beginKey(mark: string): void {
    if (!isIdentifier(mark)) return this.#misread('a keyword argument')
    this.state.token = ''
    this.state.at = 'key'
  }

  #readIdentifier(): void {
    const state = this.state
    const text = this.text
    const limit = Math.min(text.length, this.at + maxName - state.token.length)
    let end = this.at
    while (end < limit && isIdentifier(text.charAt(end))) end++
    state.token += text.slice(this.at, end)
    this.at = end
    if (state.token.length === maxName) return this.fail('a shorter name')
    if (end === text.length) return
    if (state.at === 'key') state.at = 'equals'
    else if (text.charAt(end) === '(') this.#beginCall()
    else this.fail('"("')
  }

  // ---- calls

  #beginCall(): void {
    const { suffix = '' } = this.rules.shape
    const { token } = this.state
    if (!token.endsWith(suffix)) return this.fail(`a name with "${suffix}"`)
    const name = token.slice(0, token.length - suffix.length)
    if (!this.port.mayOpen(name)) return this.fail('the name of a tool of this turn')
    this.port.open(name, null)
    this.state.count = 0
    this.#goOn('argument')
  }

  #endCall(): void {
    this.port.append(this.state.count === 0 ? '{}' : '}')
    this.#leaveCall()
  }

  /** Goes on behind the parenthesis that closes a call. */
  #leaveCall(): void {
    if (this.rules.shape.list !== 'brackets') this.state.status = 'done'
    this.#goOn('between')
  }

  #beginValue(): void {
    const state = this.state
    this.port.append(`${state.count === 0 ? '{' : ','}${JSON.stringify(state.token)}:`)
    state.count++
    state.value = createValue()
    this.#goOn('value')
  }

  #readValue(): void {
    const { value } = this.state
    this.at = readPythonValue(value, valueRules, this.text, this.at, this.port)
    if (value.fault && this.#isMismatched(value)) this.fail(value.fault.expected)
    else if (value.fault) this.#misread(value.fault.expected)
    else if (value.status === 'done') this.state.at = 'next'
    else this.wait()
  }

  /** Whether the bracket that stands here closes another one than the innermost that is open. */
  #isMismatched({ stack }: ValueState): boolean {
    const mark = this.text.charAt(this.at)
    const open = stack.at(-1)
    return (mark === ']' && open !== '[') || (mark === '}' && open !== '{')
  }

  // ---- calls that can't be read

  /** The call can't be read from here on. Its brackets tell where it ends, so that the ones after it can be. */
  #misread(expected: string): void {
    if (!this.rules.isolated) return this.fail(expected)
    const state = this.state
    const { value } = state
    const inValue = state.at === 'value'
    this.port.refuse({ code: 'malformed', expected })
    if (inValue) this.port.append(value.token)
    state.depth = inValue ? value.stack.length + 1 : 1
    state.quote = inValue && value.at === 'string' ? value.quote : ''
    state.escaped = false
    state.at = 'skip'
  }

  /** What is skipped stays with the refused call: it is what was sent. */
  #skip(): void {
    const state = this.state
    const text = this.text
    const start = this.at
    while (this.at < text.length && state.depth > 0) this.#skipCharacter(text.charAt(this.at++))
    const isOver = state.depth === 0
    if (isOver) this.at--
    this.port.append(text.slice(start, this.at))
    if (isOver) this.#leaveCall()
  }

  #skipCharacter(character: string): void {
    const state = this.state
    if (state.escaped) state.escaped = false
    else if (state.quote !== '') {
      if (character === '\\') state.escaped = true
      else if (state.quote.endsWith(character)) state.quote = ''
    } else if (character === '"' || character === "'") state.quote = character
    else if ('([{'.includes(character)) state.depth++
    else if (')]}'.includes(character)) state.depth--
  }
}

/** Letters of any script, digits, and what tools' names hold beside them. Half a pair counts as a letter: its other half may be in the next chunk. */
function isIdentifier(character: string): boolean {
  const code = character.charCodeAt(0)
  return /[\p{L}\p{N}_.:/-]/u.test(character) || isHighSurrogate(code) || isLowSurrogate(code)
}
