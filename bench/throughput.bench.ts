// Long payloads: sizes, deltas, chunks, formats and parallel calls, against the floor on the same bytes.

import { runFloor, type FloorFormat } from './floor.ts'
import { runOurs } from './ours.ts'
import { compare, type Case } from './ratio.ts'
import type { Suite, Table } from './suite.ts'
import { chunksOf } from './workload.ts'

interface Work {
  readonly format: FloorFormat
  readonly length: number
  readonly delta: number
  readonly chunk: number | 'event'
  readonly calls?: number
  readonly obfuscation?: boolean
  readonly atMost?: number
  /** Part of `--quick`. */
  readonly quick?: boolean
}

const kilo = 1000
const mega = 1000 * kilo
const works: readonly Work[] = [
  { format: 'openai-chat', length: kilo, delta: 4, chunk: 16384 },
  { format: 'openai-chat', length: 10 * kilo, delta: 4, chunk: 16384 },
  { format: 'openai-chat', length: 100 * kilo, delta: 4, chunk: 16384, atMost: 0.4, quick: true },
  { format: 'openai-chat', length: 100 * kilo, delta: 4, chunk: 'event', atMost: 0.45, quick: true },
  { format: 'openai-chat', length: 100 * kilo, delta: 4, chunk: 64, atMost: 0.9, quick: true },
  { format: 'openai-chat', length: 100 * kilo, delta: 40, chunk: 16384 },
  { format: 'openai-chat', length: mega, delta: 4, chunk: 16384 },
  { format: 'openai-chat', length: mega, delta: 40, chunk: 'event', atMost: 0.65, quick: true },
  { format: 'openai-chat', length: 12 * kilo, delta: 4, chunk: 16384, calls: 8, atMost: 0.5, quick: true },
  { format: 'openai-chat', length: 100 * kilo, delta: 4, chunk: 16384, obfuscation: true, atMost: 0.5, quick: true },
  { format: 'anthropic', length: 100 * kilo, delta: 4, chunk: 16384, atMost: 0.45, quick: true },
  {
    format: 'openai-responses',
    length: 100 * kilo,
    delta: 4,
    chunk: 16384,
    obfuscation: true,
    atMost: 0.65,
    quick: true,
  },
]

export const suite: Suite = async function* ({ quick }) {
  for (const work of works.filter((held) => !quick || held.quick)) {
    const { format, length, delta, chunk, calls = 1, obfuscation = false, atMost } = work
    const chunks = chunksOf(format, length, { deltaSize: delta, chunkSize: chunk, obfuscation }, calls)
    const ours = `ours, ${format}`
    const rows = await compare(
      [
        { name: 'floor', run: () => runFloor(format, chunks) },
        { name: ours, run: () => runOurs(chunks, { format }) },
        { name: 'ours, fast path off', run: () => runOurs(chunks, { format, fastPath: false }) },
      ],
      { rounds: length >= mega ? 5 : 7 },
    )
    const chunkText = chunk === 'event' ? 'one event a chunk' : `${chunk} B chunks`
    const title = `${format}: ${calls > 1 ? `${calls} interleaved calls of ` : ''}${length / kilo} KB of arguments, ${delta}-character deltas, ${chunkText}${obfuscation ? ', padded' : ''}`
    yield { title, rows, ...(atMost !== undefined && { bars: [{ row: ours, atMost }] }) }
  }
  yield* growth(quick)
}

/** Ten times the payload costs about ten times as much, and the size of the chunks hardly matters. */
async function* growth(quick: boolean): AsyncGenerator<Table> {
  const read = (name: string, length: number, deltaSize: number, chunkSize: number): Case => {
    const chunks = chunksOf('openai-chat', length, { deltaSize, chunkSize })
    return { name, run: () => runOurs(chunks, { format: 'openai-chat' }) }
  }
  yield {
    title: 'openai-chat: ten times the payload, 40-character deltas, 16384 B chunks',
    rows: await compare([read('1 MB', mega, 40, 16384), read('ours, 10 MB', 10 * mega, 40, 16384)], {
      rounds: 5,
      mayDiffer: true,
    }),
    bars: [{ row: 'ours, 10 MB', atMost: 13 }],
  }
  if (!quick) {
    yield {
      title: 'openai-chat: ten times the payload, 4-character deltas, 16384 B chunks',
      rows: await compare([read('1 MB', mega, 4, 16384), read('ours, 10 MB', 10 * mega, 4, 16384)], {
        rounds: 3,
        warmup: 1,
        mayDiffer: true,
      }),
      bars: [{ row: 'ours, 10 MB', atMost: 13 }],
    }
  }
  yield {
    title: 'openai-chat: big chunks, 1 MB, 4-character deltas',
    rows: await compare([read('16 KB chunks', mega, 4, 16384), read('ours, 1 MB chunks', mega, 4, mega)], {
      rounds: 5,
    }),
    bars: [{ row: 'ours, 1 MB chunks', atMost: 1.3 }],
  }
}
