// Tells from the start of a body how its events are framed, and hands the body to the branch that reads such frames.

import type { Frame } from '../model/frames.ts'
import type { FramingContext } from './context.ts'
import type { Step } from '../model/stage.ts'
import { byteLength, isLonger, longestQuote, quote } from './measure.ts'
import { faultFrame } from './frame.ts'
import { fieldOf } from './sse.ts'
import { append, emptyTail, peek, take, tailExceeds, type Tail } from './tail.ts'
import { utf8 } from './utf8.ts'

/** A CRLF makes an empty line here, which tells nothing. */
const lineEnd = /[\r\n]/g

/** How events are framed in text. `json` is a whole body: an array of events, or one object over several lines. */
export type TextFraming = 'sse' | 'ndjson' | 'json'

/** Where a body can go. The makers are asked once, when the framing is known, so nothing else is ever built. */
export interface FramingBranches {
  text(framing: TextFraming): Step<string>
  /** Reads an AWS event stream. Without it such bytes are no stream. */
  binary?(): Step<Uint8Array>
  /** Gets the fault of a body that is no stream, and the end of one that took no branch. */
  readonly frames: Step<Frame>
}

/**
 * The first step of a stream of bytes or text. White space and a byte order mark ahead are dropped.
 *
 * | the body begins with | framing |
 * | --- | --- |
 * | a zero byte | AWS event stream: messages begin with their length, whose first byte is zero up to 16 MiB |
 * | `<` | HTML or XML: one `not-a-stream` fault that quotes the start |
 * | `[` and then `{` or `]` | a JSON array |
 * | anything else | by the first line that tells: a field or comment of server-sent events, or a JSON object (NDJSON) |
 *
 * Where no line tells until the end, a body that begins with `{` is JSON if it parses as a whole, else NDJSON whose lines don't
 * parse; any other body is for `sse`, which finds out prose. Nothing at all is neither a frame nor a fault.
 * `contentType` is a media type, parameters allowed. Bytes that can't begin a text are an AWS event stream where it says so.
 */
export function sniff(
  context: FramingContext,
  branches: FramingBranches,
  contentType: string = '',
): Step<Uint8Array | string> {
  return new Switch((settle) => new BodySniffer(context, branches, contentType, settle))
}

/** What to call when it is known where the rest of the body goes. The caller pushes what it holds there by itself. */
type Settle<In> = (branch: Step<In>) => void

/** Hands everything to a sniffer until that settles for a branch, and to the branch from then on: of the sniffer nothing stays. */
class Switch<In> implements Step<In> {
  #to: Step<In>

  constructor(sniffer: (settle: Settle<In>) => Step<In>) {
    this.#to = sniffer((branch) => void (this.#to = branch))
  }

  push(item: In): void {
    this.#to.push(item)
  }

  end(): void {
    this.#to.end()
  }
}

/** Settles by the first chunk that is not empty. */
class BodySniffer implements Step<Uint8Array | string> {
  readonly #context: FramingContext
  readonly #branches: FramingBranches
  readonly #contentType: string
  readonly #settle: Settle<Uint8Array | string>

  constructor(
    context: FramingContext,
    branches: FramingBranches,
    contentType: string,
    settle: Settle<Uint8Array | string>,
  ) {
    this.#context = context
    this.#branches = branches
    this.#contentType = contentType
    this.#settle = settle
  }

  push(chunk: Uint8Array | string): void {
    if (chunk.length === 0) return
    const branch = this.#branchFor(chunk)
    this.#settle(branch)
    branch.push(chunk)
  }

  end(): void {
    this.#branches.frames.end()
  }

  #branchFor(chunk: Uint8Array | string): Step<Uint8Array | string> {
    const context = this.#context
    const branches = this.#branches
    if (typeof chunk === 'string' || !isBinary(chunk[0] ?? 0, this.#contentType)) {
      return utf8(context)(new Switch((settle) => new TextSniffer(context, branches, settle)))
    }
    const binary = branches.binary?.()
    return binary === undefined ? utf8(context)(notAStream(context, branches.frames)) : bytesOnly(binary)
  }
}

class TextSniffer implements Step<string> {
  readonly #context: FramingContext
  readonly #branches: FramingBranches
  readonly #settle: Settle<string>
  /** `start`: nothing but white space yet. `bracket`: `[` and white space. `lines`: no line told yet. */
  #at: 'start' | 'bracket' | 'lines' = 'start'
  /** The body so far. */
  readonly #held: Tail = emptyTail()
  /** In `lines`: whether the body begins with `{`. */
  #object = false
  /** In `lines`: the line in progress. */
  readonly #line: Tail = emptyTail()
  /** In `lines`: UTF-8 bytes of the lines before it, line ends included. */
  #bytes = 0
  /** In `lines`: the last character of the lines before it that is no white space; `''` on the first line. */
  #before = ''

  constructor(context: FramingContext, branches: FramingBranches, settle: Settle<string>) {
    this.#context = context
    this.#branches = branches
    this.#settle = settle
  }

  push(text: string): void {
    if (this.#at === 'start') return this.#start(text)
    append(this.#held, text)
    if (this.#at === 'bracket') this.#afterBracket(text)
    else this.#readLines(text)
  }

  end(): void {
    if (this.#at === 'start') this.#branches.frames.end()
    else this.#branchAtEnd().end()
  }

  /** Gives the branch the body so far. */
  #take(branch: Step<string>): Step<string> {
    this.#settle(branch)
    branch.push(take(this.#held))
    return branch
  }

  #takeAs(framing: TextFraming): Step<string> {
    return this.#take(this.#branches.text(framing))
  }

  #start(chunk: string): void {
    const text = chunk.trimStart()
    if (text === '') return
    append(this.#held, text)
    if (text.startsWith('<')) this.#take(notAStream(this.#context, this.#branches.frames))
    else if (text.startsWith('[')) {
      this.#at = 'bracket'
      this.#afterBracket(text.slice(1))
    } else this.#readLines(text)
  }

  /** An array of events holds objects. Anything else in brackets is prose, such as a line of a log. */
  #afterBracket(chunk: string): void {
    const text = chunk.trimStart()
    // More white space than anything may be long: the branch that holds none of it gets the rest.
    const tooLong = this.#held.units - text.length > this.#context.maxEventBytes
    if (tooLong || text.startsWith('{') || text.startsWith(']')) this.#takeAs('json')
    else if (text !== '') this.#readLines(peek(this.#held))
  }

  #readLines(text: string): void {
    if (this.#at !== 'lines') {
      this.#at = 'lines'
      this.#object = text.startsWith('{')
    }
    const { maxEventBytes } = this.#context
    let at = 0
    for (const { index: end } of text.matchAll(lineEnd)) {
      const line = take(this.#line) + text.slice(at, end)
      if (isLonger(line, maxEventBytes - this.#bytes)) return this.#giveUp()
      const framing = this.#framingOf(line)
      if (framing !== undefined) return void this.#takeAs(framing)
      this.#bytes += byteLength(line) + 1
      this.#before = line.trimEnd().at(-1) ?? this.#before
      at = end + 1
    }
    if (at < text.length) append(this.#line, text.slice(at))
    if (tailExceeds(this.#line, maxEventBytes - this.#bytes)) this.#giveUp()
  }

  #framingOf(line: string): TextFraming | undefined {
    if (line !== '' && fieldOf(line) !== undefined) return 'sse'
    // In a body that is laid out over lines, a member's value or an element can be a whole object on its line.
    const inside = this.#object && (this.#before === ':' || this.#before === ',' || this.#before === '[')
    return !inside && isObjectText(line) ? 'ndjson' : undefined
  }

  /** There is too much to hold: a single line is for its branch to skip, several that don't parse alone are one body. */
  #giveUp(): void {
    if (!this.#object) this.#takeAs('sse')
    else this.#takeAs(this.#before === '' ? 'ndjson' : 'json')
  }

  #branchAtEnd(): Step<string> {
    if (this.#at === 'bracket' || (this.#object && isObjectText(peek(this.#held)))) return this.#takeAs('json')
    return this.#takeAs(this.#framingOf(take(this.#line)) ?? (this.#object ? 'ndjson' : 'sse'))
  }
}

/** Takes a body that is no stream: one fault that quotes its start, as soon as there is enough to quote. */
function notAStream(context: FramingContext, frames: Step<Frame>): Step<string> {
  // One more than is quoted: whether the last character is half a pair shows only by what follows it.
  const enough = longestQuote + 1
  let start: string | undefined = ''

  function report(text: string): void {
    start = undefined
    frames.push(faultFrame(context, 'not-a-stream', quote(text)))
  }

  return {
    push(text) {
      if (start === undefined) return
      start += text.slice(0, enough)
      if (start.length >= enough) report(start)
    },
    end() {
      if (start !== undefined) report(start)
      frames.end()
    },
  }
}

/** A binary stream has no use for text, but nothing that comes may vanish: its bytes go where they will not check out. */
function bytesOnly(binary: Step<Uint8Array>): Step<Uint8Array | string> {
  return {
    push(chunk) {
      binary.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
    },
    end() {
      binary.end()
    },
  }
}

function isBinary(first: number, contentType: string): boolean {
  if (first === 0) return true
  const [type = ''] = contentType.split(';')
  return type.trim().toLowerCase() === 'application/vnd.amazon.eventstream' && !beginsText(first)
}

/** ASCII that can be seen, its white space, or the first byte of a byte order mark. */
function beginsText(byte: number): boolean {
  return (byte >= 0x20 && byte <= 0x7e) || (byte >= 0x09 && byte <= 0x0d) || byte === 0xef
}

/** Whether a text is one JSON object and nothing else. */
export function isObjectText(text: string): boolean {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return false
  try {
    JSON.parse(trimmed)
    return true
  } catch {
    // Not JSON: that is the answer.
    return false
  }
}
