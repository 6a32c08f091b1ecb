import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventFrame, Frame } from '../../src/model/frames.ts'
import { eventStream } from '../../src/framing/event-stream.ts'
import { encodeHeaders, encodeMessage } from '../../src/testing/event-stream.ts'
import { bytesOf, contextOf, cuts, digest, reused, Sink, through } from './harness.ts'

const framesOf = (chunks: Iterable<Uint8Array>, limit?: number): Frame[] =>
  through(eventStream(contextOf(limit)), chunks)
const read = (...chunks: Uint8Array[]): string[] => digest(framesOf(chunks))

const written = (headers: Record<string, string>, payload: string): Uint8Array =>
  encodeMessage(encodeHeaders(headers), payload)
const event = (type: string, payload: string): Uint8Array =>
  written({ ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }, payload)

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

/** The message with one byte changed; counted from the end where `at` is negative. */
function damaged(message: Uint8Array, at: number): Uint8Array {
  const copy = message.slice()
  copy.set([(copy.at(at) ?? 0) ^ 0x10], at < 0 ? copy.length + at : at)
  return copy
}

const hello = event('messageStart', '{"role":"assistant"}')
const stop = event('messageStop', '{"stopReason":"tool_use"}')

describe('eventStream', () => {
  it('reads the messages that the AWS codec writes', () => {
    const codec = new EventStreamCodec((bytes) => new TextDecoder().decode(bytes), bytesOf)
    const headers = {
      ':event-type': { type: 'string', value: 'messageStart' },
      when: { type: 'timestamp', value: new Date(0) },
    } as const
    expect(read(codec.encode({ headers, body: bytesOf('{"é":1}') }), hello)).toEqual([
      'messageStart {"é":1}',
      'messageStart {"role":"assistant"}',
    ])
  })

  it('makes the same frames wherever the bytes are cut, from one buffer too', () => {
    const messages = fc
      .tuple(fc.string(), fc.string({ unit: 'binary', maxLength: 40 }))
      .map(([type, payload]) => event(type, payload))
    const body = fc
      .tuple(fc.array(messages, { maxLength: 4 }), fc.nat({ max: 30 }), fc.option(fc.nat(), { nil: undefined }))
      .map(([parts, cut, damage]) => {
        const bytes = concat(...parts)
        const whole = damage === undefined || bytes.length === 0 ? bytes : damaged(bytes, damage % bytes.length)
        return whole.slice(0, Math.max(0, whole.length - cut))
      })
    fc.assert(
      fc.property(
        body.chain((bytes) => fc.tuple(fc.constant(bytes), cuts(bytes), fc.constantFrom(20, 120, 1e9))),
        ([bytes, chunks, limit]) => {
          const whole = framesOf([bytes], limit)
          expect(framesOf(chunks, limit)).toEqual(whole)
          expect(framesOf(reused(chunks), limit)).toEqual(whole)
          expect(
            framesOf(
              Array.from(bytes, (byte) => Uint8Array.of(byte)),
              limit,
            ),
          ).toEqual(whole)
        },
      ),
      { numRuns: 250 },
    )
  })

  it('hands a message on with its last byte', () => {
    const sink = new Sink<Frame>()
    const step = eventStream(contextOf())(sink)
    step.push(concat(hello, stop).slice(0, -1))
    expect(sink.items).toHaveLength(1)
    step.push(stop.slice(-1))
    expect(sink.items).toHaveLength(2)
  })

  it('unwraps the event that InvokeModel sends in Base64', () => {
    const inner = '{"type":"message_stop","é":"🙂"}'
    const base64 = btoa(String.fromCharCode(...bytesOf(inner)))
    expect(read(event('chunk', `{"bytes":"${base64}","p":"abc"}`))).toEqual([`chunk ${inner}`])
  })

  it('leaves a payload alone that only looks wrapped', () => {
    for (const payload of [
      '{"bytes":1}',
      '{"bytes":"*"}',
      '{"a":{"bytes":"eA=="}}',
      '["bytes"]',
      '{"bytes":"eA=="',
      '',
    ]) {
      expect(read(event('chunk', payload))).toEqual([`chunk ${payload}`])
    }
  })

  it('tells exceptions and errors of the service from events', () => {
    const exception = { ':message-type': 'exception', ':exception-type': 'throttlingException' }
    const error = { ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'An "internal" error' }
    expect(read(written(exception, '{"message":"slow down"}'), written(error, ''))).toEqual([
      'exception:throttlingException {"message":"slow down"}',
      'exception:InternalError {"message":"An \\"internal\\" error"}',
    ])
  })

  it('gives a message without an event type no event', () => {
    expect(framesOf([written({}, '{}')])).toEqual([{ kind: 'event', number: 1, data: '{}', terminated: true }])
  })

  it('reports a message whose checksum or headers are wrong, and reads on behind it', () => {
    const headers = encodeHeaders({ ':event-type': 'x' })
    headers.set([99], 1 + ':event-type'.length) // a type of value that does not exist
    expect(read(damaged(hello, -10), stop)[0]).toMatch(/^corrupt: \{"role":"as/)
    expect(read(damaged(hello, -1), stop)).toEqual([
      'corrupt: {"role":"assistant"}',
      'messageStop {"stopReason":"tool_use"}',
    ])
    expect(read(encodeMessage(headers, '{"a":1}'), stop)).toEqual([
      'corrupt: {"a":1}',
      'messageStop {"stopReason":"tool_use"}',
    ])
    expect(read(damaged(hello, 20), stop)[0]).toBe('corrupt: {"role":"assistant"}')
  })

  it('stops at a prelude that does not check out, since no length is known any more', () => {
    for (let at = 0; at < 12; at++) {
      const [first, ...rest] = read(hello, damaged(stop, at), hello, hello)
      expect(first).toBe('messageStart {"role":"assistant"}')
      expect(rest).toEqual([expect.stringMatching(/^corrupt: [0-9a-f]{24}$/)])
    }
  })

  it('marks a message that the body breaks off in', () => {
    for (let end = 1; end < stop.length; end++) {
      const frames = framesOf([hello, stop.slice(0, end)])
      expect(frames).toHaveLength(2)
      expect(frames[1]).toMatchObject({ kind: 'event', terminated: false })
      expect('{"stopReason":"tool_use"}'.startsWith(frames[1]?.data ?? '?')).toBe(true)
    }
    expect(read(event('x', '{"é":1}').slice(0, -9))).toEqual(['{" (cut)'])
  })

  it('drops one message over the limit, once, and reads on behind it', () => {
    const large = event('contentBlockDelta', `{"a":"${'é'.repeat(5_000)}"}`)
    const sink = new Sink<Frame>()
    const step = eventStream(contextOf(3_000))(sink)
    for (const part of [hello, large, stop]) step.push(part)
    step.end()
    expect(sink.items.map((frame) => frame.kind)).toEqual(['event', 'fault', 'event'])
    expect(sink.items[1]).toMatchObject({ fault: 'over-limit', number: 2 })
    expect(`{"a":"${'é'.repeat(1_000)}`.startsWith(sink.items[1]?.data ?? '?')).toBe(true)
    expect(sink.items[1]?.data.length).toBeGreaterThan(900)
    expect(digest(framesOf([written({}, ''), written({}, '')], 15))).toEqual(['over-limit: ', 'over-limit: '])
  })

  it('finds nothing in nothing', () => {
    expect(read()).toEqual([])
    expect(read(new Uint8Array(0))).toEqual([])
  })
})

/** An event as one object: under its type, but bare where the payload was wrapped. */
function valueOf({ event: type = '', data }: EventFrame): unknown {
  const value: unknown = JSON.parse(data)
  return type === 'chunk' ? value : { [type]: value }
}

// Recordings that lie beside the project on some machines and are no part of it.
const recordings = new URL('../../../shared/captures/', import.meta.url)

describe.runIf(existsSync(recordings))('recorded AWS event streams', () => {
  const folders = existsSync(recordings) ? ['bedrock', 'anthropic', 'openai-chat'] : []
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, recordings))
      .filter((name) => name.endsWith('.eventstream'))
      .map((name) => `${folder}/${name}`),
  )

  it.each(files)('%s reads the same as its text', (file) => {
    const bytes = new Uint8Array(readFileSync(new URL(file, recordings)))
    const frames = framesOf([bytes])
    const [ndjson, sse] = ['ndjson', 'sse'].map(
      (extension) => new URL(file.replace('eventstream', extension), recordings),
    )
    const actual = frames.map((frame) => frame.kind === 'event' && valueOf(frame))
    if (ndjson !== undefined && existsSync(ndjson)) {
      const lines = readFileSync(ndjson, 'utf8').trimEnd().split('\n')
      expect(actual).toEqual(lines.map((line) => JSON.parse(line)))
    } else if (sse !== undefined && existsSync(sse)) {
      const data = [...readFileSync(sse, 'utf8').matchAll(/^data: ?(\{.*)$/gm)].map(
        ([, json = '']) => JSON.parse(json) as unknown,
      )
      expect(actual).toEqual(data)
    }
    expect(framesOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(frames)
  })
})
