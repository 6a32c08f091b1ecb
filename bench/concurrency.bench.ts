// Many streams in one process, all on their way at once: one event of each in turn. A thousand do not fit into a processor's caches,
// so here it counts how much of a stream's state an event touches.

import { createAssembler } from 'tool-call-assembler'
import { delivered, floor } from './floor.ts'
import { checkCalls } from './ours.ts'
import { tableOf, type Suite } from './suite.ts'
import { chunksOf } from './workload.ts'

const kilo = 1000
const format = 'openai-chat'

export const suite: Suite = async function* ({ quick }) {
  const count = quick ? 100 : 1000
  const length = 10 * kilo
  const chunks = chunksOf(format, length, { deltaSize: 4, chunkSize: 'event' })
  // A full run takes many seconds, most of it in compiled code, so it needs no run before those that count.
  yield await tableOf(
    `concurrency: ${count} streams of ${length / kilo} KB of arguments, 4-character deltas, one event of each in turn`,
    [
      { name: 'floor', run: () => floors(count, chunks) },
      { name: 'ours', run: () => assemblers(count, chunks, true) },
      ...(quick ? [] : [{ name: 'ours, fast path off', run: () => assemblers(count, chunks, false), once: true }]),
    ],
    { ...(quick ? { rounds: 2, warmup: 1 } : { rounds: 2, warmup: 0 }), bars: [{ row: 'ours', atMost: 0.5 }] },
  )
}

function floors(count: number, chunks: readonly Uint8Array[]): string {
  const held = Array.from({ length: count }, () => floor(format))
  for (const chunk of chunks) for (const reader of held) reader.feed(chunk)
  return sameOf(held.map((reader) => reader.end()))
}

function assemblers(count: number, chunks: readonly Uint8Array[], fastPath: boolean): string {
  const held = Array.from({ length: count }, () => ({
    assembler: createAssembler({ format, fastPath }),
    deltas: 0,
    characters: 0,
  }))
  for (const chunk of chunks) {
    for (const stream of held) {
      for (const event of stream.assembler.feed(chunk)) {
        if (event.type !== 'tool-call-delta') continue
        stream.deltas++
        stream.characters += event.delta.length
      }
    }
  }
  return sameOf(
    held.map(({ assembler, deltas, characters }) => {
      assembler.end()
      checkCalls(assembler.result?.calls)
      return delivered(deltas, characters)
    }),
  )
}

/** What each stream delivered, which is the same for all. */
function sameOf(results: readonly string[]): string {
  const [first = ''] = results
  if (results.some((result) => result !== first)) throw new Error('the streams differ')
  return `${results.length} times ${first}`
}
