// The wires as a reader sees them that knows nothing of this library: where an event begins and ends, what it carries, and how to spoil it
// so that it surely can't be read.

import fc from 'fast-check'
import type { WireFormatName } from '../../src/index.ts'
import { anyShare, bytesOf, joined, show, type Sent } from './support.ts'

/** What one event brings, as far as it is said by deltas or whole calls. */
export interface Cargo {
  readonly text: string
  readonly reasoning: string
  /** Pieces of arguments, or whole ones. */
  readonly args: readonly string[]
  /** Whether nothing after it is read. */
  readonly ends: boolean
}

const nothing: Cargo = { text: '', reasoning: '', args: [], ends: false }

/** The data of an event as text: behind `data: `, of a line, or between the headers and the checksum of a binary message. */
export function dataOf(format: WireFormatName, event: Uint8Array): string {
  if (format === 'bedrock') {
    const view = new DataView(event.buffer, event.byteOffset)
    return show(event.subarray(12 + view.getUint32(4), event.length - 4))
  }
  const text = show(event).trim()
  return format === 'ollama' ? text : text.slice(text.indexOf('data: ') + 'data: '.length)
}

type Fields = { readonly [key: string]: unknown }

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const at = (value: unknown, ...steps: string[]): unknown => steps.reduce((held, step) => fields(held)[step], value)

/** By its documentation, where each wire has what. */
const cargoes: Record<WireFormatName, (value: unknown) => Partial<Cargo>> = {
  'openai-chat': (value) => {
    const deltas = items(at(value, 'choices')).map((choice) => at(choice, 'delta'))
    return {
      text: deltas.map((delta) => string(at(delta, 'content'))).join(''),
      reasoning: deltas.map((delta) => string(at(delta, 'reasoning_content'))).join(''),
      args: deltas.flatMap((delta) =>
        items(at(delta, 'tool_calls')).map((call) => string(at(call, 'function', 'arguments'))),
      ),
    }
  },
  'openai-responses': (value) => {
    const delta = string(at(value, 'delta'))
    switch (at(value, 'type')) {
      case 'response.output_text.delta':
        return { text: delta }
      case 'response.reasoning_summary_text.delta':
        return { reasoning: delta }
      case 'response.function_call_arguments.delta':
        return { args: [delta] }
      default:
        return { ends: /^response\.(completed|incomplete|failed)$/.test(string(at(value, 'type'))) }
    }
  },
  anthropic: (value) => ({
    text: string(at(value, 'delta', 'text')),
    reasoning: string(at(value, 'delta', 'thinking')),
    args: [string(at(value, 'delta', 'partial_json'))],
    ends: at(value, 'type') === 'message_stop',
  }),
  ollama: (value) => ({
    text: string(at(value, 'message', 'content')),
    reasoning: string(at(value, 'message', 'thinking')),
    args: items(at(value, 'message', 'tool_calls')).map((call) => JSON.stringify(at(call, 'function', 'arguments'))),
    ends: at(value, 'done') === true,
  }),
  gemini: (value) => {
    const parts = items(at(value, 'candidates')).flatMap((candidate) => items(at(candidate, 'content', 'parts')))
    const textOf = (thought: boolean): string =>
      parts
        .filter((part) => (at(part, 'thought') === true) === thought)
        .map((part) => string(at(part, 'text')))
        .join('')
    const calls = parts.map((part) => at(part, 'functionCall', 'args')).filter((args) => args !== undefined)
    return { text: textOf(false), reasoning: textOf(true), args: calls.map((args) => JSON.stringify(args)) }
  },
  cohere: (value) => ({
    text: string(at(value, 'delta', 'message', 'content', 'text')),
    reasoning: string(at(value, 'delta', 'message', 'tool_plan')),
    args: [string(at(value, 'delta', 'message', 'tool_calls', 'function', 'arguments'))],
  }),
  bedrock: (value) => ({
    text: string(at(value, 'delta', 'text')),
    reasoning: string(at(value, 'delta', 'reasoningContent', 'text')),
    args: [string(at(value, 'delta', 'toolUse', 'input'))],
  }),
}

export function cargoOf(format: WireFormatName, data: string): Cargo {
  if (data === '[DONE]') return { ...nothing, ends: true }
  const cargo = { ...nothing, ...cargoes[format](JSON.parse(data)) }
  return { ...cargo, args: cargo.args.filter((piece) => piece !== '') }
}

// ---- events that can't be read

/** How an event is spoiled. `at` is a share of its data. */
export interface Spoiling {
  readonly event: number
  readonly at: number
  readonly how: 'cut' | 'brace' | 'quote' | 'control' | 'overwrite'
}

export const anySpoiling: fc.Arbitrary<Spoiling> = fc.record({
  event: anyShare,
  at: anyShare,
  how: fc.constantFrom('cut', 'brace', 'quote', 'control', 'overwrite'),
})

/** The event with data that is no JSON any more; of a binary one, with a byte that its checksum does not allow for. */
export function spoiled(format: WireFormatName, event: Uint8Array, { at: share, how }: Spoiling): Uint8Array {
  const data = dataOf(format, event)
  if (data === '[DONE]') return event
  if (format === 'bedrock') {
    const copy = event.slice()
    const place = 12 + Math.floor(share * (copy.length - 12))
    copy[place] = (copy[place] ?? 0) ^ 0x15
    return copy
  }
  const place = 1 + Math.floor(share * (data.length - 1))
  const attempts = {
    cut: data.slice(0, place),
    brace: `${data.slice(0, place)}}${data.slice(place)}`,
    quote: `${data.slice(0, place)}"${data.slice(place)}`,
    control: `${data.slice(0, place)}\u0001${data.slice(place)}`,
    overwrite: `${data.slice(0, place)}x${data.slice(place + 1)}`,
  }
  // Inside a string some of these change nothing but what it says, and that nobody could see.
  const broken = isJson(attempts[how]) ? attempts.cut : attempts[how]
  return bytesOf(show(event).replace(data, () => broken))
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// ---- what a byte of damage did to the events

/**
 * The data of the events in a text, by the rules of its framing alone; `null` where something is that can't be read. A comment is
 * nothing, whatever it holds, and so is a line that is no field and holds nothing that JSON is made of.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function eventsIn(format: WireFormatName, text: string): (string | null)[] {
  if (format === 'ollama') return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [readable(line)]))
  const blocks = text.replace(/\r\n?/g, '\n').split('\n\n')
  return blocks.flatMap((block) =>
    block.split('\n').flatMap((line) => {
      // Events that lost the blank line between them are still events, one a line.
      if (line.startsWith('data:'))
        return line.slice(5).trim() === '' ? [] : [readable(line.slice(5).replace(/^ /, ''))]
      return /^$|^:|^(event|id|retry)(:|$)/.test(line) || !/[{}[\]"]/.test(line) ? [] : [null]
    }),
  )
}

function readable(data: string): string | null {
  return data === '[DONE]' || isJson(data) ? data : null
}

/**
 * Whether every event of `original` is in `arrived` as it was and in its place, or at least something that can't be read is where it
 * should be. Then a reader can know that something is missing, and where.
 */
export function showsItsHoles(original: readonly string[], arrived: readonly (string | null)[]): boolean {
  let next = 0
  let hole = false
  for (const data of arrived) {
    if (data === null) {
      hole = true
      continue
    }
    const found = hole ? original.indexOf(data, next) : next
    if (found < 0 || original[found] !== data) return false
    next = found + 1
    hole = false
  }
  return hole || next === original.length
}

/** A turn whose events came through as `change` leaves them. */
export function arrivedAs(turn: Sent, change: (event: Uint8Array, position: number) => Uint8Array): Uint8Array {
  return joined(turn.events.map(change))
}
