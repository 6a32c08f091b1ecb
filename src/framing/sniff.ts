// Tells from the start of a body how its events are framed, and hands the body to the branch that reads such frames.

import type { Frame, FramingContext } from '../model/frames.ts'
import type { Step } from '../model/stage.ts'
import { byteLength, isLonger, longestQuote, quote } from './measure.ts'
import { faultFrame } from './numbering.ts'
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
  // Chosen by the first chunk that is not empty.
  let branch: Step<Uint8Array | string> | undefined

  function choose(chunk: Uint8Array | string): Step<Uint8Array | string> {
    if (typeof chunk === 'string' || !isBinary(chunk[0] ?? 0, contentType))
      return utf8(context)(sniffText(context, branches))
    const binary = branches.binary?.()
    return binary === undefined ? utf8(context)(notAStream(context, branches.frames)) : bytesOnly(binary)
  }

  return {
    push(chunk) {
      if (chunk.length === 0) return
      branch ??= choose(chunk)
      branch.push(chunk)
    },
    end() {
      if (branch === undefined) branches.frames.end()
      else branch.end()
    },
  }
}

interface SniffState {
  /** `start`: nothing but white space yet. `bracket`: `[` and white space. `lines`: no line told yet. `settled`: the branch gets all. */
  at: 'start' | 'bracket' | 'lines' | 'settled'
  /** The body so far. Emptied when it is settled. */
  held: Tail
  /** In `lines`: whether the body begins with `{`. */
  object: boolean
  /** In `lines`: the line in progress. */
  line: Tail
  /** In `lines`: UTF-8 bytes of the lines before it, line ends included. */
  bytes: number
  /** In `lines`: the last character of the lines before it that is no white space; `''` on the first line. */
  before: string
}

function sniffText(context: FramingContext, branches: FramingBranches): Step<string> {
  const state: SniffState = { at: 'start', held: emptyTail(), object: false, line: emptyTail(), bytes: 0, before: '' }
  let branch: Step<string> | undefined

  function settle(to: Step<string>): void {
    state.at = 'settled'
    branch = to
    take(state.line)
    branch.push(take(state.held))
  }

  function start(chunk: string): void {
    const text = chunk.trimStart()
    if (text === '') return
    append(state.held, text)
    if (text.startsWith('<')) settle(notAStream(context, branches.frames))
    else if (text.startsWith('[')) {
      state.at = 'bracket'
      afterBracket(text.slice(1))
    } else readLines(text)
  }

  /** An array of events holds objects. Anything else in brackets is prose, such as a line of a log. */
  function afterBracket(chunk: string): void {
    const text = chunk.trimStart()
    // More white space than anything may be long: the branch that holds none of it gets the rest.
    if (state.held.units - text.length > context.maxEventBytes) return settle(branches.text('json'))
    if (text === '') return
    if (text.startsWith('{') || text.startsWith(']')) settle(branches.text('json'))
    else readLines(peek(state.held))
  }

  function readLines(text: string): void {
    if (state.at !== 'lines') {
      state.at = 'lines'
      state.object = text.startsWith('{')
    }
    let at = 0
    for (const { index: end } of text.matchAll(lineEnd)) {
      const line = take(state.line) + text.slice(at, end)
      if (isLonger(line, context.maxEventBytes - state.bytes)) return giveUp()
      const framing = framingOf(line)
      if (framing !== undefined) return settle(branches.text(framing))
      state.bytes += byteLength(line) + 1
      state.before = line.trimEnd().at(-1) ?? state.before
      at = end + 1
    }
    if (at < text.length) append(state.line, text.slice(at))
    if (tailExceeds(state.line, context.maxEventBytes - state.bytes)) giveUp()
  }

  function framingOf(line: string): TextFraming | undefined {
    if (line !== '' && fieldOf(line) !== undefined) return 'sse'
    // In a body that is laid out over lines, a member's value or an element can be a whole object on its line.
    const inside = state.object && (state.before === ':' || state.before === ',' || state.before === '[')
    return !inside && isObject(line) ? 'ndjson' : undefined
  }

  /** There is too much to hold: a single line is for its branch to skip, several that don't parse alone are one body. */
  function giveUp(): void {
    if (!state.object) settle(branches.text('sse'))
    else settle(branches.text(state.before === '' ? 'ndjson' : 'json'))
  }

  function settleAtEnd(): void {
    const lastLine = take(state.line)
    if (state.at === 'bracket' || (state.object && isObject(peek(state.held)))) settle(branches.text('json'))
    else settle(branches.text(framingOf(lastLine) ?? (state.object ? 'ndjson' : 'sse')))
  }

  return {
    push(text) {
      if (state.at === 'settled') return branch?.push(text)
      if (state.at === 'start') return start(text)
      append(state.held, text)
      if (state.at === 'bracket') afterBracket(text)
      else readLines(text)
    },
    end() {
      if (state.at === 'bracket' || state.at === 'lines') settleAtEnd()
      if (branch === undefined) branches.frames.end()
      else branch.end()
    },
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
export function isObject(text: string): boolean {
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
