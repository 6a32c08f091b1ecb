import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/model/frames.ts'
import type { WireFormatName } from '../../src/model/options.ts'
import type { Step } from '../../src/model/stage.ts'
import { eventStream } from '../../src/framing/event-stream.ts'
import { json } from '../../src/framing/json.ts'
import { ndjson } from '../../src/framing/ndjson.ts'
import { sniff } from '../../src/framing/sniff.ts'
import { sse } from '../../src/framing/sse.ts'
import { encodeStream } from '../../src/testing/encode.ts'
import type { EncodedCall, EncodeOptions } from '../../src/testing/turn.ts'
import { contextOf, through } from '../framing/harness.ts'

const framings = { sse, ndjson, json }
const formats: WireFormatName[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'ollama',
  'gemini',
  'cohere',
  'bedrock',
]

function read(chunks: Iterable<Uint8Array>): Frame[] {
  const context = contextOf()
  return through(
    (next: Step<Frame>) =>
      sniff(context, {
        text: (framing) => framings[framing](context)(next),
        binary: () => eventStream(context)(next),
        frames: next,
      }),
    chunks,
  )
}

/** The events of a stream, each parsed; markers as text. */
function events(format: WireFormatName, calls: readonly EncodedCall[], options?: EncodeOptions): unknown[] {
  return read(encodeStream(format, calls, options)).map((frame) => {
    if (frame.kind === 'fault' || !frame.terminated) throw new Error(`not a whole event: ${JSON.stringify(frame)}`)
    if (!frame.data.startsWith('{')) return frame.data
    const value: unknown = JSON.parse(frame.data)
    return format === 'bedrock' ? { [frame.event ?? '']: value } : value
  })
}

/** All strings under the keys, in order, anywhere in the value. */
function stringsUnder(value: unknown, ...keys: string[]): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    keys.includes(key) && typeof member === 'string' ? [member] : stringsUnder(member, ...keys),
  )
}

function sizes(chunks: Iterable<Uint8Array>): number[] {
  return [...chunks].map((chunk) => chunk.length)
}

function textOf(chunks: Iterable<Uint8Array>): string {
  return new TextDecoder().decode(Uint8Array.from([...chunks].flatMap((chunk) => [...chunk])))
}

const calls: EncodedCall[] = [
  { name: 'write_file', arguments: { path: 'ä/漢.md', content: 'a "quoted" line\n🙂'.repeat(20) } },
  { name: 'get_weather', arguments: '{ "city" : "Oslo" }', id: 'given' },
  { name: 'now', arguments: {} },
]
const texts = [JSON.stringify(calls[0]?.arguments), '{ "city" : "Oslo" }', '{}']
const deltas: Partial<Record<WireFormatName, (value: unknown, index: number) => string[]>> = {
  'openai-chat': (value, index) => {
    const list = (value as { choices?: { delta: { tool_calls?: { index: number }[] } }[] }).choices ?? []
    return list
      .flatMap(({ delta }) => (delta.tool_calls ?? []).filter((call) => call.index === index))
      .flatMap((call) => stringsUnder(call, 'arguments'))
  },
  'openai-responses': (value, index) => {
    const { type, output_index } = value as { type: string; output_index: number }
    return type === 'response.function_call_arguments.delta' && output_index === index + 2
      ? stringsUnder(value, 'delta')
      : []
  },
  anthropic: (value, index) =>
    (value as { index?: number }).index === index + 2 ? stringsUnder(value, 'partial_json') : [],
  cohere: (value, index) => ((value as { index?: number }).index === index ? stringsUnder(value, 'arguments') : []),
  bedrock: (value, index) => {
    const { contentBlockDelta } = value as { contentBlockDelta?: { contentBlockIndex: number } }
    return contentBlockDelta?.contentBlockIndex === index + 2 ? stringsUnder(contentBlockDelta, 'input') : []
  },
}

/** Whose deltas come, in order. */
function orderOf(
  format: WireFormatName,
  deltasOf: (value: unknown, index: number) => string[],
  interleave: boolean,
): number[] {
  return events(format, calls, { text: 't', reasoning: 'r', interleave })
    .filter((value) => typeof value === 'object')
    .flatMap((value) => [0, 1, 2].filter((index) => deltasOf(value, index).join('') !== ''))
}

function piece(jsonPath: string, rest: object): object {
  return { partialArgs: [{ jsonPath, ...rest }], willContinue: true }
}

describe('encodeStream', () => {
  describe.each(Object.entries(deltas))('%s', (name, deltasOf) => {
    const format = name as WireFormatName // a key of `deltas`

    it('sends the arguments of each call in deltas that join to the text, in turn or one after the other', () => {
      for (const options of [
        {},
        { interleave: true },
        { deltaSize: 1 },
        { interleave: true, deltaSize: 7, obfuscation: true },
      ]) {
        const stream = events(format, calls, { text: 'some text', reasoning: 'a thought', ...options })
        texts.forEach((text, index) => {
          const sent = stream.filter((value) => typeof value === 'object').flatMap((value) => deltasOf(value, index))
          expect(sent.join('')).toBe(text)
          const size = 'deltaSize' in options ? options.deltaSize : 16
          expect(sent.every((delta) => delta.length <= size + 1 && !/\p{Surrogate}/u.test(delta))).toBe(true)
        })
      }
    })

    it('sends the next call before the last one is done where it interleaves', () => {
      const order = orderOf(format, deltasOf, false)
      expect(order).toEqual([...order].sort((a, b) => a - b))
      expect(orderOf(format, deltasOf, true).slice(0, 4)).toEqual([0, 1, 2, 0])
    })
  })

  it('ollama and gemini send each call whole, its arguments as an object', () => {
    const ollama = textOf(encodeStream('ollama', calls))
    const gemini = textOf(encodeStream('gemini', calls))
    for (const text of texts) {
      expect(ollama).toContain(`"arguments":${text}`)
      expect(gemini).toContain(`"args":${text}`)
    }
  })

  it('gemini sends arguments in pieces under their paths', () => {
    const options = { partialArgs: true, deltaSize: 3, usage: false, finishReason: null }
    const value = { a: { 'b c': [1, true, null] }, s: 'abcd' }
    const parts = events(
      'gemini',
      [
        { name: 'f', arguments: value },
        { name: 'g', arguments: {} },
      ],
      options,
    ).map(
      (event) =>
        (event as { candidates: { content: { parts: { functionCall: unknown }[] } }[] }).candidates[0]?.content.parts[0]
          ?.functionCall,
    )
    expect(parts).toEqual([
      { name: 'f', willContinue: true },
      piece("$.a['b c'][0]", { numberValue: 1 }),
      piece("$.a['b c'][1]", { boolValue: true }),
      piece("$.a['b c'][2]", { nullValue: 'NULL_VALUE' }),
      piece('$.s', { stringValue: 'abc', willContinue: true }),
      piece('$.s', { stringValue: 'd', willContinue: true }),
      piece('$.s', { stringValue: '' }),
      {},
      { name: 'g' },
    ])
    expect(() => events('gemini', [{ name: 'f', arguments: { a: [] } }], options)).toThrow(TypeError)
  })

  it('gemini sends the same responses as one array', () => {
    expect(events('gemini', calls, { array: true })).toEqual(events('gemini', calls))
    expect(JSON.parse(textOf(encodeStream('gemini', calls, { array: true })))).toEqual(events('gemini', calls))
  })

  it('the Responses API counts its events and repeats what it sent', () => {
    const stream = events('openai-responses', calls, { text: 'some text', reasoning: 'a thought' }) as {
      type: string
      sequence_number: number
      response?: { output: { type: string; arguments?: string }[] }
    }[]
    expect(stream.map((event) => event.sequence_number)).toEqual(stream.map((_, i) => i))
    expect(stream.at(-1)?.type).toBe('response.completed')
    expect(stream.at(-1)?.response?.output.map((item) => item.type)).toEqual([
      'reasoning',
      'message',
      ...Array<string>(3).fill('function_call'),
    ])
    expect(
      stream
        .at(-1)
        ?.response?.output.slice(2)
        .map((item) => item.arguments),
    ).toEqual(texts)
  })

  it.each(formats)('%s sends text and reasoning', (format) => {
    const stream = events(format, [], { text: 'plain é🙂 text', reasoning: 'why 漢 not', deltaSize: 2 })
    const ends = [
      'response.completed',
      'response.output_item.done',
      'response.content_part.done',
      'response.reasoning_summary_part.done',
    ]
    const open = stream.filter(
      (event) =>
        !ends.includes((event as { type?: string }).type ?? '') && !JSON.stringify(event).includes('text.done'),
    )
    const keys = ['content', 'text', 'delta', 'reasoning_content', 'thinking', 'tool_plan']
    expect(open.flatMap((event) => stringsUnder(event, ...keys)).join('')).toBe('why 漢 notplain é🙂 text')
  })

  it.each(formats)('%s gives the same bytes whatever the chunks', (format) => {
    const options = { obfuscation: true, text: 'text' }
    const whole = textOf(encodeStream(format, calls, options))
    expect(textOf(encodeStream(format, calls, { ...options, chunkSize: 'event' }))).toBe(whole)
    const chunks = sizes(encodeStream(format, calls, { ...options, chunkSize: 7 }))
    expect(new Set(chunks.slice(0, -1))).toEqual(new Set([7]))
    expect(chunks.reduce((sum, size) => sum + size, 0)).toBe(
      sizes(encodeStream(format, calls, options)).reduce((sum, size) => sum + size, 0),
    )
  })

  it.each(formats)('%s sends one event a chunk on demand', (format) => {
    let frames = 0
    for (const chunk of encodeStream(format, calls, { chunkSize: 'event', text: 'some text' })) {
      expect(read([chunk]).every((frame) => frame.kind === 'event' && frame.terminated)).toBe(true)
      frames++
    }
    expect(frames).toBe(events(format, calls, { text: 'some text' }).length)
  })

  it.each(formats)('%s stops where it is told to', (format) => {
    for (const length of [0, 1, 100, 1_001]) {
      const chunks = [...encodeStream(format, calls, { cutAfterBytes: length })]
      expect(sizes(chunks).reduce((sum, size) => sum + size, 0)).toBe(length)
      expect(textOf(encodeStream(format, calls)).startsWith(textOf(chunks).replace(/\uFFFD+$/, ''))).toBe(true)
    }
  })

  it.each(formats)('%s reads the same with other line ends', (format) => {
    const expected = events(format, calls)
    expect(events(format, calls, { lineEnding: '\r\n' })).toEqual(expected)
    if (format !== 'ollama') expect(events(format, calls, { lineEnding: '\r' })).toEqual(expected)
  })

  it('ends with the marker of the wire, and with the reason of the caller', () => {
    expect(events('openai-chat', calls).at(-1)).toBe('[DONE]')
    expect(
      events('openai-chat', calls, { terminate: false, usage: false, finishReason: 'length' }).at(-1),
    ).toMatchObject({
      choices: [{ finish_reason: 'length' }],
    })
    expect(events('openai-responses', calls, { finishReason: 'max_output_tokens' }).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    })
    expect(events('openai-responses', calls, { terminate: false }).at(-1)).toMatchObject({
      type: 'response.output_item.done',
    })
    expect(events('anthropic', calls, { finishReason: 'max_tokens' }).slice(-2)).toMatchObject([
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_stop' },
    ])
    expect(events('ollama', calls).at(-1)).toMatchObject({ done: true, done_reason: 'stop' })
    expect(events('ollama', calls, { terminate: false }).at(-1)).toMatchObject({ done: false })
    expect(events('cohere', calls, { finishReason: null }).slice(-2)).toMatchObject([
      { type: 'tool-call-end' },
      '[DONE]',
    ])
    expect(events('gemini', calls).at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP' }] })
    expect(events('bedrock', calls).slice(-2)).toMatchObject([
      { messageStop: { stopReason: 'tool_use' } },
      { metadata: {} },
    ])
  })

  it('gives each choice of Chat Completions the calls under ids of its own', () => {
    const stream = events('openai-chat', calls, { choices: 2 })
    const ids = stream.flatMap((event) => stringsUnder(event, 'id')).filter((id) => !id.startsWith('chatcmpl-'))
    expect(new Set(ids).size).toBe(6)
    expect(ids).toContain('given')
    expect(ids).toContain('given_1')
  })

  it('pads each event by another length', () => {
    const lengths = events('openai-chat', calls, { obfuscation: true })
      .flatMap((event) => stringsUnder(event, 'obfuscation'))
      .map((text) => text.length)
    expect(new Set(lengths).size).toBeGreaterThan(10)
    expect(events('openai-chat', calls).flatMap((event) => stringsUnder(event, 'obfuscation'))).toEqual([])
  })

  it('writes integers that a double can’t hold, and keys of every kind', () => {
    const text = textOf(
      encodeStream('ollama', [{ name: 'f', arguments: { n: 12345678901234567890n, '"': [{}, null] } }]),
    )
    expect(text).toContain('"arguments":{"n":12345678901234567890,"\\"":[{},null]}')
  })

  it('parses back to any arguments', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        (value, deltaSize) => {
          const args = JSON.parse(JSON.stringify(value)) as Record<string, never>
          const stream = events('openai-chat', [{ name: 'f', arguments: args }], { deltaSize })
          expect(JSON.parse(stream.flatMap((event) => stringsUnder(event, 'arguments')).join(''))).toEqual(args)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('takes a wire format in place of its name, and refuses one that it cannot write', () => {
    expect(textOf(encodeStream({ name: 'ollama' }, calls))).toBe(textOf(encodeStream('ollama', calls)))
    expect(() => encodeStream({ name: 'toString' }, calls)).toThrow(/toString/)
    expect(() => encodeStream('ollama', calls, { deltaSize: 0 })).toThrow(TypeError)
  })

  it('makes a large stream piece by piece', () => {
    const large = [{ name: 'f', arguments: { text: 'lorem ipsum '.repeat(20_000) } }]
    let total = 0
    let largest = 0
    for (const chunk of encodeStream('openai-chat', large, { deltaSize: 4 })) {
      total += chunk.length
      largest = Math.max(largest, chunk.length)
    }
    expect(total).toBeGreaterThan(18e6)
    expect(largest).toBeLessThan(18_000)
  })
})
