// What is held while a stream is on its way: bytes after a full collection, before the end. Chunks are made when they are fed and
// held by nobody, so what is counted is what the reader keeps. The streams stop without their marker, which is an end: with it the
// call would be judged, and its parsed arguments be held as well.

import { createAssembler, type Assembler } from 'tool-call-assembler'
import { floor, type Floor } from './floor.ts'
import { wholeDecoder } from './naive.ts'
import type { Row } from './ratio.ts'
import type { Suite, Table } from './suite.ts'
import { chunksOf, chunksOneByOne, fileArguments } from './workload.ts'

const kilo = 1000
const format = 'openai-chat'
const open = { terminate: false, finishReason: null } as const

export const suite: Suite = async function* ({ quick }) {
  oneLongCall(30 * kilo, 4, Infinity)
  manyStreams(100, kilo)
  yield oneLongCall((quick ? 300 : 10_000) * kilo, 4, 3)
  yield oneLongCall((quick ? 300 : 10_000) * kilo, 40, 3)
  yield manyStreams(quick ? 500 : 10_000, 2 * kilo)
  yield idle()
}

interface Reader {
  feed(chunk: Uint8Array): unknown
}

function oneLongCall(length: number, deltaSize: number, atMost: number): Table {
  const read = (make: () => Reader): number =>
    held(() => {
      const reader = make()
      for (const chunk of chunksOneByOne(format, length, { ...open, deltaSize })) reader.feed(chunk)
      return reader
    }) / bytesOf(length)
  return {
    title: `memory: ${length / kilo / kilo} MB of arguments in one call, ${deltaSize}-character deltas, bytes held per byte of arguments`,
    unit: 'B/B',
    rows: [
      row('floor', read(startFloor)),
      row('ours', read(startOurs)),
      row(
        'ours with partialArguments',
        read(() => createAssembler({ format, partialArguments: true })),
      ),
      row('pinned slices of the chunks', read(slicesReader)),
    ],
    bars: [{ row: 'ours', atMost }],
  }
}

/**
 * A fifth of the streams for each of five lengths, from a tenth below `length` to a tenth above. A text is made flat every so many
 * deltas, and what it takes behind that place depends on where it stops: with one length alone, luck would have a say in the number.
 */
function manyStreams(count: number, length: number): Table {
  const lengths = [0.9, 0.95, 1, 1.05, 1.1].map((part) => Math.round(part * length))
  const each = Math.round(count / lengths.length)
  const streams = lengths.map((some) => chunksOf(format, some, { ...open, deltaSize: 4, chunkSize: 'event' }))
  const bytes = lengths.reduce((sum, some) => sum + each * bytesOf(some), 0)
  const read = (make: () => Reader): number =>
    held(() => streams.map((chunks) => readAtOnce(Array.from({ length: each }, make), chunks))) / bytes
  return {
    title: `memory: ${count} streams of ${length / kilo} KB of arguments at once, 4-character deltas, bytes held per byte of arguments`,
    unit: 'B/B',
    rows: [row('floor', read(startFloor)), row('ours', read(startOurs))],
    bars: [{ row: 'ours', atMost: 6 }],
  }
}

function readAtOnce(readers: readonly Reader[], chunks: readonly Uint8Array[]): readonly Reader[] {
  for (const chunk of chunks) for (const reader of readers) reader.feed(chunk)
  return readers
}

function idle(): Table {
  const count = 10_000
  const read = (make: () => Reader): number => held(() => Array.from({ length: count }, make)) / count / kilo
  return {
    title: 'memory: a reader that has read nothing yet, KB',
    unit: 'KB',
    rows: [row('floor', read(startFloor)), row('ours', read(startOurs))],
    bars: [{ row: 'ours', atMost: 1.5 }],
  }
}

function startFloor(): Floor {
  return floor(format)
}

function startOurs(): Assembler {
  return createAssembler({ format })
}

/** Takes each fragment out of its line by its place: a slice, which keeps the whole text that it was cut from. */
function slicesReader(): Reader {
  const decode = wholeDecoder()
  const opening = '"arguments":"'
  const closing = '"}}]}'
  let text = ''
  return {
    feed(chunk) {
      const lines = decode(chunk)
      for (let at = lines.indexOf(opening); at !== -1; at = lines.indexOf(opening, at)) {
        const start = at + opening.length
        at = lines.indexOf(closing, start)
        text += lines.slice(start, at)
      }
      return text.length
    },
  }
}

/** Bytes that live because of what `make` returns. What is made once, such as code, was made by a first use of its own. */
function held(make: () => unknown): number {
  const before = liveBytes()
  const kept = make()
  const after = liveBytes()
  // Used after the measurement, so that it can't have been collected before.
  if (kept === undefined) throw new Error('nothing was made')
  return after - before
}

function liveBytes(): number {
  if (!globalThis.gc) throw new Error('the memory bench needs --expose-gc')
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function bytesOf(length: number): number {
  return new TextEncoder().encode(JSON.stringify(fileArguments(length))).length
}

function row(name: string, value: number): Row {
  return { name, ratio: value, low: value, high: value }
}
