// The walk of a reader over one piece of text, step by step as its state says, until the text is out, has to go on or can't be read.
// It is for notations that come back to the same state: what has its parts once each, in one order, is a row of functions
// (`dict-call.ts`, `json-args.ts`).

import type { ArgumentsFaultCode } from '../model/failures.ts'
import { fail, type CallPort, type ReaderState } from './port.ts'

/** A reader is made for every piece: `declare` leaves its fields to the constructor, where defining them first would cost as much again. */
export abstract class PieceReader<State extends ReaderState, Rules> {
  declare protected readonly state: State
  declare protected readonly rules: Rules
  declare protected readonly text: string
  declare protected readonly port: CallPort
  /** Up to where the text has been taken. */
  declare protected at: number
  /** Set where the text has to go on first; nothing clears it, since the next piece has a reader of its own. */
  declare private waits: boolean

  constructor(state: State, rules: Rules, text: string, i: number, port: CallPort) {
    this.state = state
    this.rules = rules
    this.text = text
    this.port = port
    this.at = i
    this.waits = false
  }

  /** Returns the index up to which it took the text. */
  read(): number {
    while (!this.waits && this.at < this.text.length && this.state.status === 'reading') this.step()
    return this.at
  }

  /** Takes what stands here, changes the state, waits or fails. */
  protected abstract step(): void

  /** What stands here can't be told before the text goes on. It comes again with the next piece. */
  protected wait(): void {
    this.waits = true
  }

  protected fail(expected: string, code?: ArgumentsFaultCode): void {
    fail(this.state, expected, code)
  }
}
