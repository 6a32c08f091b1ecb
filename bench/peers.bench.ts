// What others do with the same bytes, each by its own documented interface, all behind the same web stream, each in a process of
// its own.

import { readFileSync } from 'node:fs'
import { withRemote, type RemoteReader } from './remote.ts'
import { tableOf, type Bar, type Suite, type Table } from './suite.ts'
import type { Wire } from './workload.ts'

const kilo = 1000

const ours: RemoteReader = { name: 'ours, assemble(response)', reader: ['ours', 'assemble'] }
const oursLive: RemoteReader = {
  name: 'ours, assemble(response) with partialArguments',
  reader: ['ours', 'live'],
}
const floors = {
  'openai-chat': { name: 'floor behind a web stream', reader: ['floor', 'openai-chat'] },
  anthropic: { name: 'floor behind a web stream', reader: ['floor', 'anthropic'] },
} as const
/** Ours takes at most 0.6 times as long as the floor. */
const floorBar: Bar = { row: floors.anthropic.name, atLeast: 1 / 0.6 }

const openaiRaw = peer('openai', 'create()', ['openai', 'create'])
const openaiStream = peer('openai', 'stream()', ['openai', 'stream'])
const openaiZod = peer('openai', 'stream() with a zod tool', ['openai', 'zod'])
const ai = peer('ai', 'streamText()', ['ai', 'streamText'])
const langchain = peer('@langchain/openai', 'stream() and concat()', ['langchain', 'concat'])
const langchainCalls = peer('@langchain/openai', 'tool_calls read at each chunk', ['langchain', 'toolCalls'])
const anthropicRaw = peer('@anthropic-ai/sdk', 'create()', ['anthropic', 'create'])
const anthropicStream = peer('@anthropic-ai/sdk', 'stream()', ['anthropic', 'stream'])
const anthropicInput = peer('@anthropic-ai/sdk', 'stream() with inputJson', ['anthropic', 'inputJson'])
const ollamaChat = peer('ollama', 'chat()', ['ollama', 'chat'])

export const suite: Suite = async function* ({ quick }) {
  const length = (quick ? 20 : 100) * kilo
  yield await openai({ format: 'openai-chat', length, chunkSize: 16384 }, quick)
  if (!quick) yield await openai({ format: 'openai-chat', length, chunkSize: 'event' }, quick)
  // The time of `inputJson` grows with the square of the payload, so it is measured in full at one size of chunks, and there once.
  const messages = (quick ? 60 : 100) * kilo
  yield await anthropic({ format: 'anthropic', length: messages, chunkSize: 16384 }, quick, !quick)
  if (!quick) yield await anthropic({ format: 'anthropic', length: messages, chunkSize: 'event' }, quick, false)
  yield* liveViews(quick)
  if (!quick) yield await ollama({ format: 'ollama', length: 1000 * kilo, chunkSize: 16384 }, quick)
}

function openai(wire: Wire, quick: boolean): Promise<Table> {
  const readers = [ours, floors['openai-chat'], openaiRaw, ...(quick ? [] : [openaiStream]), ai, langchain]
  return compareRemote(titleOf(wire), readers, wire, quick, [
    floorBar,
    { row: openaiRaw.name, atLeast: 5 },
    { row: ai.name, atLeast: 25 },
    { row: langchain.name, atLeast: 30 },
  ])
}

function anthropic(wire: Wire, quick: boolean, withInput: boolean): Promise<Table> {
  const readers = [ours, floors.anthropic, anthropicRaw, anthropicStream]
  if (!withInput) return compareRemote(titleOf(wire), readers, wire, quick, [floorBar])
  const bars = [floorBar, { row: anthropicInput.name, atLeast: 300 }]
  return compareRemote(titleOf(wire), [...readers, { ...anthropicInput, once: true }], wire, quick, bars)
}

/** Those that show the arguments so far at each delta, by parsing them again: at a size at which they come to an end. */
async function* liveViews(quick: boolean): AsyncGenerator<Table> {
  const length = 10 * kilo
  const chat: Wire = { format: 'openai-chat', length, chunkSize: 16384 }
  const messages: Wire = { format: 'anthropic', length, chunkSize: 16384 }
  const looked = (wire: Wire): string => `${titleOf(wire)}, looked at with each delta`
  const inChat = [oursLive, openaiZod, { ...langchainCalls, once: true }]
  if (!quick) yield await compareRemote(looked(chat), inChat, chat, quick)
  yield await compareRemote(looked(messages), [oursLive, anthropicInput], messages, quick)
}

function ollama(wire: Wire, quick: boolean): Promise<Table> {
  const title = `ollama: ${wire.length / kilo} KB of arguments in one line, ${wire.chunkSize} B chunks, from a response`
  return compareRemote(title, [{ ...ours, reader: ['ours', 'assembleRows'] }, ollamaChat], wire, quick)
}

function compareRemote(
  title: string,
  readers: readonly RemoteReader[],
  wire: Wire,
  quick: boolean,
  bars: readonly Bar[] = [],
): Promise<Table> {
  // A process of its own begins with cold code: a short case needs about so long until its compilers are done.
  const rounds = quick ? { rounds: 3, warmup: 1, warmupTime: 500 } : { rounds: 5, warmup: 2, warmupTime: 800 }
  return withRemote(readers, wire, (cases) => tableOf(title, cases, { ...rounds, bars }))
}

function titleOf({ format, length, chunkSize }: Wire): string {
  const chunks = chunkSize === 'event' ? 'one event a chunk' : `${chunkSize} B chunks`
  return `${format}: ${length / kilo} KB of arguments, 4-character deltas, ${chunks}, from a response`
}

/** Named with the version that is installed, so that no row tells of one that was not measured. */
function peer(name: string, how: string, reader: RemoteReader['reader']): RemoteReader {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  const { version }: { readonly version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return { name: `${name} ${version}, ${how}`, reader }
}
