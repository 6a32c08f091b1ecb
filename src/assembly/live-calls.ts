// The calls of a turn while they stream in: what happens to a call once it is known to be meant, the same on all wires.

import type { JsonObject } from '../model/json.ts'
import type { Limits } from '../model/limits.ts'
import type { Step } from '../model/stage.ts'
import type { ToolTable } from '../model/compiled.ts'
import { excerpt } from '../arguments/excerpt.ts'
import { createPartialView } from '../arguments/partial.ts'
import { ArgumentBudget } from './budget.ts'
import { CallIds } from './call-ids.ts'
import { LiveCall, type Opening } from './live-call.ts'
import { joinName } from './names.ts'
import type { LedgerItem } from './turn.ts'
import type { TurnFaults } from './turn-faults.ts'

export interface CallOptions {
  readonly tools: ToolTable | undefined
  readonly limits: Limits
  readonly partialArguments: boolean
}

export class LiveCalls {
  /** In order of first appearance. */
  readonly all: LiveCall[] = []
  readonly #options: CallOptions
  readonly #faults: TurnFaults
  readonly #next: Step<LedgerItem>
  readonly #budget: ArgumentBudget
  readonly #ids = new CallIds(this.all)
  /** Set by the first call beyond `maxCalls`: the error is said once. */
  #full = false

  constructor(options: CallOptions, faults: TurnFaults, next: Step<LedgerItem>) {
    this.#options = options
    this.#faults = faults
    this.#next = next
    this.#budget = new ArgumentBudget(options.limits)
  }

  /** `undefined` for a call beyond the limit. */
  open(opening: Omit<Opening, 'index'>): LiveCall | undefined {
    if (this.all.length >= this.#options.limits.maxCalls) {
      this.#overflow(opening.wireId)
      return undefined
    }
    if (this.#options.tools) for (const held of this.all) if (held.name !== '') this.start(held)
    const call = new LiveCall({ ...opening, index: this.all.length })
    if (this.#options.partialArguments && call.kind === 'function')
      call.partial = createPartialView(this.#options.limits.maxDepth)
    this.all.push(call)
    if (opening.wireId !== null) this.#claimId(call, opening.wireId)
    if (this.#faults.mayLackOpening(opening.name)) call.mark('damaged')
    return call
  }

  /** Keeps what must go back with the call that will have this id. */
  holdForId(id: string, extra: JsonObject | undefined): void {
    this.#ids.hold(id, extra)
  }

  learnId(call: LiveCall, id: string | null): void {
    if (!id || call.wireId !== null) return
    this.#claimId(call, id)
  }

  learnName(call: LiveCall, name: string): void {
    if (name === call.name) return
    if (!call.started) {
      call.name = joinName(call.name, name, this.#options.tools)
      return
    }
    call.mark('damaged')
    this.#faults.lose({
      code: 'orphan-fragment',
      message: `The call "${call.name}" was given another name after it had started.`,
      raw: excerpt(name),
    })
  }

  /** Freezes id and name. What had come before goes out as one delta. */
  start(call: LiveCall): void {
    if (call.id !== null) return
    const id = this.#ids.free(call)
    call.id = id
    this.#next.push({ type: 'tool-call-start', choice: call.choice, index: call.index, id, name: call.name })
    if (call.text.length > 0) this.#emitDelta(call, id, call.text.toString())
  }

  /** A piece of the arguments as text. */
  append(call: LiveCall, delta: string): void {
    if (delta === '' || call.taint === 'over-limit') return
    if (call.form === 'list' && call.text.length > 0 && delta.trim() !== '') return this.#misplace(call, delta)
    const excess = this.#budget.take(call.text, delta, this.all)
    if (excess !== null) return this.#overspend(call, excess)
    call.append(delta)
    if (call.id !== null) this.#emitDelta(call, call.id, delta)
    else if (call.name !== '') this.start(call)
  }

  /**
   * A value of the wire's own JSON is all of the arguments, or repeats them, or was to be a piece of their text. A piece it can't be:
   * in the middle of a text it stands for one that is lost, and so does a list beside anything, since a list is no arguments.
   */
  appendValue(call: LiveCall, value: string): void {
    const isList = value.startsWith('[')
    if (call.text.length > 0 && (isList || call.form === 'list' || call.structure.isOpen))
      return this.#misplace(call, value)
    call.form = isList ? 'list' : 'object'
    this.append(call, value)
  }

  #overflow(wireId: string | null): void {
    this.#faults.miss()
    if (this.#full) return
    this.#full = true
    this.#faults.report({
      code: 'over-limit',
      message: `The turn has more than ${this.#options.limits.maxCalls} tool calls (limit maxCalls); the rest are not opened${wireId === null ? '' : `, beginning with "${wireId}"`}.`,
    })
  }

  #claimId(call: LiveCall, id: string): void {
    if (this.#ids.claim(call, id) === 'new') return
    this.#faults.warn({
      code: 'reused-id',
      message: `The wire uses the id "${id}" for more than one call of this turn.`,
    })
  }

  #misplace(call: LiveCall, value: string): void {
    call.mark('damaged')
    this.#faults.lose({
      code: 'unexpected-type',
      message: `Among the fragments of the call "${call.name}" there is one that is no text.`,
      raw: excerpt(value),
    })
  }

  #overspend(call: LiveCall, limit: string): void {
    call.mark('over-limit')
    this.#faults.miss()
    if (call.name !== '') this.start(call)
    this.#faults.report({
      code: 'over-limit',
      message: `The arguments of the call "${call.name}" are longer than allowed (limit ${limit}); the rest of them was dropped.`,
    })
  }

  #emitDelta(call: LiveCall, id: string, delta: string): void {
    const { choice, index } = call
    if (call.partial) {
      const changes = call.partial.append(delta)
      this.#next.push({ type: 'tool-call-delta', choice, index, id, delta, changes })
    } else this.#next.push({ type: 'tool-call-delta', choice, index, id, delta })
  }
}
