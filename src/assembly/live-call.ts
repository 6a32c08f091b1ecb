// A call while it streams in: what the wire has said of it so far, and what has gone wrong.

import type { CallReject } from '../model/deltas.ts'
import type { JsonObject } from '../model/json.ts'
import type { PartialView } from '../arguments/partial.ts'
import { Extra } from './extra.ts'
import { GrowingText } from './growing-text.ts'
import { Structure } from './structure.ts'

/** Why a call may miss a byte, worst first. */
export type Taint = 'over-limit' | 'damaged' | 'ambiguous'

const taintOrder: readonly Taint[] = ['over-limit', 'damaged', 'ambiguous']

/**
 * How arguments come: as `fragments` of text, where `{}` may be a placeholder for what follows; as text that is `delimited` where it
 * stands; as one `object` of the wire's own JSON; or as a `list` instead, which can be all of them, wrong as it is, but not a part.
 */
export type ArgumentsForm = 'fragments' | 'delimited' | 'object' | 'list'

/** What is known of a call when it opens. */
export interface Opening {
  readonly choice: number
  readonly index: number
  readonly kind: 'function' | 'custom'
  readonly wireIndex: number | string | null
  readonly wireId: string | null
  readonly name: string
}

const nobody: readonly LiveCall[] = []

export class LiveCall {
  readonly choice: number
  readonly index: number
  readonly kind: 'function' | 'custom'
  readonly wireIndex: number | string | null
  readonly text: GrowingText = new GrowingText()
  /** Grows by pieces until `id` is set, then frozen. */
  name: string
  wireId: string | null
  /** Set when the call starts, never changed. Until then its deltas wait in `text`. */
  id: string | null = null
  /** Set by the wire's own end of the call (block stop, item done, a call sent whole). Damage can't reach it any more. */
  closed = false
  /** Set where the wire itself shows that the call is not complete, however its turn ended. Never cleared. */
  cut = false
  /** How the arguments have come. Set by what comes; a value of the wire's own JSON has the last word. */
  form: ArgumentsForm = 'fragments'
  /** Made when something comes that must go back: most calls have nothing. */
  #extra: Extra | undefined
  reject: CallReject | undefined
  /** Where it opened without id and name: the calls that were not whole then, and so may be where it goes on. */
  suspects: readonly LiveCall[] = nobody
  /** The worst that has happened, or nothing. */
  taint: Taint | undefined
  /** The live value, where the caller asked for one. */
  partial: PartialView | undefined
  /** Made when identity first asks for it, then kept up by `append`. */
  #structure: Structure | undefined

  constructor(opening: Opening) {
    this.choice = opening.choice
    this.index = opening.index
    this.kind = opening.kind
    this.wireIndex = opening.wireIndex
    this.wireId = opening.wireId
    this.name = opening.name
  }

  get started(): boolean {
    return this.id !== null
  }

  append(delta: string): void {
    this.text.append(delta)
    this.#structure?.push(delta)
  }

  /** The arguments have a beginning and an end where they stand. */
  delimit(): void {
    if (this.form === 'fragments') this.form = 'delimited'
  }

  get structure(): Structure {
    if (!this.#structure) {
      this.#structure = new Structure()
      this.#structure.push(this.text.toString())
    }
    return this.#structure
  }

  /** Nothing can follow: the text is one filled object. Of free text nothing but the wire can say that. */
  get isWhole(): boolean {
    return this.kind === 'function' && this.structure.isWholeFilledObject
  }

  /** Keeps the worst taint. */
  mark(taint: Taint): void {
    if (this.taint === undefined || taintOrder.indexOf(taint) < taintOrder.indexOf(this.taint)) this.taint = taint
  }

  addExtra(extra: JsonObject | undefined): void {
    if (!extra) return
    this.#extra ??= new Extra()
    this.#extra.add(extra)
  }

  get extra(): JsonObject | undefined {
    return this.#extra?.value
  }
}
