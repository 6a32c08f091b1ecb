// A choice while it streams in: what has been said in it, and the calls that fragments can mean.

import { GrowingText } from './growing-text.ts'
import type { ChoiceCalls } from './identity.ts'
import type { LiveCall } from './live-call.ts'
import { SmallMap } from './small-map.ts'
import type { SaidReason, TurnChoice } from './turn.ts'

export class LiveChoice implements ChoiceCalls {
  readonly choice: number
  readonly calls: LiveCall[] = []
  readonly byIndex: SmallMap<string, LiveCall> = new SmallMap()
  beyond: LiveCall | undefined
  readonly reasons: SaidReason[] = []
  /** Each made by the first word of its kind: most choices have one kind. */
  #text: GrowingText | undefined
  #reasoning: GrowingText | undefined
  #refusal: GrowingText | undefined

  constructor(choice: number) {
    this.choice = choice
  }

  say(type: 'text' | 'reasoning' | 'refusal', delta: string): void {
    switch (type) {
      case 'text':
        return (this.#text ??= new GrowingText()).append(delta)
      case 'reasoning':
        return (this.#reasoning ??= new GrowingText()).append(delta)
      case 'refusal':
        return (this.#refusal ??= new GrowingText()).append(delta)
      default:
        return type satisfies never
    }
  }

  /** All that has been said of a sort. */
  said(type: 'text' | 'reasoning' | 'refusal'): string {
    switch (type) {
      case 'text':
        return this.#text?.toString() ?? ''
      case 'reasoning':
        return this.#reasoning?.toString() ?? ''
      case 'refusal':
        return this.#refusal?.toString() ?? ''
      default:
        return type satisfies never
    }
  }

  /** How much text there is, in UTF-16 units. */
  get textLength(): number {
    return this.#text?.length ?? 0
  }

  /** `index` is what the wire said: from now on it means this call. */
  open(call: LiveCall, index: number | string | null): void {
    this.calls.push(call)
    if (index !== null) this.byIndex.set(String(index), call)
  }

  /** Only the last call beyond the limit is remembered, so that memory stays bounded whatever the wire opens. */
  standBeyond(call: LiveCall, index: number | string | null): void {
    const last = this.beyond
    if (last) {
      this.calls.splice(this.calls.indexOf(last), 1)
      if (last.wireIndex !== null) this.byIndex.delete(String(last.wireIndex))
    }
    this.beyond = call
    this.open(call, index)
  }

  /** What it has come to. */
  over(): TurnChoice {
    return {
      choice: this.choice,
      text: this.said('text'),
      reasoning: this.said('reasoning'),
      refusal: this.said('refusal'),
      reasons: this.reasons,
    }
  }
}
