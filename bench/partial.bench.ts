// The live view of the arguments: what it costs, that its cost does not grow with the text, and what parsing again costs.

import { parsePartialJson } from 'ai'
import { parse as parsePartial } from 'partial-json'
import { createAssembler } from 'tool-call-assembler'
import { delivered, floor, runFloor } from './floor.ts'
import { checkCalls, runOurs } from './ours.ts'
import type { Case } from './ratio.ts'
import { tableOf, type Suite, type Table } from './suite.ts'
import { chunksOf } from './workload.ts'

const kilo = 1000
const format = 'openai-chat'
const chunking = { deltaSize: 4, chunkSize: 16384 } as const

export const suite: Suite = async function* ({ quick }) {
  yield* cost(quick)
  yield* growth(quick)
  yield* parsingAgain(quick)
}

async function* cost(quick: boolean): AsyncGenerator<Table> {
  const length = (quick ? 300 : 1000) * kilo
  for (const deltaSize of quick ? [4] : [4, 40]) {
    const chunks = chunksOf(format, length, { ...chunking, deltaSize })
    yield await tableOf(
      `partial: ${length / kilo} KB of arguments, ${deltaSize}-character deltas`,
      [
        { name: 'ours, partialArguments off', run: () => runOurs(chunks, { format }) },
        { name: 'ours, partialArguments on', run: () => runLive(chunks) },
        { name: 'floor, no view', run: () => runFloorAnd(chunks, () => undefined) },
      ],
      { rounds: quick ? 3 : 5, bars: [{ row: 'ours, partialArguments on', atMost: 1.5 }] },
    )
  }
}

/** As many deltas either way, so that the ratio is that of the cost of one delta. */
async function* growth(quick: boolean): AsyncGenerator<Table> {
  const short = chunksOf(format, 10 * kilo, chunking)
  const long = chunksOf(format, 100 * kilo, chunking)
  const runShort = checked(short)
  const runLong = checked(long)
  const tenShort = (): string => {
    for (let n = 0; n < 9; n++) runShort()
    return runShort()
  }
  yield await tableOf(
    'partial: the cost of a delta, by the length of the arguments (4-character deltas)',
    [
      { name: '10 calls of 10 KB', run: tenShort },
      { name: 'ours, 1 call of 100 KB', run: runLong },
    ],
    { rounds: quick ? 5 : 7, mayDiffer: true, bars: [{ row: 'ours, 1 call of 100 KB', atMost: 2 }] },
  )
}

/** The same view by parsing all text so far with each delta. Their time grows with the square of the length. */
async function* parsingAgain(quick: boolean): AsyncGenerator<Table> {
  const chunks = chunksOf(format, 10 * kilo, chunking)
  const again = (name: string, view: View): Case => ({
    name,
    run: () => runFloorAnd(chunks, view),
    once: quick,
  })
  yield await tableOf(
    'partial: 10 KB of arguments, 4-character deltas, looked at with each delta',
    [
      { name: 'ours', run: () => runLive(chunks) },
      again('floor and partial-json', (text) => sizeOf(parsePartial(text))),
      again('floor and parsePartialJson of ai', async (text) => sizeOf((await parsePartialJson(text)).value)),
    ],
    {
      rounds: quick ? 3 : 5,
      warmup: 1,
      bars: [
        { row: 'floor and partial-json', atLeast: 20 },
        { row: 'floor and parsePartialJson of ai', atLeast: 20 },
      ],
    },
  )
}

/** A run that has to deliver what the floor does. */
function checked(chunks: readonly Uint8Array[]): () => string {
  const expected = runFloor(format, chunks)
  return () => {
    const result = runLive(chunks)
    if (result !== expected) throw new Error(`${result} instead of ${expected}`)
    return result
  }
}

type View = (text: string) => unknown

/** Every delta's changes are looked at, and the view of the whole once, at the end. */
function runLive(chunks: readonly Uint8Array[]): string {
  const assembler = createAssembler({ format, partialArguments: true })
  let deltas = 0
  let characters = 0
  let shown = 0
  let id = ''
  for (const chunk of chunks) {
    for (const event of assembler.feed(chunk)) {
      if (event.type !== 'tool-call-delta') continue
      id = event.id
      deltas++
      characters += event.delta.length
      for (const change of event.changes ?? []) shown += change.op === 'append' ? change.text.length : 0
    }
  }
  assembler.end()
  const calls = assembler.result?.calls
  checkCalls(calls)
  const view = assembler.partialArguments(id)
  if (shown === 0 || JSON.stringify(view) !== calls?.[0]?.argumentsText)
    throw new Error('the view is not the arguments')
  return delivered(deltas, characters)
}

/** The floor, whose text is looked at with each delta. */
async function runFloorAnd(chunks: readonly Uint8Array[], view: View): Promise<string> {
  let text = ''
  const pending: string[] = []
  const held = floor(format, (fragment) => pending.push(fragment))
  for (const chunk of chunks) {
    held.feed(chunk)
    for (const fragment of pending.splice(0)) {
      text += fragment
      const seen = view(text)
      if (seen instanceof Promise) await seen
    }
  }
  return held.end()
}

/** The length of what is there of the content. */
function sizeOf(view: unknown): number {
  if (typeof view !== 'object' || view === null || !('content' in view)) return 0
  return typeof view.content === 'string' ? view.content.length : 0
}
