// The ledger: books every delta to the call it belongs to, in the order that it came, and hands the turn on when it is over.

import type { CallAppend, CallFinal, CallFragment, CallKey, CallOpen, WireDelta } from '../model/deltas.ts'
import type { ServerCall } from '../model/calls.ts'
import type { StreamError, Usage, Warning } from '../model/events.ts'
import type { Limits } from '../model/limits.ts'
import type { Step } from '../model/stage.ts'
import type { ToolTable } from '../model/tools.ts'
import { excerpt } from '../arguments/excerpt.ts'
import { createPartialView } from '../arguments/partial.ts'
import { ArgumentBudget } from './budget.ts'
import { CallIds } from './call-ids.ts'
import { ownerOf } from './identity.ts'
import { KeptBlocks } from './kept-blocks.ts'
import { LiveCall } from './live-call.ts'
import { LiveChoice } from './live-choice.ts'
import { isSettled, joinName } from './names.ts'
import { SmallMap } from './small-map.ts'
import type { Break, BreakNotice, LedgerItem } from './turn.ts'

export interface LedgerOptions {
  readonly tools: ToolTable | undefined
  readonly limits: Limits
  readonly partialArguments: boolean
}

type Damage = Extract<WireDelta, { type: 'damage' }>

export class Ledger implements Step<WireDelta | BreakNotice> {
  readonly #next: Step<LedgerItem>
  readonly #options: LedgerOptions
  readonly #budget: ArgumentBudget
  readonly #choices = new SmallMap<number, LiveChoice>()
  readonly #calls: LiveCall[] = []
  readonly #ids = new CallIds(this.#calls)
  /** The call that a key of the wire means now. Reassigned when the wire opens the key again. */
  readonly #byKey = new SmallMap<CallKey, LiveCall>()
  /**
   * Keys of calls beyond `maxCalls`: what is said of them is not an orphan. Made by the first of them; never more entries than keys in
   * use at that time.
   */
  #beyond: Set<CallKey> | undefined
  /** Made by the first such block. */
  #kept: KeptBlocks | undefined
  readonly #serverCalls: ServerCall[] = []
  readonly #warnings: Warning[] = []
  readonly #errors: StreamError[] = []
  #usage: Usage | undefined
  #sequence: number | undefined
  /** Set by the first call beyond `maxCalls`: the error is said once. */
  #full = false
  /** Set by the first event lost to damage: a later call without a name of its own may have lost its opening there. */
  #holed = false
  /** While an event is read that came spoilt. */
  #spoilt = false
  /** Set by anything that found no place. */
  #lost = false
  #failed = false
  #ended = false
  #cutInEvent = false
  #broken: Break | null = null
  /** Set when the turn has been handed on. Everything after is ignored. */
  #over = false

  constructor(options: LedgerOptions, next: Step<LedgerItem>) {
    this.#options = options
    this.#next = next
    this.#budget = new ArgumentBudget(options.limits)
  }

  push(delta: WireDelta | BreakNotice): void {
    if (this.#over) return
    switch (delta.type) {
      case 'call-append':
        return this.#appendByKey(delta)
      case 'call-fragment':
        return this.#bookFragment(delta)
      case 'text':
      case 'reasoning':
      case 'refusal':
        return this.#say(delta.type, delta.choice, delta.delta)
      case 'sequence':
        return this.#count(delta.number)
      case 'call-open':
        return this.#openByKey(delta)
      case 'call-final':
        return this.#reconcile(delta)
      case 'call-close': {
        const call = this.#byKey.get(delta.key)
        if (call) call.closed = true
        return
      }
      case 'call-reject': {
        const call = this.#byKey.get(delta.key)
        if (call) call.reject ??= delta
        return
      }
      case 'server-call':
        this.#serverCalls.push(Object.freeze({ ...delta.call }))
        return
      case 'kept-open':
        this.#kept ??= new KeptBlocks()
        return this.#kept.open(delta.block, this.#choices.get(0)?.textLength ?? 0)
      case 'kept-close':
        return this.#kept?.close(delta)
      case 'spoilt-open':
        this.#spoilt = true
        return this.#damage(delta)
      case 'spoilt-close':
        this.#spoilt = false
        return this.#kept?.lose()
      case 'finish':
        this.#choice(delta.choice).reasons.push({ raw: delta.raw, kind: delta.kind })
        return
      case 'usage':
        this.#usage = delta.usage
        return
      case 'error':
        return this.#err(delta.error)
      case 'warning':
        return this.#warn(delta.warning)
      case 'damage':
        return this.#damage(delta)
      case 'break':
        this.#broken = delta.broken
        return this.#report(delta.error)
      case 'end':
        this.#ended = true
        return this.end()
      default:
        return unreachable(delta)
    }
  }

  end(): void {
    if (this.#over) return
    for (const call of this.#calls) this.#start(call)
    this.#calls.at(-1)?.addExtra(this.#kept?.take())
    this.#suspectNameless()
    this.#over = true
    this.#next.push({
      type: 'turn-over',
      turn: {
        choices: this.#choices.values().map((choice) => choice.over()),
        calls: this.#calls,
        serverCalls: this.#serverCalls,
        warnings: this.#warnings,
        errors: this.#errors,
        usage: this.#usage,
        ended: this.#ended,
        failed: this.#failed,
        broken: this.#broken,
        cutInEvent: this.#cutInEvent,
        lost: this.#lost,
      },
    })
    this.#next.end()
  }

  /** The live value of a call's arguments; `undefined` for an unknown id or without `partialArguments`. */
  partialOf(id: string): unknown {
    return this.#calls.find((call) => call.id === id)?.partial?.value
  }

  // ---- text

  #say(type: 'text' | 'reasoning' | 'refusal', index: number, delta: string): void {
    const choice = this.#choice(index)
    if (delta === '') return
    choice.say(type, delta)
    if (type === 'reasoning') this.#kept?.say(delta)
    this.#next.push({ type: `${type}-delta`, choice: index, delta })
  }

  #choice(index: number): LiveChoice {
    const held = this.#choices.get(index)
    if (held) return held
    const choice = new LiveChoice(index)
    this.#choices.set(index, choice)
    return choice
  }

  // ---- calls on wires with keys

  #openByKey(delta: CallOpen): void {
    this.#choice(delta.choice)
    const call = this.#open({ ...delta, wireId: delta.id || null })
    if (!call) {
      this.#byKey.delete(delta.key)
      this.#beyond ??= new Set()
      this.#beyond.add(delta.key)
      return
    }
    this.#byKey.set(delta.key, call)
    call.addExtra(delta.extra)
    call.addExtra(this.#kept?.take())
    if (call.name !== '') this.#start(call)
  }

  #appendByKey(delta: CallAppend): void {
    const call = this.#byKey.get(delta.key)
    if (!call) return this.#orphan(delta.key, delta.delta)
    if (delta.object) return this.#appendValue(call, delta.delta)
    if (delta.delimited) call.sentAsObject = true
    this.#append(call, delta.delta)
  }

  #reconcile(delta: CallFinal): void {
    const call = this.#byKey.get(delta.key)
    if (!call) return this.#orphan(delta.key, delta.arguments)
    call.addExtra(delta.extra)
    this.#learnId(call, delta.id)
    if (delta.name) this.#learnName(call, delta.name)
    if (delta.arguments === '') return
    if (call.text.length === 0) return this.#append(call, delta.arguments)
    if (call.taint === 'over-limit' || delta.arguments === call.text.toString()) return
    this.#warn({
      code: 'arguments-mismatch',
      message: `The fragments of the call "${call.name}" and the server's own repetition of its arguments are not the same.`,
      raw: excerpt(delta.arguments),
    })
    call.mark('damaged')
    this.#lost = true
  }

  #orphan(key: CallKey, text: string): void {
    if (this.#beyond?.has(key) || text === '') return
    this.#lost = true
    // Where an event was lost, it may have been the opening of this one. Where none was, the label is wrong: it may be anybody's.
    if (!this.#holed) for (const call of this.#calls) if (!call.closed) call.mark('ambiguous')
    this.#warn({
      code: 'orphan-fragment',
      message: `A fragment of arguments came for ${key}, which no call was opened under.`,
      raw: excerpt(text),
    })
  }

  // ---- calls on wires without keys

  #bookFragment(fragment: CallFragment): void {
    const choice = this.#choice(fragment.choice)
    if (this.#isExtraAlone(fragment)) return this.#keepExtra(fragment, choice)
    const owner = ownerOf(fragment, choice, this.#options.tools)
    switch (owner.type) {
      case 'existing':
        if (owner.call === choice.beyond) return passBy(owner.call, fragment)
        return this.#continue(owner.call, fragment)
      case 'new':
        return this.#openFragment(fragment, choice)
      case 'ambiguous':
        return this.#confuse(owner.calls, fragment)
      case 'nobody':
        return
      default:
        return unreachable(owner)
    }
  }

  #openFragment(fragment: CallFragment, choice: LiveChoice): void {
    const opening = {
      choice: fragment.choice,
      kind: 'function',
      wireIndex: fragment.index,
      wireId: fragment.id || null,
      name: fragment.name ?? '',
    } as const
    const call = this.#open(opening)
    if (!call) {
      const passed = new LiveCall({ ...opening, index: this.#calls.length })
      choice.standBeyond(passed, fragment.index)
      return passBy(passed, fragment)
    }
    if (call.name === '' && call.wireId === null && fragment.arguments) {
      call.suspects = this.#calls.filter((held) => held !== call && !held.structure.isWholeFilledObject)
    }
    choice.open(call, fragment.index)
    this.#book(call, fragment)
    const { tools } = this.#options
    if (tools && isSettled(call.name, tools)) this.#start(call)
  }

  #continue(call: LiveCall, fragment: CallFragment): void {
    this.#learnId(call, fragment.id)
    const held = call.name
    if (fragment.name) this.#learnName(call, fragment.name)
    this.#book(call, fragment)
    if (call.started) return
    const { tools } = this.#options
    const settled = tools ? isSettled(call.name, tools) : call.name !== '' && call.name === held
    if (settled) this.#start(call)
  }

  #book(call: LiveCall, fragment: CallFragment): void {
    call.addExtra(fragment.extra)
    if (!fragment.arguments) return
    if (fragment.object) this.#appendValue(call, fragment.arguments)
    else this.#append(call, fragment.arguments)
  }

  #confuse(calls: readonly LiveCall[], fragment: CallFragment): void {
    for (const call of calls) call.mark('ambiguous')
    this.#lost = true
    this.#warn({
      code: 'ambiguous-fragment',
      message: `A fragment could belong to ${calls.length} calls (${calls.map((call) => call.name || '?').join(', ')}); none of them got it.`,
      raw: excerpt(fragment.arguments ?? ''),
    })
  }

  #isExtraAlone(fragment: CallFragment): boolean {
    return fragment.extra !== undefined && fragment.index === null && !fragment.name && fragment.arguments === null
  }

  #keepExtra(fragment: CallFragment, choice: LiveChoice): void {
    const call = choice.calls.find((held) => held.wireId !== null && held.wireId === fragment.id)
    if (call) call.addExtra(fragment.extra)
    else if (fragment.id) this.#ids.await(fragment.id, fragment.extra)
  }

  /**
   * A call that never got an id or a name may be the continuation of another one under a wrong index. A call that was whole when it
   * opened, and is now, lacks nothing; any other may lack just that.
   */
  #suspectNameless(): void {
    for (const choice of this.#choices.values()) {
      const strays = choice.calls.filter((call) => call.name === '' && call.wireId === null && call.text.length > 0)
      if (strays.length === 0) continue
      for (const stray of strays) for (const call of stray.suspects) call.mark('ambiguous')
      for (const call of choice.calls) {
        if (call.name !== '' && !call.structure.isWholeFilledObject) call.mark('ambiguous')
      }
    }
  }

  // ---- what all calls have in common

  #open(opening: {
    choice: number
    kind: 'function' | 'custom'
    wireIndex: number | string | null
    wireId: string | null
    name: string
  }): LiveCall | undefined {
    if (this.#calls.length >= this.#options.limits.maxCalls) {
      this.#overflow(opening.wireId)
      return undefined
    }
    if (this.#options.tools) for (const held of this.#calls) if (held.name !== '') this.#start(held)
    const call = new LiveCall({ ...opening, index: this.#calls.length })
    if (this.#options.partialArguments && call.kind === 'function') call.partial = createPartialView()
    this.#calls.push(call)
    if (opening.wireId !== null) this.#claimId(call, opening.wireId)
    if (this.#spoilt || (this.#holed && opening.name === '')) call.mark('damaged')
    return call
  }

  #overflow(wireId: string | null): void {
    this.#lost = true
    if (this.#full) return
    this.#full = true
    this.#report({
      code: 'over-limit',
      message: `The turn has more than ${this.#options.limits.maxCalls} tool calls (limit maxCalls); the rest are not opened${wireId === null ? '' : `, beginning with "${wireId}"`}.`,
    })
  }

  #learnId(call: LiveCall, id: string | null): void {
    if (!id || call.wireId !== null) return
    this.#claimId(call, id)
  }

  #claimId(call: LiveCall, id: string): void {
    if (this.#ids.claim(call, id) === 'new') return
    this.#warn({ code: 'reused-id', message: `The wire uses the id "${id}" for more than one call of this turn.` })
  }

  #learnName(call: LiveCall, name: string): void {
    if (name === call.name) return
    if (!call.started) {
      call.name = joinName(call.name, name, this.#options.tools)
      return
    }
    call.mark('damaged')
    this.#lost = true
    this.#warn({
      code: 'orphan-fragment',
      message: `The call "${call.name}" was given another name after it had started.`,
      raw: excerpt(name),
    })
  }

  /** Freezes id and name. What had come before goes out as one delta. */
  #start(call: LiveCall): void {
    if (call.id !== null) return
    const id = this.#ids.free(call)
    call.id = id
    this.#next.push({ type: 'tool-call-start', choice: call.choice, index: call.index, id, name: call.name })
    if (call.text.length > 0) this.#emitDelta(call, id, call.text.toString())
  }

  #append(call: LiveCall, delta: string): void {
    if (delta === '' || call.taint === 'over-limit') return
    if (call.holdsList && call.text.length > 0 && delta.trim() !== '') return this.#misplace(call, delta)
    const excess = this.#budget.take(call.text, delta, this.#calls)
    if (excess !== null) return this.#overspend(call, excess)
    call.append(delta)
    if (call.id !== null) this.#emitDelta(call, call.id, delta)
    else if (call.name !== '') this.#start(call)
  }

  /**
   * A value of the wire's own JSON is all of the arguments, or repeats them, or was to be a piece of their text. A piece it can't be:
   * in the middle of a text it stands for one that is lost, and so does a list beside anything, since a list is no arguments.
   */
  #appendValue(call: LiveCall, value: string): void {
    const isList = value.startsWith('[')
    if (call.text.length > 0 && (isList || call.holdsList || call.structure.isOpen)) return this.#misplace(call, value)
    call.sentAsObject = true
    call.holdsList = isList
    this.#append(call, value)
  }

  #misplace(call: LiveCall, value: string): void {
    call.mark('damaged')
    this.#lost = true
    this.#warn({
      code: 'unexpected-type',
      message: `Among the fragments of the call "${call.name}" there is one that is no text.`,
      raw: excerpt(value),
    })
  }

  #overspend(call: LiveCall, limit: string): void {
    call.mark('over-limit')
    this.#lost = true
    if (call.name !== '') this.#start(call)
    this.#report({
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

  // ---- what goes wrong

  #count(number: number): void {
    const expected = this.#sequence === undefined ? number : this.#sequence + 1
    if (number > expected) {
      const message = `The server numbers its events, and ${number - expected} are missing before number ${number}.`
      this.#damage({ warning: { code: 'malformed-event', message } })
    }
    this.#sequence = Math.max(number, this.#sequence ?? number)
  }

  #damage({ warning, key, stray, again }: Omit<Damage, 'type'>): void {
    if (!again) this.#warn(warning)
    if (warning.code === 'unterminated-event') {
      this.#cutInEvent = true
      return
    }
    if (key !== undefined) {
      this.#lost = true
      this.#byKey.get(key)?.mark('damaged')
      return
    }
    const open = this.#calls.filter((call) => !call.closed)
    for (const call of open) call.mark('damaged')
    this.#holed = true
    this.#kept?.lose()
    if (!stray || open.length > 0) this.#lost = true
  }

  #err(error: StreamError): void {
    if (error.code !== 'over-limit') this.#failed = true
    else this.#lost = true
    this.#report(error)
  }

  #report(error: StreamError): void {
    this.#errors.push(error)
    this.#next.push({ type: 'error', error })
  }

  #warn(warning: Warning): void {
    this.#warnings.push(warning)
    this.#next.push({ type: 'warning', warning })
  }
}

/** What identity needs to know of a call beyond the limit: who it is, and whether its arguments are whole. */
function passBy(call: LiveCall, fragment: CallFragment): void {
  call.wireId ??= fragment.id || null
  call.name ||= fragment.name ?? ''
  if (fragment.arguments) call.structure.push(fragment.arguments)
}

function unreachable(item: never): never {
  throw new TypeError(`No such item: ${JSON.stringify(item)}`)
}
