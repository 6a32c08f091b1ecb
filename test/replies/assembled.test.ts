// From bytes to the next request, through the whole assembler.
import { describe, expect, it } from 'vitest'
import { createAssembler } from '../../src/assembly/create.ts'
import { nextMessages, toolReply } from '../../src/replies/reply.ts'

function assemble(
  format: 'openai-chat' | 'ollama' | 'anthropic',
  body: string,
  options: Parameters<typeof createAssembler>[0] = {},
) {
  const assembler = createAssembler({ ...options, format })
  assembler.feed(body)
  assembler.end()
  const { result } = assembler
  if (result === undefined) throw new Error('no result')
  return result
}

const sse = (...events: readonly object[]) =>
  [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
const delta = (tool_calls: readonly object[], finish_reason: string | null = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', tool_calls }, finish_reason }],
})

const same = (index: number, path: string) => ({
  index,
  id: 'same',
  type: 'function',
  function: { name: 'read', arguments: `{"path":"${path}"}` },
})

describe('after a stream', () => {
  it('calls that came under one id are answered under different ones, by toolReply and nextMessages alike', () => {
    const result = assemble('openai-chat', sse(delta([same(0, 'a')]), delta([same(1, 'b')]), delta([], 'tool_calls')))
    expect(result.calls.map(({ wireId }) => wireId)).toEqual(['same', 'same'])
    const [history, ...answers] = nextMessages(result, ['A', 'B'], { format: 'openai-chat' })
    const ids = result.calls.map((one) => toolReply(one, '', { format: 'openai-chat' }).tool_call_id)
    expect(new Set(ids).size).toBe(2)
    expect(history).toMatchObject({ tool_calls: ids.map((id) => ({ id })) })
    expect(answers).toMatchObject(ids.map((tool_call_id) => ({ tool_call_id })))
  })

  it('an id that came late is the one that the history has', () => {
    const body = sse(
      delta([{ index: 0, function: { name: 'read', arguments: '{"path":' } }]),
      delta([{ index: 0, id: 'late', function: { arguments: '"a"}' } }]),
      delta([], 'tool_calls'),
    )
    const result = assemble('openai-chat', body)
    expect(nextMessages(result, [''], { format: 'openai-chat' })).toMatchObject([
      { tool_calls: [{ id: 'late', function: { arguments: '{"path":"a"}' } }] },
      { tool_call_id: 'late' },
    ])
  })

  it('a repaired call is replayed repaired, a cut one as an empty object with its reason as the answer', () => {
    const body = sse(
      delta([{ index: 0, id: 'a', function: { name: 'read', arguments: '```json\n{"id": 1.0}\n```' } }]),
      delta([{ index: 1, id: 'b', function: { name: 'write', arguments: '{"path":"x","content":"half' } }], 'length'),
    )
    const result = assemble('openai-chat', body)
    const [history, , refusal] = nextMessages(result, { a: 'ok' }, { format: 'openai-chat' })
    expect(history).toMatchObject({
      tool_calls: [{ function: { arguments: '{"id": 1.0}' } }, { function: { name: 'write', arguments: '{}' } }],
    })
    expect(refusal).toMatchObject({ tool_call_id: 'b', content: expect.stringMatching(/write.*not run/s) })
  })

  it('a big integer goes back to Ollama with all its digits', () => {
    const line = `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"get","arguments":{"id":12345678901234567890}}}]},"done":true,"done_reason":"stop"}\n`
    const result = assemble('ollama', line, { integers: 'bigint' })
    expect(nextMessages(result, ['found'], { format: 'ollama' })).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'get', arguments: { id: '12345678901234567890' } } }],
      },
      { role: 'tool', tool_name: 'get', content: 'found' },
    ])
  })

  it('what a schema adds is for the tool, not for the history', () => {
    const tools = {
      list: {
        parameters: {
          '~standard': {
            version: 1 as const,
            vendor: 'test',
            validate: (value: unknown) => ({ value: { limit: 10, ...Object(value) } as { limit: number } }),
          },
        },
      },
    }
    const body = sse(delta([{ index: 0, id: 'a', function: { name: 'list', arguments: '' } }], 'tool_calls'))
    const result = assemble('openai-chat', body, { tools })
    expect(result.calls[0]).toMatchObject({ ok: true, arguments: { limit: 10 } })
    expect(nextMessages(result, [''], { format: 'openai-chat' })[0]).toMatchObject({
      tool_calls: [{ function: { arguments: '{}' } }],
    })
  })
})
