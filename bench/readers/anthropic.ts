// Anthropic's own client: its iterator of events, and its assembling stream with and without somebody who looks at the input.

import Anthropic from '@anthropic-ai/sdk'
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import { fetchOf } from '../network.ts'
import type { Readers } from '../remote.ts'
import { anthropicRequest } from './request.ts'
import { Tally } from './tally.ts'

export const readers: Readers = {
  create,
  stream: (chunks) => assembled(chunks, false),
  inputJson: (chunks) => assembled(chunks, true),
}

function clientOf(chunks: readonly Uint8Array[]): Anthropic {
  return new Anthropic({ apiKey: 'none', fetch: fetchOf(chunks) })
}

async function create(chunks: readonly Uint8Array[]): Promise<string> {
  const tally = new Tally()
  const events = await clientOf(chunks).messages.create({ ...anthropicRequest, stream: true })
  for await (const event of events) tally.add(fragmentOf(event))
  return tally.end()
}

async function assembled(chunks: readonly Uint8Array[], withInput: boolean): Promise<string> {
  const tally = new Tally()
  const run = clientOf(chunks).messages.stream(anthropicRequest)
  if (withInput) run.on('inputJson', (delta) => tally.add(delta))
  else run.on('streamEvent', (event) => tally.add(fragmentOf(event)))
  const message = await run.finalMessage()
  const block = message.content.find(({ type }) => type === 'tool_use')
  return tally.end(block?.type === 'tool_use' ? block.input : undefined)
}

function fragmentOf(event: RawMessageStreamEvent): string {
  if (event.type !== 'content_block_delta' || event.delta.type !== 'input_json_delta') return ''
  return event.delta.partial_json
}
