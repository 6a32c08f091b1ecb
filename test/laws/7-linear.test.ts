// Law: every byte is looked at a bounded number of times, at any chunk size, for any input.
//
// Held by processor time. Input where a second look costs next to nothing is sized so that it would show.

import { describe, it } from 'vitest'
import { createAssembler, type AssemblerEvent, type AssemblerOptions } from '../../src/index.ts'
import { chunked, encodeStream } from '../../src/testing.ts'
import { expectCaught, expectLinear, Rescanner } from '../helpers/cost.ts'
import { hostile } from './hostile.ts'
import { formats, joined } from './support.ts'

type Feed = Iterable<Uint8Array | string>

/** Reads what `feed` makes. `each` sees every event: a reader that the events are for. */
function reading(
  feed: (size: number) => Feed,
  options: AssemblerOptions,
  each?: () => (event: AssemblerEvent) => void,
): (size: number) => () => void {
  return (size) => {
    const chunks = [...feed(size)]
    return () => {
      const see = each?.()
      const assembler = createAssembler(options)
      for (const chunk of chunks) {
        const events = assembler.feed(chunk)
        if (see) for (const event of events) see(event)
      }
      assembler.end()
    }
  }
}

/** A call of `size` characters in one format's stream. */
function stream(format: (typeof formats)[number], size: number, deltaSize: number): Uint8Array {
  const line = 'line "of" text\n'
  const calls = [{ name: 'f', arguments: { text: line.repeat(Math.ceil(size / line.length)) } }]
  return joined([...encodeStream(format, calls, { deltaSize })])
}

/** So many events of a character each that looking at all arguments again for each would take far longer than reading them. */
const manyEvents = 6_000

describe('time is linear', () => {
  it.each(hostile.map((held) => [held.name, held] as const))(
    'for %s',
    { timeout: 60_000 },
    (_, { format, size, body, options }) => {
      expectLinear(
        reading((n) => chunked(body(n), 50), { format, ...options }),
        size,
      )
      expectLinear(
        reading((n) => [body(n)], { format, ...options }),
        size,
      )
    },
  )

  describe.each(formats)('for a long call in %s', (format) => {
    it('in single bytes, all of it in one event', { timeout: 60_000 }, () => {
      expectLinear(
        reading((n) => chunked(stream(format, n, 1e9), 1), { format }),
        15_000,
      )
    })

    it.each([true, false])('in events of a character each, with the live value: %s', { timeout: 60_000 }, (live) => {
      expectLinear(
        reading((n) => [stream(format, n, 1)], { format, partialArguments: live }),
        manyEvents,
      )
    })
  })
})

describe('a reader that looks at all arguments again for every delta', () => {
  const rescan = (): ((event: AssemblerEvent) => void) => {
    const rescanner = new Rescanner()
    return (event) => {
      if (event.type === 'tool-call-delta') rescanner.push(event.delta)
    }
  }

  it('is caught by events of a character each', () => {
    const format = 'openai-chat'
    const slow = reading((n) => [stream(format, n, 1)], { format }, rescan)
    expectCaught(slow, manyEvents)
  })

  it.each(hostile.slice(0, 1))('is caught by $name', ({ format, size, body, options }) => {
    const slow = reading((n) => [body(n)], { format, ...options }, rescan)
    expectCaught(slow, size)
  })
})
