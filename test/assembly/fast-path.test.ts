// The fast path is a twin of the slow one: whatever the stream holds and wherever it is cut, the deltas are the same to the letter.

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createAssembler, type AssemblerOptions, type WireFormatName } from '../../src/index.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import type { WireFormat } from '../../src/model/formats.ts'
import type { FramingContext } from '../../src/framing/context.ts'
import type { Stage } from '../../src/model/stage.ts'
import { sse } from '../../src/framing/sse.ts'
import { anthropic } from '../../src/formats/anthropic.ts'
import { envelope } from '../../src/formats/envelope.ts'
import { openaiChat } from '../../src/formats/openai-chat.ts'
import { openaiResponses } from '../../src/formats/openai-responses.ts'
import { fastPath } from '../../src/assembly/fast-path.ts'
import { encodeStream } from '../../src/testing.ts'

interface Run {
  readonly deltas: WireDelta[]
  readonly frames: number
  /** Characters that the slow way had to read. */
  readonly slow: number
}

function run(format: WireFormat, chunks: readonly string[], fast: boolean, maxEventBytes = 1 << 20): Run {
  const context: FramingContext = { maxEventBytes, frames: { count: 0 }, bytes: { invalid: false } }
  const deltas: WireDelta[] = []
  let slow = 0
  const way: Stage<string, WireDelta> = (next) => {
    const head = sse(context)(envelope(format.reader(next)))
    return {
      push(text) {
        slow += text.length
        head.push(text)
      },
      end: () => head.end(),
    }
  }
  const end = { push: (delta: WireDelta) => void deltas.push(delta), end: () => undefined }
  const step = (fast ? fastPath(context, () => format.holes, way) : way)(end)
  for (const chunk of chunks) step.push(chunk)
  step.end()
  return { deltas, frames: context.frames.count, slow }
}

function cutAt(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = []
  for (let at = 0, n = 0; at < text.length; n++) {
    const size = sizes[n % sizes.length] ?? 1
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

function expectTwins(format: WireFormat, text: string, sizes: readonly number[] = [text.length]): Run {
  const chunks = cutAt(text, sizes)
  const fast = run(format, chunks, true)
  const slow = run(format, chunks, false)
  expect(fast.deltas).toEqual(slow.deltas)
  expect(fast.frames).toBe(slow.frames)
  return fast
}

// ---- events, written so that every literal in them can be varied

const chatEvent = (fragment: string, index = 0, more = ''): string =>
  `data: {"id":"x","object":"chat.completion.chunk","created":17,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":${index},"function":{"arguments":${fragment}}}]},"finish_reason":null}]${more}}\n\n`
const textEvent = (fragment: string): string =>
  `data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":${fragment}},"finish_reason":null}]}\n\n`
const openingEvent = (index: number): string =>
  `data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":${index},"id":"c${index}","type":"function","function":{"name":"f${index}","arguments":""}}]},"finish_reason":null}]}\n\n`
const anthropicOpening = (index: number): string =>
  `event: content_block_start\ndata: {"type":"content_block_start","index":${index},"content_block":{"type":"tool_use","id":"t${index}","name":"f","input":{}}}\n\n`
const anthropicEvent = (fragment: string, index = 0): string =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"input_json_delta","partial_json":${fragment}}}\n\n`
const responsesOpening = (index: number, sequence: number): string =>
  `event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":${sequence},"output_index":${index},"item":{"id":"fc_${index}","type":"function_call","status":"in_progress","arguments":"","call_id":"c${index}","name":"f"}}\n\n`
const responsesEvent = (fragment: string, index: number, sequence: number, padding: string): string =>
  `event: response.function_call_arguments.delta\ndata: {"type":"response.function_call_arguments.delta","sequence_number":${sequence},"item_id":"fc_${index}","output_index":${index},"delta":${fragment},"obfuscation":"${padding}"}\n\n`

const anyString = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 12 }))
/** A JSON string literal: printed, escaped all through, or one that looks like an envelope. */
const literal = fc.oneof(
  anyString.map((text) => JSON.stringify(text)),
  anyString.map((text) => `"${[...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`),
  fc.constantFrom(
    '"\\/\\b\\f\\n\\r\\t\\"\\\\"',
    '""',
    '"\\ud83d"',
    '"\\ude00"',
    JSON.stringify(chatEvent('"x"')),
    '"}}]}"',
  ),
)
/** What stands in a fragment's place when the stream is not what it was. */
const odd = fc.constantFrom(
  'null',
  '5',
  'true',
  '{"a":1}',
  '["a"]',
  '"\\x"',
  '"\\u12"',
  '"\t"',
  '"unclosed',
  '"a","arguments":"b"',
)
const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 })

describe('the fast path', () => {
  it('leaves the envelopes of a repeating stream unread', () => {
    const text =
      openingEvent(0) + Array.from({ length: 200 }, (_, n) => chatEvent(JSON.stringify(`piece ${n}\n`))).join('')
    const { slow, deltas } = expectTwins(openaiChat, text)
    expect(deltas).toHaveLength(201)
    expect(slow).toBeLessThan(3 * chatEvent('"piece 000"').length)
  })

  it('follows calls that take turns, with a template each', () => {
    const events = Array.from({ length: 400 }, (_, n) => chatEvent(JSON.stringify(`p${n}`), n % 8))
    const opening = Array.from({ length: 8 }, (_, n) => openingEvent(n)).join('')
    const { slow } = expectTwins(openaiChat, opening + events.join(''), [16384])
    expect(slow - opening.length).toBeLessThan(9 * chatEvent('"p000"').length)
  })

  it('takes padding, clocks and sequence numbers for what they are', () => {
    const events = Array.from({ length: 100 }, (_, n) =>
      responsesEvent(JSON.stringify(`p${n}`), 0, n + 1, 'x'.repeat(n % 7)),
    )
    const opening = responsesOpening(0, 0)
    const { slow, deltas } = expectTwins(openaiResponses, opening + events.join(''), [1000])
    expect(slow - opening.length).toBeLessThan(3 * responsesEvent('"p0"', 0, 1, 'xxxxxx').length)
    expect(deltas.filter((delta) => delta.type === 'sequence').at(-1)).toEqual({ type: 'sequence', number: 100 })
  })

  it('works at any size of chunks', () => {
    const text = openingEvent(0) + Array.from({ length: 60 }, (_, n) => chatEvent(JSON.stringify(`é${n}"`))).join('')
    for (const size of [1, 2, 7, 64, 333, 5000]) {
      const { slow } = expectTwins(openaiChat, text, [size])
      expect(slow).toBeLessThan(3 * chatEvent('"é00\\""').length)
    }
  })

  it('stops trying a stream that never repeats itself', () => {
    const keys = Array.from({ length: 300 }, (_, n) => chatEvent('"x"', 0, `,"k${n}":1`))
    const { slow } = expectTwins(openaiChat, openingEvent(0) + keys.join(''), [700])
    expect(slow).toBe(openingEvent(0).length + keys.join('').length)
  })

  it('leaves lines that end in CR to the slow way', () => {
    const text = (openingEvent(0) + chatEvent('"a"').repeat(50)).replaceAll('\n', '\r\n')
    const { deltas } = expectTwins(openaiChat, text, [100])
    expect(deltas).toHaveLength(51)
    expectTwins(
      openaiChat,
      openingEvent(0) +
        chatEvent('"a"').repeat(9) +
        chatEvent('"b"').replaceAll('\n', '\r') +
        chatEvent('"c"').repeat(9),
      [50],
    )
  })

  it('leaves an event near the size limit to the slow way', () => {
    const text =
      openingEvent(0) +
      chatEvent('"a"').repeat(5) +
      chatEvent(JSON.stringify('b'.repeat(3000))) +
      chatEvent('"c"').repeat(5)
    const chunks = cutAt(text, [777])
    expect(run(openaiChat, chunks, true, 1000).deltas).toEqual(run(openaiChat, chunks, false, 1000).deltas)
  })

  it('leaves out nothing of a long event that comes in small pieces', () => {
    const text =
      openingEvent(0) +
      chatEvent('"a"').repeat(5) +
      chatEvent(JSON.stringify('b'.repeat(50_000))) +
      chatEvent('"c"').repeat(50)
    expectTwins(openaiChat, text, [64])
  })

  it('forgets its templates when another event may have changed what the reader knows', () => {
    const stop = 'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n'
    const text =
      anthropicOpening(0) +
      anthropicEvent('"a"').repeat(6) +
      stop +
      anthropicEvent('"late"').repeat(6) +
      anthropicOpening(0) +
      anthropicEvent('"b"').repeat(6)
    expectTwins(anthropic, text, [90])
  })

  const chatStream = fc.array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: literal.chain((held) => fc.constantFrom(chatEvent(held), chatEvent(held, 1), textEvent(held))),
      },
      { weight: 2, arbitrary: odd.map((held) => chatEvent(held)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          openingEvent(0),
          openingEvent(1),
          ': comment\n\n',
          '\n',
          '\n\n',
          'data: [DONE]\n\n',
          'data: {"a":\ndata: 1}\n\n',
          'error: {"message":"x"}\n\n',
        ),
      },
    ),
    { maxLength: 40 },
  )

  it('is a twin of the slow way on random Chat Completions streams at any cut', () => {
    fc.assert(
      fc.property(chatStream, sizes, (events, cut) => {
        expectTwins(openaiChat, events.join(''), cut)
      }),
      { numRuns: 300 },
    )
  })

  it('is a twin of the slow way on streams that were damaged', () => {
    const damage = fc.record({
      at: fc.nat(),
      drop: fc.integer({ min: 0, max: 5 }),
      put: fc.constantFrom('', '"', '\\', '\n', '{', '}', 'x', '\u0001', ',"arguments":"z"'),
    })
    fc.assert(
      fc.property(
        fc.array(literal, { minLength: 3, maxLength: 12 }),
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        sizes,
        (fragments, hits, cut) => {
          let text = openingEvent(0) + fragments.map((held) => chatEvent(held)).join('')
          for (const { at, drop, put } of hits) {
            const place = at % text.length
            text = text.slice(0, place) + put + text.slice(place + drop)
          }
          expectTwins(openaiChat, text, cut)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is a twin of the slow way on random Anthropic and Responses streams', () => {
    const anthropicStream = fc.array(
      fc.oneof(
        { weight: 9, arbitrary: fc.tuple(literal, fc.nat(1)).map(([held, n]) => anthropicEvent(held, n)) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            anthropicOpening(0),
            anthropicOpening(1),
            'event: ping\ndata: {"type":"ping"}\n\n',
            'event: message_stop\ndata: {"type":"message_stop"}\n\n',
          ),
        },
      ),
      { maxLength: 30 },
    )
    const responsesStream = fc
      .array(fc.tuple(literal, fc.nat(1), fc.nat(9), fc.constantFrom('', 'ab', 'abcdef')), { maxLength: 30 })
      .map((parts) =>
        parts.map(([held, n, skip, padding], at) => responsesEvent(held, n, at * 2 + (skip === 0 ? 1 : 0), padding)),
      )
    fc.assert(
      fc.property(anthropicStream, responsesStream, sizes, (blocks, items, cut) => {
        expectTwins(anthropic, anthropicOpening(0) + anthropicOpening(1) + blocks.join(''), cut)
        expectTwins(openaiResponses, responsesOpening(0, 0) + responsesOpening(1, 1) + items.join(''), cut)
      }),
      { numRuns: 300 },
    )
  })
})

describe('an assembler', () => {
  const calls = [{ name: 'write_file', arguments: { content: 'let a = "b"\n'.repeat(200) } }]
  const said = 'so it goes '.repeat(200)

  /** How many events a stream has, and how many texts were parsed before its end to read it. */
  function parses(format: WireFormatName, of: 'calls' | 'text', options: AssemblerOptions = {}): [number, number] {
    const turn = of === 'calls' ? { calls, text: '' } : { calls: [], text: said }
    const pieces = [...encodeStream(format, turn.calls, { deltaSize: 4, text: turn.text })]
    const parse = vi.spyOn(JSON, 'parse')
    const assembler = createAssembler({ format, ...options })
    let deltas = 0
    for (const piece of pieces) deltas += assembler.feed(piece).filter(({ type }) => type.endsWith('-delta')).length
    const parsed = parse.mock.calls.length
    parse.mockRestore()
    assembler.end()
    expect(assembler.result?.text).toBe(turn.text)
    expect(assembler.result?.calls.filter(({ ok }) => ok)).toHaveLength(turn.calls.length)
    return [deltas, parsed]
  }

  it.each([
    ['openai-chat', 'calls'],
    ['anthropic', 'calls'],
    ['openai-responses', 'calls'],
    ['openai-chat', 'text'],
  ] as const)('reads nearly all events of %s that bring %s without a parse', (format, of) => {
    const [deltas, parsed] = parses(format, of)
    expect(deltas).toBeGreaterThan(400)
    expect(parsed).toBeLessThan(40)
  })

  it('parses each where the fast path is off, or where every frame is to be logged', () => {
    for (const options of [{ fastPath: false }, { onFrame: () => undefined }]) {
      const [deltas, parsed] = parses('openai-chat', 'calls', options)
      expect(parsed).toBeGreaterThanOrEqual(deltas)
    }
  })
})
