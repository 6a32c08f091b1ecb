import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8, withoutMarks } from '../../src/framing/utf8.ts'
import { bytesOf, contextOf, cuts, reused, through } from './harness.ts'

/** What the frames get to see. */
const decode = (chunks: Iterable<Uint8Array | string>) => withoutMarks(through(utf8(contextOf()), chunks).join(''))

/** What the platform's own streaming decoder makes of the same chunks. */
function reference(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}

/** Bytes that are often almost UTF-8: whole code points, lead bytes, continuation bytes, anything. */
const almostUtf8 = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }).map(bytesOf),
      fc.uint8Array({ maxLength: 3 }),
      fc
        .constantFrom(0xe0, 0xed, 0xf0, 0xf4, 0xc2, 0xef, 0xbb, 0xbf, 0x80, 0x9f, 0xa0, 0x90)
        .map((byte) => Uint8Array.of(byte)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])))

describe('utf8', () => {
  it('gives what a streaming TextDecoder gives, for any bytes at any cuts', () => {
    fc.assert(
      fc.property(
        almostUtf8.chain((body) => cuts(body)),
        (chunks) => {
          expect(decode(chunks)).toBe(reference(chunks))
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('gives the same a byte at a time', () => {
    fc.assert(
      fc.property(almostUtf8, (body) => {
        expect(decode(Array.from(body, (byte) => Uint8Array.of(byte)))).toBe(reference([body]))
      }),
      { numRuns: 500 },
    )
  })

  it('keeps nothing of a buffer that the caller uses again', () => {
    const body = bytesOf('é—漢字🙂'.repeat(50))
    const chunks = Array.from({ length: body.length }, (_, i) => body.subarray(i, i + 1))
    expect(decode(reused(chunks))).toBe('é—漢字🙂'.repeat(50))
  })

  it('drops one byte order mark at the very start and keeps every other', () => {
    expect(decode([bytesOf('\uFEFF\uFEFFa\uFEFF')])).toBe('\uFEFFa\uFEFF')
    expect(decode(['', '\uFEFF', '\uFEFFa'])).toBe('\uFEFFa')
    expect(decode([Uint8Array.of(0xef), Uint8Array.of(0xbb), Uint8Array.of(0xbf), bytesOf('a\uFEFF')])).toBe('a\uFEFF')
    expect(decode([bytesOf('a'), bytesOf('\uFEFFb')])).toBe('a\uFEFFb')
  })

  it('passes text on, so that a pair cut between two chunks is whole again', () => {
    expect(decode(['a\uD83D', '\uDE42b'])).toBe('a🙂b')
  })

  it('takes bytes that were held back for invalid when text follows', () => {
    expect(decode([Uint8Array.of(0xe2, 0x82), 'a'])).toBe('\uFFFDa')
  })

  it('never emits an empty piece', () => {
    const pieces = through(utf8(contextOf()), [
      '',
      new Uint8Array(0),
      '\uFEFF',
      Uint8Array.of(0xf0),
      Uint8Array.of(0x9f),
    ])
    expect(pieces).toHaveLength(1)
  })

  it.each([
    ['bytes', bytesOf('漢'.repeat(20_000))],
    ['text', '漢'.repeat(20_000)],
  ])('cuts large %s into pieces between code points', (_, body) => {
    const pieces = through(utf8(contextOf()), [body])
    expect(pieces.join('')).toBe('漢'.repeat(20_000))
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(16 * 1024)
  })

  it('is equal to the reference at every place where a piece can end', () => {
    for (let shift = 0; shift < 8; shift++) {
      const body = Uint8Array.from([...bytesOf('a'.repeat(16_380 + shift)), ...bytesOf('🙂漢é'), 0xf0, 0x9f, 0x99])
      expect(decode([body])).toBe(reference([body]))
    }
  })
})
