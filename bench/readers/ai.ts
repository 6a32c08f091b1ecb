// The AI SDK: its stream of parts.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { streamText, tool } from 'ai'
import { fetchOf } from '../network.ts'
import type { Readers } from '../remote.ts'
import { baseURL, fileShape, model, prompt } from './request.ts'
import { Tally } from './tally.ts'

export const readers: Readers = { streamText: read }

async function read(chunks: readonly Uint8Array[]): Promise<string> {
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
