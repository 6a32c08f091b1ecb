// Generated turns in every wire format, and what an assembler makes of their bytes: what all the laws are held with.

import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import {
  createAssembler,
  type AssemblerEvent,
  type AssemblerOptions,
  type AssemblerResult,
  type JsonObject,
  type JsonValue,
  type ToolCall,
  type WireFormatName,
} from '../../src/index.ts'
import { encodeStream, type EncodeOptions } from '../../src/testing.ts'

/** Cases of a property. More of them by the environment, to soak. */
export const runs: number = Number(process.env['LAW_RUNS'] ?? 30)

/** For tests whose time depends on `runs` and on what else the machine does. */
export const patient: { readonly timeout: number } = { timeout: 60_000 * Math.ceil(runs / 40) }

export const formats: readonly WireFormatName[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'ollama',
  'gemini',
  'cohere',
  'bedrock',
]

/** What a model said in one turn, and the bytes that a server wrote of it. */
export interface Sent {
  readonly format: WireFormatName
  readonly calls: readonly SentCall[]
  readonly text: string
  readonly reasoning: string
  readonly options: EncodeOptions
  /** The stream in its events, each whole. */
  readonly events: readonly Uint8Array[]
  readonly bytes: Uint8Array
  /** How a counterexample is shown. */
  readonly [fc.toStringMethod]: () => string
}

export interface SentCall {
  readonly name: string
  /** As JSON has it: the value that a strict parse gives. */
  readonly arguments: JsonObject
  /** The text that was sent, to the letter. */
  readonly argumentsText: string
}

// ---- what a model may say

/** Text of any code points: escapes, quotes, line ends, what looks like an envelope, and characters outside the first plane. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 24 }),
  fc.string({ unit: 'grapheme', maxLength: 24 }),
  fc.constantFrom(
    'data: {"choices":[]}\n\n',
    '\n\n',
    '\r\n\r\ndata: [DONE]\r\n\r\n',
    '"}]}}]}',
    '\\',
    '\\"',
    '\u0000\u001F\u007F\u0085\u2028',
    '\uFEFF',
    '\uFFFD',
    '🙂👩‍👩‍👧‍👦漢字é',
    '{"name":"f","arguments":{}}',
    '```json\n{}\n```',
  ),
)

const isSafeKey = (key: string): boolean => !['__proto__', 'constructor', 'prototype'].includes(key)

const number = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1.5e-7, 1e100, 0.1),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }).filter((value) => Math.abs(value) > 1e-300),
)

const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    anyText,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(anyText.filter(isSafeKey), tie('value'), { maxKeys: 3 }),
  ),
}))

/** Nested this deep, and of nothing else. */
function nested(depth: number): JsonObject {
  let value: JsonValue = 'bottom'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { down: value }
  return { top: value }
}

export const anyArguments: fc.Arbitrary<JsonObject> = fc
  .oneof(
    { weight: 12, arbitrary: fc.dictionary(anyText.filter(isSafeKey), anyValue, { maxKeys: 4 }) },
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(2, 9, 100).map(nested) },
  )
  // Without prototypes of its own and with the zeros that JSON has.
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)

export const anyName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('get_weather', 'get', 'f', 'write-file', 'mcp__server__tool', 'search.web'),
  fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,20}$/),
)

export interface TurnShape {
  readonly format?: fc.Arbitrary<WireFormatName>
  readonly args?: fc.Arbitrary<JsonObject>
  readonly maxCalls?: number
  readonly minCalls?: number
  /** Overrides what is generated. */
  readonly options?: EncodeOptions
}

/** Options that change how a turn is written and nothing of what it says. */
const anyWriting: fc.Arbitrary<EncodeOptions> = fc.record({
  deltaSize: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(2, 40, 1_000_000)),
  interleave: fc.boolean(),
  obfuscation: fc.boolean(),
  usage: fc.boolean(),
  partialArgs: fc.boolean(),
  array: fc.boolean(),
})

/** Lines of Ollama end in LF or CRLF; server-sent events in any of the three. */
function lineEndings(format: WireFormatName): fc.Arbitrary<'\n' | '\r\n' | '\r'> {
  return format === 'ollama' ? fc.constantFrom('\n', '\r\n') : fc.constantFrom('\n', '\n', '\r\n', '\r')
}

/** A turn that a server sends without any mistake. */
export function anyTurn(shape: TurnShape = {}): fc.Arbitrary<Sent> {
  const { maxCalls = 3, minCalls = 0, args = anyArguments } = shape
  const call = fc.record({ name: anyName, arguments: args })
  return (shape.format ?? fc.constantFrom(...formats)).chain((format) =>
    fc
      .record({
        calls: fc.array(call, { minLength: minCalls, maxLength: maxCalls }),
        text: fc.oneof(fc.constant(''), anyText),
        reasoning: fc.oneof(fc.constant(''), anyText),
        writing: anyWriting,
        lineEnding: lineEndings(format),
      })
      .map(({ calls, text, reasoning, writing, lineEnding }) =>
        sent(format, calls, { ...writing, lineEnding, text, reasoning, ...shape.options }),
      ),
  )
}

export function sent(
  format: WireFormatName,
  calls: readonly { readonly name: string; readonly arguments: JsonObject }[],
  wanted: EncodeOptions,
): Sent {
  const pieces = wanted.partialArgs === true && calls.every((call) => hasPieces(call.arguments))
  const options = { ...wanted, partialArgs: pieces, array: wanted.array === true && format === 'gemini' }
  const events = [...encodeStream(format, calls, { ...options, chunkSize: 'event' })]
  return {
    format,
    calls: calls.map((held) => ({ ...held, argumentsText: JSON.stringify(held.arguments) })),
    text: options.text ?? '',
    reasoning: options.reasoning ?? '',
    options,
    events,
    bytes: joined(events),
    [fc.toStringMethod]: () => `${format} ${JSON.stringify(options)}\n${show(joined(events))}`,
  }
}

/** Whether Gemini's pieces can say it: they have no empty containers, and integers as keys look like positions of a list. */
function hasPieces(args: JsonObject): boolean {
  const inside = (value: JsonValue): boolean => {
    if (typeof value !== 'object' || value === null) return true
    const members = Object.values(value)
    return members.length > 0 && members.every(inside)
  }
  return Object.values(args).every(inside)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}

// ---- what may happen to a stream on its way

/** From 0, below 1, evenly: `fc.double` draws from the numbers that a double has, and nearly all of those are next to nothing. */
export const anyShare: fc.Arbitrary<number> = fc.nat({ max: 99_999 }).map((part) => part / 100_000)

/** One thing that happens to the bytes: from `at` on, so many are lost and others come in their place. `at` is a share of the whole. */
export interface ByteDamage {
  readonly at: number
  readonly lost: number
  readonly put: Uint8Array
}

const oddBytes = fc.oneof(
  fc
    .constantFrom('', '"', '\\', '\n', '\r', '\n\n', '{', '}', ':', ',', 'x', '\u0000', '\uFEFF', 'data: ', '[DONE]')
    .map(bytesOf),
  fc.uint8Array({ maxLength: 3 }),
)

export const anyByteDamage: fc.Arbitrary<ByteDamage> = fc.record({
  at: anyShare,
  lost: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 300 })),
  put: oddBytes,
})

export function damaged(bytes: Uint8Array, hits: readonly ByteDamage[]): Uint8Array {
  let held = bytes
  for (const { at, lost, put } of hits) {
    const place = Math.floor(at * held.length)
    held = joined([held.subarray(0, place), put, held.subarray(place + lost)])
  }
  return held
}

/** One thing that happens to whole events. Places are shares of the whole. */
export interface EventDamage {
  readonly kind: 'drop' | 'double' | 'move'
  readonly from: number
  readonly to: number
}

export const anyEventDamage: fc.Arbitrary<EventDamage> = fc.record({
  kind: fc.constantFrom('drop', 'double', 'move'),
  from: anyShare,
  to: anyShare,
})

export function shuffled(events: readonly Uint8Array[], hits: readonly EventDamage[]): Uint8Array[] {
  const held = [...events]
  for (const { kind, from, to } of hits) {
    if (held.length === 0) break
    const at = Math.floor(from * held.length)
    const found = kind === 'double' ? held.slice(at, at + 1) : held.splice(at, 1)
    if (kind !== 'drop') held.splice(Math.floor(to * held.length), 0, ...found)
  }
  return held
}

/** A stream that arrived as it was sent, or broken off, or with any damage at all. */
export function anyStream(shape: TurnShape = {}): fc.Arbitrary<{ readonly turn: Sent; readonly bytes: Uint8Array }> {
  return fc
    .record({
      turn: anyTurn(shape),
      events: fc.array(anyEventDamage, { maxLength: 3 }),
      hits: fc.array(anyByteDamage, { maxLength: 3 }),
      cut: fc.oneof(fc.constant(1), anyShare),
    })
    .map(({ turn, events, hits, cut }) => {
      const arrived = damaged(joined(shuffled(turn.events, events)), hits)
      const bytes = arrived.subarray(0, Math.ceil(arrived.length * cut))
      return { turn, bytes, [fc.toStringMethod]: () => `${turn.format}: ${JSON.stringify(show(bytes))}` }
    })
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

// ---- what becomes of bytes

export interface Read {
  readonly events: readonly AssemblerEvent[]
  readonly result: AssemblerResult
}

export function read(chunks: Iterable<Uint8Array | string>, options: AssemblerOptions = {}): Read {
  const assembler = createAssembler(options)
  const events: AssemblerEvent[] = []
  for (const chunk of chunks) events.push(...assembler.feed(chunk))
  events.push(...assembler.end())
  const { result } = assembler
  if (result === undefined) throw new Error('no result after the end')
  return { events, result }
}

export function readFed(values: readonly object[], options: AssemblerOptions = {}): Read {
  const assembler = createAssembler(options)
  const events: AssemblerEvent[] = values.flatMap((value) => assembler.feedEvent(value))
  events.push(...assembler.end())
  const { result } = assembler
  if (result === undefined) throw new Error('no result after the end')
  return { events, result }
}

/** Ways to cut a body, as sizes that take turns. */
export const anySizes: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([1]),
  fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 6 }),
)

export function* cutBy(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  // A list of zeros would never get anywhere.
  const advancing = sizes.some((size) => size > 0) ? sizes : [1]
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = advancing[n % advancing.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

/** What no cut may change: all of the result, and the events with deltas that stand beside each other joined. */
export function essence({ events, result }: Read): string {
  const told: unknown[] = []
  let key = ''
  for (const event of events) {
    if (!('delta' in event)) {
      key = ''
      told.push(event)
      continue
    }
    const own = 'index' in event ? `call ${event.index}` : `${event.type} ${event.choice}`
    const last = told.at(-1)
    if (own === key && Array.isArray(last)) last[1] = `${last[1]}${event.delta}`
    else told.push([own, event.delta])
    key = own
  }
  return JSON.stringify([told, result], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Whether an ok call is one that the model made. */
export function isOneOf(call: ToolCall, calls: readonly SentCall[]): boolean {
  return calls.some((held) => call.ok && held.name === call.name && isDeepStrictEqual(call.arguments, held.arguments))
}

export function show(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
