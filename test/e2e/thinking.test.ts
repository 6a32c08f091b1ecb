// A server that wants its thinking back, as Anthropic's API does, and a loop that has it for it.
import { describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../src/index.ts'
import type { EncodeOptions } from '../../src/testing.ts'
import { runAgent, says, serve, type ModelAnswer, type ModelRequest } from './support.ts'

const tools = { now: { parameters: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] } } }
const reasoning = 'They ask for the time, so I look at the clock. ⏰ "Where?" \\ here\n'.repeat(8)

/** Refuses a turn with calls that does not begin with the thinking as it was sent, in the API's own words. */
function thinks({ body }: ModelRequest, n: number): ModelAnswer {
  const messages = body['messages'] as readonly JsonObject[]
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== 'assistant' || !Array.isArray(content)) continue
    const [first] = content as readonly JsonObject[]
    if (first?.['type'] !== 'thinking') return refuse(`messages.${at}.content.0.type: Expected \`thinking\`.`)
    if (first['thinking'] !== reasoning || first['signature'] !== 'EoQDCm0IDhgCKkCDzGs2kL2PgnDCZU')
      return refuse(`messages.${at}.content.0: \`thinking\` blocks cannot be modified.`)
  }
  const options: EncodeOptions = { reasoning, text: 'Let me see.', deltaSize: 5 }
  if (n === 0) return says('anthropic', [{ name: 'now', arguments: '{"zone":"UT' }], options)
  if (n === 1) return says('anthropic', [{ name: 'now', arguments: '{"zone":"UTC"}' }], options)
  return says('anthropic', [], { text: 'Noon.' })
}

function refuse(message: string): ModelAnswer {
  const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })
  return { status: 400, contentType: 'application/json', body }
}

describe('a server that wants its signed thinking back', () => {
  it('gets it in front of refused and ready calls alike', async () => {
    const server = await serve(thinks)
    const run = vi.fn(() => '12:00')
    const { results } = await runAgent(server, { format: 'anthropic', tools, run })
    expect(results.map(({ calls }) => calls.map(({ ok }) => ok))).toEqual([[false], [true], []])
    expect(results.at(-1)?.text).toBe('Noon.')
    expect(run).toHaveBeenCalledTimes(1)
    expect(server.requests[2]?.body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'thinking' }, { type: 'text', text: 'Let me see.' }, { input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', is_error: true }] },
      { role: 'assistant', content: [{ type: 'thinking' }, { type: 'text' }, { input: { zone: 'UTC' } }] },
      { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: '12:00' }] }] },
    ])
  })
})
