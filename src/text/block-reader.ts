// Reads one block of calls from its first argument to its last close tag, and judges whether it is whole.

import type { Warning } from '../model/events.ts'
import { behindArguments, behindTail, betweenCalls } from './behind.ts'
import {
  callCloses,
  createBlock,
  createBody,
  createReader,
  formatOf,
  readBody,
  shapeOf,
  taggedRules,
  type Block,
} from './block.ts'
import { BlockCalls } from './block-calls.ts'
import type { Grammar, Opening } from './grammar.ts'
import type { Head } from './head.ts'
import { matchAny, noMatch } from './match.ts'
import { requiredKeys } from './parameter-types.ts'
import type { BlockFault } from './port.ts'
import type { Sink } from './sink.ts'
import { closeTaggedArgs, endTaggedArgs } from './tagged-args.ts'

/** How far a call without a tag may go before its name tells that it is one. */
const maxUndecided = 1_024

export class BlockReader {
  readonly #grammar: Grammar
  readonly #calls: BlockCalls
  /** Text that was taken for a block and is to be read again as text. Cleared by who takes it. */
  #again = ''
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
    else {
      this.#calls.closeOpen()
      block.at = 'tail'
    }
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
        return this.#missClose(block, i, true)
      case 'other':
        return this.#missClose(block, i, false)
      default:
        return found satisfies never
    }
  }

  /** The close tag is missing. At a `border` the section may go on. */
  #missClose(block: Block, i: number, border: boolean): number {
    if (this.#grammar.options.missingClose === 'refuse') this.#refuseUnclosed()
    if (border) this.#closeCall(block)
    else {
      this.#calls.closeOpen()
      this.#calls.finish()
    }
    return i
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
        this.#calls.finish()
        return i
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
        return this.#account(text, i, found.end)
      case 'opener':
        // It is read as any other; only the separator before it is markup.
        this.#account(text, i, found.at)
        this.#calls.finish()
        return found.at
      case 'another': {
        // A block of its own, so that it can turn out to be text.
        this.#calls.finish()
        const { shapes } = formatOf(this.#grammar, block).format
        const shape = shapes.findIndex(({ kind }) => kind === 'object')
        this.begin(block.opening, { at: found.at, shape, id: null }, text.slice(i, found.at))
        return found.at
      }
      case 'other':
        this.#calls.finish()
        return i
      default:
        return found satisfies never
    }
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
    this.#calls.refuseOpen(fault)
    if (format.closes === 'itself') this.#calls.finish()
    else block.at = 'lost'
  }

  /** It was no call. Without a tag it was nothing but text, which may hold a call further on. */
  #release(block: Block, message: string): void {
    const { format } = formatOf(this.#grammar, block)
    if (format.bare === undefined) return this.#calls.release(message)
    this.#again = block.raw
    this.#calls.abandon()
  }

  /**
   * Past a fault. Nobody knows any more what is inside a string, so that only the block's close tag is believed; what comes before
   * it stays with the refused call.
   */
  #readLost(block: Block, text: string, i: number): number {
    const { format, sectionClose } = formatOf(this.#grammar, block)
    const closes = format.section ? sectionClose : callCloses(this.#grammar, block)
    const firsts = new Set(closes.map((close) => close.charAt(0)))
    let at = i
    let close: number = noMatch
    for (; at < text.length && close === noMatch; at++) {
      if (firsts.has(text.charAt(at))) close = matchAny(text, at, closes)
    }
    if (close !== noMatch) at--
    this.#addLost(text.slice(i, at))
    if (close < 0) return this.#wait(at)
    this.#account(text, at, close)
    this.#calls.finish()
    return close
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
    this.#calls.finish()
    return isClose ? '' : held
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
    } else this.#calls.append(held)
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
