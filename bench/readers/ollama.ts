// Ollama's own client. A line brings a call whole, so its arguments count as one delta, as they do in our events.

import { Ollama } from 'ollama'
import { fetchOf } from '../network.ts'
import type { Readers } from '../remote.ts'
import { prompt } from './request.ts'
import { Tally } from './tally.ts'

export const readers: Readers = { chat }

async function chat(chunks: readonly Uint8Array[]): Promise<string> {
  const client = new Ollama({ host: 'http://localhost', fetch: fetchOf(chunks, 'application/x-ndjson') })
  const tally = new Tally()
  const messages = [{ role: 'user', content: prompt }]
  for await (const { message } of await client.chat({ model: 'qwen3', messages, stream: true })) {
    for (const call of message.tool_calls ?? []) tally.add(JSON.stringify(call.function.arguments))
  }
  return tally.end()
}
