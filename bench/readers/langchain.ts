// LangChain: its stream of chunks, joined as it comes; once with the calls so far read from what is joined.

import type { AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { fetchOf } from '../network.ts'
import type { Readers } from '../remote.ts'
import { baseURL, chatTool, model, prompt } from './request.ts'
import { Tally } from './tally.ts'

export const readers: Readers = {
  concat: (chunks) => read(chunks, false),
  toolCalls: (chunks) => read(chunks, true),
}

async function read(chunks: readonly Uint8Array[], readCalls: boolean): Promise<string> {
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
