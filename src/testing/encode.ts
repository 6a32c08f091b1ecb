// Writes valid streams of any size in any wire format: for tests, and for measuring with payloads that nobody has recorded.

import type { WireFormatName } from '../model/options.ts'
import { chunked } from './chunks.ts'
import { turnOf, type EncodedCall, type EncodeOptions, type Wires } from './turn.ts'
import { anthropic } from './wires/anthropic.ts'
import { bedrock } from './wires/bedrock.ts'
import { cohere } from './wires/cohere.ts'
import { gemini } from './wires/gemini.ts'
import { ollama } from './wires/ollama.ts'
import { openaiChat } from './wires/openai-chat.ts'
import { openaiResponses } from './wires/openai-responses.ts'

const wires: Wires = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  ollama,
  gemini,
  cohere,
  bedrock,
}

/** Characters, or bytes, that are gathered before they are handed out. */
const batchSize = 16 * 1024

/**
 * The bytes of a whole stream in which a model makes `calls`, in the envelopes of the format's API. Comes in pieces that are made when
 * they are asked for, so a stream may be larger than memory. Each piece is a copy of its own; the same arguments give the same bytes.
 * `format` is a name or anything that has one, such as a wire format.
 */
export function encodeStream(
  format: WireFormatName | { readonly name: string },
  calls: readonly EncodedCall[],
  options: EncodeOptions = {},
): Generator<Uint8Array> {
  const name = typeof format === 'string' ? format : format.name
  if (!isWireName(name))
    throw new TypeError(`No stream of the format '${name}' can be written: there are ${Object.keys(wires).join(', ')}.`)
  const events = wires[name](turnOf(calls, options))
  const { chunkSize, cutAfterBytes = Infinity } = options
  const pieces = inPieces(events, chunkSize === 'event' ? 1 : batchSize)
  return cut(typeof chunkSize === 'number' ? chunked(pieces, chunkSize) : pieces, cutAfterBytes)
}

function isWireName(name: string): name is WireFormatName {
  return Object.hasOwn(wires, name)
}

/** Events as bytes, so many together that a piece has at least `size` characters. */
function* inPieces(events: Iterable<string | Uint8Array>, size: number): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  let messages: Uint8Array[] = []
  let gathered = 0
  for (const event of events) {
    if (typeof event === 'string') text += event
    else messages.push(event)
    gathered += event.length
    if (gathered < size) continue
    yield text === '' ? joined(messages, gathered) : encoder.encode(text)
    text = ''
    messages = []
    gathered = 0
  }
  if (gathered > 0) yield text === '' ? joined(messages, gathered) : encoder.encode(text)
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function* cut(pieces: Iterable<Uint8Array>, length: number): Generator<Uint8Array> {
  let left = length
  for (const piece of pieces) {
    if (left <= 0) return
    yield piece.length <= left ? piece : piece.slice(0, left)
    left -= piece.length
  }
}
