// Reads one block of calls from its first argument to its last close tag, and judges whether it is whole.

import type { Warning } from '../model/events.ts'
import { behindArguments, behindTail, betweenCalls } from './behind.ts'
import {
  callCloses,
  createBlock,
  createBody,
  createReader,
  endsAtStop,
  formatOf,
  readBody,
  residueRules,
  shapeOf,
  taggedRules,
  type Block,
  type BlockResidue,
} from './block.ts'
import { BlockCalls } from './block-calls.ts'
import { besideCalls } from './json-object.ts'
import type { Grammar, Opening } from './grammar.ts'
import type { Head } from './head.ts'
import { matchAny, noMatch } from './match.ts'
import { requiredKeys } from './parameter-types.ts'
import type { BlockFault } from './port.ts'
import { createResidue, isUnfinished, readResidue } from './residue.ts'
import type { Sink } from './sink.ts'
import { closeTaggedArgs, endTaggedArgs } from './tagged-args.ts'

/** How far a call without a tag may go before its name tells that it is one. */
const maxUndecided = 1_024

/** Why calls can't run that an object without a name follows. */
const noCall: BlockFault = { code: 'multiple-objects', expected: 'the end of the call' }

export class BlockReader {
  readonly #grammar: Grammar
  readonly #calls: BlockCalls
  /** Text that was taken for a block and is to be read again as text. Cleared by who takes it. */
  #again = ''
  /** Text behind a block that is to be read as what it is. Cleared by who takes it. */
  #back = ''
  /** Set where the block has to wait for more before it can go on, cleared by the next read. */
  #waiting = false

  constructor(grammar: Grammar, choice: number, sink: Sink) {
    this.#grammar = grammar
    this.#calls = new BlockCalls(grammar, choice, sink)
  }

  get isOpen(): boolean {
    return this.#calls.block !== null
  }

  get waiting(): boolean {
    return this.#waiting
  }

  /** Begins a block whose opener and head are `raw`. `lost`: an event was lost on the way. */
  begin(opening: Opening, head: Head, raw: string, lost: Warning | null = null): void {
    const block = createBlock(this.#grammar, opening, head)
    this.#calls.begin(block, lost)
    this.#beginCall(block, head)
    this.#calls.account(raw)
  }

  /** An event was lost. A call that has no name yet may miss a part of it. */
  lose(warning: Warning): void {
    this.#calls.lose(warning)
  }

  /** The loss that a block did not get to hear of, because it was none. */
  takeLoss(): Warning | null {
    return this.#calls.takeLoss()
  }

  /** Gives the text that was no block after all and has to be read again; empty where there is none. */
  takeAgain(): string {
    const again = this.#again
    this.#again = ''
    return again
  }

  /** Gives the text behind a block that was read to judge it; empty where there is none. */
  takeBack(): string {
    const back = this.#back
    this.#back = ''
    return back
  }

  /** Reads from `i` on; returns the index up to which it took the text. Nothing is open behind a block's end. */
  read(text: string, i: number): number {
    this.#waiting = false
    for (;;) {
      const { block } = this.#calls
      if (!block || this.#waiting || i >= text.length || this.#again !== '') return i
      i = this.#step(block, text, i)
    }
  }

  #step(block: Block, text: string, i: number): number {
    switch (block.at) {
      case 'body':
        return this.#readBody(block, text, i)
      case 'after':
        return this.#readAfter(block, text, i)
      case 'between':
        return this.#readBetween(block, text, i)
      case 'tail':
        return this.#readTail(block, text, i)
      case 'residue':
        return block.residue ? this.#readResidue(block, block.residue, text, i) : i
      case 'lost':
        return this.#readLost(block, text, i)
      default:
        return block.at satisfies never
    }
  }

  // ---- a block from head to tail

  /** Takes what a head says of its call, whose body has been made. */
  #beginCall(block: Block, { name, id, extra }: Head): void {
    block.at = 'body'
    if (name === undefined) return
    block.decided = true
    block.pending = { name, id, extra }
    if (this.#grammar.options.earlyName) this.#calls.startPending()
  }

  #readBody(block: Block, text: string, i: number): number {
    const { format } = formatOf(this.#grammar, block)
    const isTentative = !block.decided && format.bare !== undefined
    const view = isTentative ? text.slice(0, i + maxUndecided - block.raw.length) : text
    const end = this.#account(text, i, readBody(this.#grammar, block, view, i, this.#calls))
    const { reader } = block.body
    if (reader.fault) this.#fault(block, reader.fault)
    else if (reader.status === 'done') this.#complete(block, text, end)
    else if (isTentative && !block.decided && view.length < text.length) {
      this.#fault(block, { code: 'malformed', expected: 'the name of a tool' })
    } else this.#waiting = true
    return end
  }

  /** The arguments are over. */
  #complete(block: Block, text: string, i: number): void {
    const { format, sectionClose } = formatOf(this.#grammar, block)
    const { reader } = block.body
    this.#calls.startPending()
    if (!block.decided) return this.#release(block, 'A block without a tool call stands in the text.')
    if (reader.kind === 'tagged') {
      if (reader.closed) return this.#closeCall(block)
      const isOuterClose = matchAny(text, i, sectionClose) >= 0
      if (isOuterClose ? this.#grammar.options.missingClose === 'refuse' : !this.#mayStopBetween(block)) {
        this.#refuseUnclosed()
      }
      return this.#closeCall(block)
    }
    if (format.closes === 'tag') block.at = 'after'
    else block.at = 'tail'
  }

  #closeCall(block: Block): void {
    this.#calls.closeOpen()
    const { format } = formatOf(this.#grammar, block)
    if (format.section && format.call) block.at = 'between'
    else this.#calls.finish()
  }

  // ---- behind the arguments

  #readAfter(block: Block, text: string, i: number): number {
    const found = behindArguments(this.#grammar, block, text, i)
    switch (found.is) {
      case 'wait':
        return this.#wait(i)
      case 'close':
        this.#account(text, i, found.end)
        this.#closeCall(block)
        return found.end
      case 'brace':
        // One brace too many is the arguments' own fault: the verdict knows its name, and under which policy to mend it.
        this.#calls.append('}')
        return this.#account(text, i, found.end)
      case 'fence':
        block.body.fenced = false
        return this.#account(text, i, found.end)
      case 'another':
        block.body.reader = createReader(shapeOf(this.#grammar, block))
        block.at = 'body'
        return this.#account(text, i, found.at)
      case 'border':
        if (!this.#grammar.options.implicitClose) this.#refuseUnclosed()
        this.#missClose()
        this.#closeCall(block)
        return i
      case 'other':
        return this.#beginResidue(block, 'after', i)
      default:
        return found satisfies never
    }
  }

  #missClose(): void {
    if (this.#grammar.options.missingClose === 'refuse') this.#refuseUnclosed()
  }

  #refuseUnclosed(): void {
    this.#calls.refuseOpen({ code: 'malformed', expected: 'the close tag of the call' })
  }

  /** Inside a section, between two calls; or behind a call whose section was left out. */
  #readBetween(block: Block, text: string, i: number): number {
    const found = betweenCalls(this.#grammar, block, text, i)
    switch (found.is) {
      case 'wait':
        return this.#wait(i)
      case 'close':
        this.#account(text, i, found.end)
        this.#calls.finish()
        return found.end
      case 'call':
        block.body = createBody(this.#grammar, block.opening, found.head)
        this.#beginCall(block, found.head)
        return this.#account(text, i, found.head.at)
      case 'other':
        return this.#beginResidue(block, 'between', i)
      default:
        return found satisfies never
    }
  }

  /** Behind a call that needs no close tag: one may follow, or a stop token, or another call. */
  #readTail(block: Block, text: string, i: number): number {
    const found = behindTail(this.#grammar, block, text, i)
    switch (found.is) {
      case 'wait':
        return this.#wait(i)
      case 'token':
        this.#calls.closeOpen()
        return this.#account(text, i, found.end)
      case 'brace':
        this.#calls.append('}')
        return this.#account(text, i, found.end)
      case 'opener':
        // It is read as any other; only the separator before it is markup.
        this.#account(text, i, found.at)
        this.#endClosed()
        return found.at
      case 'another': {
        // A block of its own, so that it can turn out to be text.
        const before = block.open
        this.#calls.finish()
        const { shapes } = formatOf(this.#grammar, block).format
        const shape = shapes.findIndex(({ kind }) => kind === 'object')
        this.begin(block.opening, { at: found.at, shape, id: null }, text.slice(i, found.at))
        this.#calls.follow(before)
        return found.at
      }
      case 'other':
        if (block.open.length > 0) return this.#beginResidue(block, 'tail', i)
        this.#calls.finish()
        return i
      default:
        return found satisfies never
    }
  }

  // ---- before anything known

  #beginResidue(block: Block, behind: BlockResidue['behind'], i: number): number {
    block.residue = { behind, text: createResidue() }
    block.at = 'residue'
    return i
  }

  #readResidue(block: Block, residue: BlockResidue, text: string, i: number): number {
    const { behind, text: residual } = residue
    const judged = readResidue(residual, residueRules(this.#grammar, block, residue), text, i)
    switch (judged.is) {
      case 'wait':
        return judged.at < text.length ? this.#wait(judged.at) : judged.at
      case 'close':
        this.#calls.say(residual.raw)
        this.#account(text, judged.at, judged.end)
        if (behind === 'after') this.#closeCall(block)
        else this.#endClosed()
        return judged.end
      case 'border':
        if (behind === 'between' && this.#mayCallFollow(block, residual.raw, text, judged.at)) {
          this.#calls.say(residual.raw)
          block.at = 'between'
          return judged.at
        }
        return this.#endBefore(residue, judged.at)
      case 'prose':
        return this.#endBefore(residue, judged.at)
      case 'data':
        return this.#refuseResidue(block, residue, judged)
      default:
        return judged satisfies never
    }
  }

  #endClosed(): void {
    this.#calls.closeOpen()
    this.#calls.finish()
  }

  /** Whether another call of the section stands at `i`, behind prose. */
  #mayCallFollow(block: Block, before: string, text: string, i: number): boolean {
    const { callOpen } = formatOf(this.#grammar, block)
    return before !== '' && block.opening.as === 'section' && matchAny(text, i, callOpen) >= 0
  }

  /** The block is over without its close, and what stands behind it is text, or the next block. */
  #endBefore({ behind, text: { raw } }: BlockResidue, i: number): number {
    if (behind === 'after') this.#missClose()
    this.#endClosed()
    this.#back = raw
    return i
  }

  #refuseResidue(block: Block, residue: BlockResidue, { at, code }: { at: number; code: BlockFault['code'] }): number {
    const {
      behind,
      text: { raw },
    } = residue
    const { format } = formatOf(this.#grammar, block)
    if (behind === 'between') {
      this.#calls.refuseLast({ code, expected: 'the next call' })
      this.#calls.finish()
      this.#back = raw
      return at
    }
    this.#calls.refuseOpen({ code, expected: 'the end of the call' })
    if (behind === 'after' || endsAtStop(format)) {
      this.#addLost(raw)
      block.at = 'lost'
    } else {
      this.#calls.finish()
      this.#back = raw
    }
    return at
  }

  /** The block takes the text from `i` to `end`. */
  #account(text: string, i: number, end: number): number {
    this.#calls.account(text.slice(i, end))
    return end
  }

  #wait(i: number): number {
    this.#waiting = true
    return i
  }

  // ---- faults

  #fault(block: Block, fault: BlockFault): void {
    const { format } = formatOf(this.#grammar, block)
    if (!block.decided)
      return this.#release(block, `A block that begins like a tool call is none: expected ${fault.expected}.`)
    this.#calls.startPending()
    this.#keepUnread(block)
    this.#calls.refuseOpen(isSecond(block) ? { ...fault, code: 'multiple-objects' } : fault)
    if (format.closes === 'itself') this.#calls.finish()
    else block.at = 'lost'
  }

  /** Keeps what a reader took and gave no call: as arguments where it stands behind some, else in a warning. */
  #keepUnread(block: Block): void {
    const { reader } = block.body
    switch (reader.kind) {
      case 'object': {
        const raw = besideCalls(reader)
        if (isSecond(block)) this.#calls.append(raw)
        else if (raw !== '') this.#calls.remark('A part of a call object is no part of any arguments.', raw)
        break
      }
      case 'python':
        if (reader.at === 'name' || reader.at === 'key' || reader.at === 'equals') this.#calls.append(reader.token)
        else if (reader.at === 'value' && reader.value.at === 'token') this.#calls.append(reader.value.token)
        break
      case 'tagged':
        if (reader.at === 'gap') this.#calls.append(reader.key)
        break
      case 'dict':
        if (!reader.fault && reader.value.at === 'token') this.#calls.append(reader.value.token)
        break
      case 'json':
        break
      default:
        reader satisfies never
    }
  }

  /** It was no call. Without a tag it was nothing but text, which may hold a call further on. */
  #release(block: Block, message: string): void {
    const { format } = formatOf(this.#grammar, block)
    const { reader } = block.body
    // One with a name is a call of its own, even if nobody has such a tool.
    this.#calls.settleBefore(reader.kind === 'object' && reader.name !== null ? null : noCall)
    if (format.bare === undefined) return this.#calls.release(message)
    this.#again = block.raw
    this.#calls.abandon()
  }

  /**
   * Past a fault. Nobody knows any more what is inside a string, so that only the block's close tag is believed; what comes before
   * it stays with the refused call.
   */
  #readLost(block: Block, text: string, i: number): number {
    const { ends, closes } = this.#endsOfLost(block)
    const firsts = new Set(ends.map((end) => end.charAt(0)))
    let at = i
    let end: number = noMatch
    for (; at < text.length && end === noMatch; at++) {
      if (firsts.has(text.charAt(at))) end = matchAny(text, at, ends)
    }
    if (end !== noMatch) at--
    this.#addLost(text.slice(i, at))
    if (end < 0) return this.#wait(at)
    const close = matchAny(text, at, closes)
    if (close < 0) {
      this.#calls.finish()
      return at
    }
    this.#account(text, at, close)
    const { format, sectionClose } = formatOf(this.#grammar, block)
    if (format.section && format.call && matchAny(text, at, sectionClose) < 0) block.at = 'between'
    else this.#calls.finish()
    return close
  }

  /** Where a call that is lost ends: at its close, or, where its strings are known to be over, at the next opener as well. */
  #endsOfLost(block: Block): { readonly ends: readonly string[]; readonly closes: readonly string[] } {
    const { format, sectionClose, sectionOpen, callOpen } = formatOf(this.#grammar, block)
    const own = callCloses(this.#grammar, block)
    if (block.residue) {
      const closes = [...own, ...sectionClose, ...(endsAtStop(format) ? (format.stops ?? []) : [])]
      return { ends: [...closes, ...sectionOpen, ...callOpen], closes }
    }
    const closes = format.section && (block.opening.as === 'section' || own.length === 0) ? sectionClose : own
    return { ends: closes, closes }
  }

  #addLost(raw: string): void {
    this.#calls.append(raw)
    this.#calls.account(raw)
  }

  // ---- the end

  /** The text is over, and `held` is what was waited with. `cut`: it was not the model that ended it. Returns what is text after all. */
  end(held: string, cut: boolean): string {
    const { block } = this.#calls
    if (!block) return held
    if (block.at === 'tail' || block.at === 'between') return this.#endOutside(block, held)
    if (block.at === 'residue' && block.residue) return this.#endResidue(block.residue, held, cut)
    if (block.at === 'body') this.#endBody(block, held, cut)
    else if (block.at === 'lost') this.#addLost(held)
    else {
      this.#calls.account(held)
      if (cut || this.#grammar.options.missingClose === 'refuse') {
        this.#calls.refuseOpen({ code: 'truncated', expected: 'the close tag of the call' })
      }
      this.#calls.closeOpen()
    }
    if (this.#calls.block) this.#calls.finish()
    return this.takeAgain()
  }

  /** Outside of any call. Half a close tag is markup; anything else is text. */
  #endOutside(block: Block, held: string): string {
    const { sectionClose } = formatOf(this.#grammar, block)
    const rest = held.trimStart()
    const isClose = block.at === 'between' && rest.length > 1 && sectionClose.some((close) => close.startsWith(rest))
    if (isClose) this.#calls.account(held)
    this.#endClosed()
    return isClose ? '' : held
  }

  /** The text is over before anything known came. Where it may go on, so may what could be data. */
  #endResidue({ behind, text }: BlockResidue, held: string, cut: boolean): string {
    const isCut = cut && text.raw.trim() !== ''
    if (behind !== 'between') {
      if (isCut || (cut && behind === 'after')) {
        this.#calls.refuseOpen({ code: 'truncated', expected: 'the end of the call' })
      } else if (behind === 'after') this.#missClose()
      if (isUnfinished(text)) this.#calls.refuseOpen({ code: 'ambiguous-text', expected: 'the end of the call' })
    }
    this.#endClosed()
    return text.raw + held
  }

  #endBody(block: Block, held: string, cut: boolean): void {
    const { reader } = block.body
    this.#calls.startPending()
    if (!block.decided) {
      this.#calls.account(held)
      return this.#release(block, 'A block that begins like a tool call stops before its name.')
    }
    if (reader.kind === 'tagged') {
      endTaggedArgs(reader, taggedRules(this.#grammar, block), held, this.#calls)
      if (!cut && this.#mayStopBetween(block)) {
        closeTaggedArgs(reader, this.#calls)
        this.#calls.closeOpen()
      }
    } else {
      this.#keepUnread(block)
      this.#calls.append(held)
    }
    this.#calls.account(held)
    this.#calls.refuseOpen({ code: 'truncated', expected: 'the rest of the call' })
  }

  /** Whether tagged arguments that stop between two parameters may be taken as whole. */
  #mayStopBetween(block: Block): boolean {
    const { reader } = block.body
    if (reader.kind !== 'tagged' || this.#grammar.options.missingClose !== 'accept-complete') return false
    const required = requiredKeys(this.#grammar.schemaOf(block.body.name))
    return reader.at === 'pair' && required.every((key) => reader.seen.has(key))
  }
}

/** Whether an object without a call stands directly behind a whole one, outside of any list. */
function isSecond({ body: { reader }, open }: Block): boolean {
  return reader.kind === 'object' && !reader.list && !reader.opened && open.length > 0
}
