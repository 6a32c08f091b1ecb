// The cost of framing grows with the bytes alone: not with how finely they are cut, not with how long an event is.

import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/model/frames.ts'
import type { Step } from '../../src/model/stage.ts'
import { eventStream } from '../../src/framing/event-stream.ts'
import { json } from '../../src/framing/json.ts'
import { ndjson } from '../../src/framing/ndjson.ts'
import { sniff } from '../../src/framing/sniff.ts'
import { sse } from '../../src/framing/sse.ts'
import { chunked } from '../../src/testing/chunks.ts'
import { encodeHeaders, encodeMessage } from '../../src/testing/event-stream.ts'
import { expectCaught, expectCost, expectLinear, Rescanner } from '../helpers/cost.ts'
import { bytesOf, contextOf } from './harness.ts'

const framings = { sse, ndjson, json }

/** Reads a body in chunks of `size` from the first stage on; `frames` must come out. `each` sees every chunk, too. */
function framing(body: Uint8Array, size: number, frames: number, each?: () => (chunk: Uint8Array) => void): () => void {
  const chunks = [...chunked(body, size)]
  return () => {
    const see = each?.()
    let count = 0
    const next: Step<Frame> = {
      push() {
        count++
      },
      end() {},
    }
    const context = contextOf()
    const step = sniff(context, {
      text: (name) => framings[name](context)(next),
      binary: () => eventStream(context)(next),
      frames: next,
    })
    for (const chunk of chunks) {
      see?.(chunk)
      step.push(chunk)
    }
    step.end()
    expect(count).toBe(frames)
  }
}

const kilobytes = (count: number): string => 'lorem é \\n ipsum '.repeat(count * 60)
const object = (count: number): string => `{"text":"${kilobytes(count)}"}`
const laidOut = (count: number): string => `{\n"list":[\n${'{"a":1},\n'.repeat(count * 100)}{}\n]\n}`

const bodies: [string, (kilobytes: number) => Uint8Array][] = [
  ['one event', (size) => bytesOf(`data: ${object(size)}\n\n`)],
  ['one event of many lines', (size) => bytesOf(`${'data: 0123456789\n'.repeat(size * 60)}\n`)],
  ['one NDJSON line', (size) => bytesOf(`${object(size)}\n`)],
  ['one object over many lines', (size) => bytesOf(laidOut(size))],
  ['one element of an array', (size) => bytesOf(`[${object(size)}]`)],
  ['one binary message', (size) => encodeMessage(encodeHeaders({ ':event-type': 'x' }), object(size))],
  ['one body of prose', (size) => bytesOf('no stream at all\n'.repeat(size * 60))],
]

describe('framing', () => {
  it.each(bodies)('%s: a chunk of 64 bytes costs no more than its share', (_, bodyOf) => {
    const body = bodyOf(400)
    // Searching or copying the whole event again for each chunk is more than 6,000 times 400 kB.
    expectCost(framing(body, 16 * 1024, 1), framing(body, 64, 1), { times: 25, slack: 100 })
  })

  it.each(bodies)('%s: four times the length costs about four times the time', (_, bodyOf) => {
    expectLinear((size) => framing(bodyOf(size), 512, 1), 300)
  })

  it('would be caught if it looked at all bytes again for every chunk', () => {
    const rescan = (): ((chunk: Uint8Array) => void) => {
      const rescanner = new Rescanner()
      const decoder = new TextDecoder()
      return (chunk) => rescanner.push(decoder.decode(chunk, { stream: true }))
    }
    const slow = (size: number) => framing(bytesOf(`data: ${object(size)}\n\n`), 512, 1, rescan)
    expectCaught(slow, 100)
  })

  it.each(['oops\n\n', 'error: 1\n\n'])('a flood of %j costs little more than events do', (odd) => {
    const count = 10_000
    const events = bytesOf('data: {"a":1}\n\n'.repeat(count))
    const flood = bytesOf(`data: 1\n\n${odd.repeat(count)}`)
    expectCost(framing(events, 16 * 1024, count), framing(flood, 16 * 1024, count + 1), { times: 6, slack: 30 })
  })

  it('reads many small events in one chunk as fast as in many', () => {
    const events = 20_000
    const body = bytesOf('data: {"a":1}\n\n'.repeat(events))
    expectCost(framing(body, 16 * 1024, events), framing(body, body.length, events), { times: 3, slack: 30 })
  })
})
