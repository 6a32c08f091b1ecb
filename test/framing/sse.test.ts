import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/model/frames.ts'
import { sse } from '../../src/framing/sse.ts'
import { contextOf, cuts, digest, Sink, through } from './harness.ts'

const framesOf = (chunks: Iterable<string>, limit?: number): Frame[] => through(sse(contextOf(limit)), chunks)
const read = (...chunks: string[]): string[] => digest(framesOf(chunks))

/** A line of an event stream, or something like one. */
const line = fc.oneof(
  { arbitrary: fc.string({ maxLength: 8 }).map((value) => `data: ${value}`), weight: 4 },
  fc.constantFrom('data:{"a":1}', 'data:  two spaces', 'data', 'data:', 'data: [DONE]', 'data: 漢🙂é'),
  fc.constantFrom('event: ping', 'event:x', 'id: 7', 'retry: 10', 'retry: soon', ': comment', ':'),
  fc.constantFrom('error: {"message":"boom"}', 'prose', 'unknown: field', 'dat', 'e'),
)
const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
const body = fc
  .array(fc.tuple(fc.oneof({ arbitrary: line, weight: 2 }, fc.constant('')), lineEnd), { maxLength: 12 })
  .chain((lines) => fc.tuple(fc.constant(lines.flat().join('')), fc.oneof(fc.constant(''), line)))
  .map((parts) => parts.join(''))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // what the flag exposes

describe('sse', () => {
  it('makes the same frames of a body wherever it is cut', () => {
    fc.assert(
      fc.property(
        body.chain((text) => fc.tuple(fc.constant(text), cuts(text), fc.constantFrom(4, 12, 40, 1e9))),
        ([text, chunks, limit]) => {
          expect(framesOf(chunks, limit)).toEqual(framesOf([text], limit))
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('makes the same frames a character at a time', () => {
    fc.assert(
      fc.property(body, fc.constantFrom(4, 12, 40, 1e9), (text, limit) => {
        expect(framesOf(text.split(''), limit)).toEqual(framesOf([text], limit))
      }),
      { numRuns: 500 },
    )
  })

  it('numbers events and faults in one row', () => {
    fc.assert(
      fc.property(body, (text) => {
        const frames = framesOf([text])
        expect(frames.map((frame) => frame.number)).toEqual(frames.map((_, i) => i + 1))
      }),
    )
  })

  it('reads LF, CR and CRLF, mixed', () => {
    expect(read('data: 1\n\ndata: 2\r\rdata: 3\r\n\r\ndata: 4\r\n\ndata: 5\n\r\n')).toEqual(['1', '2', '3', '4', '5'])
  })

  it('ends an event at CR without waiting whether LF follows', () => {
    const sink = new Sink<Frame>()
    const step = sse(contextOf())(sink)
    step.push('data: 1\r\r')
    expect(digest(sink.items)).toEqual(['1'])
    step.push('\ndata: 2\r\n\r')
    expect(digest(sink.items)).toEqual(['1', '2'])
    step.push('\n')
    step.end()
    expect(digest(sink.items)).toEqual(['1', '2'])
  })

  it('hands an event on with the chunk that completes it', () => {
    const sink = new Sink<Frame>()
    const step = sse(contextOf())(sink)
    step.push('data: 1\n\ndata: 2\n\nda')
    expect(digest(sink.items)).toEqual(['1', '2'])
    step.push('ta: 3\n')
    expect(sink.items).toHaveLength(2)
    step.push('\n')
    expect(sink.items).toHaveLength(3)
  })

  it('joins data lines, names events, takes a missing space, ignores ids, retries and comments', () => {
    expect(read(': hi\nid: 1\nretry: 5\nretry: soon\nevent: ping\ndata:a\ndata: b\ndata\n\n')).toEqual(['ping a\nb\n'])
    expect(framesOf(['data: 1\n\n'])).toEqual([{ kind: 'event', number: 1, data: '1', terminated: true }])
  })

  it('takes blank data for a keep-alive', () => {
    expect(read('data:\n\ndata: \n\nevent: ping\ndata:   \n\n: c\n\nevent: ping\n\ndata: 1\n\n')).toEqual(['1'])
  })

  it('reads a last event without its blank line, and says so', () => {
    expect(read('data: 1\n\nevent: e\ndata: 2')).toEqual(['1', 'e 2 (cut)'])
    expect(read('data: 1\n\ndata: 2\n')).toEqual(['1', '2 (cut)'])
    expect(read('data: 1\n\ndata: 2\r\n\r')).toEqual(['1', '2'])
  })

  it('takes a line that stops inside a field name for a cut, not for a line that nobody knows', () => {
    expect(read('data: 1\n\nda')).toEqual(['1', 'da (cut)'])
    expect(read('data: 1\n\ndata: 2\nev')).toEqual(['1', '2 (cut)', 'ev (cut)'])
    expect(read('d')).toEqual(['d (cut)'])
    expect(read('data: 1\n\ndata')).toEqual(['1'])
    expect(read('data: 1\n\n: comme')).toEqual(['1'])
  })

  it('reports an error line of llama.cpp in its place', () => {
    expect(read('data: 1\n\nerror: {"code":500}\n\ndata: 2\n\n')).toEqual(['1', 'error-line: {"code":500}', '2'])
    expect(read('error: {"code":500}')).toEqual(['error-line: {"code":500}'])
  })

  it('reports a line that is no field in its place, also ahead of the first event', () => {
    expect(read('oops\ndata: 1\n\nwhat: ever\n\ndata: 2\n\n')).toEqual([
      'unknown-line: oops',
      '1',
      'unknown-line: what: ever',
      '2',
    ])
  })

  it('keeps lines together that are no field and follow each other, such as an error laid out over lines', () => {
    const error = JSON.stringify({ error: { code: 499, status: 'CANCELLED' } }, null, 2)
    for (const end of ['', '\n', '\n\n', '\n\ndata: 2\n\n']) {
      expect(read(`data: 1\n\n${error}${end}`).slice(0, 2)).toEqual(['1', `unknown-line: ${error}`])
    }
    expect(read('data: 1\n\na\nb\n: c\nd\n\ne\n')).toEqual([
      '1',
      'unknown-line: a\nb',
      'unknown-line: d',
      'unknown-line: e',
    ])
  })

  it('reports a body of prose once, with its start', () => {
    expect(read('Internal Server Error')).toEqual(['not-a-stream: Internal Server Error'])
    expect(read('upstream error:\n\ntimed out\n')).toEqual(['not-a-stream: upstream error:\n\ntimed out'])
    const [fault] = framesOf([`${'a🙂'.repeat(2_000)}\n`])
    expect(fault?.kind === 'fault' && fault.data).toBe('a🙂'.repeat(666) + 'a')
  })

  it('stops reading a body that has been prose for longer than an event may be', () => {
    const sink = new Sink<Frame>()
    const step = sse(contextOf(20))(sink)
    for (let i = 0; i < 100; i++) step.push('lorem ipsum\n\n')
    step.push('data: 1\n\n')
    step.end()
    expect(digest(sink.items)).toEqual(['not-a-stream: lorem ipsum\n\nlorem ipsum'])
  })

  it('ignores a retry time and reads an error line wherever they stand, once there was an odd line', () => {
    expect(read('oops\nretry: soon\ndata: 1\nerror:x\n\nerror\nretry\ndata: 2\n\n')).toEqual([
      'unknown-line: oops',
      'error-line: x',
      '1',
      'error-line: ',
      '2',
    ])
  })

  it('finds nothing in nothing', () => {
    expect(read('')).toEqual([])
    expect(read('\n\r\n', '\r')).toEqual([])
    expect(read(': only\n\n: comments\n')).toEqual([])
  })

  it('drops one event over the limit, once, and reads on behind it', () => {
    expect(digest(framesOf(['data: 12345678\n\ndata: 12\n\n'], 8))).toEqual(['over-limit: data: 12', '12'])
    const long = 'x'.repeat(5_000)
    const chunks = ['data: 1\n\nda', 'ta: ', ...Array<string>(50).fill(long), '\n', '\ndata: 2\n\n']
    const frames = framesOf(chunks, 10_000)
    expect(frames.map((frame) => frame.kind)).toEqual(['event', 'fault', 'event'])
    expect(frames[1]).toEqual({ kind: 'fault', number: 2, fault: 'over-limit', data: `data: ${'x'.repeat(1_994)}` })
  })

  it('measures an event in UTF-8 bytes of its lines, whatever its line ends', () => {
    const event = 'data: é漢🙂' // 6 + 2 + 3 + 4
    for (const end of ['\n\n', '\r\n\r\n', '\r\r']) {
      expect(digest(framesOf([event + end], 15))).toEqual(['é漢🙂'])
      expect(digest(framesOf((event + end).split(''), 15))).toEqual(['é漢🙂'])
      expect(digest(framesOf([event + end], 14))).toEqual(['over-limit: data: é漢'])
    }
  })

  it('is whole again, however many pieces an event comes in', () => {
    const data = Array.from({ length: 3_000 }, (_, i) => `${i}é`).join('')
    expect(read(...`data: ${data}\n\ndata: 2\n\n`)).toEqual([data, '2'])
  })

  it('keeps no more than the limit of an event that never ends', () => {
    const sink = new Sink<Frame>()
    const step = sse(contextOf(1_000))(sink)
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 20_000; i++) step.push(`${i} `.repeat(500))
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10e6)
    step.end()
    expect(sink.items).toHaveLength(1)
  })

  it('takes no event for a byte order mark that was decoded wrongly', () => {
    expect(read('data: 1\n\n', 'ï»¿x\n\n')).toEqual(['1', 'unknown-line: ï»¿x'])
    expect(read('ï»¿')).toEqual(['not-a-stream: ï»¿'])
  })
})
