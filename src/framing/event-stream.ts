// AWS event stream (`application/vnd.amazon.eventstream`): bytes to frames, a message each.
// Source: https://smithy.io/2.0/aws/amazon-eventstream.html

import { EventStreamCodec, type Message, type MessageHeaders } from '@smithy/eventstream-codec'
import type { Frame } from '../model/frames.ts'
import type { FramingContext } from './context.ts'
import type { Stage } from '../model/stage.ts'
import { crc32 } from './crc32.ts'
import { longestQuote, quote } from './measure.ts'
import { eventFrame, faultFrame } from './frame.ts'
import { decode } from './utf8.ts'

/** Total length, headers' length, and the checksum of both: 4 bytes each. */
const preludeLength = 12
/** The prelude and the checksum at the end. */
const shortestMessage = preludeLength + 4
/** As the format has it: 128 KiB. */
const longestHeaders = 128 * 1024

interface EventStreamState {
  /** What `buffer` is being filled with. `lost`: nothing is read any more; set by a prelude that does not check out. */
  at: 'prelude' | 'message' | 'lost'
  /** The prelude of the message in progress, then as much of the message as is wanted. */
  buffer: Uint8Array
  /** Bytes in `buffer`. */
  filled: number
  /** Bytes of the message that are dropped once `buffer` is full: what a message over the limit has beyond its quote. */
  surplus: number
  /** Bytes still to be dropped. */
  skip: number
}

/**
 * Reassembles messages by their length and decodes them; every checksum is checked. A frame's `event` is the `:event-type`.
 * What the service reports as an exception is `exception:<:exception-type>`; what it reports as an error has no payload, so the frame
 * is `exception:<:error-code>` with `{"message": <:error-message>}` as data.
 *
 * Bedrock's InvokeModel wraps the model's own event in Base64, `{"bytes": "…"}`: the frame's data is that event.
 * A message that does not check out is `corrupt`, with its payload as far as it is text. After a prelude that does not check out, given in
 * hexadecimal, nobody knows where the next message begins, so that fault stands for the rest of the body.
 * A message that the body breaks off in is a frame `terminated: false` with what came of its payload.
 * Size, for the limit, is the whole message's.
 */
export function eventStream(context: FramingContext): Stage<Uint8Array, Frame> {
  return (next) => {
    const state: EventStreamState = {
      at: 'prelude',
      buffer: new Uint8Array(preludeLength),
      filled: 0,
      surplus: 0,
      skip: 0,
    }
    const codec = new EventStreamCodec(toText, fromText)

    /** Makes room for what is wanted of the message. */
    function readPrelude(): void {
      const { total, headers, valid } = preludeOf(state.buffer)
      if (!valid) {
        state.at = 'lost'
        next.push(faultFrame(context, 'corrupt', hexadecimal(state.buffer)))
        return
      }
      const quoted = Math.min(total - 4, preludeLength + headers + longestQuote)
      const message = new Uint8Array(total > context.maxEventBytes ? quoted : total)
      message.set(state.buffer)
      state.buffer = message
      state.surplus = total - message.length
      state.at = 'message'
    }

    function readMessage(): void {
      if (state.surplus === 0) next.push(frameOf(state.buffer))
      else next.push(faultFrame(context, 'over-limit', quote(payloadSoFar(state), context.maxEventBytes)))
      state.at = 'prelude'
      state.buffer = new Uint8Array(preludeLength)
      state.filled = 0
      state.skip = state.surplus
      state.surplus = 0
    }

    function frameOf(bytes: Uint8Array): Frame {
      const message = messageOf(codec, bytes)
      if (message === undefined) return faultFrame(context, 'corrupt', payloadSoFar(state))
      const { event, data } = read(message, context)
      return eventFrame(context, data, true, event)
    }

    return {
      push(chunk) {
        for (let at = 0; at < chunk.length && state.at !== 'lost';) {
          const dropped = Math.min(state.skip, chunk.length - at)
          state.skip -= dropped
          const part = chunk.subarray(at + dropped, at + dropped + state.buffer.length - state.filled)
          state.buffer.set(part, state.filled)
          state.filled += part.length
          at += dropped + part.length
          // A message may want no more than its prelude.
          if (state.at === 'prelude' && state.filled === preludeLength) readPrelude()
          if (state.at === 'message' && state.filled === state.buffer.length) readMessage()
        }
      },
      end() {
        if (state.filled > 0 && state.at !== 'lost') next.push(eventFrame(context, payloadSoFar(state), false))
        next.end()
      },
    }
  }
}

function preludeOf(bytes: Uint8Array): { total: number; headers: number; valid: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, preludeLength)
  const total = view.getUint32(0)
  const headers = view.getUint32(4)
  const valid =
    view.getUint32(8) === crc32(bytes.subarray(0, 8)) &&
    total >= shortestMessage &&
    headers <= Math.min(total - shortestMessage, longestHeaders)
  return { total, headers, valid }
}

/** What there is of the payload as text, without half a code point at its end. */
function payloadSoFar({ buffer, filled }: EventStreamState): string {
  if (filled <= preludeLength) return ''
  const { total, headers } = preludeOf(buffer)
  const payload = buffer.subarray(preludeLength + headers, Math.min(filled, total - 4))
  return new TextDecoder().decode(payload, { stream: true })
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function messageOf(codec: EventStreamCodec, bytes: Uint8Array): Message | undefined {
  try {
    return codec.decode(bytes)
  } catch {
    // Its checksum or a header is wrong. The caller reports the message as corrupt.
    return undefined
  }
}

function read({ headers, body }: Message, context: FramingContext): { event: string | undefined; data: string } {
  const payload = textOf(body, context)
  switch (text(headers, ':message-type')) {
    case 'exception':
      return { event: `exception:${text(headers, ':exception-type') ?? ''}`, data: payload }
    case 'error': {
      const message = text(headers, ':error-message') ?? payload
      return { event: `exception:${text(headers, ':error-code') ?? ''}`, data: JSON.stringify({ message }) }
    }
    default:
      return { event: text(headers, ':event-type'), data: unwrapped(payload, context) }
  }
}

function text(headers: MessageHeaders, name: string): string | undefined {
  const header = headers[name]
  return header?.type === 'string' ? header.value : undefined
}

/** The event inside `{"bytes": "<Base64>"}`, or the payload itself. */
function unwrapped(payload: string, context: FramingContext): string {
  if (!payload.includes('"bytes"')) return payload
  try {
    const value: unknown = JSON.parse(payload)
    if (typeof value !== 'object' || value === null || !('bytes' in value)) return payload
    if (typeof value.bytes !== 'string') return payload
    const bytes = Uint8Array.from(atob(value.bytes), (character) => character.charCodeAt(0))
    return textOf(bytes, context)
  } catch {
    // No JSON, or no Base64: then it wraps nothing, and the payload as it came is the evidence.
    return payload
  }
}

function textOf(bytes: Uint8Array, context: FramingContext): string {
  const decoded = decode(bytes, context)
  return decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function fromText(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}
