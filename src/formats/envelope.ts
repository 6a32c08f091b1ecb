// Parses the JSON around every event, once, for all formats.

import type { WireMessage } from '../model/formats.ts'
import type { EventFrame, Frame } from '../model/frames.ts'
import type { Stage, Step } from '../model/stage.ts'

/**
 * Events whose data is a JSON object become messages; all other data goes on as text for the reader to judge, arrays included:
 * no wire puts one into a single event. Faults of the framing pass through.
 */
export const envelope: Stage<Frame, WireMessage> = (next) => ({
  push(frame) {
    if (frame.kind === 'fault') next.push(frame)
    else open(frame, next)
  },
  end() {
    next.end()
  },
})

function open(frame: EventFrame, next: Step<WireMessage>): void {
  const { data } = frame
  const value = parseObject(data)
  if (value !== undefined) {
    next.push(message(frame, value, data))
    return
  }
  const lineEnd = data.indexOf('\n')
  if (lineEnd >= 0 && parseObject(data.slice(0, lineEnd)) !== undefined) openPasted(frame, next)
  else next.push(text(frame, data, frame.terminated))
}

/**
 * Copilot separates events by one newline instead of two, which makes one event of them. JSON that merely spans lines is never
 * complete after the first, so where the first line is whole, every line is an event.
 */
function openPasted(frame: EventFrame, next: Step<WireMessage>): void {
  const lines = frame.data.split('\n')
  for (const [position, line] of lines.entries()) {
    const value = parseObject(line)
    const isLast = position === lines.length - 1
    next.push(value === undefined ? text(frame, line, frame.terminated || !isLast) : message(frame, value, line))
  }
}

function message(frame: EventFrame, value: object, source: string): WireMessage {
  const { number, event } = frame
  if (frame.invalid)
    return { kind: 'message', frame: number, ...(event !== undefined && { event }), value, source, invalid: true }
  // Two literals: made for every event, and in V8 a spread costs more than the parse of a short one.
  return event === undefined
    ? { kind: 'message', frame: number, value, source }
    : { kind: 'message', frame: number, event, value, source }
}

function text(frame: EventFrame, data: string, terminated: boolean): WireMessage {
  return frame.event === undefined
    ? { kind: 'text', frame: frame.number, data, terminated }
    : { kind: 'text', frame: frame.number, event: frame.event, data, terminated }
}

function parseObject(data: string): object | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    // Not JSON, so not an object: the reader gets the text itself and reports it.
    return undefined
  }
}
