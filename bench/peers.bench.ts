// What others do with the same bytes, each by its own documented interface, all behind the same web stream.

import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { streamText, tool } from 'ai'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { zodFunction } from 'openai/helpers/zod'
import { z } from 'zod'
import { delivered, readFloor } from './floor.ts'
import { fetchOf, responseOf, streamOf } from './network.ts'
import { assembleOurs } from './ours.ts'
import type { Case } from './ratio.ts'
import { tableOf, type Bar, type Suite, type Table } from './suite.ts'
import { chunksOf } from './workload.ts'

const kilo = 1000
const ours = 'ours, assemble(response)'
const floorRow = 'floor behind a web stream'
/** Ours takes at most 0.6 times as long as the floor. */
const floorBar: Bar = { row: floorRow, atLeast: 1 / 0.6 }

const names = {
  openaiRaw: `openai ${versionOf('openai')}, create()`,
  openaiStream: `openai ${versionOf('openai')}, stream()`,
  openaiZod: `openai ${versionOf('openai')}, stream() with a zod tool`,
  ai: `ai ${versionOf('ai')}, streamText()`,
  langchain: `@langchain/openai ${versionOf('@langchain/openai')}, stream() and concat()`,
  langchainCalls: `@langchain/openai ${versionOf('@langchain/openai')}, tool_calls read at each chunk`,
  anthropicRaw: `@anthropic-ai/sdk ${versionOf('@anthropic-ai/sdk')}, create()`,
  anthropicStream: `@anthropic-ai/sdk ${versionOf('@anthropic-ai/sdk')}, stream()`,
  anthropicInput: `@anthropic-ai/sdk ${versionOf('@anthropic-ai/sdk')}, stream() with inputJson`,
  ollama: `ollama ${versionOf('ollama')}, chat()`,
} as const

export const suite: Suite = async function* ({ quick }) {
  const size = (quick ? 40 : 100) * kilo
  yield* openai(size, 16384, quick)
  if (!quick) yield* openai(size, 'event', quick)
  yield* anthropic(size, 16384, quick)
  if (!quick) yield* anthropic(size, 'event', quick)
  yield* liveViews(quick)
  yield* ollama(quick)
}

type ChunkSize = number | 'event'

async function* openai(length: number, chunkSize: ChunkSize, quick: boolean): AsyncGenerator<Table> {
  const chunks = chunksOf('openai-chat', length, { deltaSize: 4, chunkSize })
  const cases: readonly Case[] = [
    { name: ours, run: () => assembleOurs(responseOf(chunks)) },
    { name: floorRow, run: () => readFloor('openai-chat', streamOf(chunks)) },
    { name: names.openaiRaw, run: () => openaiRaw(chunks) },
    { name: names.openaiStream, run: () => openaiStream(chunks) },
    { name: names.ai, run: () => aiStream(chunks) },
    { name: names.langchain, run: () => langchain(chunks, false) },
  ]
  yield await tableOf(title('openai-chat', length, chunkSize), cases, {
    ...roundsOf(quick),
    bars: [
      floorBar,
      { row: names.openaiRaw, atLeast: 5 },
      { row: names.ai, atLeast: 25 },
      { row: names.langchain, atLeast: 30 },
    ],
  })
}

async function* anthropic(length: number, chunkSize: ChunkSize, quick: boolean): AsyncGenerator<Table> {
  const chunks = chunksOf('anthropic', length, { deltaSize: 4, chunkSize })
  const linear: readonly Case[] = [
    { name: ours, run: () => assembleOurs(responseOf(chunks)) },
    { name: floorRow, run: () => readFloor('anthropic', streamOf(chunks)) },
    { name: names.anthropicRaw, run: () => anthropicRaw(chunks) },
    { name: names.anthropicStream, run: () => anthropicStream(chunks, false) },
  ]
  // The time of this one grows with the square of the payload: it is measured in full at one size of chunks, and there once.
  const whole = !quick && chunkSize === 16384
  const quadratic: readonly Case[] = whole
    ? [{ name: names.anthropicInput, run: () => anthropicStream(chunks, true), once: true }]
    : []
  yield await tableOf(title('anthropic', length, chunkSize), [...linear, ...quadratic], {
    ...roundsOf(quick),
    bars: [floorBar, ...(whole ? [{ row: names.anthropicInput, atLeast: 300 }] : [])],
  })
}

/** Those that show the arguments so far at each delta, by parsing them again: at a size at which they come to an end. */
async function* liveViews(quick: boolean): AsyncGenerator<Table> {
  const length = 10 * kilo
  const chat = chunksOf('openai-chat', length, { deltaSize: 4, chunkSize: 16384 })
  yield await tableOf(
    `${title('openai-chat', length, 16384)}, arguments looked at with each delta`,
    [
      { name: `${ours} with partialArguments`, run: () => assembleOurs(responseOf(chat), { partialArguments: true }) },
      { name: names.openaiZod, run: () => openaiZod(chat), once: quick },
      { name: names.langchainCalls, run: () => langchain(chat, true), once: true },
    ],
    roundsOf(quick),
  )
  const messages = chunksOf('anthropic', length, { deltaSize: 4, chunkSize: 16384 })
  yield await tableOf(
    `${title('anthropic', length, 16384)}, arguments looked at with each delta`,
    [
      {
        name: `${ours} with partialArguments`,
        run: () => assembleOurs(responseOf(messages), { partialArguments: true }),
      },
      { name: names.anthropicInput, run: () => anthropicStream(messages, true) },
    ],
    roundsOf(quick),
  )
}

async function* ollama(quick: boolean): AsyncGenerator<Table> {
  const length = (quick ? 300 : 1000) * kilo
  const chunks = chunksOf('ollama', length, { chunkSize: 16384 })
  yield await tableOf(
    `ollama: ${length / kilo} KB of arguments in one line, 16384 B chunks`,
    [
      { name: ours, run: () => assembleOurs(responseOf(chunks, 'application/x-ndjson')) },
      { name: names.ollama, run: () => ollamaChat(chunks) },
    ],
    roundsOf(quick),
  )
}

function title(format: string, length: number, chunkSize: ChunkSize): string {
  const chunks = chunkSize === 'event' ? 'one event a chunk' : `${chunkSize} B chunks`
  return `${format}: ${length / kilo} KB of arguments, 4-character deltas, ${chunks}, from a response`
}

function roundsOf(quick: boolean): { readonly rounds: number; readonly warmup: number } {
  return quick ? { rounds: 3, warmup: 1 } : { rounds: 5, warmup: 2 }
}

/** Counts what a peer delivers: its deltas, and at the end the arguments, which have to be whole. */
class Tally {
  text = ''
  #deltas = 0

  add(delta: string | null | undefined): void {
    if (!delta) return
    this.text += delta
    this.#deltas++
  }

  /** `input` is the peer's own reading of the arguments, where it has one. */
  end(input: unknown = JSON.parse(this.text)): string {
    if (JSON.stringify(input) !== this.text) throw new Error('the arguments are not what the deltas say')
    return delivered(this.#deltas, this.text.length)
  }
}

const fileShape = z.object({ path: z.string(), content: z.string() })
const fileSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
} as const
const prompt = 'Write the file.'
const model = 'gpt-4o'
const chatTool = { type: 'function', function: { name: 'write_file', parameters: fileSchema } } as const
const chatRequest = { model, messages: [{ role: 'user', content: prompt }], tools: [chatTool] } as const
const baseURL = 'http://localhost/v1'

function openaiClient(chunks: readonly Uint8Array[]): OpenAI {
  return new OpenAI({ apiKey: 'none', baseURL, fetch: fetchOf(chunks) })
}

async function openaiRaw(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  const stream = await openaiClient(chunks).chat.completions.create({ ...mutable(chatRequest), stream: true })
  for await (const chunk of stream) {
    for (const call of chunk.choices[0]?.delta.tool_calls ?? []) tally.add(call.function?.arguments)
  }
  return tally.end()
}

async function openaiStream(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  const stream = openaiClient(chunks).chat.completions.stream(mutable(chatRequest))
  stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => tally.add(arguments_delta))
  const completion = await stream.finalChatCompletion()
  const call = completion.choices[0]?.message.tool_calls?.[0]
  return tally.end(call?.type === 'function' ? JSON.parse(call.function.arguments) : undefined)
}

async function openaiZod(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  const tools = [zodFunction({ name: 'write_file', parameters: fileShape })]
  const stream = openaiClient(chunks).chat.completions.stream({ ...mutable(chatRequest), tools })
  stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => tally.add(arguments_delta))
  const completion = await stream.finalChatCompletion()
  const call = completion.choices[0]?.message.tool_calls?.[0]
  return tally.end(call?.type === 'function' ? call.function.parsed_arguments : undefined)
}

async function aiStream(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  const provider = createOpenAICompatible({ name: 'peer', baseURL, fetch: fetchOf(chunks) })
  const { fullStream } = streamText({
    model: provider(model),
    prompt,
    tools: { write_file: tool({ inputSchema: fileShape }) },
    onError: ({ error }) => {
      throw error
    },
  })
  let input: unknown
  for await (const part of fullStream) {
    if (part.type === 'tool-input-delta') tally.add(part.delta)
    else if (part.type === 'tool-call') input = part.input
  }
  return tally.end(input)
}

async function langchain(chunks: readonly Uint8Array[], readCalls: boolean): Promise<string> {
  const tally = new Tally()
  const chat = new ChatOpenAI({ model, apiKey: 'none', configuration: { baseURL, fetch: fetchOf(chunks) } })
  let whole: AIMessageChunk | undefined
  for await (const chunk of await chat.stream(prompt, { tools: [chatTool] })) {
    whole = whole === undefined ? chunk : whole.concat(chunk)
    for (const call of chunk.tool_call_chunks ?? []) tally.add(call.args)
    if (readCalls && whole.tool_calls === undefined) throw new Error('no tool calls')
  }
  return tally.end(whole?.tool_calls?.[0]?.args)
}

const anthropicRequest = {
  model: 'claude-opus-4-8',
  max_tokens: 4096,
  messages: [{ role: 'user', content: prompt }],
  tools: [{ name: 'write_file', input_schema: fileSchema }],
} as const

function anthropicClient(chunks: readonly Uint8Array[]): Anthropic {
  return new Anthropic({ apiKey: 'none', fetch: fetchOf(chunks) })
}

async function anthropicRaw(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  const stream = await anthropicClient(chunks).messages.create({ ...mutable(anthropicRequest), stream: true })
  for await (const event of stream) {
    if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') {
      tally.add(event.delta.partial_json)
    }
  }
  return tally.end()
}

async function anthropicStream(chunks: readonly Uint8Array[], withInput: boolean): Promise<string> {
  const tally = new Tally()
  const stream = anthropicClient(chunks).messages.stream(mutable(anthropicRequest))
  if (withInput) stream.on('inputJson', (delta) => tally.add(delta))
  else {
    stream.on('streamEvent', (event) => {
      if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') {
        tally.add(event.delta.partial_json)
      }
    })
  }
  const message = await stream.finalMessage()
  const block = message.content.find(({ type }) => type === 'tool_use')
  return tally.end(block?.type === 'tool_use' ? block.input : undefined)
}

/** A line brings a call whole, so its arguments count as one delta, as they do in our events. */
async function ollamaChat(chunks: readonly Uint8Array[]): Promise<string> {
  const client = new Ollama({ host: 'http://localhost', fetch: fetchOf(chunks, 'application/x-ndjson') })
  const tally = new Tally()
  const messages = [{ role: 'user', content: prompt }]
  for await (const { message } of await client.chat({ model: 'qwen3', messages, stream: true })) {
    for (const call of message.tool_calls ?? []) tally.add(JSON.stringify(call.function.arguments))
  }
  return tally.end()
}

/** The request types of the clients want arrays that may be changed, and none of them changes one. */
function mutable<T>(request: T): Mutable<T> {
  return request as Mutable<T>
}

type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T

/** Read from the package itself, so that no name tells of a version that was not measured. */
function versionOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  const { version }: { readonly version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}
