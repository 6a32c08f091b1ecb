// Reads calls that are JSON objects with the name inside: one, or a list of them.

import { apostrophe, closeBrace, isSpace, quotationMark } from '../arguments/characters.ts'
import { createExtent, readExtent, type Extent } from './json-extent.ts'
import { PieceReader } from './piece-reader.ts'
import type { CallPort, ReaderState } from './port.ts'
import type { Shape } from './row.ts'

/** A field of the call object by what it means. */
type Field = 'name' | 'arguments' | 'id' | 'other'

/** Longer names, ids and keys are no names, ids and keys. */
const maxToken = 512
/** From this length on, no more is kept of fields that mean nothing. A warning quotes less. */
const maxStrange = 2_048

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
  /** The object's text as far as no call has been opened for it. */
  source: string
}

export interface ObjectRules {
  readonly shape: Shape & { kind: 'object' | 'keyed-object' }
  /** Whether a call may start before its arguments do. */
  readonly earlyName: boolean
  /** Whether no tag says that it is a call: then a name must come first, arguments must come too, and nothing unusual in between. */
  readonly isBare: boolean
  /** Whether an object of a list that is no call leaves the others alone. */
  readonly isolated: boolean
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
    source: '',
  }
}

/** What was read of the object that is open and no call has been given: all of it before its call, else what is beside the arguments. */
export function besideCalls({ at, opened, source, strange, key, token }: ObjectState): string {
  if (!opened) return source
  switch (at) {
    case 'key':
    case 'value':
    case 'comma':
      return [strange, token].filter((part) => part !== '').join(', ')
    case 'colon':
      return [strange, JSON.stringify(key)].filter((part) => part !== '').join(', ')
    case 'start':
    case 'first-item':
    case 'item':
    case 'first-key':
    case 'end':
      return ''
    default:
      return at satisfies never
  }
}

export function readObject(state: ObjectState, rules: ObjectRules, text: string, i: number, port: CallPort): number {
  return new ObjectReader(state, rules, text, i, port).read()
}

class ObjectReader extends PieceReader<ObjectState, ObjectRules> {
  protected step(): void {
    const start = this.at
    this.#take()
    const state = this.state
    if (!state.opened && state.source.length < maxStrange) state.source += this.text.slice(start, this.at)
  }

  #take(): void {
    const { at, extent } = this.state
    if (extent.kind === 'none' && isSpace(this.text.charCodeAt(this.at))) {
      this.at++
      return
    }
    switch (at) {
      case 'key':
      case 'first-key':
        return this.#readKey()
      case 'value':
        return this.#readValue()
      case 'start':
      case 'first-item':
      case 'item':
      case 'colon':
      case 'comma':
      case 'end':
        return this.#readMark(at, this.text.charAt(this.at))
      default:
        return at satisfies never
    }
  }

  // ---- structure

  /** Reads one character of the structure, or stays where it is none. */
  #readMark(at: Exclude<ObjectState['at'], 'first-key' | 'key' | 'value'>, mark: string): void {
    const { list } = this.rules.shape
    switch (at) {
      case 'start':
        if (mark === '[' && list !== 'never') return this.#beginList()
        return mark === '{' && list !== 'always' ? this.#beginObject() : this.fail('a JSON object')
      case 'first-item':
        if (mark === ']') return this.#endList()
        return mark === '{' ? this.#beginObject() : this.fail('a JSON object or "]"')
      case 'item':
        return mark === '{' ? this.#beginObject() : this.fail('a JSON object')
      case 'colon':
        return mark === ':' ? this.#goOn('value') : this.fail('":"')
      case 'comma':
        if (mark === ',') return this.#goOn('key')
        return mark === '}' ? this.#endObject() : this.fail('"," or "}"')
      case 'end':
        if (mark === ',') return this.#goOn('item')
        return mark === ']' ? this.#endList() : this.fail('"," or "]"')
      default:
        return at satisfies never
    }
  }

  #goOn(at: ObjectState['at']): void {
    this.state.at = at
    this.at++
  }

  #beginList(): void {
    this.state.list = true
    this.#goOn('first-item')
  }

  #endList(): void {
    this.state.list = false
    this.state.status = 'done'
    this.#goOn('end')
  }

  #beginObject(): void {
    Object.assign(this.state, { ...createObject(), list: this.state.list } satisfies ObjectState)
    this.#goOn('first-key')
  }

  #endObject(): void {
    const { name, opened, hasArguments, strange, list } = this.state
    if (name === null) return this.#endNameless()
    if (!opened && this.rules.isBare) return this.fail('arguments')
    if (!opened) this.#open()
    if (strange !== '' && strange !== '"type": "function"') {
      if (!hasArguments) {
        this.port.refuse({ code: 'malformed', expected: 'the parameters inside one arguments object' })
      }
      this.port.remark(`The call object of "${name}" has fields beside its name and arguments.`, strange)
    }
    if (!list) this.state.status = 'done'
    this.#goOn('end')
  }

  /** An object that is no call is only told of where the others of its list can be calls without it. */
  #endNameless(): void {
    if (!this.#isAlone()) return this.fail('the name of a tool')
    this.port.remark('An object in a list of calls has no name.', `${this.state.source}}`)
    this.#goOn('end')
  }

  /** Whether what is wrong with this object concerns no other. */
  #isAlone(): boolean {
    return this.state.list && this.rules.isolated && !this.rules.isBare
  }

  // ---- keys

  #readKey(): void {
    const { extent, at } = this.state
    if (extent.kind === 'none') {
      const code = this.text.charCodeAt(this.at)
      if (code === closeBrace && at === 'first-key') return this.#endObject()
      if (!this.#beginsString(code)) return this.fail('a key in double quotes')
    }
    const token = this.#readToken('key')
    if (token === undefined) return
    const key = decode(token)
    this.#endToken('colon')
    if (key === undefined) return this.fail('a key in double quotes')
    this.state.key = key
    this.state.field = fieldOf(key, this.rules.shape)
    if (this.rules.isBare && !this.#isUsual()) this.fail('the name of a tool before its arguments')
  }

  /** Without a tag only a double quote tells that an object is JSON. */
  #beginsString(code: number): boolean {
    return code === quotationMark || (code === apostrophe && !this.rules.isBare)
  }

  /** Whether the field may stand here in an object that no tag says to be a call. */
  #isUsual(): boolean {
    const { field, key, name } = this.state
    if (field === 'other') return key === 'type' || key === 'index'
    return field !== 'arguments' || name !== null
  }

  /** Reads on in a string that has to be short, and gives it once it is whole. Where it is too long does not depend on how the text is cut. */
  #readToken(what: string): string | undefined {
    const state = this.state
    const text = this.text
    const limit = this.at + maxToken - state.token.length
    const end = readExtent(state.extent, limit < text.length ? text.slice(0, limit) : text, this.at)
    state.token += text.slice(this.at, end)
    this.at = end
    if (state.extent.done) return state.token
    if (state.token.length >= maxToken) this.fail(`a shorter ${what}`)
    return undefined
  }

  #endToken(at: 'colon' | 'comma'): void {
    this.state.token = ''
    this.state.extent = createExtent()
    this.state.at = at
  }

  // ---- values

  #readValue(): void {
    const { extent, field } = this.state
    if (extent.kind === 'none') this.#beginValue(this.text.charCodeAt(this.at))
    if (this.state.status === 'fault') return
    switch (field) {
      case 'name':
      case 'id': {
        const token = this.#readToken(field)
        if (token === undefined) return
        this.#endToken('comma')
        return field === 'name' ? this.#setName(decode(token)) : this.#setId(decode(token) ?? token)
      }
      case 'arguments': {
        const piece = this.#readPiece()
        if (this.state.opened) this.port.append(piece)
        else this.state.early += piece
        break
      }
      case 'other': {
        const piece = this.#readPiece()
        if (this.state.strange.length < maxStrange) this.state.strange += piece
        break
      }
      default:
        return field satisfies never
    }
    if (extent.done) this.#endToken('comma')
  }

  #beginValue(code: number): void {
    const state = this.state
    switch (state.field) {
      case 'name':
        if (this.#beginsString(code)) break
        if (!this.#isAlone()) return this.fail('the name of a tool in double quotes')
        state.field = 'other'
        return this.#beginStrange()
      case 'arguments':
        if (state.hasArguments) return this.fail('one arguments field', 'multiple-objects')
        state.hasArguments = true
        if (this.rules.shape.kind === 'keyed-object') this.#setName(state.key)
        else if (state.name !== null && !state.opened) this.#open()
        break
      case 'other':
        this.#beginStrange()
        break
      case 'id':
        break
      default:
        state.field satisfies never
    }
  }

  #beginStrange(): void {
    const { strange, key } = this.state
    this.state.strange += `${strange === '' ? '' : ', '}${JSON.stringify(key)}: `
  }

  /** Reads on in a value that may be long. */
  #readPiece(): string {
    const start = this.at
    this.at = readExtent(this.state.extent, this.text, start)
    return this.text.slice(start, this.at)
  }

  #setName(name: string | undefined): void {
    const state = this.state
    if ((name === undefined || name === '') && this.#isAlone()) return
    if (name === undefined || name === '') return this.fail('the name of a tool')
    if (state.name !== null && state.name !== name) return this.fail('one name', 'duplicate-key')
    state.name = name
    if (!this.port.mayOpen(name)) return this.fail('the name of a tool of this turn')
    if (!state.opened && (state.hasArguments || this.rules.earlyName)) this.#open()
  }

  #setId(id: string): void {
    this.state.id = id
    if (this.state.opened) this.port.identify(id)
  }

  /** Opens the call, whose name is known, and gives it what came before the name. */
  #open(): void {
    const state = this.state
    state.opened = true
    this.port.open(state.name ?? '', state.id)
    if (state.early !== '') this.port.append(state.early)
    state.early = ''
  }
}

function fieldOf(key: string, shape: ObjectRules['shape']): Field {
  if (shape.kind === 'keyed-object') return 'arguments'
  if (shape.name.includes(key)) return 'name'
  if (shape.arguments.includes(key)) return 'arguments'
  return shape.id?.includes(key) ? 'id' : 'other'
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
