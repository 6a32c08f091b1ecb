/** Reads one block of calls from its first argument to its last close tag, and judges whether it is whole. */
import type { WireDelta } from '../model/deltas.ts'
import type { Warning } from '../model/events.ts'
import type { JsonObject } from '../model/json.ts'
import { compiledOf, createBlock, createReader, readBody, shapeOf, taggedRules, type Block } from './block.ts'
import { behindArguments, behindTail, betweenCalls } from './behind.ts'
import type { Grammar, Opening } from './grammar.ts'
import type { Head } from './head.ts'
import { matchAny, NO } from './literals.ts'
import { maxEvidence } from './mention.ts'
import { requiredKeys } from './parameter-types.ts'
import type { BlockFault, CallPort } from './port.ts'
import { endTaggedArgs } from './tagged-args.ts'
import type { Sink } from './sink.ts'
import { textCallKey } from './keys.ts'

/** How far a call without a tag may go before its name tells that it is one. */
const maxUndecided = 1_024

export class Blocks implements CallPort {
  readonly #grammar: Grammar
  readonly #choice: number
  readonly #sink: Sink
  #block: Block | null = null
  /** Calls of this text so far. Their keys are made of it. */
  #calls = 0
  /** An event that was lost while a call was being read that has no name yet. Cleared when the call gets one or the block is over; where it was no block after all, by the reader of this class. */
  damage: Warning | null = null
  /** Text that was taken for a block and is to be read again as text. The reader of this class takes it away. */
  again = ''
  /** Whether the block waits for more before it can go on. */
  waiting = false

  constructor(grammar: Grammar, choice: number, sink: Sink) {
    this.#grammar = grammar
    this.#choice = choice
    this.#sink = sink
  }

  get isOpen(): boolean {
    return this.#block !== null
  }

  /** Begins a block whose opener and head are `raw`. `lost`: an event was lost on the way. */
  begin(opening: Opening, head: Head, raw: string, lost: Warning | null = null): void {
    this.damage = lost
    this.#block = createBlock(this.#grammar, opening, head)
    this.#beginCall(this.#block, head, raw)
  }

  /** An event was lost. A block that is not decided may miss a part of it. */
  lose(warning: Warning): void {
    this.damage = warning
  }

  /** Reads from `i` on; returns the index up to which it took the text. Nothing is open behind a block's end. */
  read(text: string, i: number): number {
    this.waiting = false
    while (this.#block && !this.waiting && i < text.length && this.again === '') i = this.#step(this.#block, text, i)
    return i
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

  // ---- the port: what the readers of arguments say

  open(name: string, id: string | null, extra?: JsonObject): void {
    const block = this.#mustBeOpen()
    block.decided = true
    const shape = shapeOf(this.#grammar, block.format, block.shape)
    if (shape.kind === 'object' && shape.silent?.includes(name)) {
      block.current = null
      block.evidence ??= block.raw
      return
    }
    const key = textCallKey(this.#choice, this.#calls++)
    block.current = key
    block.open.push(key)
    const more = extra ? { extra } : {}
    this.#send({ type: 'call-open', choice: this.#choice, key, wireIndex: null, id, name, kind: 'function', ...more })
    if (this.damage) this.#send({ type: 'damage', warning: this.damage, key })
    this.damage = null
  }

  append(delta: string): void {
    const block = this.#mustBeOpen()
    this.#startWaiting(block)
    if (block.current !== null && delta !== '') {
      // What is read here begins and ends: `{}` is the whole of the arguments and no placeholder.
      this.#send({ type: 'call-append', key: block.current, delta, object: true })
    }
  }

  identify(id: string): void {
    const { current } = this.#mustBeOpen()
    if (current !== null) this.#send({ type: 'call-final', key: current, arguments: '', id, name: null })
  }

  refuse({ code, expected }: BlockFault): void {
    const block = this.#mustBeOpen()
    const { current } = block
    block.refused = true
    if (current === null) return
    block.open = block.open.filter((key) => key !== current)
    this.#send({ type: 'call-reject', key: current, code, expected })
  }

  remark(message: string, raw: string): void {
    this.#warn('unexpected-type', message, raw)
  }

  #mustBeOpen(): Block {
    if (!this.#block) throw new TypeError('A reader spoke outside a block.')
    return this.#block
  }

  #send(delta: WireDelta): void {
    this.#sink.delta(delta)
  }

  #warn(code: Warning['code'], message: string, raw: string): void {
    this.#send({ type: 'warning', warning: { code, message, raw: raw.slice(0, maxEvidence) } })
  }

  // ---- a block from head to tail

  #beginCall(block: Block, head: Head, raw: string): void {
    block.shape = head.shape
    block.reader = createReader(shapeOf(this.#grammar, block.format, head.shape))
    block.name = head.name ?? ''
    block.at = 'body'
    block.fenced = head.fenced === true
    if (head.name !== undefined) {
      block.waiting = { name: head.name, id: head.id, extra: head.extra }
      if (this.#grammar.options.earlyName !== false) this.#startWaiting(block)
      block.decided = true
    }
    this.#account(block, raw)
  }

  #startWaiting(block: Block): void {
    const { waiting } = block
    if (!waiting) return
    block.waiting = null
    this.open(waiting.name, waiting.id, waiting.extra)
  }

  /** Keeps what was read as long as it may be text after all. */
  #account(block: Block, raw: string): void {
    if (raw === '') return
    if (block.evidence !== null) block.evidence += raw
    if (!block.decided) {
      block.raw += raw
      return
    }
    this.#sink.block(block.raw + raw)
    block.raw = ''
  }

  #readBody(block: Block, text: string, i: number): number {
    const { format } = compiledOf(this.#grammar, block.format)
    const isTentative = !block.decided && format.bare !== undefined
    const view = isTentative ? text.slice(0, i + maxUndecided - block.raw.length) : text
    const end = readBody(this.#grammar, block, view, i, this)
    this.#account(block, text.slice(i, end))
    const { reader } = block
    if (reader.status === 'fault') this.#fault(block, reader.fault ?? { code: 'malformed', expected: 'a tool call' })
    else if (reader.status === 'done') this.#complete(block, text, end)
    else if (isTentative && !block.decided && view.length < text.length) {
      this.#fault(block, { code: 'malformed', expected: 'the name of a tool' })
    } else this.waiting = true
    return end
  }

  /** The arguments are over. */
  #complete(block: Block, text: string, i: number): void {
    const { format, sectionClose } = compiledOf(this.#grammar, block.format)
    const { reader } = block
    this.#startWaiting(block)
    if (!block.decided) return this.#release(block, 'A block without a tool call stands in the text.')
    if (reader.kind === 'tagged') {
      if (reader.closed) return this.#closeCall(block)
      const isOuterClose = matchAny(text, i, sectionClose) >= 0
      if (isOuterClose ? this.#grammar.options.missingClose === 'refuse' : !this.#mayStopBetween(block)) {
        this.#refuseOpen(block, { code: 'malformed', expected: 'the close tag of the call' })
      }
      return this.#closeCall(block)
    }
    if (format.closes === 'tag') block.at = 'after'
    else {
      this.#closeOpen(block)
      block.at = 'tail'
    }
  }

  #closeCall(block: Block): void {
    this.#closeOpen(block)
    const { format } = compiledOf(this.#grammar, block.format)
    if (format.section && format.call) block.at = 'between'
    else this.#finish(block)
  }

  #closeOpen(block: Block): void {
    for (const key of block.open) this.#send({ type: 'call-close', key })
    if (block.open.length > 0) block.accepted = true
    block.open = []
  }

  #refuseOpen(block: Block, { code, expected }: { code: BlockFault['code'] | 'truncated'; expected: string }): void {
    for (const key of block.open) this.#send({ type: 'call-reject', key, code, expected })
    if (block.open.length > 0) block.refused = true
    block.open = []
  }

  #finish(block: Block): void {
    this.#block = null
    this.damage = null
    const { evidence, refused, accepted } = block
    if (evidence === null || evidence === '') return
    if (refused && !accepted) this.#send({ type: 'text', choice: this.#choice, delta: evidence })
    else if (block.current === null) {
      this.#warn('suppressed-call', 'The model said that it calls no tool.', evidence)
    }
  }

  // ---- behind the arguments

  #readAfter(block: Block, text: string, i: number): number {
    const found = behindArguments(this.#grammar, block, text, i)
    switch (found.is) {
      case 'wait':
        return this.#wait(i)
      case 'close':
        this.#account(block, text.slice(i, found.end))
        this.#closeCall(block)
        return found.end
      case 'brace':
        // One brace too many is the arguments' own fault: the verdict knows its name, and under which policy to mend it.
        this.append('}')
        this.#account(block, text.slice(i, found.end))
        return found.end
      case 'fence':
        block.fenced = false
        this.#account(block, text.slice(i, found.end))
        return found.end
      case 'another':
        block.reader = createReader(shapeOf(this.#grammar, block.format, block.shape))
        block.at = 'body'
        this.#account(block, text.slice(i, found.at))
        return found.at
      case 'border':
        if (this.#grammar.options.implicitClose === false) this.#refuseUnclosed(block)
        return this.#missClose(block, i, true)
      case 'other':
        return this.#missClose(block, i, false)
      default:
        return found satisfies never
    }
  }

  /** The close tag is missing. At a `border` the section may go on. */
  #missClose(block: Block, i: number, border: boolean): number {
    if (this.#grammar.options.missingClose === 'refuse') this.#refuseUnclosed(block)
    if (border) this.#closeCall(block)
    else {
      this.#closeOpen(block)
      this.#finish(block)
    }
    return i
  }

  #refuseUnclosed(block: Block): void {
    this.#refuseOpen(block, { code: 'malformed', expected: 'the close tag of the call' })
  }

  /** Inside a section, between two calls; or behind a call whose section was left out. */
  #readBetween(block: Block, text: string, i: number): number {
    const found = betweenCalls(this.#grammar, block, text, i)
    switch (found.is) {
      case 'wait':
        return this.#wait(i)
      case 'close':
        this.#account(block, text.slice(i, found.end))
        this.#finish(block)
        return found.end
      case 'call':
        this.#beginCall(block, found.head, text.slice(i, found.head.at))
        return found.head.at
      case 'other':
        this.#finish(block)
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
        this.#account(block, text.slice(i, found.end))
        return found.end
      case 'opener':
        // It is read as any other; only the separator before it is markup.
        this.#account(block, text.slice(i, found.at))
        this.#finish(block)
        return found.at
      case 'another': {
        // A block of its own, so that it can turn out to be text.
        this.#finish(block)
        const shape = compiledOf(this.#grammar, block.format).format.shapes.findIndex(({ kind }) => kind === 'object')
        this.begin(block.opening, { at: found.at, shape, id: null }, text.slice(i, found.at))
        return found.at
      }
      case 'other':
        this.#finish(block)
        return i
      default:
        return found satisfies never
    }
  }

  #wait(i: number): number {
    this.waiting = true
    return i
  }

  // ---- faults

  #fault(block: Block, fault: BlockFault): void {
    const { format } = compiledOf(this.#grammar, block.format)
    if (!block.decided)
      return this.#release(block, `A block that begins like a tool call is none: expected ${fault.expected}.`)
    this.#startWaiting(block)
    this.#refuseOpen(block, fault)
    if (format.closes === 'itself') this.#finish(block)
    else block.at = 'lost'
  }

  /** It was no call: what was kept goes to the text. */
  #release(block: Block, message: string): void {
    const { format } = compiledOf(this.#grammar, block.format)
    this.#block = null
    if (format.bare !== undefined) {
      // Without a tag it was nothing but text. It may hold a call further on.
      this.again = block.raw
      return
    }
    this.damage = null
    this.#sink.text(block.raw)
    this.#warn('suppressed-call', message, block.raw)
  }

  /**
   * Past a fault. Nobody knows any more what is inside a string, so that only the block's close tag is believed; what comes before
   * it stays with the refused call.
   */
  #readLost(block: Block, text: string, i: number): number {
    const { format, sectionClose } = compiledOf(this.#grammar, block.format)
    const closes = (format.section ? sectionClose : (format.call?.close ?? [])).map((close) =>
      close.replace('{name}', () => block.name),
    )
    const firsts = new Set(closes.map((close) => close.charAt(0)))
    let at = i
    let close: number = NO
    while (at < text.length) {
      if (firsts.has(text.charAt(at))) {
        close = matchAny(text, at, closes)
        if (close !== NO) break
      }
      at++
    }
    this.#addLost(block, text.slice(i, at))
    if (close >= 0) {
      this.#account(block, text.slice(at, close))
      this.#finish(block)
      return close
    }
    this.waiting = true
    return at
  }

  #addLost(block: Block, raw: string): void {
    this.append(raw)
    this.#account(block, raw)
  }

  // ---- the end

  /** The text is over, and `held` is what was waited with. `cut`: it was not the model that ended it. Returns what is text after all. */
  end(held: string, cut: boolean): string {
    const block = this.#block
    if (!block) return held
    if (block.at === 'tail' || block.at === 'between') return this.#endOutside(block, held)
    if (block.at === 'body') this.#endBody(block, held, cut)
    else if (block.at === 'lost') this.#addLost(block, held)
    else {
      this.#account(block, held)
      if (cut || this.#grammar.options.missingClose === 'refuse') {
        this.#refuseOpen(block, { code: 'truncated', expected: 'the close tag of the call' })
      }
      this.#closeOpen(block)
    }
    if (this.#block) this.#finish(block)
    const again = this.again
    this.again = ''
    return again
  }

  /** Outside of any call. Half a close tag is markup; anything else is text. */
  #endOutside(block: Block, held: string): string {
    const { sectionClose } = compiledOf(this.#grammar, block.format)
    const rest = held.trimStart()
    const isClose = block.at === 'between' && rest.length > 1 && sectionClose.some((close) => close.startsWith(rest))
    if (isClose) this.#account(block, held)
    this.#finish(block)
    return isClose ? '' : held
  }

  #endBody(block: Block, held: string, cut: boolean): void {
    const { reader } = block
    this.#startWaiting(block)
    if (!block.decided) {
      this.#account(block, held)
      return this.#release(block, 'A block that begins like a tool call stops before its name.')
    }
    if (reader.kind === 'tagged') {
      endTaggedArgs(
        reader,
        taggedRules(this.#grammar, block, shapeOf(this.#grammar, block.format, block.shape)),
        held,
        this,
      )
      if (!cut && this.#mayStopBetween(block)) {
        this.append(reader.seen.length === 0 ? '{}' : '}')
        this.#closeOpen(block)
      }
    } else this.append(held)
    this.#account(block, held)
    this.#refuseOpen(block, { code: 'truncated', expected: 'the rest of the call' })
  }

  /** Whether tagged arguments that stop between two parameters may be taken as whole. */
  #mayStopBetween(block: Block): boolean {
    const { reader } = block
    if (reader.kind !== 'tagged' || this.#grammar.options.missingClose !== 'accept-complete') return false
    const required = requiredKeys(this.#grammar.schemaOf(block.name))
    return reader.at === 'pair' && required.every((key) => reader.seen.includes(key))
  }
}
