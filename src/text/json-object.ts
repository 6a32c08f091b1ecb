/** Reads calls that are JSON objects with the name inside: one, or a list of them. */
import type { ArgumentsFaultCode } from '../model/failures.ts'
import { createExtent, readExtent, type Extent } from './json-extent.ts'
import { isSpace } from './literals.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'
import type { Shape } from './row.ts'

/** A field of the call object by what it means. */
type Field = 'name' | 'arguments' | 'id' | 'other'

/** Longer names, ids and keys are no names, ids and keys. */
const maxToken = 512
const maxEvidence = 2_000

export interface ObjectState extends ReaderState {
  readonly kind: 'object'
  at: 'start' | 'first-item' | 'item' | 'first-key' | 'key' | 'colon' | 'value' | 'comma' | 'end'
  /** Whether a list is open. */
  list: boolean
  /** The value or key that is being read: its borders, and its text where that is needed. */
  extent: Extent
  token: string
  /** The field whose value comes or is being read; for a keyed object, its key. */
  field: Field
  key: string
  /** What is known of the object that is being read. All cleared when the next one begins. */
  name: string | null
  id: string | null
  opened: boolean
  hasArguments: boolean
  /** The arguments that came before the name. */
  early: string
  /** Keys without a meaning in a call object. */
  strange: string
}

export interface ObjectRules {
  readonly shape: Shape & { kind: 'object' | 'keyed-object' }
  /** Whether a call may start before its arguments do. */
  readonly earlyName: boolean
  /** Whether no tag says that it is a call: then a name must come first, arguments must come too, and nothing unusual in between. */
  readonly isBare: boolean
  /** Whether a name may be called. Any other one is a fault. */
  readonly mayCall?: (name: string) => boolean
}

export function createObject(): ObjectState {
  return {
    kind: 'object',
    status: 'reading',
    at: 'start',
    list: false,
    extent: createExtent(),
    token: '',
    field: 'other',
    key: '',
    name: null,
    id: null,
    opened: false,
    hasArguments: false,
    early: '',
    strange: '',
  }
}

export function readObject(state: ObjectState, rules: ObjectRules, text: string, i: number, port: CallPort): number {
  while (i < text.length && state.status === 'reading') {
    switch (state.at) {
      case 'first-key':
      case 'key':
        i = readKey(state, rules, text, i, port)
        break
      case 'value':
        i = readValue(state, rules, text, i, port)
        break
      case 'start':
      case 'first-item':
      case 'item':
      case 'colon':
      case 'comma':
      case 'end':
        if (isSpace(text.charCodeAt(i))) i++
        else i = readMark(state, rules, text, i, port)
        break
      default:
        state.at satisfies never
    }
  }
  return i
}

/** Reads one character of the structure. Returns the same index where it is not what must stand there. */
function readMark(state: ObjectState, rules: ObjectRules, text: string, i: number, port: CallPort): number {
  const mark = text.charAt(i)
  switch (state.at) {
    case 'start':
      if (mark === '[' && !state.list && rules.shape.list !== 'never') {
        state.list = true
        state.at = 'first-item'
        return i + 1
      }
      if (mark === '{' && (rules.shape.list !== 'always' || state.list)) return beginObject(state, i)
      return give(state, i, 'a JSON object')
    case 'first-item':
      if (mark === ']') return endList(state, i)
      return mark === '{' ? beginObject(state, i) : give(state, i, 'a JSON object or "]"')
    case 'item':
      return mark === '{' ? beginObject(state, i) : give(state, i, 'a JSON object')
    case 'colon':
      if (mark !== ':') return give(state, i, '":"')
      state.at = 'value'
      return i + 1
    case 'comma':
      if (mark === ',') {
        state.at = 'key'
        return i + 1
      }
      if (mark === '}') return endObject(state, rules, i, port)
      return give(state, i, '"," or "}"')
    case 'end':
      if (mark === ',') {
        state.at = 'item'
        return i + 1
      }
      return mark === ']' ? endList(state, i) : give(state, i, '"," or "]"')
    default:
      return give(state, i, 'a JSON object')
  }
}

function beginObject(state: ObjectState, i: number): number {
  Object.assign(state, { ...createObject(), list: state.list, at: 'first-key' } satisfies ObjectState)
  return i + 1
}

function endList(state: ObjectState, i: number): number {
  state.list = false
  state.at = 'end'
  state.status = 'done'
  return i + 1
}

function give(state: ObjectState, i: number, expected: string, code: ArgumentsFaultCode = 'malformed'): number {
  fail(state, expected, code)
  return i
}

function readKey(state: ObjectState, rules: ObjectRules, text: string, i: number, port: CallPort): number {
  const { extent } = state
  if (extent.kind === 'none') {
    const code = text.charCodeAt(i)
    if (isSpace(code)) return i + 1
    if (code === 125 && state.at === 'first-key') return endObject(state, rules, i, port)
    if (code !== 34 && (code !== 39 || rules.isBare)) return give(state, i, 'a key in double quotes')
  }
  const end = readToken(state, text, i)
  if (!extent.done) return state.token.length < maxToken ? end : give(state, end, 'a shorter key')
  const key = decode(state.token)
  if (key === undefined) return give(state, end, 'a key in double quotes')
  state.key = key
  state.field = fieldOf(key, rules.shape)
  state.token = ''
  state.extent = createExtent()
  if (
    rules.isBare &&
    (state.field === 'other' ? key !== 'type' && key !== 'index' : state.field === 'arguments' && state.name === null)
  ) {
    return give(state, end, 'the name of a tool before its arguments')
  }
  state.at = 'colon'
  return end
}

/** Reads on in a string that has to be short. Where it is too long does not depend on how the text is cut. */
function readToken(state: ObjectState, text: string, i: number): number {
  const limit = i + maxToken - state.token.length
  const end = readExtent(state.extent, limit < text.length ? text.slice(0, limit) : text, i)
  state.token += text.slice(i, end)
  return end
}

function fieldOf(key: string, shape: ObjectRules['shape']): Field {
  if (shape.kind === 'keyed-object') return 'arguments'
  if (shape.name.includes(key)) return 'name'
  if (shape.arguments.includes(key)) return 'arguments'
  return shape.id?.includes(key) ? 'id' : 'other'
}

function readValue(state: ObjectState, rules: ObjectRules, text: string, i: number, port: CallPort): number {
  const { extent } = state
  if (extent.kind === 'none') {
    if (isSpace(text.charCodeAt(i))) return i + 1
    if (!beginValue(state, rules, text.charCodeAt(i), port)) return i
  }
  if (state.field === 'name' || state.field === 'id') {
    const end = readToken(state, text, i)
    if (extent.done) return endValue(state, rules, end, port)
    return state.token.length < maxToken ? end : give(state, end, `a shorter ${state.field}`)
  }
  const end = readExtent(extent, text, i)
  const piece = text.slice(i, end)
  switch (state.field) {
    case 'arguments':
      if (state.opened) port.append(piece)
      else state.early += piece
      break
    case 'other':
      if (state.strange.length < maxEvidence) state.strange += piece
      break
    default:
      state.field satisfies never
  }
  return extent.done ? endValue(state, rules, end, port) : end
}

function beginValue(state: ObjectState, rules: ObjectRules, code: number, port: CallPort): boolean {
  switch (state.field) {
    case 'name':
      if (code !== 34 && (code !== 39 || rules.isBare)) {
        fail(state, 'the name of a tool in double quotes')
        return false
      }
      break
    case 'arguments':
      if (state.hasArguments) {
        fail(state, 'one arguments field', 'multiple-objects')
        return false
      }
      state.hasArguments = true
      if (rules.shape.kind === 'keyed-object') state.name = state.key
      if (state.name !== null && !state.opened) open(state, port)
      break
    case 'other':
      state.strange += `${state.strange === '' ? '' : ', '}${JSON.stringify(state.key)}: `
      break
    case 'id':
      break
    default:
      state.field satisfies never
  }
  return true
}

function endValue(state: ObjectState, rules: ObjectRules, i: number, port: CallPort): number {
  const token = state.token
  state.token = ''
  state.extent = createExtent()
  state.at = 'comma'
  if (state.field === 'name') {
    const name = decode(token)
    if (name === undefined || name === '') return give(state, i, 'the name of a tool')
    if (state.name !== null && state.name !== name) return give(state, i, 'one name', 'duplicate-key')
    if (rules.mayCall && !rules.mayCall(name)) return give(state, i, 'the name of a tool of this turn')
    state.name = name
    if (!state.opened && (state.hasArguments || rules.earlyName)) open(state, port)
  } else if (state.field === 'id') {
    const id = decode(token) ?? token
    state.id = id
    if (state.opened) port.identify(id)
  }
  return i
}

function open(state: ObjectState, port: CallPort): void {
  state.opened = true
  port.open(state.name ?? '', state.id)
  if (state.early !== '') port.append(state.early)
  state.early = ''
}

function endObject(state: ObjectState, rules: ObjectRules, i: number, port: CallPort): number {
  if (state.name === null) return give(state, i, 'the name of a tool')
  if (!state.opened) {
    if (rules.isBare) return give(state, i, 'arguments')
    open(state, port)
  }
  if (state.strange !== '' && state.strange !== '"type": "function"') {
    if (!state.hasArguments) port.refuse({ code: 'malformed', expected: 'the parameters inside one arguments object' })
    port.remark(
      `The call object of "${state.name}" has fields beside its name and arguments.`,
      state.strange.slice(0, maxEvidence),
    )
  }
  state.at = 'end'
  if (!state.list) state.status = 'done'
  return i + 1
}

/** The text of a JSON string; also of one in apostrophes without escapes. `undefined` for anything else. */
function decode(token: string): string | undefined {
  if (/^'[^'"\\]*'$/.test(token)) return token.slice(1, -1)
  try {
    const value: unknown = JSON.parse(token)
    return typeof value === 'string' ? value : undefined
  } catch {
    // Not JSON: what the caller expected is then said in the fault.
    return undefined
  }
}
