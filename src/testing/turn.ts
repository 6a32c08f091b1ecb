// What a stream is made from: the caller's calls and options with every default filled in.

import { writeJson } from '../arguments/json.ts'
import type { JsonObject } from '../model/json.ts'
import type { WireFormatName } from '../model/options.ts'

/** A call to be encoded. */
export interface EncodedCall {
  readonly name: string
  /** An object, or the text as it is to be sent, valid or not. Wires that send objects put that text in the object's place. */
  readonly arguments: JsonObject | string
  /** Default: one of the kind that the API makes, the same in every run. */
  readonly id?: string
}

/** Options of `encodeStream`. Where a wire has no such thing, the option does nothing. */
export interface EncodeOptions {
  /** Characters (UTF-16 units) of a delta; a surrogate pair is not split. Default 16. */
  readonly deltaSize?: number
  /** Send the deltas of all calls in turn, instead of one call after the other. Wires that send a call whole can't. Default `false`. */
  readonly interleave?: boolean
  /** Text before the calls. */
  readonly text?: string
  /** Reasoning before the text. */
  readonly reasoning?: string
  /** The wire's own finish reason; `null` sends none. Default: the one that a turn with these calls has. */
  readonly finishReason?: string | null
  /** Padding of varying length in each event, where the API has it (OpenAI's `obfuscation`, Bedrock's `p`). Default `false`. */
  readonly obfuscation?: boolean
  readonly model?: string
  /** Chat Completions: so many choices, each with the same calls under ids of their own. Default 1. */
  readonly choices?: number
  /** Send token counts. Default `true`. */
  readonly usage?: boolean
  /** Send the wire's terminal marker. Gemini and Bedrock have none. Default `true`. */
  readonly terminate?: boolean
  /** Default LF. */
  readonly lineEnding?: '\n' | '\r\n' | '\r'
  /** Stop after so many bytes, wherever that is. */
  readonly cutAfterBytes?: number
  /** What a chunk is: one event, or so many bytes. Default: about 16 KiB, whole events. */
  readonly chunkSize?: 'event' | number
  /**
   * Gemini: the arguments in pieces, as Vertex AI streams them. Default `false`.
   * What that can't say, such as an empty list, is a `TypeError` once the call's turn comes.
   */
  readonly partialArgs?: boolean
  /** Gemini: one JSON array instead of server-sent events, which is what the API sends without `alt=sse`. Default `false`. */
  readonly array?: boolean
}

export interface TurnCall {
  /** From 0, in the order of the calls. */
  readonly index: number
  readonly name: string
  /** As given; a wire makes its own where it is absent. */
  readonly id: string | undefined
  readonly text: string
}

/** One turn of a model, ready to be written in any wire format. */
export interface Turn extends Required<Omit<EncodeOptions, 'finishReason' | 'model' | 'cutAfterBytes' | 'chunkSize'>> {
  readonly calls: readonly TurnCall[]
  readonly finishReason: string | null | undefined
  readonly model: string | undefined
}

/** Writes a turn: one event, line or message at a time. */
export type Wire = (turn: Turn) => Generator<string | Uint8Array>

export type Wires = { readonly [Name in WireFormatName]: Wire }

export function turnOf(calls: readonly EncodedCall[], options: EncodeOptions): Turn {
  const { deltaSize = 16, choices = 1 } = options
  if (!Number.isInteger(deltaSize) || deltaSize < 1)
    throw new TypeError(`deltaSize must be a whole number from 1, not ${deltaSize}.`)
  return {
    deltaSize,
    choices,
    calls: calls.map((call, index) => ({ index, name: call.name, id: call.id, text: argumentsText(call.arguments) })),
    interleave: options.interleave ?? false,
    text: options.text ?? '',
    reasoning: options.reasoning ?? '',
    finishReason: options.finishReason,
    obfuscation: options.obfuscation ?? false,
    model: options.model,
    usage: options.usage ?? true,
    terminate: options.terminate ?? true,
    lineEnding: options.lineEnding ?? '\n',
    partialArgs: options.partialArgs ?? false,
    array: options.array ?? false,
  }
}

function argumentsText(value: JsonObject | string): string {
  return typeof value === 'string' ? value : writeJson(value)
}

/** A text in deltas of `size` characters, surrogate pairs whole. An empty text has none. */
export function* deltasOf(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = at + size
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end++
    yield text.slice(at, end)
    at = end
  }
}

/** What happens to the calls of a turn, in the order in which a wire tells it. */
export type CallStep =
  | { readonly type: 'open' | 'close'; readonly call: TurnCall }
  | { readonly type: 'delta'; readonly call: TurnCall; readonly delta: string }

/** One call after the other; or all opened, a delta of each in turn, and each closed behind its last. */
export function* callSteps(turn: Turn): Generator<CallStep> {
  if (!turn.interleave) {
    for (const call of turn.calls) {
      yield { type: 'open', call }
      for (const delta of deltasOf(call.text, turn.deltaSize)) yield { type: 'delta', call, delta }
      yield { type: 'close', call }
    }
    return
  }
  let open = turn.calls.map((call) => ({ call, deltas: deltasOf(call.text, turn.deltaSize) }))
  for (const { call } of open) yield { type: 'open', call }
  while (open.length > 0) {
    const still: typeof open = []
    for (const entry of open) {
      const next = entry.deltas.next()
      if (next.done === true) yield { type: 'close', call: entry.call }
      else {
        still.push(entry)
        yield { type: 'delta', call: entry.call, delta: next.value }
      }
    }
    open = still
  }
}

const letters = 'aB3dEfGh1jKlMn0pQrStUvWxYz2AbCdEfGhIjKlMnOpQrStUvWxYz456789'

/** Padding that hides how long the deltas are: of another length each time, the same in every run. */
export function paddings(): () => string {
  let seed = 1
  return () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return letters.slice(0, 1 + ((seed >>> 16) % letters.length))
  }
}

/** One server-sent event. */
export function eventText(turn: Turn, data: string, name?: string): string {
  const end = turn.lineEnding
  return name === undefined ? `data: ${data}${end}${end}` : `event: ${name}${end}data: ${data}${end}${end}`
}

/** An id as APIs make them: a prefix and characters that depend on the number alone. */
export function madeId(prefix: string, number: number, length: number = 24): string {
  const digits = (number + 1).toString(36)
  return prefix + 'Qm7xT2vK9sLw4RbN8cYd3HfZ'.repeat(2).slice(0, length - digits.length) + digits
}
