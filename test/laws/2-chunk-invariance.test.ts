// Law: the events do not depend on where the bytes are cut. Deltas may be split differently; joined they are equal.

import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { AssemblerOptions } from '../../src/index.ts'
import { chunked } from '../../src/testing.ts'
import { anySizes, anyStream, cutBy, essence, formats, patient, read, runs, type Read } from './support.ts'

function expectSame(got: Read, wanted: Read): void {
  const [seen, right] = [essence(got), essence(wanted)]
  // The comparison of texts decides; that of values says what differs.
  if (seen !== right) expect(JSON.parse(seen)).toEqual(JSON.parse(right))
}

/** Chunks in memory that is overwritten as soon as it has been fed. */
function* reused(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const chunk of chunks) {
    const copy = chunk.slice()
    yield copy
    copy.fill(0x7d)
  }
}

/** Of bytes that are all UTF-8. Whoever decodes others has lost what they were. */
function textOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return isDeepStrictEqual(new TextEncoder().encode(text), Uint8Array.from(bytes)) ? text : undefined
}

const anyOptions: fc.Arbitrary<AssemblerOptions> = fc.record({
  partialArguments: fc.boolean(),
  fastPath: fc.boolean(),
  repair: fc.constantFrom('lossless', 'lenient', 'none'),
  limits: fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.record({ maxEventBytes: fc.integer({ min: 100, max: 600 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ maxArgumentBytes: fc.integer({ min: 1, max: 60 }), maxCalls: fc.constant(1) }),
    },
  ),
})

describe.each(formats)('chunk invariance of %s', (format) => {
  it('holds for any stream, broken or not, at any cuts, with the fast path and without', patient, () => {
    fc.assert(
      fc.property(
        anyStream({ format: fc.constant(format), maxCalls: 2 }),
        anySizes,
        anyOptions,
        fc.boolean(),
        ({ bytes }, sizes, options, named) => {
          const readBy = (chunks: Iterable<Uint8Array | string>, more: AssemblerOptions = {}): Read =>
            read(chunks, { ...options, format: named ? format : 'auto', ...more })
          const whole = readBy([bytes])
          expectSame(readBy(reused(cutBy(bytes, sizes))), whole)
          expectSame(readBy(cutBy(bytes, sizes), { fastPath: options.fastPath !== true }), whole)
          // What begins with a zero is binary, and that has no use for text.
          if (format === 'bedrock' || bytes[0] === 0) return
          const text = textOf(bytes)
          if (text === undefined) return
          expectSame(readBy(chunked(text, Math.max(1, sizes[0] ?? 1))), whole)
        },
      ),
      { numRuns: runs },
    )
  })
})
