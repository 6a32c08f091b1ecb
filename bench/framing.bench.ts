// Where lines and characters are cut: long lines in small chunks, decoding, and the cliffs that a naive reader falls off.

import ndjson from 'ndjson'
import { createAssembler } from 'tool-call-assembler'
import { framingContext, ndjsonFrames, utf8 } from './built.ts'
import { delivered, runFloor } from './floor.ts'
import {
  chatFragment,
  listedLines,
  rejoinedLines,
  streamingDecoder,
  wholeDecoder,
  type Decode,
  type Lines,
} from './naive.ts'
import { checkCalls, runOurs } from './ours.ts'
import type { Case } from './ratio.ts'
import { tableOf, type Suite, type Table } from './suite.ts'
import { asciiChunksOf, chunksOf } from './workload.ts'

const kilo = 1000

export const suite: Suite = async function* ({ quick }) {
  yield* rows(quick)
  yield* longEvents(quick)
  yield* decoding(quick)
  yield* bigChunks(quick)
  yield* flattening(quick)
}

/** A line that is a whole call, as Ollama sends it. `ndjson` splits the whole unread line again with every chunk. */
async function* rows(quick: boolean): AsyncGenerator<Table> {
  const sizes = [
    { length: 1000 * kilo, chunkSize: 16384, peer: 10 },
    { length: (quick ? 30 : 100) * kilo, chunkSize: 64, peer: quick ? 30 : 100 },
  ]
  for (const { length, chunkSize, peer } of sizes) {
    const chunks = chunksOf('ollama', length, { chunkSize })
    yield await tableOf(
      `ndjson: a row of ${length / kilo} KB in ${chunkSize} B chunks`,
      [
        { name: 'ours, framing and JSON.parse', run: () => framedRows(chunks) },
        { name: 'ours, whole assembler', run: () => assembledRows(chunks) },
        { name: 'hand-written splitter and JSON.parse', run: () => splitRows(chunks) },
        { name: 'ndjson 2.0.0', run: () => ndjsonRows(chunks) },
      ],
      {
        ...roundsOf(quick),
        bars: [
          { row: 'ndjson 2.0.0', atLeast: peer },
          { row: 'hand-written splitter and JSON.parse', atLeast: 1 / 1.2 },
        ],
      },
    )
  }
}

interface FileCall {
  readonly arguments: { readonly content: string }
}

interface OllamaChunk {
  readonly message: { readonly tool_calls?: readonly { readonly function: FileCall }[] }
}

/** Counts what came out by looking at it, which costs the same small time whoever read it. */
function tallyRows(): { readonly add: (row: OllamaChunk) => void; readonly end: () => string } {
  let calls = 0
  let characters = 0
  return {
    add({ message }) {
      for (const call of message.tool_calls ?? []) {
        calls++
        characters += call.function.arguments.content.length
      }
    },
    end: () => delivered(calls, characters),
  }
}

function assembledRows(chunks: readonly Uint8Array[]): string {
  const tally = tallyRows()
  const assembler = createAssembler({ format: 'ollama' })
  for (const chunk of chunks) assembler.feed(chunk)
  assembler.end()
  const calls = assembler.result?.calls ?? []
  checkCalls(calls)
  // Each is ok, and these are the arguments that it was sent with.
  tally.add({ message: { tool_calls: calls.map((call) => ({ function: call as unknown as FileCall })) } })
  return tally.end()
}

function framedRows(chunks: readonly Uint8Array[]): string {
  const tally = tallyRows()
  const context = framingContext()
  const lines = ndjsonFrames(context)({
    push: ({ data }) => tally.add(JSON.parse(data)),
    end: () => undefined,
  })
  const bytes = utf8(context)(lines)
  for (const chunk of chunks) bytes.push(chunk)
  bytes.end()
  return tally.end()
}

function splitRows(chunks: readonly Uint8Array[]): string {
  const tally = tallyRows()
  const decode = streamingDecoder()
  const lines = listedLines((line) => tally.add(JSON.parse(line)))
  for (const chunk of chunks) lines.feed(decode(chunk))
  return tally.end()
}

/** Driven without a pipeline, which costs it the least: what it reads comes out while it is written to. */
async function ndjsonRows(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = tallyRows()
  const parser = ndjson.parse()
  parser.on('data', tally.add)
  const ended = new Promise((resolve, reject) => parser.on('end', resolve).on('error', reject))
  for (const chunk of chunks) parser.write(chunk)
  parser.end()
  await ended
  return tally.end()
}

/** Responses repeats the whole arguments three times, in an event of one line each. */
async function* longEvents(quick: boolean): AsyncGenerator<Table> {
  const length = (quick ? 300 : 1000) * kilo
  const big = chunksOf('openai-responses', length, { deltaSize: 40, chunkSize: 16384 })
  const small = chunksOf('openai-responses', length, { deltaSize: 40, chunkSize: 1024 })
  const ours = (name: string, chunks: readonly Uint8Array[]): Case => ({
    name,
    run: () => runOurs(chunks, { format: 'openai-responses' }),
  })
  yield await tableOf(
    `sse: lines of ${length / kilo} KB (openai-responses, 40-character deltas)`,
    [
      ours('ours, 16384 B chunks', big),
      ours('ours, 1024 B chunks', small),
      { name: 'floor, 1024 B chunks', run: () => runFloor('openai-responses', small) },
      // Seconds a run, since its time grows with the square of the line.
      { name: 're-joined tail, 1024 B chunks', run: () => responsesLines(small, rejoinedLines), once: true },
    ],
    { ...roundsOf(quick), bars: [{ row: 'ours, 1024 B chunks', atMost: 2 }] },
  )
}

interface ResponsesEvent {
  readonly type: string
  readonly delta: string
}

function responsesLines(chunks: readonly Uint8Array[], split: (onLine: (line: string) => void) => Lines): string {
  let deltas = 0
  let text = ''
  const lines = split((line) => {
    if (!line.startsWith('data: {')) return
    const event: ResponsesEvent = JSON.parse(line.slice(6))
    if (event.type !== 'response.function_call_arguments.delta') return
    text += event.delta
    deltas++
  })
  const decode = streamingDecoder()
  for (const chunk of chunks) lines.feed(decode(chunk))
  JSON.parse(text)
  return delivered(deltas, text.length)
}

/** The decoder alone, and what its strings cost the steps behind it. */
async function* decoding(quick: boolean): AsyncGenerator<Table> {
  const length = (quick ? 30 : 100) * kilo
  const options = { deltaSize: 4, chunkSize: 'event' } as const
  for (const [text, chunks] of [
    ...(quick ? [] : [['ASCII', asciiChunksOf(length, options)] as const]),
    ['mixed text', chunksOf('openai-chat', length, options)] as const,
  ]) {
    const title = `utf8: a Chat Completions stream of ${length / kilo} KB of arguments in ${text}, one event a chunk`
    const bars = [{ row: streamMode, atLeast: 1.3 }]
    yield await tableOf(title, decoders(chunks, unitsOf), { ...roundsOf(quick), bars })
    yield await tableOf(`${title}, split and parsed`, decoders(chunks, chatLines), roundsOf(quick))
  }
}

const streamMode = 'two-byte strings: decoder in stream mode'

function decoders(chunks: readonly Uint8Array[], read: Reading): readonly Case[] {
  return [
    { name: 'ours, unfinished characters held back', run: () => read(chunks, heldDecoder()) },
    { name: streamMode, run: () => read(chunks, streamingDecoder()) },
  ]
}

type Reading = (chunks: readonly Uint8Array[], decode: Decode) => number | string

function heldDecoder(): Decode {
  let text = ''
  const bytes = utf8(framingContext())({ push: (piece) => void (text += piece), end: () => undefined })
  return (chunk) => {
    text = ''
    bytes.push(chunk)
    return text
  }
}

function unitsOf(chunks: readonly Uint8Array[], decode: Decode): number {
  let length = 0
  for (const chunk of chunks) length += decode(chunk).length
  return length
}

function chatLines(chunks: readonly Uint8Array[], decode: Decode): string {
  let deltas = 0
  let text = ''
  const lines = listedLines((line) => {
    const fragment = chatFragment(line)
    if (fragment === '') return
    text += fragment
    deltas++
  })
  for (const chunk of chunks) lines.feed(decode(chunk))
  JSON.parse(text)
  return delivered(deltas, text.length)
}

/** A decoded chunk of more than 128 KB is a large object, and every string cut from it is slow to make. */
async function* bigChunks(quick: boolean): AsyncGenerator<Table> {
  const length = (quick ? 100 : 1000) * kilo
  const small = chunksOf('openai-chat', length, { deltaSize: 4, chunkSize: 16384 })
  const big = chunksOf('openai-chat', length, { deltaSize: 4, chunkSize: 1000 * kilo })
  yield await tableOf(
    `big chunks: a Chat Completions stream of ${length / kilo} KB of arguments in 1 MB chunks`,
    [
      { name: 'ours, 16384 B chunks', run: () => runOurs(small, { format: 'openai-chat' }) },
      { name: 'ours, 1 MB chunks', run: () => runOurs(big, { format: 'openai-chat' }) },
      { name: 'floor, 16384 B chunks', run: () => runFloor('openai-chat', small) },
      { name: 'floor, 1 MB chunks decoded whole', run: () => runFloor('openai-chat', big) },
    ],
    { ...roundsOf(quick), bars: [{ row: 'ours, 1 MB chunks', atMost: 1.3 }] },
  )
}

/** A look at the text that grows makes V8 copy all of it into one piece, every time. */
async function* flattening(quick: boolean): AsyncGenerator<Table> {
  const length = (quick ? 40 : 100) * kilo
  const chunks = chunksOf('openai-chat', length, { deltaSize: 4, chunkSize: 16384 })
  yield await tableOf(
    `flattening: ${length / kilo} KB of arguments, 4-character deltas`,
    [
      { name: 'ours', run: () => runOurs(chunks, { format: 'openai-chat' }) },
      { name: 'text appended to', run: () => grown(chunks, false) },
      { name: 'text appended to, its last character read at each delta', run: () => grown(chunks, true) },
    ],
    roundsOf(quick),
  )
}

function grown(chunks: readonly Uint8Array[], look: boolean): string {
  let deltas = 0
  let closed = 0
  let text = ''
  const lines = listedLines((line) => {
    const fragment = chatFragment(line)
    if (fragment === '') return
    text += fragment
    deltas++
    if (look && text.charCodeAt(text.length - 1) === 0x7d) closed++
  })
  const decode = wholeDecoder()
  for (const chunk of chunks) lines.feed(decode(chunk))
  JSON.parse(text)
  if (look && closed === 0) throw new Error('the last character was never the closing brace')
  return delivered(deltas, text.length)
}

function roundsOf(quick: boolean): { readonly rounds: number; readonly warmup: number } {
  return quick ? { rounds: 3, warmup: 1 } : { rounds: 5, warmup: 2 }
}
