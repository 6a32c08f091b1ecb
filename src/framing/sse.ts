// Server-sent events: text to frames. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html

import { createParser } from 'eventsource-parser'
import type { Frame, FramingFault } from '../model/frames.ts'
import type { FramingContext } from './context.ts'
import type { Stage, Step } from '../model/stage.ts'
import { byteLength, isLonger, quote } from './measure.ts'
import { eventFrame, faultFrame } from './frame.ts'
import { append, clear, emptyTail, take, tailExceeds, type Tail } from './tail.ts'

/** The fields of the standard, where a comment is one without a name, and the one that llama.cpp writes its errors to. */
const fields = ['data', 'event', 'id', 'retry', 'error', ''] as const

const lineFeed = 0x0a
const colon = 0x3a
const dataInitial = 0x64

/**
 * Reads an event stream. The parser only ever gets whole events, as many at once as there are, so it holds nothing between
 * two chunks; the unread rest is kept here. An event's size is that of its lines, each line end one byte, the last not counted.
 *
 * - A last event without its blank line is read at the end, `terminated: false`. The standard drops it; servers leave it out.
 * - A blank `data:` is a keep-alive and no frame.
 * - A last line that stops inside a field name is a frame of its own, `terminated: false`: a cut, not a line that nobody knows.
 * - Lines that are no field are an `unknown-line`, all that follow each other one, such as an error laid out over lines.
 *   A body of nothing else is one `not-a-stream`.
 */
export function sse(context: FramingContext): Stage<string, Frame> {
  return (next) => new Sse(context, next)
}

class Sse implements Step<string> {
  readonly #context: FramingContext
  readonly #next: Step<Frame>
  readonly #parse: (text: string, terminated: boolean) => void
  /** What came since the last blank line, line ends as LF. */
  readonly #tail: Tail = emptyTail()
  /** Whether the last chunk ended in CR: an LF that follows belongs to it. */
  #afterReturn = false
  /** Whether the text so far ends a line, so that an LF now is a blank line. True at the start. */
  #atLineStart = true
  /** Whether the event in progress was over the limit and is dropped up to its blank line. */
  #skipping = false
  /**
   * Lines that are no field, those without others between them as one, held as long as nothing showed that this is an event stream:
   * a body of them alone is prose. `undefined` from the first event on.
   */
  #prose: string[] | undefined = []
  #proseBytes = 0
  /** Set when prose alone went over the limit: the body is no stream, and nothing of it is read any more. */
  #closed = false

  constructor(context: FramingContext, next: Step<Frame>) {
    this.#context = context
    this.#next = next
    this.#parse = eventParser((data, terminated, name) => {
      if (this.#open() && !isBlank(data)) next.push(eventFrame(context, data, terminated, name))
    })
  }

  push(chunk: string): void {
    if (this.#closed || chunk === '') return
    let text = this.#afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    this.#afterReturn = chunk.endsWith('\r')
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
    if (this.#skipping && text !== '') text = this.#afterSkipped(text)
    if (text !== '') this.#accept(text)
  }

  end(): void {
    if (!this.#skipping && !this.#closed && this.#tail.units > 0) this.#readLast(take(this.#tail))
    clear(this.#tail)
    if (this.#prose !== undefined && this.#prose.length > 0) this.#close()
    this.#next.end()
  }

  #accept(text: string): void {
    const end = endOfEvents(text, this.#atLineStart)
    if (end > 0) this.#readEvents(take(this.#tail) + text.slice(0, end))
    if (end < text.length) append(this.#tail, text.slice(end))
    this.#atLineStart = text.endsWith('\n')
    // A line end at the tail's end may turn out to be the event's last.
    if (!tailExceeds(this.#tail, this.#context.maxEventBytes + (this.#atLineStart ? 1 : 0))) return
    this.#skip(take(this.#tail))
    this.#skipping = true
  }

  /** What follows the event that is being skipped; nothing while it goes on. */
  #afterSkipped(text: string): string {
    const end = endOfFirstEvent(text, this.#atLineStart)
    this.#skipping = end === 0
    this.#atLineStart = end > 0 || text.endsWith('\n')
    return end === 0 ? '' : text.slice(end)
  }

  /** `text` is whole events, each with its blank line. */
  #readEvents(text: string): void {
    const { maxEventBytes } = this.#context
    if (text.length * 3 <= maxEventBytes) return this.#feed(text, true)
    let from = 0
    for (let at = 0; at < text.length;) {
      // Blank lines between two events are no part of either.
      if (text.startsWith('\n', at)) {
        at++
        continue
      }
      const end = text.indexOf('\n\n', at)
      if (isLonger(text.slice(at, end), maxEventBytes)) {
        this.#feed(text.slice(from, at), true)
        this.#skip(text.slice(at, end))
        from = end + 2
      }
      at = end + 2
    }
    this.#feed(text.slice(from), true)
  }

  #readLast(text: string): void {
    const start = text.lastIndexOf('\n') + 1
    const lastLine = text.slice(start)
    const lineBefore = start === 0 ? '' : text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1)
    // Behind a field, or alone, it can only be what a cut left of one; behind others of its kind it is theirs.
    if (!isUnknown(lastLine) || isUnknown(lineBefore)) return this.#feed(`${text}\n\n`, false)
    this.#feed(`${text.slice(0, start)}\n`, false)
    if (this.#prose === undefined || isFieldStart(lastLine)) {
      if (this.#open()) this.#next.push(eventFrame(this.#context, lastLine, false))
    } else this.#readUnknown(lastLine)
  }

  /** `text` is whole lines, the last one blank. The parser takes an event's lines in any number of parts, so the order stays. */
  #feed(text: string, terminated: boolean): void {
    let from = 0
    for (let at = 0; at < text.length;) {
      const field = fieldAt(text, at)
      const end = field === undefined ? endOfUnknown(text, at) : text.indexOf('\n', at)
      if (field === undefined || field === 'error' || field === 'retry') {
        this.#parse(text.slice(from, at), terminated)
        if (field === undefined) this.#readUnknown(text.slice(at, end))
        else if (field === 'error' && this.#open()) this.#fault('error-line', valueOf(text.slice(at, end)))
        from = end + 1
      }
      at = end + 1
    }
    this.#parse(text.slice(from), terminated)
  }

  #readUnknown(lines: string): void {
    if (this.#closed) return
    if (this.#prose === undefined) return this.#fault('unknown-line', lines)
    this.#prose.push(lines)
    this.#proseBytes += byteLength(lines) + 2
    if (this.#proseBytes > this.#context.maxEventBytes) this.#close()
  }

  /** This is an event stream after all: what looked like prose is faults of their own. False where it is too late. */
  #open(): boolean {
    if (this.#prose !== undefined) {
      const held = this.#prose
      this.#prose = undefined
      for (const lines of held) this.#fault('unknown-line', lines)
    }
    return !this.#closed
  }

  #close(): void {
    this.#fault('not-a-stream', quote((this.#prose ?? []).join('\n\n')))
    this.#prose = undefined
    this.#closed = true
  }

  #skip(text: string): void {
    if (this.#open()) this.#fault('over-limit', quote(text, this.#context.maxEventBytes))
  }

  #fault(fault: FramingFault['fault'], data: string): void {
    this.#next.push(faultFrame(this.#context, fault, data))
  }
}

/** The parser as a function of whole events: it hands on what it reads before it returns. */
function eventParser(
  onEvent: (data: string, terminated: boolean, name: string | undefined) => void,
): (text: string, terminated: boolean) => void {
  let ended = true
  const parser = createParser({ onEvent: (message) => onEvent(message.data, ended, message.event) })
  // Its first chunk is searched for a byte order mark that was decoded wrongly; no event may be taken for one.
  parser.feed('')
  return (text, terminated) => {
    ended = terminated
    if (text !== '') parser.feed(text)
  }
}

/** Where the last whole event in `text` ends; 0 where none does. */
function endOfEvents(text: string, atLineStart: boolean): number {
  // Searching forward first is the faster way to find nothing.
  if (text.includes('\n\n')) return text.lastIndexOf('\n\n') + 2
  return atLineStart && text.startsWith('\n') ? 1 : 0
}

/** Where the first whole event in `text` ends; 0 where none does. */
function endOfFirstEvent(text: string, atLineStart: boolean): number {
  if (atLineStart && text.startsWith('\n')) return 1
  const blankLine = text.indexOf('\n\n')
  return blankLine === -1 ? 0 : blankLine + 2
}

/** The field that a line, without its line end, is of: `''` for a comment, `undefined` for a line that is no field. */
export function fieldOf(line: string): (typeof fields)[number] | undefined {
  const end = line.indexOf(':')
  const name = end === -1 ? line : line.slice(0, end)
  return fields.find((field) => field === name)
}

/** `fieldOf` the line at this place; a blank line is as good as a comment. */
function fieldAt(text: string, at: number): (typeof fields)[number] | undefined {
  // Nearly all lines are these two. Comparing character codes is several times faster here than `startsWith`.
  const first = text.charCodeAt(at)
  if (first === lineFeed) return ''
  if (first === dataInitial && text.charCodeAt(at + 4) === colon && text.slice(at, at + 4) === 'data') return 'data'
  return fieldOf(text.slice(at, text.indexOf('\n', at)))
}

/** The line end behind the last of the lines from `at` on that are no field. */
function endOfUnknown(text: string, at: number): number {
  let end = text.indexOf('\n', at)
  while (fieldAt(text, end + 1) === undefined) end = text.indexOf('\n', end + 1)
  return end
}

function isUnknown(line: string): boolean {
  return line !== '' && fieldOf(line) === undefined
}

/** What follows the colon and the one space that may be there. */
function valueOf(line: string): string {
  const value = line.slice(fieldOf(line)?.length).slice(1)
  return value.startsWith(' ') ? value.slice(1) : value
}

/** Whether a line stops inside the name of a field. */
function isFieldStart(line: string): boolean {
  return fields.some((field) => field.startsWith(line))
}

function isBlank(data: string): boolean {
  return !(data.charCodeAt(0) > 0x20) && data.trim() === ''
}
