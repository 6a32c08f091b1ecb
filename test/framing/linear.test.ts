// The cost of framing grows with the bytes alone: not with how finely they are cut, not with how long an event is.
// Times are ratios within one run and far from what a quadratic stage would need, so a busy machine does not break them.

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
import { bytesOf, contextOf } from './harness.ts'

const framings = { sse, ndjson, json }

/** The processor time of reading the chunks from the first stage on, in milliseconds; `frames` must come out. */
function timeOf(chunks: Iterable<Uint8Array>, frames: number): number {
  let count = 0
  const next: Step<Frame> = {
    push() {
      count++
    },
    end() {},
  }
  const context = contextOf()
  const step = sniff(context, {
    text: (framing) => framings[framing](context)(next),
    binary: () => eventStream(context)(next),
    frames: next,
  })
  const before = process.cpuUsage()
  for (const chunk of chunks) step.push(chunk)
  step.end()
  const { user, system } = process.cpuUsage(before)
  expect(count).toBe(frames)
  return (user + system) / 1_000
}

/** The least of three: what disturbs a run only ever adds to it. */
function leastTime(body: Uint8Array, size: number, frames: number): number {
  return Math.min(...[1, 2, 3].map(() => timeOf(chunked(body, size), frames)))
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
    const coarse = leastTime(body, 16 * 1024, 1)
    // Searching or copying the whole event again for each chunk is more than 6,000 times 400 kB.
    expect(leastTime(body, 64, 1)).toBeLessThan(25 * coarse + 100)
  })

  it.each(bodies)('%s: eight times the length costs about eight times the time', (_, bodyOf) => {
    const short = leastTime(bodyOf(150), 512, 1)
    expect(leastTime(bodyOf(1_200), 512, 1)).toBeLessThan(24 * short + 60)
  })

  it.each(['oops\n\n', 'error: 1\n\n'])('a flood of %j costs little more than events do', (odd) => {
    const count = 10_000
    const events = leastTime(bytesOf('data: {"a":1}\n\n'.repeat(count)), 16 * 1024, count)
    const flood = bytesOf(`data: 1\n\n${odd.repeat(count)}`)
    expect(leastTime(flood, 16 * 1024, count + 1)).toBeLessThan(6 * events + 30)
  })

  it('reads many small events in one chunk as fast as in many', () => {
    const events = 20_000
    const body = bytesOf('data: {"a":1}\n\n'.repeat(events))
    expect(leastTime(body, body.length, events)).toBeLessThan(3 * leastTime(body, 16 * 1024, events) + 30)
  })
})
