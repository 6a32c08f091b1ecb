import Anthropic from '@anthropic-ai/sdk'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplayServer, type ReplayServer } from '../../demo/replay-server.mjs'
import { assemble } from '../../src/adapters/assemble.ts'
import type { AssemblySource } from '../../src/adapters/sources.ts'
import { collect, sse, tick, weather } from './wire.ts'

const args = { city: 'Oslo', days: 3 }
const named = (events: readonly { readonly type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const anthropicBody = named([
  { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: {} } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"city":"Oslo",' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"days":3}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
] as readonly { readonly type: string }[])

const ollamaBody = [
  {
    message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'weather', arguments: args } }] },
    done: false,
  },
  { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
]
  .map((row) => `${JSON.stringify({ model: 'm', ...row })}\n`)
  .join('')

let server: ReplayServer
/** The same bodies, but the server stops half-way and keeps the connection. */
let stalling: ReplayServer

beforeAll(async () => {
  const routes = {
    '/v1/chat/completions': { body: sse(weather) },
    '/v1/messages': { body: anthropicBody },
    '/api/chat': { body: ollamaBody, contentType: 'application/x-ndjson' },
  }
  const halves = Object.entries(routes).map(
    ([path, route]) => [path, { ...route, cut: { after: route.body.length - 100, how: 'stall' } }] as const,
  )
  server = await startReplayServer({ routes })
  stalling = await startReplayServer({ routes: Object.fromEntries(halves) })
})

afterAll(async () => {
  await server.close()
  await stalling.close()
})

const user = { role: 'user', content: 'Weather?' } as const

const sdks: readonly [string, (url: string) => Promise<AssemblySource>][] = [
  [
    'openai',
    (url) =>
      new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }).chat.completions.create({
        model: 'm',
        messages: [user],
        stream: true,
      }),
  ],
  [
    'anthropic',
    (url) =>
      new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 }).messages.create({
        model: 'm',
        max_tokens: 100,
        messages: [user],
        stream: true,
      }),
  ],
  ['ollama', (url) => new Ollama({ host: url }).chat({ model: 'm', messages: [user], stream: true })],
]

describe.each(sdks)('the stream of the %s SDK', (_, open) => {
  it('is assembled from its chunk objects', async () => {
    const result = await assemble(await open(server.url)).result()
    expect(result.calls).toMatchObject([{ name: 'weather', ok: true, arguments: args }])
    expect(result.finish).toMatchObject({ reason: 'tool-calls', truncated: false })
  })

  it('gives its connection back when the loop is left early', async () => {
    for await (const event of assemble(await open(server.url))) if (event.type === 'tool-call-start') break
    expect(['complete', 'cut']).toContain(await server.visits.at(-1)?.ended)
  })

  it('gives its connection back when it has stalled and the signal aborts', async () => {
    const controller = new AbortController()
    const stream = assemble(await open(stalling.url), { signal: controller.signal })
    const events = collect(stream)
    await tick(30)
    controller.abort()
    expect((await events).at(-1)).toMatchObject({ type: 'finish', finish: { reason: 'interrupted' } })
    expect(await stalling.visits.at(-1)?.ended).toBe('cut')
  })
})
