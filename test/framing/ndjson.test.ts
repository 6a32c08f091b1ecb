import fc from 'fast-check'
import oracle from 'ndjson'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/model/frames.ts'
import type { Step } from '../../src/model/stage.ts'
import { ndjson } from '../../src/framing/ndjson.ts'
import { utf8 } from '../../src/framing/utf8.ts'
import { bytesOf, contextOf, cuts, digest, reused, Sink, through } from './harness.ts'

const framesOf = (chunks: Iterable<string>, limit?: number): Frame[] => through(ndjson(contextOf(limit)), chunks)
const read = (...chunks: string[]): string[] => digest(framesOf(chunks))

/** The values of the lines, read from bytes; a line that does not parse is its text. */
function valuesOf(chunks: Iterable<Uint8Array>): unknown[] {
  return through((next: Step<Frame>) => utf8(contextOf())(ndjson(contextOf())(next)), chunks).map((frame) => {
    if (frame.kind === 'fault') throw new Error(frame.fault)
    return JSON.parse(frame.data)
  })
}

/** What the `ndjson` package reads from the same chunks, and the errors that it emits. */
async function oracleOf(chunks: readonly Uint8Array[], options?: { maxLength: number }) {
  const values: unknown[] = []
  const errors: string[] = []
  // The types of the package leave out what it hands on to split2.
  const stream = oracle.parse(options as Parameters<typeof oracle.parse>[0])
  stream.on('data', (value: unknown) => values.push(value))
  stream.on('error', (error: Error) => errors.push(error.message))
  for (const chunk of chunks) if (!stream.destroyed) stream.write(Buffer.from(chunk))
  stream.end()
  await new Promise((resolve) => setTimeout(resolve, 0))
  return { values, errors }
}

const row = fc.jsonValue().filter((value) => value !== null)
const body = fc
  .array(fc.tuple(row, fc.constantFrom('\n', '\r\n', '\n\n', '\r\n\n')), { maxLength: 8 })
  .chain((rows) =>
    fc.tuple(
      fc.constant(rows.map(([value, end]) => JSON.stringify(value) + end).join('')),
      fc.option(row, { nil: undefined }),
    ),
  )
  .map(([lines, last]) => (last === undefined ? lines : lines + JSON.stringify(last)))

const messy = fc
  .array(fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\r', ' ', '{"a":"é🙂"}', '漢')), {
    maxLength: 16,
  })
  .map((parts) => parts.join(''))

describe('ndjson', () => {
  it('reads what the ndjson package reads, for any rows at any cuts', async () => {
    await fc.assert(
      fc.asyncProperty(
        body.map(bytesOf).chain((bytes) => cuts(bytes)),
        async (chunks) => {
          const { values, errors } = await oracleOf(chunks)
          expect(errors).toEqual([])
          expect(valuesOf(chunks)).toEqual(values)
          expect(valuesOf(reused(chunks))).toEqual(values)
        },
      ),
      { numRuns: 200 },
    )
  })

  describe('where the ndjson package is wrong', () => {
    it('a row of null is a row, not the end of the stream', async () => {
      const chunks = [bytesOf('{"a":1}\nnull\n{"b":2}\n')]
      expect((await oracleOf(chunks)).values).toEqual([{ a: 1 }])
      expect(valuesOf(chunks)).toEqual([{ a: 1 }, null, { b: 2 }])
    })

    it('a byte order mark does not cost the first row', async () => {
      const chunks = [bytesOf('\uFEFF{"a":1}\n{"b":2}\n')]
      expect((await oracleOf(chunks)).values).toEqual([{ b: 2 }])
      expect(valuesOf(chunks)).toEqual([{ a: 1 }, { b: 2 }])
    })

    it('a line of spaces is no row', async () => {
      const chunks = [bytesOf('{"a":1}\n  \t\n{"b":2}\n')]
      expect((await oracleOf(chunks)).errors).toHaveLength(1)
      expect(valuesOf(chunks)).toEqual([{ a: 1 }, { b: 2 }])
    })

    it('a row over the limit is dropped whether or not it came in one chunk', async () => {
      const text = '{"a":"0123456789"}\n{"b":2}\n'
      expect((await oracleOf([bytesOf(text)], { maxLength: 10 })).values).toHaveLength(2)
      for (const chunks of [[text], text.split('')]) {
        expect(digest(framesOf(chunks, 10))).toEqual(['over-limit: {"a":"0123', '{"b":2}'])
      }
    })
  })

  it('makes the same frames of a body wherever it is cut', () => {
    fc.assert(
      fc.property(
        messy.chain((text) => fc.tuple(fc.constant(text), cuts(text), fc.constantFrom(2, 5, 11, 1e9))),
        ([text, chunks, limit]) => {
          const whole = framesOf([text], limit)
          expect(framesOf(chunks, limit)).toEqual(whole)
          expect(framesOf(text.split(''), limit)).toEqual(whole)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('loses nothing but line ends and blank lines', () => {
    fc.assert(
      fc.property(messy, (text) => {
        const kept = framesOf([text]).map((frame) => frame.data)
        expect(kept).toEqual(
          text
            .split('\n')
            .map((line) => line.replace(/\r$/, ''))
            .filter((line) => line.trim() !== ''),
        )
      }),
    )
  })

  it('hands a line on with the chunk that ends it, and a last line without its end at the end', () => {
    const sink = new Sink<Frame>()
    const step = ndjson(contextOf())(sink)
    step.push('{"a":1}\n{"b"')
    expect(digest(sink.items)).toEqual(['{"a":1}'])
    step.push(':2}')
    expect(sink.items).toHaveLength(1)
    step.end()
    expect(digest(sink.items)).toEqual(['{"a":1}', '{"b":2} (cut)'])
  })

  it('keeps a CR that ends no line', () => {
    expect(read('a\rb\r\n', 'c\r', '\n')).toEqual(['a\rb', 'c'])
  })

  it('measures a line without its end', () => {
    for (const text of ['1234\r\n', '1234\n', '1234']) {
      expect(framesOf(text.split(''), 4).map((frame) => frame.kind)).toEqual(['event'])
      expect(framesOf(text.split(''), 3).map((frame) => frame.kind)).toEqual(['fault'])
    }
  })
})
