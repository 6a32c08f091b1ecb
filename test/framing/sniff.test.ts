import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/model/frames.ts'
import type { FramingContext } from '../../src/framing/context.ts'
import type { Step } from '../../src/model/stage.ts'
import { eventStream } from '../../src/framing/event-stream.ts'
import { json } from '../../src/framing/json.ts'
import { ndjson } from '../../src/framing/ndjson.ts'
import { sniff } from '../../src/framing/sniff.ts'
import { sse } from '../../src/framing/sse.ts'
import { bytesOf, contextOf, cuts, digest, isWellFormed, reused, Sink, through } from './harness.ts'

const framings = { sse, ndjson, json }

interface Options {
  readonly limit?: number
  readonly contentType?: string
  readonly binary?: boolean
}

/** The composition that an assembler makes. `chosen` gets the branches that were built. */
function compose(next: Step<Frame>, chosen: string[], { limit, contentType, binary = true }: Options = {}) {
  const context: FramingContext = contextOf(limit)
  const makeBinary = () => {
    chosen.push('binary')
    return eventStream(context)(next)
  }
  return sniff(
    context,
    {
      text(framing) {
        chosen.push(framing)
        return framings[framing](context)(next)
      },
      frames: next,
      ...(binary ? { binary: makeBinary } : {}),
    },
    contentType,
  )
}

function framesOf(chunks: Iterable<Uint8Array | string>, options?: Options): { branch: string; frames: Frame[] } {
  const chosen: string[] = []
  const frames = through((next: Step<Frame>) => compose(next, chosen, options), chunks)
  return { branch: chosen.join(), frames }
}

function digestOf(chunks: Iterable<Uint8Array | string>, options?: Options): string[] {
  const { branch, frames } = framesOf(chunks, options)
  return [branch, ...digest(frames)]
}

function read(body: string | Uint8Array, options?: Options): string[] {
  return digestOf([body], options)
}

const object = '{"model":"m","done":false}'
const pretty = JSON.stringify({ error: { message: 'no', list: [{}, { a: 1 }], empty: {} } }, null, 2)

const bodies: [string, string, string[]][] = [
  ['events', 'data: 1\n\ndata: 2\n\n', ['sse', '1', '2']],
  ['events with a name first', 'event: ping\ndata: 1\n\n', ['sse', 'ping 1']],
  ['events that end their lines in CR', 'data: 1\r\rdata: 2\r\r', ['sse', '1', '2']],
  ['a comment first', ': OPENROUTER PROCESSING\n\ndata: 1\n\n', ['sse', '1']],
  ['an error line first', 'error: {"code":500}\n\n', ['sse', 'error-line: {"code":500}']],
  ['an unknown line first', 'oops\ndata: 1\n\n', ['sse', 'unknown-line: oops', '1']],
  ['one event without its end', 'data: 1', ['sse', '1 (cut)']],
  ['prose', 'Bad gateway\n\ntry again', ['sse', 'not-a-stream: Bad gateway\n\ntry again']],
  ['prose in brackets', '[ERROR] upstream\n', ['sse', 'not-a-stream: [ERROR] upstream']],
  [
    'HTML',
    '<html><body>502</body></html>\n\ndata: 1\n\n',
    ['', 'not-a-stream: <html><body>502</body></html>\n\ndata: 1\n\n'],
  ],
  ['an array of objects', '[{"a":1}\n,\r\n{"b":2}]', ['json', '{"a":1}', '{"b":2}']],
  ['an array that opens its first line alone', '[\n  {"a":1}\n]', ['json', '{"a":1}']],
  ['an empty array', '[ ]', ['json']],
  ['an array that was cut at once', '[', ['json']],
  ['lines of objects', `${object}\n${object}\n`, ['ndjson', object, object]],
  ['one object', object, ['json', object]],
  ['one object and a line end', `${object}\n`, ['ndjson', object]],
  ['an object over several lines', pretty, ['json', pretty]],
  [
    'an object over several lines that end in CRLF',
    pretty.replaceAll('\n', '\r\n'),
    ['json', pretty.replaceAll('\n', '\r\n')],
  ],
  [
    'an object with an object alone on a line',
    '{\n"a": [\n{}\n],\n"b":\n{}\n}',
    ['json', '{\n"a": [\n{}\n],\n"b":\n{}\n}'],
  ],
  ['a malformed line first', `{"a":\n${object}\n${object}\n`, ['ndjson', '{"a":', object, object]],
  ['lines that don’t parse first', `oops\n{"a":"b\n${object}`, ['ndjson', 'oops', '{"a":"b', `${object} (cut)`]],
  ['a line that was cut', '{"model":"m","mess', ['ndjson', '{"model":"m","mess (cut)']],
  ['an object over several lines that was cut', '{\n  "a": {}', ['ndjson', '{', '  "a": {} (cut)']],
  ['a malformed line ahead of events', '{"a":\ndata: 1\n\n', ['sse', 'unknown-line: {"a":', '1']],
  ['nothing', '', ['']],
  ['white space', ' \r\n\n\t', ['']],
]

describe('sniff', () => {
  it.each(bodies)('%s', (_, body, expected) => {
    expect(read(body)).toEqual(expected)
  })

  it.each(bodies)('%s, behind a byte order mark and white space', (_, body, expected) => {
    expect(read(bytesOf(`\uFEFF\r\n  \n${body}`))).toEqual(expected)
  })

  it.each(bodies)('%s, at every cut', (_, body, expected) => {
    const bytes = bytesOf(` ${body}`)
    for (let i = 0; i <= bytes.length; i++) {
      const chunks = [bytes.subarray(0, i), bytes.subarray(i)]
      expect(digestOf(chunks)).toEqual(expected)
      expect(digestOf(reused(chunks))).toEqual(expected)
    }
    expect(digestOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected)
    expect(digestOf(body.split(''))).toEqual(expected)
  })

  it('decides and reads alike at any cut, under any limit', () => {
    const line = fc.oneof(
      fc.constantFrom(
        object,
        '{',
        '}',
        '{}',
        '{},',
        '"a": {',
        '"a":',
        '[',
        ']',
        '<p>',
        'data: 1',
        ': c',
        'oops',
        '',
        '{"a":"é🙂"}',
      ),
      fc.string({ maxLength: 6 }),
    )
    const body = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r', '\n\n', '')), { maxLength: 8 })
      .map((lines) => lines.flat().join(''))
    fc.assert(
      fc.property(
        body.chain((text) => fc.tuple(fc.constant(text), cuts(text), fc.constantFrom(3, 9, 30, 1e9))),
        ([text, chunks, limit]) => {
          const whole = framesOf([text], { limit })
          expect(framesOf(chunks, { limit })).toEqual(whole)
          expect(framesOf(text.split(''), { limit })).toEqual(whole)
          // A surrogate alone has no bytes of its own.
          if (isWellFormed(text)) expect(framesOf([bytesOf(text)], { limit })).toEqual(whole)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('builds the branch as soon as the first line tells, and only that', () => {
    for (const [start, framing] of [
      ['data: 1\n', 'sse'],
      [': c\n', 'sse'],
      [`${object}\n`, 'ndjson'],
      ['[{', 'json'],
    ] as const) {
      const chosen: string[] = []
      compose(new Sink<Frame>(), chosen).push(start)
      expect(chosen).toEqual([framing])
    }
  })

  it('hands frames on while the body still comes', () => {
    const sink = new Sink<Frame>()
    const step = compose(sink, [])
    step.push(`{"a":"b\n${object}\n`)
    expect(sink.items).toHaveLength(2)
    step.push(`${object}\n`)
    expect(sink.items).toHaveLength(3)
  })

  it('takes a first byte of zero for an AWS event stream', () => {
    expect(read(Uint8Array.of(0, 0, 0), {})).toEqual(['binary', ' (cut)'])
    expect(read(Uint8Array.of(0, 0x41), { binary: false })).toEqual(['', 'not-a-stream: \0A'])
  })

  it('lets the media type decide only over bytes that begin no text', () => {
    const contentType = 'Application/vnd.amazon.eventstream; charset=x'
    expect(read(Uint8Array.of(0x91, 0, 0), { contentType })).toEqual(['binary', ' (cut)'])
    expect(read('data: 1\n\n', { contentType })).toEqual(['sse', '1'])
    expect(read(bytesOf('{"a":1}'), { contentType })).toEqual(['json', '{"a":1}'])
    expect(read(bytesOf(`${object}\n`), { contentType: 'text/event-stream' })).toEqual(['ndjson', object])
    expect(read(bytesOf('data: 1\n\n'), { contentType: 'application/x-ndjson' })).toEqual(['sse', '1'])
  })

  it('reports text in a binary stream as what it is there: corrupt', () => {
    const { frames } = framesOf([Uint8Array.of(0), 'data: 1\n\n and more'])
    expect(frames.map((frame) => frame.kind === 'fault' && frame.fault)).toEqual(['corrupt'])
  })

  it('quotes the start of HTML at once, and no more of it than a fault may', () => {
    const sink = new Sink<Frame>()
    const step = compose(sink, [])
    for (let i = 0; i < 100; i++) step.push(`<p>${'🙂'.repeat(50)}</p>`)
    expect(sink.items).toHaveLength(1)
    step.end()
    const [fault] = sink.items
    expect(sink.items).toHaveLength(1)
    expect(fault?.data.length).toBeLessThanOrEqual(2_000)
    expect(fault?.data.length).toBeGreaterThan(1_990)
    expect(isWellFormed(fault?.data ?? '')).toBe(true)
  })

  it('holds no more white space behind a bracket than an event may have, at any cut', () => {
    for (const rest of ['{"a":1}]', 'warning] no stream']) {
      const body = `[${' '.repeat(40)}${rest}`
      const whole = digestOf([body], { limit: 20 })
      expect(whole[0]).toBe('json')
      fc.assert(
        fc.property(cuts(body), (chunks) => {
          expect(digestOf(chunks, { limit: 20 })).toEqual(whole)
        }),
      )
    }
  })

  it('does not hold more than an event may have', () => {
    expect(read('{"a":1234567890}\n{"b":2}\n', { limit: 10 })).toEqual(['ndjson', 'over-limit: {"a":12345', '{"b":2}'])
    expect(read('{\n"a":1,\n"b":2\n}\n', { limit: 10 })).toEqual(['json', 'over-limit: {\n"a":1,\n"'])
    expect(read('{\n"a":1\n}\n', { limit: 9 })).toEqual(['json', '{\n"a":1\n}'])
    expect(read('{\n"a":1\n}\n', { limit: 8 })).toEqual(['json', 'over-limit: {\n"a":1\n'])
    expect(read('oops oops oops\n\ndata: 1\n\n', { limit: 10 })).toEqual(['sse', 'over-limit: oops oops ', '1'])
  })
})
