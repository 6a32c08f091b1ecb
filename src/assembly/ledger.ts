// The ledger: books every delta to the call it belongs to, in the order that it came, and hands the turn on when it is over.

import type { BookedDelta, Damage } from '../model/booked.ts'
import type { CallAppend, CallFinal, CallFragment, CallKey, CallOpen, TextFinal } from '../model/deltas.ts'
import type { ServerCall } from '../model/calls.ts'
import type { Usage } from '../model/events.ts'
import type { Step } from '../model/stage.ts'
import type { ToolTable } from '../model/compiled.ts'
import { excerpt } from '../arguments/excerpt.ts'
import { ownerOf } from './identity.ts'
import { KeptBlocks } from './kept-blocks.ts'
import { LiveCall } from './live-call.ts'
import { LiveCalls, type CallOptions } from './live-calls.ts'
import { LiveChoice } from './live-choice.ts'
import { isSettled } from './names.ts'
import { SmallMap } from './small-map.ts'
import type { Break, BreakNotice, LedgerItem } from './turn.ts'
import { TurnFaults } from './turn-faults.ts'

export class Ledger implements Step<BookedDelta | BreakNotice> {
  readonly #next: Step<LedgerItem>
  readonly #tools: ToolTable | undefined
  readonly #faults: TurnFaults
  readonly #calls: LiveCalls
  readonly #choices = new SmallMap<number, LiveChoice>()
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
  #usage: Usage | undefined
  /** The highest number that the wire has counted its events to. */
  #sequence: number | undefined
  #ended = false
  #broken: Break | null = null
  /** Set when the turn has been handed on. Everything after is ignored. */
  #over = false

  constructor(options: CallOptions, next: Step<LedgerItem>) {
    this.#next = next
    this.#tools = options.tools
    this.#faults = new TurnFaults(next)
    this.#calls = new LiveCalls(options, this.#faults, next)
  }

  push(delta: BookedDelta | BreakNotice): void {
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
      case 'text-final':
        return this.#compareText(delta)
      case 'sequence':
        return this.#count(delta.number)
      case 'call-open':
        return this.#openByKey(delta)
      case 'call-final':
        return this.#reconcile(delta)
      case 'call-close': {
        const call = this.#byKey.get(delta.key)
        if (call && delta.cut) {
          call.cut = true
          this.#faults.miss()
        } else if (call) call.closed = true
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
      case 'spoilt-close':
        this.#faults.leaveSpoilt()
        return this.#kept?.lose()
      case 'finish':
        this.#choice(delta.choice).reasons.push({ raw: delta.raw, kind: delta.kind })
        return
      case 'usage':
        this.#usage = delta.usage
        return
      case 'error':
        return this.#faults.fail(delta.error)
      case 'warning':
        return this.#faults.warn(delta.warning)
      case 'damage':
      case 'call-damage':
      case 'stray':
      case 'spoilt-open':
        this.#faults.warn(delta.warning)
        return this.#damage(delta)
      case 'retold':
        return this.#damage(delta.damage)
      case 'cut':
        this.#faults.warn(delta.warning)
        this.#faults.cutInside()
        return
      case 'break':
        this.#broken = delta.broken
        return this.#faults.report(delta.error)
      case 'end':
        this.#ended = true
        return this.end()
      default:
        return unreachable(delta)
    }
  }

  end(): void {
    if (this.#over) return
    const calls = this.#calls.all
    for (const call of calls) this.#calls.start(call)
    calls.at(-1)?.addExtra(this.#kept?.take())
    this.#suspectNameless()
    this.#over = true
    this.#next.push({
      type: 'turn-over',
      turn: {
        choices: this.#choices.values().map((choice) => choice.over()),
        calls,
        serverCalls: this.#serverCalls,
        warnings: this.#faults.warnings,
        errors: this.#faults.errors,
        usage: this.#usage,
        ended: this.#ended,
        failed: this.#faults.failed,
        broken: this.#broken,
        cutInEvent: this.#faults.cutInEvent,
        lost: this.#faults.lost,
      },
    })
    this.#next.end()
  }

  /** The live value of a call's arguments; `undefined` for an unknown id or without `partialArguments`. */
  partialOf(id: string): unknown {
    return this.#calls.all.find((call) => call.id === id)?.partial?.value
  }

  // ---- text

  #say(type: 'text' | 'reasoning' | 'refusal', index: number, delta: string): void {
    const choice = this.#choice(index)
    if (delta === '') return
    choice.say(type, delta)
    if (type === 'reasoning') this.#kept?.say(delta)
    this.#next.push({ type: `${type}-delta`, choice: index, delta })
  }

  /** Text that only the repetition has is said, if it goes on where the text stopped; otherwise nobody knows where it belongs. */
  #compareText({ of, choice, text }: TextFinal): void {
    const said = this.#choice(choice).said(of)
    if (text.length <= said.length) return
    if (text.startsWith(said)) return this.#say(of, choice, text.slice(said.length))
    this.#faults.lose({
      code: 'orphan-fragment',
      message: `The server's own repetition of the ${of} has more than what was streamed, and not at its end.`,
      raw: excerpt(text),
    })
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
    const call = this.#calls.open({ ...delta, wireId: delta.id || null })
    if (!call) {
      this.#byKey.delete(delta.key)
      this.#beyond ??= new Set()
      this.#beyond.add(delta.key)
      return
    }
    this.#byKey.set(delta.key, call)
    call.addExtra(delta.extra)
    call.addExtra(this.#kept?.take())
    if (call.name !== '') this.#calls.start(call)
  }

  #appendByKey(delta: CallAppend): void {
    const call = this.#byKey.get(delta.key)
    if (!call) return this.#orphan(delta.key, delta.delta)
    if (call.closed && this.#openCalls.length > 0) return this.#misdirect(call, delta.delta)
    if (delta.form === 'object') return this.#calls.appendValue(call, delta.delta)
    if (delta.form === 'delimited') call.delimit()
    this.#calls.append(call, delta.delta)
  }

  #reconcile(delta: CallFinal): void {
    const call = this.#byKey.get(delta.key)
    if (!call) return this.#orphan(delta.key, delta.arguments)
    call.addExtra(delta.extra)
    this.#calls.learnId(call, delta.id)
    if (delta.name) this.#calls.learnName(call, delta.name)
    this.#compare(call, delta.arguments)
  }

  /** All of a call's text: taken where none came, else compared with what came. */
  #compare(call: LiveCall, text: string): void {
    if (text === '') return
    if (call.text.length === 0) return this.#calls.append(call, text)
    if (call.taint === 'over-limit' || text === call.text.toString()) return
    call.mark('damaged')
    this.#faults.lose({
      code: 'arguments-mismatch',
      message: `The fragments of the call "${call.name}" and the server's own repetition of its arguments are not the same.`,
      raw: excerpt(text),
    })
  }

  #orphan(key: CallKey, text: string): void {
    if (this.#beyond?.has(key) || text === '') return
    // Where an event was lost, it may have been the opening of this one. Where none was, the label is wrong: it may be anybody's.
    if (!this.#faults.holed) for (const call of this.#calls.all) if (!call.closed) call.mark('ambiguous')
    this.#faults.lose({
      code: 'orphan-fragment',
      message: `A fragment of arguments came for ${key}, which no call was opened under.`,
      raw: excerpt(text),
    })
  }

  /** More of a call that is over, while others are not: either its end or this label is wrong. */
  #misdirect(closed: LiveCall, text: string): void {
    for (const call of [closed, ...this.#openCalls]) call.mark('ambiguous')
    this.#faults.lose({
      code: 'orphan-fragment',
      message: `A fragment of arguments came for the call "${closed.name}" after its end, while others were open.`,
      raw: excerpt(text),
    })
  }

  // ---- calls on wires without keys

  #bookFragment(fragment: CallFragment): void {
    const choice = this.#choice(fragment.choice)
    if (this.#isExtraAlone(fragment)) return this.#keepExtra(fragment, choice)
    const owner = ownerOf(fragment, choice, this.#tools)
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
      kind: fragment.kind ?? 'function',
      wireIndex: fragment.index,
      wireId: fragment.id || null,
      name: fragment.name ?? '',
    } as const
    const call = this.#calls.open(opening)
    if (!call) {
      const passed = new LiveCall({ ...opening, index: this.#calls.all.length })
      choice.standBeyond(passed, fragment.index)
      return passBy(passed, fragment)
    }
    if (call.name === '' && call.wireId === null && fragment.arguments) {
      call.suspects = this.#calls.all.filter((held) => held !== call && !held.isWhole)
    }
    choice.open(call, fragment.index)
    this.#book(call, fragment)
    const tools = this.#tools
    if (tools && isSettled(call.name, tools)) this.#calls.start(call)
  }

  #continue(call: LiveCall, fragment: CallFragment): void {
    this.#calls.learnId(call, fragment.id)
    const held = call.name
    if (fragment.name) this.#calls.learnName(call, fragment.name)
    this.#book(call, fragment)
    if (call.started) return
    const tools = this.#tools
    const settled = tools ? isSettled(call.name, tools) : call.name !== '' && call.name === held
    if (settled) this.#calls.start(call)
  }

  #book(call: LiveCall, fragment: CallFragment): void {
    call.addExtra(fragment.extra)
    if (!fragment.arguments) return
    if (fragment.form === 'object') this.#calls.appendValue(call, fragment.arguments)
    else if (fragment.form === 'whole') this.#compare(call, fragment.arguments)
    else this.#calls.append(call, fragment.arguments)
  }

  #confuse(calls: readonly LiveCall[], fragment: CallFragment): void {
    for (const call of calls) call.mark('ambiguous')
    const names = calls.map((call) => call.name || '?').join(', ')
    this.#faults.lose({
      code: 'ambiguous-fragment',
      message:
        calls.length === 1
          ? `A fragment is labelled as one of the call ${names}, but is of the other kind of call; it was not added.`
          : `A fragment could belong to ${calls.length} calls (${names}); none of them got it.`,
      raw: excerpt(fragment.arguments ?? ''),
    })
  }

  #isExtraAlone(fragment: CallFragment): boolean {
    return fragment.extra !== undefined && fragment.index === null && !fragment.name && fragment.arguments === null
  }

  #keepExtra(fragment: CallFragment, choice: LiveChoice): void {
    const call = choice.calls.find((held) => held.wireId !== null && held.wireId === fragment.id)
    if (call) call.addExtra(fragment.extra)
    else if (fragment.id) this.#calls.holdForId(fragment.id, fragment.extra)
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
        if (call.name !== '' && !call.isWhole) call.mark('ambiguous')
      }
    }
  }

  // ---- what goes wrong

  #count(number: number): void {
    const expected = this.#sequence === undefined ? number : this.#sequence + 1
    if (number > expected) {
      const message = `The server numbers its events, and ${number - expected} are missing before number ${number}.`
      this.push({ type: 'damage', warning: { code: 'malformed-event', message } })
    }
    this.#sequence = Math.max(number, this.#sequence ?? number)
  }

  #damage(damage: Damage): void {
    switch (damage.type) {
      case 'call-damage':
        this.#faults.miss()
        this.#byKey.get(damage.key)?.mark('damaged')
        return
      case 'stray':
        return this.#damageOpen(this.#openCalls.length > 0)
      case 'spoilt-open':
        this.#faults.enterSpoilt()
        return this.#damageOpen(true)
      case 'damage':
        return this.#damageOpen(true)
      default:
        return unreachable(damage)
    }
  }

  #damageOpen(lost: boolean): void {
    for (const call of this.#openCalls) call.mark('damaged')
    this.#kept?.lose()
    this.#faults.hole()
    if (lost) this.#faults.miss()
  }

  get #openCalls(): readonly LiveCall[] {
    return this.#calls.all.filter((call) => !call.closed)
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
