// What has gone wrong in a turn: told when it happens, and remembered for the verdict.

import type { StreamError, Warning } from '../model/events.ts'
import type { Step } from '../model/stage.ts'
import type { LedgerItem } from './turn.ts'

export class TurnFaults {
  readonly #next: Step<LedgerItem>
  readonly #warnings: Warning[] = []
  readonly #errors: StreamError[] = []
  /** Set by anything that found no place. Neither this nor the next three are ever cleared. */
  #lost = false
  /** Set by an error of the server, and by a body that is no stream. */
  #failed = false
  /** Set by a last event that breaks off. */
  #cutInEvent = false
  /** Set by the first event lost to damage: a later call without a name of its own may have lost its opening there. */
  #holed = false
  /** While an event is read that came spoilt. */
  #spoilt = false

  constructor(next: Step<LedgerItem>) {
    this.#next = next
  }

  get warnings(): readonly Warning[] {
    return this.#warnings
  }

  get errors(): readonly StreamError[] {
    return this.#errors
  }

  get lost(): boolean {
    return this.#lost
  }

  get failed(): boolean {
    return this.#failed
  }

  get cutInEvent(): boolean {
    return this.#cutInEvent
  }

  get holed(): boolean {
    return this.#holed
  }

  /** Whether a call that opens now, under this name, may lack a part of its opening. */
  mayLackOpening(name: string): boolean {
    return this.#spoilt || (this.#holed && name === '')
  }

  /** Something found no place. */
  miss(): void {
    this.#lost = true
  }

  /** An event was lost to damage. */
  hole(): void {
    this.#holed = true
  }

  /** The last event broke off. */
  cutInside(): void {
    this.#cutInEvent = true
  }

  enterSpoilt(): void {
    this.#spoilt = true
  }

  leaveSpoilt(): void {
    this.#spoilt = false
  }

  warn(warning: Warning): void {
    this.#warnings.push(warning)
    this.#next.push({ type: 'warning', warning })
  }

  /** Warns of something that found no place. */
  lose(warning: Warning): void {
    this.miss()
    this.warn(warning)
  }

  report(error: StreamError): void {
    this.#errors.push(error)
    this.#next.push({ type: 'error', error })
  }

  /** Reports what the stream itself brought. A limit of ours is no failure of the server. */
  fail(error: StreamError): void {
    if (error.code === 'over-limit') this.miss()
    else this.#failed = true
    this.report(error)
  }
}
