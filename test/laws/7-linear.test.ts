// Law: every byte is looked at a bounded number of times, at any chunk size, for any input.
//
// Held by processor time: input four times as long may take at most six times as long, and a little more for what the machine does
// besides. Quadratic work takes sixteen times as long. Input where a second look costs next to nothing is sized so that it would show.

import { describe, expect, it } from 'vitest'
import { createAssembler, type AssemblerOptions } from '../../src/index.ts'
import { chunked, encodeStream } from '../../src/testing.ts'
import { hostile } from './hostile.ts'
import { formats, joined } from './support.ts'

type Feed = Iterable<Uint8Array | string>

const most = 6
/** Milliseconds that a garbage collection or a compilation may take. */
const slack = 40

/** The best of two, in milliseconds: what disturbs a run only ever adds to it. */
function timeOf(chunks: Feed, options: AssemblerOptions): number {
  const run = (): number => {
    const before = process.cpuUsage()
    const assembler = createAssembler(options)
    for (const chunk of chunks) assembler.feed(chunk)
    assembler.end()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  return Math.min(run(), run())
}

/** Measures up to three times before it gives up: a neighbour on the machine passes, quadratic work stays. */
function expectLinear(feed: (size: number) => Feed, size: number, options: AssemblerOptions): void {
  let once = Infinity
  let fourfold = Infinity
  for (let attempt = 0; attempt < 3 && !(fourfold <= most * once + slack); attempt++) {
    once = timeOf([...feed(size)], options)
    fourfold = timeOf([...feed(4 * size)], options)
  }
  expect({ once, fourfold, linear: fourfold <= most * once + slack }).toMatchObject({ linear: true })
}

describe('time is linear', () => {
  it.each(hostile.map((held) => [held.name, held] as const))(
    'for %s',
    { timeout: 60_000 },
    (_, { format, size, body, options }) => {
      expectLinear((n) => chunked(body(n), 50), size, { format, ...options })
      expectLinear((n) => [body(n)], size, { format, ...options })
    },
  )

  describe.each(formats)('for a long call in %s', (format) => {
    const stream = (lines: number, deltaSize: number): Uint8Array => {
      const calls = [{ name: 'f', arguments: { text: 'line "of" text\n'.repeat(lines) } }]
      return joined([...encodeStream(format, calls, { deltaSize })])
    }

    it('in single bytes, all of it in one event', { timeout: 60_000 }, () => {
      expectLinear((n) => chunked(stream(n, 1e9), 1), 1_000, { format })
    })

    it('in events of a character each, with the live value and without', { timeout: 60_000 }, () => {
      expectLinear((n) => [stream(n, 1)], 40, { format, partialArguments: true })
      expectLinear((n) => [stream(n, 1)], 40, { format, partialArguments: false })
    })
  })
})
