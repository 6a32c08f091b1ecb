// Servers that know no tools: the model is told of them in the prompt, and its calls are read out of its text.
import { describe, expect, it, vi } from 'vitest'
import { assemble, HttpError } from '../../src/index.ts'
import type { AssemblerResult, JsonObject, ReadyCall, ReadyCustomCall } from '../../src/index.ts'
import { chooseStrategy, textMessages, toolPrompt, toolResponse } from '../../src/prompt.ts'
import type { ToolStrategy } from '../../src/prompt.ts'
import {
  inTurn,
  post,
  says,
  serve,
  type LoopFormat,
  type ModelAnswer,
  type ModelServer,
  type Script,
  writeFile,
} from './support.ts'

const tools = {
  write_file: writeFile,
}
const question = { role: 'user', content: 'Save a note.' }

const call = (args: string): string => `<tool_call>\n{"name": "write_file", "arguments": ${args}}\n</tool_call>`
const whole = '{"path": "a<b.md", "content": "</tool_call> is a tag"}'
const cutCall = call(whole).slice(0, -'</tool_call> is a tag"}}\n</tool_call>'.length)

/** The loop for such a server, as its users write it. */
async function converse(
  send: (messages: readonly object[]) => Promise<Response>,
  {
    strategy,
    format,
    run,
  }: { strategy: ToolStrategy; format: LoopFormat; run: (call: ReadyCall | ReadyCustomCall) => unknown },
): Promise<readonly AssemblerResult[]> {
  if (strategy.kind !== 'text') throw new Error(strategy.reason)
  const { format: dialect } = strategy
  const messages: object[] = [{ role: 'system', content: toolPrompt(tools, { format: dialect }) }, question]
  const results: AssemblerResult[] = []
  for (;;) {
    const result = await assemble(await send(messages), { format, tools, textCalls: [dialect] }).result()
    results.push(result)
    if (result.calls.length === 0) return results
    messages.push(...textMessages(result, (ready) => run(ready), { format: dialect }))
  }
}

/** The messages of a request that are no system prompt. */
function said({ body }: { readonly body: JsonObject }): unknown {
  return (body['messages'] as readonly JsonObject[]).slice(1)
}

describe('an Ollama model without the capability for tools', () => {
  const model = 'phi3:mini'

  it('has its calls in the text run, and its history in its own dialect', async () => {
    const answers = inTurn([
      says('ollama', [], { text: `I save it.\n${call(whole)}`, deltaSize: 5 }),
      says('ollama', [], { text: 'Saved.' }),
    ])
    const target = await serve(({ path }, n) =>
      path === '/api/show'
        ? { contentType: 'application/json', body: JSON.stringify({ capabilities: ['completion'] }) }
        : answers({ path, body: {} }, n - 1),
    )
    const shown = (await (await post(`${target.url}/api/show`, { model })).json()) as { capabilities: string[] }
    const strategy = chooseStrategy({ model, server: 'ollama', capabilities: shown.capabilities })
    expect(strategy).toMatchObject({ kind: 'text', format: 'hermes' })

    const run = vi.fn(() => ({ bytes: 21 }))
    const results = await converse((messages) => post(`${target.url}/api/chat`, { model, messages }), {
      strategy,
      format: 'ollama',
      run,
    })
    const [first, last] = results
    expect(first?.text).toBe('I save it.\n')
    expect(first?.calls).toMatchObject([{ ok: true, name: 'write_file', arguments: JSON.parse(whole) }])
    expect(first?.finish.reason).toBe('tool-calls')
    expect(run).toHaveBeenCalledTimes(1)
    expect(last?.text).toBe('Saved.')

    const [, asked, told] = target.requests
    expect(target.requests).toHaveLength(3)
    expect(asked?.body).toEqual({
      model,
      messages: [{ role: 'system', content: toolPrompt(tools, { format: 'hermes' }) }, question],
    })
    const [ready] = first?.calls ?? []
    if (told === undefined || ready === undefined) throw new Error('there was no second turn')
    expect(said(told)).toEqual([
      question,
      {
        role: 'assistant',
        content: `I save it.\n<tool_call>\n{"name": "write_file", "arguments": ${JSON.stringify(JSON.parse(whole))}}\n</tool_call>`,
      },
      { role: 'user', content: toolResponse(ready, { bytes: 21 }, { format: 'hermes' }) },
    ])
    expect(toolResponse(ready, { bytes: 21 })).toBe(
      '<tool_response>\n{"name":"write_file","content":{"bytes":21}}\n</tool_response>',
    )
    for (const { body } of target.requests) expect(Object.keys(body)).not.toContain('tools')
  })
})

describe('a server that refuses a request with tools', () => {
  const model = 'acme-chat-1'
  const refusal = {
    error: { message: `registry.ollama.ai/library/${model} does not support tools`, type: 'api_error' },
  }

  function withoutTools(answers: readonly ModelAnswer[]): Script {
    let served = 0
    return ({ body, path }) => {
      if ('tools' in body) return { status: 400, contentType: 'application/json', body: JSON.stringify(refusal) }
      return inTurn(answers)({ path, body }, served++)
    }
  }

  async function strategyAfter(target: ModelServer): Promise<ToolStrategy> {
    const native = Object.entries(tools).map(([name, tool]) => ({ type: 'function', function: { name, ...tool } }))
    const response = await post(`${target.url}/v1/chat/completions`, { model, messages: [question], tools: native })
    const failed: unknown = await assemble(response, { tools })
      .result()
      .catch((error: unknown) => error)
    expect(HttpError.is(failed)).toBe(true)
    expect(failed).toMatchObject({ status: 400, serverMessage: refusal.error.message })
    return chooseStrategy({ model, server: target.url, error: failed })
  }

  it('is asked again in words, and a call that breaks off in the text is answered and not run', async () => {
    const target = await serve(
      withoutTools([
        says('openai-chat', [], { text: `Here.\n${cutCall}`, finishReason: 'length' }),
        says('openai-chat', [], { text: `Again.\n${call(whole)}` }),
        says('openai-chat', [], { text: 'Saved.' }),
      ]),
    )
    const strategy = await strategyAfter(target)
    expect(strategy).toMatchObject({ kind: 'text', format: 'hermes' })

    const run = vi.fn((ready: ReadyCall | ReadyCustomCall) => `wrote ${ready.name}`)
    const results = await converse(
      (messages) => post(`${target.url}/v1/chat/completions`, { model, stream: true, messages }),
      { strategy, format: 'openai-chat', run },
    )
    const [first, second, last] = results
    const [broken] = first?.calls ?? []
    if (broken === undefined || broken.ok) throw new Error('the call that broke off was not refused')
    expect(broken.failure.code).toBe('truncated')
    expect('arguments' in broken).toBe(false)
    expect(second?.calls).toMatchObject([{ ok: true, arguments: JSON.parse(whole) }])
    expect(run.mock.calls.map(([ready]) => ready.arguments)).toEqual([JSON.parse(whole)])
    expect(last?.text).toBe('Saved.')

    const [, , retry, end] = target.requests
    expect(target.requests).toHaveLength(4)
    if (retry === undefined || end === undefined) throw new Error('there was no second try')
    expect(said(retry)).toEqual([
      question,
      {
        role: 'assistant',
        content: 'Here.\n<tool_call>\n{"name": "write_file", "arguments": {}}\n</tool_call>',
      },
      {
        role: 'user',
        content: `<tool_response>\n${JSON.stringify({ name: 'write_file', error: broken.failure.message })}\n</tool_response>`,
      },
    ])
    expect(said(end)).toMatchObject([
      ...(said(retry) as object[]),
      { role: 'assistant', content: expect.stringContaining('"content":"</tool_call> is a tag"') },
      { role: 'user', content: expect.stringContaining('"content":"wrote write_file"') },
    ])
  })
})
