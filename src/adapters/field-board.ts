// The strings inside the arguments of the calls of one turn, kept as they grow, for those who follow one of them.

import type { AssemblerEvent, Change } from '../model/events.ts'
import { isHighSurrogate } from '../arguments/characters.ts'
import { GrowingText } from '../assembly/growing-text.ts'
import type { AsyncQueue } from './async-queue.ts'

/** Which call: everything that is given has to fit. A `tool-call-start` event or a `ToolCall` fits its own call alone. */
export interface CallSelector {
  readonly index?: number
  readonly id?: string
  readonly name?: string
}

interface Field {
  readonly text: GrowingText
  /** Set when anything else changes in the call, or the call ends: a string has only one stretch in which it grows. */
  closed: boolean
  readonly followers: Follower[]
}

interface Call {
  readonly index: number
  readonly id: string
  readonly name: string
  /** The first string at each path. Where a key is repeated, later ones are not shown: such a call doesn't become ok. */
  readonly fields: Map<string, Field>
  /** The string that grows now, and its path. */
  open: { readonly path: string; readonly field: Field } | undefined
  ended: boolean
}

class Follower {
  readonly selector: CallSelector
  readonly path: string
  readonly queue: AsyncQueue<string>
  call: Call | undefined
  /** First half of a surrogate pair that waits for its second: pieces are whole characters, fit to be encoded one by one. */
  #half = ''

  constructor(selector: CallSelector, path: string, queue: AsyncQueue<string>) {
    this.selector = selector
    this.path = path
    this.queue = queue
  }

  take(piece: string): void {
    const text = this.#half + piece
    const split = isHighSurrogate(text.charCodeAt(text.length - 1))
    this.#half = split ? text.slice(-1) : ''
    const whole = split ? text.slice(0, -1) : text
    if (whole !== '') this.queue.push([whole])
  }

  close(): void {
    if (this.#half !== '') this.queue.push([this.#half])
    this.queue.close()
  }
}

export class FieldBoard {
  readonly #calls = new Map<number, Call>()
  /** Those whose string hasn't begun. */
  #waiting: Follower[] = []
  #over = false

  take<A extends object>(events: readonly AssemblerEvent<A>[]): void {
    for (const event of events) {
      if (event.type === 'tool-call-start') this.#start(event)
      else if (event.type === 'tool-call-delta') this.#change(this.#calls.get(event.index), event.changes ?? [])
      else if (event.type === 'tool-call-end') this.#endCall(this.#calls.get(event.call.index))
    }
  }

  /** Hands `queue` the string at `path` from its beginning, however much of it is there already, and closes it with the string. */
  follow(selector: CallSelector, path: string, queue: AsyncQueue<string>): void {
    const follower = new Follower(selector, path, queue)
    for (const call of this.#calls.values()) {
      if (fits(selector, call)) {
        follower.call = call
        break
      }
    }
    const { call } = follower
    const field = call?.fields.get(path)
    if (field) join(field, follower)
    else if (this.#over || call?.ended) follower.close()
    else this.#waiting.push(follower)
  }

  /** Nobody is left who reads `queue`. */
  forget(queue: AsyncQueue<string>): void {
    const others = (follower: Follower): boolean => follower.queue !== queue
    this.#waiting = this.#waiting.filter(others)
    for (const { open } of this.#calls.values()) {
      if (open) open.field.followers.splice(0, Infinity, ...open.field.followers.filter(others))
    }
  }

  /** The turn is over: whoever still waits for a string waits in vain. */
  end(): void {
    this.#over = true
    for (const call of this.#calls.values()) this.#endCall(call)
    for (const follower of this.#waiting.splice(0)) follower.close()
  }

  #start({ index, id, name }: { readonly index: number; readonly id: string; readonly name: string }): void {
    const call: Call = { index, id, name, fields: new Map(), open: undefined, ended: false }
    this.#calls.set(index, call)
    for (const follower of this.#waiting) if (!follower.call && fits(follower.selector, call)) follower.call = call
  }

  #change(call: Call | undefined, changes: readonly Change[]): void {
    if (!call) return
    for (const change of changes) {
      if (change.op === 'append') {
        if (call.open?.path === change.path) grow(call.open.field, change.text)
        continue
      }
      closeField(call)
      if (typeof change.value === 'string' && !call.fields.has(change.path)) {
        this.#open(call, change.path, change.value)
      }
    }
  }

  #open(call: Call, path: string, text: string): void {
    const field: Field = { text: new GrowingText(), closed: false, followers: [] }
    call.fields.set(path, field)
    call.open = { path, field }
    const mine = this.#waiting.filter((follower) => follower.call === call && follower.path === path)
    if (mine.length > 0) this.#waiting = this.#waiting.filter((follower) => !mine.includes(follower))
    for (const follower of mine) join(field, follower)
    grow(field, text)
  }

  #endCall(call: Call | undefined): void {
    if (!call || call.ended) return
    call.ended = true
    closeField(call)
    const mine = this.#waiting.filter((follower) => follower.call === call)
    this.#waiting = this.#waiting.filter((follower) => follower.call !== call)
    for (const follower of mine) follower.close()
  }
}

function fits({ index, id, name }: CallSelector, call: Call): boolean {
  return (
    (index === undefined || index === call.index) &&
    (id === undefined || id === call.id) &&
    (name === undefined || name === call.name)
  )
}

function join(field: Field, follower: Follower): void {
  follower.take(field.text.toString())
  if (field.closed) follower.close()
  else field.followers.push(follower)
}

function grow(field: Field, text: string): void {
  field.text.append(text)
  for (const follower of field.followers) follower.take(text)
}

function closeField(call: Call): void {
  const field = call.open?.field
  call.open = undefined
  if (!field) return
  field.closed = true
  for (const follower of field.followers.splice(0)) follower.close()
}
