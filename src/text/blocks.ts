/** Reads one block of calls from its first argument to its last close tag, and judges whether it is whole. */
import type { WireDelta } from '../model/deltas.ts'
import type { Warning } from '../model/events.ts'
import type { JsonObject } from '../model/json.ts'
import { compiledOf, createBlock, createReader, readBody, shapeOf, taggedRules, type Block } from './block.ts'
import type { Grammar, Opening } from './grammar.ts'
import { callAt, readHead, type Head } from './head.ts'
import { matchAny, MORE, NO, skipSpace } from './literals.ts'
import { maxEvidence } from './mention.ts'
import { requiredKeys } from './parameter-types.ts'
import type { BlockFault, CallPort } from './port.ts'
import { endTaggedArgs } from './tagged-args.ts'
import type { Shape } from './row.ts'
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
  /** What an event that was lost while the block was undecided may have held. Cleared when the block is decided or over. */
  #damage: Warning | null = null
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

  /** Begins a block whose opener and head are `raw`. */
  begin(opening: Opening, head: Head, raw: string): void {
    this.#block = createBlock(this.#grammar, opening, head)
    this.#beginCall(this.#block, head, raw)
  }

  /** An event was lost. A block that is not decided may miss a part of it. */
  lose(warning: Warning): void {
    this.#damage = warning
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
    if (this.#damage) this.#send({ type: 'damage', warning: this.#damage, key })
    this.#damage = null
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
    if (format.section) block.at = 'between'
    else this.#finish(block)
  }

  #closeOpen(block: Block): void {
    for (const key of block.open) this.#send({ type: 'call-close', key })
    block.open = []
  }

  #refuseOpen(block: Block, { code, expected }: { code: BlockFault['code'] | 'truncated'; expected: string }): void {
    for (const key of block.open) this.#send({ type: 'call-reject', key, code, expected })
    if (block.open.length > 0) block.refused = true
    block.open = []
  }

  #finish(block: Block): void {
    this.#block = null
    this.#damage = null
    const { evidence, refused } = block
    if (evidence === null || evidence === '') return
    if (refused) this.#send({ type: 'text', choice: this.#choice, delta: evidence })
    else if (block.current === null) {
      this.#warn('suppressed-call', 'The model said that it calls no tool.', evidence)
    }
  }

  // ---- behind the arguments

  /** Behind complete arguments whose close tag has not come. */
  #readAfter(block: Block, text: string, i: number): number {
    const { format, sectionClose, sectionOpen, callOpen } = compiledOf(this.#grammar, block.format)
    const ownClose = format.call?.close ?? []
    const start = skipSpace(text, i)
    if (start === MORE) return this.#wait(i)
    if (start === NO) return this.#missClose(block, i)
    const close = matchAny(text, start, ownClose.length > 0 ? ownClose : sectionClose)
    if (close >= 0) {
      this.#account(block, text.slice(i, close))
      if (ownClose.length > 0) this.#closeCall(block)
      else {
        this.#closeOpen(block)
        this.#finish(block)
      }
      return close
    }
    const shape = shapeOf(this.#grammar, block.format, block.shape)
    if (text.charAt(start) === '}' && (shape.kind === 'object' || shape.kind === 'json')) {
      // One brace too many is the arguments' own fault: the verdict knows its name, and under which policy to mend it.
      this.append('}')
      this.#account(block, text.slice(i, start + 1))
      return start + 1
    }
    const next = this.#nextCall(shape, text, start)
    if (next === MORE) return this.#wait(i)
    if (next >= 0) return this.#beginAnother(block, text, i, next)
    const outer = matchAny(text, start, [...(ownClose.length > 0 ? sectionClose : []), ...sectionOpen, ...callOpen])
    if (close === MORE || outer === MORE) return this.#wait(i)
    if (outer < 0) return this.#missClose(block, i)
    const { implicitClose, missingClose } = this.#grammar.options
    if (implicitClose === false || missingClose === 'refuse') {
      this.#refuseOpen(block, { code: 'malformed', expected: 'the close tag of the call' })
    }
    if (format.section && ownClose.length > 0) this.#closeCall(block)
    else {
      this.#closeOpen(block)
      this.#finish(block)
    }
    return i
  }

  #missClose(block: Block, i: number): number {
    if (this.#grammar.options.missingClose === 'refuse') {
      this.#refuseOpen(block, { code: 'malformed', expected: 'the close tag of the call' })
    }
    this.#closeOpen(block)
    this.#finish(block)
    return i
  }

  #nextObject(text: string, i: number, separators: string): number {
    let at = i
    if (separators.includes(text.charAt(at))) {
      at = skipSpace(text, at + 1)
      if (at < 0) return at
    }
    return text.charAt(at) === '{' ? at : NO
  }

  /** Where another call of the same block begins, in shapes that may follow one another without a tag. */
  #nextCall(shape: Shape, text: string, i: number): number {
    if (shape.kind === 'object') return this.#nextObject(text, i, ',;')
    return shape.kind === 'python' && shape.list === 'lines' ? callAt(text, i, '') : NO
  }

  #beginAnother(block: Block, text: string, i: number, start: number): number {
    block.reader = createReader(shapeOf(this.#grammar, block.format, block.shape))
    block.at = 'body'
    this.#account(block, text.slice(i, start))
    return start
  }

  /** Inside a section, between two calls; or behind a call whose section was left out. */
  #readBetween(block: Block, text: string, i: number): number {
    const compiled = compiledOf(this.#grammar, block.format)
    const start = skipSpace(text, i)
    if (start === MORE) return this.#wait(i)
    if (start === NO) return this.#leave(block, i)
    const close = matchAny(text, start, compiled.sectionClose)
    if (close >= 0) {
      this.#account(block, text.slice(i, close))
      this.#finish(block)
      return close
    }
    const open = matchAny(text, start, compiled.callOpen)
    if (open >= 0) {
      const opener = compiled.callOpen.find((literal) => text.startsWith(literal, start)) ?? ''
      const opening: Opening = { format: block.format, as: 'call' }
      const rules = { tools: this.#grammar.tools, knownOnly: this.#grammar.options.unknownTool === 'text' }
      const head = readHead(compiled, opening, opener, text, open, rules)
      if (head === MORE) return this.#wait(i)
      if (head === NO || head.becomes) return this.#leave(block, i)
      this.#beginCall(block, head, text.slice(i, head.at))
      return head.at
    }
    return close === MORE || open === MORE ? this.#wait(i) : this.#leave(block, i)
  }

  #leave(block: Block, i: number): number {
    this.#finish(block)
    return i
  }

  #wait(i: number): number {
    this.waiting = true
    return i
  }

  /** Behind a call that needs no close tag: one may follow, or a stop token, or another call. */
  #readTail(block: Block, text: string, i: number): number {
    const { format, sectionClose, sectionOpen } = compiledOf(this.#grammar, block.format)
    const closes = [...sectionClose, ...(format.call?.close ?? []), ...(format.stops ?? [])]
    const close = matchAny(text, i, closes)
    if (close >= 0) {
      this.#account(block, text.slice(i, close))
      return close
    }
    if (close === MORE) return this.#wait(i)
    const { separators } = format
    if (separators === undefined) return this.#leave(block, i)
    // White space behind a call without a tag may be the answer's own, and is never waited with.
    const start = format.bare ? i : skipSpace(text, i)
    if (start === MORE) return this.#wait(i)
    if (start === NO) return this.#leave(block, i)
    const next = this.#nextObject(text, start, separators.join(''))
    if (next === MORE) return this.#wait(i)
    if (next >= 0) return this.#nextBlock(block, text, i, next)
    if (!separators.includes(text.charAt(start))) return this.#leave(block, i)
    const behind = skipSpace(text, start + 1)
    const opener = behind < 0 ? behind : matchAny(text, behind, sectionOpen)
    if (opener === MORE) return this.#wait(i)
    if (opener < 0) return this.#leave(block, i)
    // The opener is read as any other; only the separator before it is markup.
    this.#account(block, text.slice(i, behind))
    return this.#leave(block, behind)
  }

  /** Another object behind the last: a block of its own, so that it can turn out to be text. */
  #nextBlock(block: Block, text: string, i: number, start: number): number {
    this.#finish(block)
    const shape = compiledOf(this.#grammar, block.format).format.shapes.findIndex(({ kind }) => kind === 'object')
    this.begin(block.opening, { at: start, shape, id: null }, text.slice(i, start))
    return start
  }

  // ---- faults

  #fault(block: Block, fault: BlockFault): void {
    const { format, sectionClose } = compiledOf(this.#grammar, block.format)
    if (!block.decided)
      return this.#release(block, `A block that begins like a tool call is none: expected ${fault.expected}.`)
    this.#startWaiting(block)
    this.#refuseOpen(block, fault)
    const closes = [...(format.call?.close ?? []), ...sectionClose]
    if (format.closes === 'itself' && closes.length === 0) this.#finish(block)
    else block.at = 'lost'
  }

  /** It was no call: what was kept goes to the text. */
  #release(block: Block, message: string): void {
    const { format } = compiledOf(this.#grammar, block.format)
    this.#block = null
    this.#damage = null
    if (format.bare !== undefined) {
      // Without a tag it was nothing but text. It may hold a call further on.
      this.again = block.raw
      return
    }
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
