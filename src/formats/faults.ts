// What every wire has in common in events that could not be read: markers, broken JSON, lines and bodies that are no stream.

import { excerpt } from '../arguments/excerpt.ts'
import type { WireDelta } from '../model/deltas.ts'
import type { Warning, WarningCode } from '../model/events.ts'
import type { WireMessage } from '../model/formats.ts'
import type { FramingFault } from '../model/frames.ts'
import type { Step } from '../model/stage.ts'
import { isErrorEvent, parsed, serverError } from './errors.ts'
import { sliceAt, type ParsedMessage } from './source.ts'
import { stepsOf, type Path } from './path.ts'

/** What stands where a message could have been. */
export type UnreadMessage = Exclude<WireMessage, ParsedMessage>

type OpenDamage = Extract<WireDelta, { type: 'damage' }>
type TextMessage = Extract<WireMessage, { kind: 'text' }>

/** Tells what an unread message means, for every wire alike. `[DONE]` ends any stream: gateways append it to all of them. */
export function readUnread(message: UnreadMessage, next: Step<WireDelta>): void {
  if (message.kind === 'fault') readFault(message, next)
  else readText(message, next)
}

function readText(message: TextMessage, next: Step<WireDelta>): void {
  const { data, frame, terminated } = message
  const trimmed = data.trim()
  // A keep-alive holds nothing that could be lost. An event without any data is one that broke off before it.
  if (trimmed === '' && (terminated || data !== '')) return
  if (trimmed === '[DONE]') next.push({ type: 'end' })
  else if (!terminated) next.push(cut(frame, data))
  else if (isErrorEvent(message.event)) next.push({ type: 'error', error: serverError(data, frame, message.event) })
  else next.push(damage('malformed-event', 'an event is not a JSON object', frame, data))
}

function readFault(fault: FramingFault, next: Step<WireDelta>): void {
  const { data, number: frame } = fault
  switch (fault.fault) {
    case 'not-a-stream':
      next.push({
        type: 'error',
        error: {
          code: 'not-a-stream',
          message: `The body is no event stream. It starts with: ${quoteStart(data)}`,
          frame,
          raw: data,
        },
      })
      return
    case 'error-line':
      // llama.cpp writes its errors to a field `error` of the event stream, as JSON.
      next.push({ type: 'error', error: serverError(parsed(data.trim()), frame) })
      return
    case 'unknown-line':
      next.push(readUnknownLine(data, frame))
      return
    case 'over-limit':
      next.push({
        type: 'error',
        error: { code: 'over-limit', message: 'An event longer than maxEventBytes was skipped.', frame, raw: data },
      })
      next.push(damage('malformed-event', 'an event longer than maxEventBytes was skipped', frame, data))
      return
    case 'corrupt':
      next.push(damage('malformed-event', 'a binary message is corrupt', frame, data))
      return
    default:
      return fault.fault satisfies never
  }
}

/**
 * The SSE standard ignores a line whose field it doesn't know, and so do we if it can't have been part of an event: all data is JSON,
 * so only a line with JSON's punctuation can. A `data:` line that lost its beginning still has that.
 */
function readUnknownLine(line: string, frame: number): WireDelta {
  const message = 'a line that is no field of the stream could have been part of an event'
  return /[{}[\]"]/.test(line)
    ? { type: 'stray', warning: warning('malformed-event', message, frame, line) }
    : {
        type: 'warning',
        warning: warning('malformed-event', 'a line that is no field of the stream was ignored', frame, line),
      }
}

/** An event, or a part of one, that may have held a piece of any open call. */
function damage(code: WarningCode, message: string, frame: number, raw?: string): OpenDamage {
  return { type: 'damage', warning: warning(code, message, frame, raw) }
}

function cut(frame: number, raw: string): WireDelta {
  return { type: 'cut', warning: warning('unterminated-event', 'the stream broke off inside an event', frame, raw) }
}

/** A value of a type that its field never has: what the server meant by it is lost. */
export function unexpectedType(message: ParsedMessage, path: Path): OpenDamage {
  return damage(
    'unexpected-type',
    `${stepsOf(path).join('.')} has an unexpected type`,
    message.frame,
    sliceAt(message, path),
  )
}

/** An event in which one of two members under one name has been dropped by the parse. */
export function hiddenMember({ frame, source }: ParsedMessage): OpenDamage {
  return damage('malformed-event', 'an event has a member twice in one object, and only the last counts', frame, source)
}

/** An event that the format has no place for. Nothing that it knows is missing, so nobody is damaged. */
export function unrecognized(message: ParsedMessage): WireDelta {
  return {
    type: 'warning',
    warning: warning(
      'unexpected-type',
      'an event is of no kind that this format has',
      message.frame,
      sliceAt(message, undefined),
    ),
  }
}

export function warning(code: WarningCode, message: string, frame: number, raw?: string): Warning {
  return { code, message, frame, ...(raw === undefined ? {} : { raw: excerpt(raw) }) }
}

/** The start of a text, to quote inside a sentence. */
export function quoteStart(raw: string): string {
  const start = excerpt(raw, 200)
  return JSON.stringify(start.length < raw.length ? `${start}…` : start)
}
