// OpenAI's own client: its iterator of chunks, and its assembling stream with and without a tool that it parses itself.

import OpenAI from 'openai'
import { zodFunction } from 'openai/helpers/zod'
import { fetchOf } from '../network.ts'
import type { Readers } from '../remote.ts'
import { baseURL, chatRequest, fileShape } from './request.ts'
import { Tally } from './tally.ts'

export const readers: Readers = { create, stream, zod }

function clientOf(chunks: readonly Uint8Array[]): OpenAI {
  return new OpenAI({ apiKey: 'none', baseURL, fetch: fetchOf(chunks) })
}

async function create(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  for await (const chunk of await clientOf(chunks).chat.completions.create({ ...chatRequest, stream: true })) {
    for (const call of chunk.choices[0]?.delta.tool_calls ?? []) tally.add(call.function?.arguments)
  }
  return tally.end()
}

async function stream(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  const run = clientOf(chunks).chat.completions.stream(chatRequest)
  run.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => tally.add(arguments_delta))
  const completion = await run.finalChatCompletion()
  const call = completion.choices[0]?.message.tool_calls?.[0]
  return tally.end(call?.type === 'function' ? JSON.parse(call.function.arguments) : undefined)
}

async function zod(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  const tools = [zodFunction({ name: 'write_file', parameters: fileShape })]
  const run = clientOf(chunks).chat.completions.stream({ ...chatRequest, tools })
  run.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => tally.add(arguments_delta))
  const completion = await run.finalChatCompletion()
  const call = completion.choices[0]?.message.tool_calls?.[0]
  return tally.end(call?.type === 'function' ? call.function.parsed_arguments : undefined)
}
