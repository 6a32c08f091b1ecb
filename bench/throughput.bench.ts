// Long payloads: sizes, deltas, chunks, formats and parallel calls, against the floor on the same bytes.

import { runFloor, type FloorFormat } from './floor.ts'
import { runOurs } from './ours.ts'
import type { Case } from './ratio.ts'
import { tableOf, type Suite, type Table } from './suite.ts'
import { chunksOf, fileArguments } from './workload.ts'

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
  for (const work of works.filter((held) => !quick || held.quick)) yield await tableFor(work, quick)
  yield await hostile()
  yield* growth(quick)
}

function tableFor(work: Work, quick: boolean): Promise<Table> {
  const { format, length, delta, chunk, calls = 1, obfuscation = false, atMost } = work
  const chunks = chunksOf(format, length, { deltaSize: delta, chunkSize: chunk, obfuscation }, calls)
  const ours = `ours, ${format}`
  const chunkText = chunk === 'event' ? 'one event a chunk' : `${chunk} B chunks`
  return tableOf(
    `${format}: ${calls > 1 ? `${calls} interleaved calls of ` : ''}${length / kilo} KB of arguments, ${delta}-character deltas, ${chunkText}${obfuscation ? ', padded' : ''}`,
    [
      { name: 'floor', run: () => runFloor(format, chunks) },
      { name: ours, run: () => runOurs(chunks, { format }) },
      // What is not recognised takes this path: it may cost little more than the floor.
      { name: 'ours, fast path off', run: () => runOurs(chunks, { format, fastPath: false }) },
    ],
    {
      rounds: quick ? 3 : length >= mega ? 5 : 7,
      warmup: quick ? 1 : 2,
      bars: atMost === undefined ? [] : [{ row: ours, atMost }],
    },
  )
}

/** A stream that never repeats itself: the members of every event stand in another order, so no template can fit. */
async function hostile(): Promise<Table> {
  const chunks = shuffledChunks(JSON.stringify(fileArguments(30 * kilo)))
  const cases: Case[] = [
    { name: 'ours, fast path off', run: () => runOurs(chunks, { format: 'openai-chat', fastPath: false }) },
    { name: 'ours', run: () => runOurs(chunks, { format: 'openai-chat' }) },
    { name: 'floor', run: () => runFloor('openai-chat', chunks) },
  ]
  const bars = [{ row: 'ours', atMost: 1.15 }]
  return tableOf('openai-chat: 30 KB of arguments, 4-character deltas, a new key order each event', cases, { bars })
}

function shuffledChunks(text: string): Uint8Array[] {
  const encoder = new TextEncoder()
  const pieces = text.match(/[\s\S]{1,4}/g) ?? []
  return pieces.map((piece, n) => {
    const call = { index: 0, ...(n === 0 && { id: 'call_1', type: 'function' }) }
    const body = { ...(n === 0 && { name: 'write_file' }), arguments: piece }
    const choices = [
      {
        index: 0,
        delta: { tool_calls: [{ ...call, function: body }] },
        finish_reason: n === pieces.length - 1 ? 'tool_calls' : null,
      },
    ]
    const members = Object.entries({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      system_fingerprint: 'f',
      usage: null,
      choices,
    })
    const turned = members.map((_, at) => members[(at * (1 + (n % 6)) + n) % members.length] ?? members[0])
    return encoder.encode(
      `data: ${JSON.stringify({ [`k${n}`]: n, ...Object.fromEntries(turned.filter((held) => held !== undefined)) })}\n\n`,
    )
  })
}

/** Ten times the payload costs about ten times as much. */
async function* growth(quick: boolean): AsyncGenerator<Table> {
  const size = quick ? 300 * kilo : mega
  for (const deltaSize of quick ? [40] : [40, 4]) {
    const ours = `ours, ${(10 * size) / mega} MB`
    yield await tableOf(
      `openai-chat: ten times the payload, ${deltaSize}-character deltas, 16384 B chunks`,
      [read(`${size / mega} MB`, size, deltaSize), read(ours, 10 * size, deltaSize)],
      { rounds: deltaSize === 4 || quick ? 3 : 5, warmup: 1, mayDiffer: true, bars: [{ row: ours, atMost: 13 }] },
    )
  }
}

/** Ours on a stream, which has to deliver what the floor does. */
function read(name: string, length: number, deltaSize: number): Case {
  const chunks = chunksOf('openai-chat', length, { deltaSize, chunkSize: 16384 })
  const expected = runFloor('openai-chat', chunks)
  return {
    name,
    run() {
      const delivered = runOurs(chunks, { format: 'openai-chat' })
      if (delivered !== expected) throw new Error(`${delivered} instead of ${expected}`)
      return delivered
    },
  }
}
