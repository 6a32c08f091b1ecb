// The ids of a turn's calls, and what came for an id before its call did.

import type { JsonObject } from '../model/json.ts'
import { Extra } from './extra.ts'
import type { LiveCall } from './live-call.ts'

export class CallIds {
  /** The turn's calls, as the ledger goes on adding to them. */
  readonly #calls: readonly LiveCall[]
  /** What came for a call, by wire id, before the call itself, which takes it out. Made by the first of it. */
  #early: Map<string, Extra> | undefined

  constructor(calls: readonly LiveCall[]) {
    this.#calls = calls
  }

  /** Gives a call its wire id, and what has been waiting for that. Says whether the wire had used it for another call. */
  claim(call: LiveCall, id: string): 'new' | 'reused' {
    const reused = this.#calls.some((held) => held !== call && held.wireId === id)
    call.wireId = id
    call.addExtra(this.#early?.get(id)?.value)
    this.#early?.delete(id)
    return reused ? 'reused' : 'new'
  }

  /** Keeps what must go back with the call that will have this id. */
  hold(id: string, extra: JsonObject | undefined): void {
    this.#early ??= new Map()
    const early = this.#early.get(id) ?? new Extra()
    early.add(extra)
    this.#early.set(id, early)
  }

  /** The id for a call that starts: its wire id if no call has started under that, else a number that nobody uses. */
  free(call: LiveCall): string {
    const { wireId } = call
    if (wireId !== null && !this.#calls.some((held) => held.id === wireId)) return wireId
    const isUsed = (id: string): boolean => this.#calls.some((held) => held.id === id || held.wireId === id)
    let number = call.index
    while (isUsed(`call_${number}`)) number++
    return `call_${number}`
  }
}
