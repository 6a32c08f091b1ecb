// Server-sent events: text to frames. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html

import { createParser, type ParseError } from 'eventsource-parser'
import type { Frame, FramingContext } from '../model/frames.ts'
import type { Stage } from '../model/stage.ts'
import { byteLength, isLonger, quote } from './measure.ts'
import { eventFrame, faultFrame } from './numbering.ts'
import { append, clear, emptyTail, take, tailExceeds, type Tail } from './tail.ts'

/** The fields of the standard, and the one that llama.cpp writes its errors to. */
const fields = ['data', 'event', 'id', 'retry', 'error'] as const

interface SseState {
  /** What came since the last blank line, line ends as LF. */
  tail: Tail
  /** Whether the last chunk ended in CR: an LF that follows belongs to it. */
  afterReturn: boolean
  /** Whether the text so far ends a line, so that an LF now is a blank line. True at the start. */
  atLineStart: boolean
  /** Whether the event in progress was over the limit and is dropped up to its blank line. */
  skipping: boolean
  /**
   * Lines that are no field, held as long as nothing showed that this is an event stream: a body of them alone is prose.
   * `undefined` from the first event on.
   */
  prose: string[] | undefined
  proseBytes: number
  /** Whether a line that is no field came: others like it may follow. */
  odd: boolean
  /** Set when prose alone went over the limit: the body is no stream, and nothing of it is read any more. */
  closed: boolean
}

/**
 * Reads an event stream. The parser only ever gets whole events, as many at once as there are, so it holds nothing between
 * two chunks; the unread rest is kept here. An event's size is that of its lines, each line end one byte, the last not counted.
 *
 * - A last event without its blank line is read at the end, `terminated: false`. The standard drops it; servers leave it out.
 * - A blank `data:` is a keep-alive and no frame.
 * - A last line that stops inside a field name is a frame of its own, `terminated: false`: a cut, not a line that nobody knows.
 * - A line that is no field is an `unknown-line`, but a body of nothing else is one `not-a-stream`.
 */
export function sse(context: FramingContext): Stage<string, Frame> {
  return (next) => {
    const state: SseState = {
      tail: emptyTail(),
      afterReturn: false,
      atLineStart: true,
      skipping: false,
      prose: [],
      proseBytes: 0,
      odd: false,
      closed: false,
    }
    const parse = eventParser({
      event(data, terminated, name) {
        if (open() && !isBlank(data)) next.push(eventFrame(context, data, terminated, name))
      },
      error(data) {
        if (open()) next.push(faultFrame(context, 'error-line', data))
      },
      unknown: readUnknown,
    })

    /** `text` is whole lines, the last one blank. */
    function feed(text: string, terminated: boolean): void {
      // The parser makes an Error of every line that is no field. A body full of them must not cost that.
      if (state.prose === undefined && !state.odd) parse(text, terminated)
      else feedFields(text, terminated)
    }

    /** Gives the parser only what it knows. It reads an event's lines in any number of parts, so the order stays. */
    function feedFields(text: string, terminated: boolean): void {
      let from = 0
      for (let at = 0; at < text.length;) {
        const end = text.indexOf('\n', at)
        const line = text.slice(at, end)
        if (line !== '' && !isField(line)) {
          parse(text.slice(from, at), terminated)
          readUnknown(line)
          from = end + 1
        }
        at = end + 1
      }
      parse(text.slice(from), terminated)
    }

    /** This is an event stream after all: the lines that looked like prose are faults of their own. False where it is too late. */
    function open(): boolean {
      const lines = state.prose
      state.prose = undefined
      for (const line of lines ?? []) next.push(faultFrame(context, 'unknown-line', line))
      return !state.closed
    }

    function readUnknown(line: string): void {
      state.odd = true
      if (state.closed) return
      if (state.prose === undefined) return next.push(faultFrame(context, 'unknown-line', line))
      state.prose.push(line)
      state.proseBytes += byteLength(line) + 1
      if (state.proseBytes > context.maxEventBytes) close()
    }

    function close(): void {
      next.push(faultFrame(context, 'not-a-stream', quote((state.prose ?? []).join('\n'))))
      state.prose = undefined
      state.closed = true
    }

    function skip(text: string): void {
      if (open()) next.push(faultFrame(context, 'over-limit', quote(text, context.maxEventBytes)))
    }

    /** `text` is whole events, each with its blank line. */
    function readEvents(text: string): void {
      if (text.length * 3 <= context.maxEventBytes) return feed(text, true)
      let from = 0
      for (let at = 0; at < text.length;) {
        // Blank lines between two events are no part of either.
        if (text.startsWith('\n', at)) {
          at++
          continue
        }
        const end = text.indexOf('\n\n', at)
        if (isLonger(text.slice(at, end), context.maxEventBytes)) {
          feed(text.slice(from, at), true)
          skip(text.slice(at, end))
          from = end + 2
        }
        at = end + 2
      }
      feed(text.slice(from), true)
    }

    function readLast(text: string): void {
      const lastLine = text.slice(text.lastIndexOf('\n') + 1)
      if (lastLine === '' || isField(lastLine)) return feed(`${text}\n\n`, false)
      feed(`${text.slice(0, text.length - lastLine.length)}\n`, false)
      if (state.prose === undefined || isFieldStart(lastLine)) {
        if (open()) next.push(eventFrame(context, lastLine, false))
      } else readUnknown(lastLine)
    }

    function accept(text: string): void {
      const end = endOfEvents(text, state.atLineStart)
      if (end > 0) readEvents(take(state.tail) + text.slice(0, end))
      if (end < text.length) append(state.tail, text.slice(end))
      state.atLineStart = text.endsWith('\n')
      // A line end at the tail's end may turn out to be the event's last.
      if (!tailExceeds(state.tail, context.maxEventBytes + (state.atLineStart ? 1 : 0))) return
      skip(take(state.tail))
      state.skipping = true
    }

    /** What follows the event that is being skipped; nothing while it goes on. */
    function afterSkipped(text: string): string {
      const end = endOfFirstEvent(text, state.atLineStart)
      state.skipping = end === 0
      state.atLineStart = end > 0 || text.endsWith('\n')
      return end === 0 ? '' : text.slice(end)
    }

    return {
      push(chunk) {
        if (state.closed || chunk === '') return
        let text = state.afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk
        state.afterReturn = chunk.endsWith('\r')
        if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
        if (state.skipping && text !== '') text = afterSkipped(text)
        if (text !== '') accept(text)
      },
      end() {
        if (!state.skipping && !state.closed && state.tail.units > 0) readLast(take(state.tail))
        clear(state.tail)
        if (state.prose !== undefined && state.prose.length > 0) close()
        next.end()
      },
    }
  }
}

interface EventReader {
  event(data: string, terminated: boolean, name: string | undefined): void
  error(data: string): void
  unknown(line: string): void
}

/** The parser as a function of whole events: what it reads goes to `reader` before it returns. */
function eventParser(reader: EventReader): (text: string, terminated: boolean) => void {
  let ended = true
  const parser = createParser({
    onEvent: (message) => reader.event(message.data, ended, message.event),
    onError: (fault) => readFault(fault, reader),
  })
  // Its first chunk is searched for a byte order mark that was decoded wrongly; no event may be taken for one.
  parser.feed('')
  return (text, terminated) => {
    ended = terminated
    if (text !== '') parser.feed(text)
  }
}

function readFault(fault: ParseError, reader: EventReader): void {
  // A `retry` that is no number is ignored, as the standard has it.
  if (fault.type !== 'unknown-field') return
  if (fault.field === 'error') reader.error(fault.value ?? '')
  else reader.unknown(fault.line ?? '')
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

/** Whether a line, without its line end, is a comment or a field that a stream of events may have. */
export function isField(line: string): boolean {
  const colon = line.indexOf(':')
  const name = colon === -1 ? line.trimEnd() : line.slice(0, colon)
  return colon === 0 || fields.some((field) => field === name)
}

function isFieldStart(line: string): boolean {
  return fields.some((field) => field.startsWith(line))
}

function isBlank(data: string): boolean {
  return !(data.charCodeAt(0) > 0x20) && data.trim() === ''
}
