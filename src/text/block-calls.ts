// Says what becomes of the calls of a block, and keeps account of every character that was read of it.

import { excerpt } from '../arguments/excerpt.ts'
import type { BookedDelta } from '../model/booked.ts'
import type { Warning } from '../model/events.ts'
import type { JsonObject } from '../model/json.ts'
import { formatOf, shapeOf, type Block } from './block.ts'
import type { Grammar } from './grammar.ts'
import { textCallKey } from './keys.ts'
import type { BlockFault, CallPort } from './port.ts'
import type { Sink } from './sink.ts'

export class BlockCalls implements CallPort {
  readonly #grammar: Grammar
  readonly #choice: number
  readonly #sink: Sink
  /** Calls of this text so far. Their keys are made of it. */
  #count = 0
  /** The block that is open. */
  #block: Block | null = null
  /**
   * An event that was lost while a call was being read that has no name yet. Cleared when the call gets one or the block is over;
   * where it was no block after all, by whoever reads its text again.
   */
  #lost: Warning | null = null

  constructor(grammar: Grammar, choice: number, sink: Sink) {
    this.#grammar = grammar
    this.#choice = choice
    this.#sink = sink
  }

  // ---- what the readers of arguments say

  /** Behind the first name a block is one of calls, and any name may follow. */
  mayOpen(name: string): boolean {
    const block = this.#mustBeOpen()
    if (block.decided) return true
    const { bare } = formatOf(this.#grammar, block).format
    const { tools, options } = this.#grammar
    if (bare === 'list') return options.bareList === 'always' || tools?.has(name) === true
    return tools === undefined || tools.has(name) || (bare === undefined && options.unknownTool !== 'text')
  }

  open(name: string, id: string | null, extra?: JsonObject): void {
    const block = this.#mustBeOpen()
    block.decided = true
    for (const { message, raw } of block.remarks) this.warn('unexpected-type', message, raw)
    block.remarks = []
    const shape = shapeOf(this.#grammar, block)
    if (shape.kind === 'object' && shape.silent?.includes(name)) {
      block.current = null
      block.evidence ??= block.raw
      return
    }
    this.settleBefore(null)
    const key = textCallKey(this.#choice, this.#count++)
    block.current = key
    block.open.push(key)
    const more = extra ? { extra } : {}
    this.#send({ type: 'call-open', choice: this.#choice, key, wireIndex: null, id, name, kind: 'function', ...more })
    const lost = this.takeLoss()
    if (lost) this.#send({ type: 'retold', damage: { type: 'call-damage', key, warning: lost } })
  }

  append(delta: string): void {
    this.startPending()
    const { current } = this.#mustBeOpen()
    if (current === null || delta === '') return
    // What is read here begins and ends: `{}` is the whole of the arguments and no placeholder.
    this.#send({ type: 'call-append', key: current, delta, form: 'delimited' })
  }

  identify(id: string): void {
    const { current } = this.#mustBeOpen()
    if (current !== null) this.#send({ type: 'call-final', key: current, arguments: '', id, name: null })
  }

  refuse({ code, expected }: BlockFault): void {
    const block = this.#mustBeOpen()
    const { current } = block
    block.refused = true
    // The call that is being read is the last one, unless it has been refused before.
    if (current === null || block.open.at(-1) !== current) return
    block.open.pop()
    this.#send({ type: 'call-reject', key: current, code, expected })
  }

  remark(message: string, raw: string): void {
    const block = this.#mustBeOpen()
    if (!block.decided) block.remarks.push({ message, raw: excerpt(raw) })
    else this.warn('unexpected-type', message, raw)
  }

  // ---- what the block's reader decides

  get block(): Block | null {
    return this.#block
  }

  /** Opens a block. `lost`: an event was lost on the way to it. */
  begin(block: Block, lost: Warning | null): void {
    this.#block = block
    this.#lost = lost
  }

  /** The open block came behind calls that are complete, unless it is none of another call. */
  follow(keys: readonly string[]): void {
    this.#mustBeOpen().before = [...keys]
  }

  /** An event was lost. A call that has no name yet may miss a part of it. */
  lose(warning: Warning): void {
    this.#lost = warning
  }

  /** Gives the loss that no call has heard of. */
  takeLoss(): Warning | null {
    const lost = this.#lost
    this.#lost = null
    return lost
  }

  /** It was no block, and its text is read again: nothing is said of it, and what was lost is left to be taken. */
  abandon(): void {
    this.#block = null
  }

  /** Starts the call that waits for its arguments, if one does. */
  startPending(): void {
    const block = this.#mustBeOpen()
    const { pending } = block
    if (!pending) return
    block.pending = null
    this.open(pending.name, pending.id, pending.extra)
  }

  /** Closes every call that is neither closed nor refused. */
  closeOpen(): void {
    const block = this.#mustBeOpen()
    for (const key of block.open) this.#send({ type: 'call-close', key })
    if (block.open.length > 0) block.accepted = true
    block.open = []
  }

  /** Refuses every call that is neither closed nor refused. */
  refuseOpen({ code, expected }: { readonly code: BlockFault['code'] | 'truncated'; readonly expected: string }): void {
    const block = this.#mustBeOpen()
    for (const key of block.open) this.#send({ type: 'call-reject', key, code, expected })
    if (block.open.length > 0) block.refused = true
    block.open = []
  }

  /** Refuses the last call, which has been closed: what follows could belong to it. */
  refuseLast({ code, expected }: BlockFault): void {
    const block = this.#mustBeOpen()
    block.refused = true
    if (block.current !== null) this.#send({ type: 'call-reject', key: block.current, code, expected })
  }

  /** Hands on text that stood inside the block and is no part of it. */
  say(raw: string): void {
    const block = this.#mustBeOpen()
    if (block.evidence !== null) block.evidence += raw
    if (raw !== '') this.#sink.text(raw)
  }

  /** The object behind complete calls is another call, or `fault` says why it could be data of theirs. */
  settleBefore(fault: BlockFault | null): void {
    const block = this.#mustBeOpen()
    for (const key of block.before) {
      this.#send(fault ? { type: 'call-reject', key, ...fault } : { type: 'call-close', key })
    }
    block.before = []
  }

  /** Accounts for what was read. It is kept as long as it may be text after all. */
  account(raw: string): void {
    const block = this.#mustBeOpen()
    if (raw === '') return
    if (block.evidence !== null) block.evidence += raw
    if (!block.decided) {
      block.raw += raw
      return
    }
    this.#sink.block(block.raw + raw)
    block.raw = ''
  }

  /** The block is over. One that failed as a whole stands in the text as well, where its format or the caller says so. */
  finish(): void {
    const { evidence, refused, accepted, current } = this.#mustBeOpen()
    this.#block = null
    this.#lost = null
    if (evidence === null || evidence === '') return
    if (refused && !accepted) this.#send({ type: 'text', choice: this.#choice, delta: evidence })
    else if (current === null) this.warn('suppressed-call', 'The model said that it calls no tool.', evidence)
  }

  /** It was no block of calls: what was kept is text. */
  release(message: string): void {
    const { raw } = this.#mustBeOpen()
    this.#block = null
    this.#lost = null
    this.#sink.text(raw)
    this.warn('suppressed-call', message, raw)
  }

  warn(code: Warning['code'], message: string, raw: string): void {
    this.#send({ type: 'warning', warning: { code, message, raw: excerpt(raw) } })
  }

  #mustBeOpen(): Block {
    if (!this.#block) throw new TypeError('There is no block to say this about.')
    return this.#block
  }

  #send(delta: BookedDelta): void {
    this.#sink.delta(delta)
  }
}
