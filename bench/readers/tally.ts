// Counts what a peer delivers: its deltas, and at the end the arguments, which have to be whole.

import { delivered } from '../floor.ts'

export class Tally {
  #text = ''
  #deltas = 0

  add(delta: string | null | undefined): void {
    if (!delta) return
    this.#text += delta
    this.#deltas++
  }

  /** `input` is the peer's own reading of the arguments, where it has one. */
  end(input: unknown = JSON.parse(this.#text)): string {
    if (JSON.stringify(input) !== this.#text) throw new Error('the arguments are not what the deltas say')
    return delivered(this.#deltas, this.#text.length)
  }
}
