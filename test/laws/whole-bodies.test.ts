// A whole body gives what the same turn gives as a stream, as an object and as text. A body without an answer in it is an error by name.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readResponse, type AssemblerResult, type JsonObject, type WireFormatName } from '../../src/index.ts'
import { anyTurn, formats, patient, read, runs, type Sent } from './support.ts'

interface BodyTurn extends Pick<Sent, 'text' | 'reasoning'> {
  readonly calls: readonly {
    readonly id: string
    readonly name: string
    readonly arguments: JsonObject
    readonly text: string
  }[]
}

/** The bodies of the APIs' non-streaming answers, each by its reference. */
const bodies: Record<WireFormatName, (turn: BodyTurn) => object> = {
  'openai-chat': ({ calls, text, reasoning }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1759436808,
    model: 'gpt-4o',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          refusal: null,
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.text },
          })),
        },
        logprobs: null,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 398, completion_tokens: 40, total_tokens: 438 },
  }),
  'openai-responses': ({ calls, text, reasoning }) => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: [
      ...(reasoning === ''
        ? []
        : [{ id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] }]),
      ...(text === ''
        ? []
        : [
            {
              id: 'msg_1',
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text }],
            },
          ]),
      ...calls.map((call, n) => ({
        id: `fc_${n}`,
        type: 'function_call',
        status: 'completed',
        arguments: call.text,
        call_id: call.id,
        name: call.name,
      })),
    ],
    usage: { input_tokens: 398, output_tokens: 40, total_tokens: 438 },
  }),
  anthropic: ({ calls, text, reasoning }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [
      ...(reasoning === ''
        ? []
        : [{ type: 'thinking', thinking: reasoning, signature: 'EoQDCm0IDhgCKkCDzGs2kL2PgnDCZU' }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.arguments })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 598, output_tokens: 92 },
  }),
  ollama: ({ calls, text, reasoning }) => ({
    model: 'qwen3:4b',
    created_at: '2025-09-25T07:23:59.7516114Z',
    message: {
      role: 'assistant',
      content: text,
      ...(reasoning === '' ? {} : { thinking: reasoning }),
      tool_calls: calls.map((call, index) => ({
        id: call.id,
        function: { index, name: call.name, arguments: call.arguments },
      })),
    },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 188,
    eval_count: 472,
  }),
  gemini: ({ calls, text, reasoning }) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
            ...(text === '' ? [] : [{ text }]),
            ...calls.map((call) => ({ functionCall: { id: call.id, name: call.name, args: call.arguments } })),
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 64, candidatesTokenCount: 11, totalTokenCount: 75 },
  }),
  cohere: ({ calls, text, reasoning }) => ({
    id: 'c1',
    finish_reason: calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE',
    message: {
      role: 'assistant',
      ...(reasoning === '' ? {} : { tool_plan: reasoning }),
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.text },
      })),
      content: text === '' ? [] : [{ type: 'text', text }],
    },
    usage: { tokens: { input_tokens: 968, output_tokens: 83 } },
  }),
  bedrock: ({ calls, text, reasoning }) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(reasoning === '' ? [] : [{ reasoningContent: { reasoningText: { text: reasoning } } }]),
          ...(text === '' ? [] : [{ text }]),
          ...calls.map((call) => ({ toolUse: { toolUseId: call.id, name: call.name, input: call.arguments } })),
        ],
      },
    },
    stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: { inputTokens: 657, outputTokens: 190, totalTokens: 847 },
  }),
}

/** Where a call stood on the wire, and what was counted, differ between a stream and a body; nothing else does. */
function comparable({ usage: _, choices: __, ...result }: AssemblerResult): object {
  return {
    ...result,
    calls: result.calls.map(({ wireIndex: ___, ...call }) => call),
    finish: { ...result.finish, evidence: result.finish.evidence.filter((word) => word !== 'end-marker') },
  }
}

function bodyTurn(turn: Sent, ids: readonly string[]): BodyTurn {
  const calls = turn.calls.map((call, n) => ({ ...call, id: ids[n] ?? '', text: call.argumentsText }))
  return { calls, text: turn.text, reasoning: turn.reasoning }
}

describe.each(formats)('a whole body of %s', (format) => {
  it('gives what the same turn gives as a stream, parsed or as text, laid out or not', patient, () => {
    const shape = { format: fc.constant(format), options: { partialArgs: false } }
    fc.assert(
      fc.property(anyTurn(shape), fc.constantFrom('auto', format), (turn, named) => {
        const streamed = read([turn.bytes], { format: named }).result
        // Gemini gives no ids by itself, so that its stream has none to repeat.
        const body = bodies[format](
          bodyTurn(
            turn,
            streamed.calls.map(({ id }) => id),
          ),
        )
        const wanted = comparable(format === 'gemini' ? withWireIds(streamed) : streamed)
        expect(comparable(readResponse(body, { format: named }))).toEqual(wanted)
        expect(comparable(readResponse(JSON.stringify(body), { format: named }))).toEqual(wanted)
        // Arguments that stand in it as an object are laid out as well: their text is what was sent.
        const laidOut = readResponse(JSON.stringify(body, null, 2), { format: named })
        const texts = streamed.calls.map(({ argumentsText }) => argumentsText)
        expect(comparable(withTexts(laidOut, texts))).toEqual(wanted)
      }),
      { numRuns: runs },
    )
  })

  it('is no error for having nothing but calls, or nothing at all to say', () => {
    const call = { id: 'x1', name: 'f', arguments: { a: 1 }, text: '{"a":1}' }
    const bare = readResponse(bodies[format]({ calls: [call], text: '', reasoning: '' }))
    expect(bare).toMatchObject({ errors: [], warnings: [], text: '', calls: [{ ok: true, arguments: { a: 1 } }] })
    expect(bare.finish).toMatchObject({ reason: 'tool-calls', truncated: false })
    const empty = readResponse(bodies[format]({ calls: [], text: '', reasoning: '' }))
    expect(empty).toMatchObject({ errors: [], calls: [], finish: { reason: 'stop', truncated: false } })
  })
})

function withWireIds(result: AssemblerResult): AssemblerResult {
  return { ...result, calls: result.calls.map((call) => ({ ...call, wireId: call.id })) }
}

function withTexts(result: AssemblerResult, texts: readonly string[]): AssemblerResult {
  return { ...result, calls: result.calls.map((call, n) => ({ ...call, argumentsText: texts[n] ?? '' })) }
}

describe('both routes of an Ollama server', () => {
  it('give the same calls, one with objects and one with text', patient, () => {
    fc.assert(
      fc.property(anyTurn({ minCalls: 1, format: fc.constant('ollama') }), (turn) => {
        const ids = turn.calls.map((_, n) => `call_${n}x`)
        const native = readResponse(bodies.ollama(bodyTurn(turn, ids)))
        const compatible = readResponse(bodies['openai-chat'](bodyTurn(turn, ids)))
        const callsOf = ({ calls }: AssemblerResult): object[] => calls.map(({ wireIndex: _, ...call }) => call)
        expect(callsOf(native)).toEqual(callsOf(compatible))
        expect(native.calls.every((call) => call.ok)).toBe(true)
      }),
      { numRuns: runs },
    )
  })

  it('give the same calls where content is empty, absent or null beside them', () => {
    const call = { function: { name: 'f', arguments: { a: 1 } } }
    for (const content of [{ content: '' }, { content: null }, {}]) {
      const native = readResponse({
        model: 'm',
        message: { role: 'assistant', ...content, tool_calls: [call] },
        done: true,
      })
      const message = { role: 'assistant', ...content, tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] }
      const compatible = readResponse({ choices: [{ message, finish_reason: 'tool_calls' }] })
      for (const result of [native, compatible])
        expect(result).toMatchObject({ text: '', errors: [], calls: [{ name: 'f', ok: true, arguments: { a: 1 } }] })
    }
  })
})

const answerless: readonly (readonly [string, WireFormatName, object])[] = [
  ['no-choices', 'openai-chat', { id: 'x', object: 'chat.completion', choices: [] }],
  ['no-choices', 'openai-chat', { object: 'chat.completion', choices: null, usage: { total_tokens: 3 } }],
  ['no-choices', 'openai-chat', { object: 'chat.completion' }],
  ['no-choices', 'openai-chat', { choices: [] }],
  ['no-message', 'openai-chat', { choices: [{ index: 0, finish_reason: 'stop' }] }],
  ['no-message', 'openai-chat', { choices: [{ index: 0, message: null, finish_reason: 'stop' }] }],
  ['no-message', 'ollama', { model: 'm', done: true, done_reason: 'stop' }],
  ['no-message', 'ollama', { model: 'm', message: null, done: true }],
  ['no-candidates', 'gemini', { candidates: [], usageMetadata: { totalTokenCount: 3 } }],
  ['no-candidates', 'gemini', { modelVersion: 'g', usageMetadata: { totalTokenCount: 3 } }],
  ['no-content', 'anthropic', { type: 'message', role: 'assistant', stop_reason: 'end_turn' }],
  ['no-output', 'openai-responses', { object: 'response', status: 'completed' }],
  ['no-message', 'cohere', { id: 'x', finish_reason: 'COMPLETE' }],
  ['no-message', 'bedrock', { output: {}, stopReason: 'end_turn' }],
]

describe('a body without an answer in it', () => {
  it.each(answerless)('is the error %s in %s: %j', (code, format, body) => {
    for (const given of [body, JSON.stringify(body), JSON.stringify(body, null, 2)]) {
      const result = readResponse(given, { format })
      expect(result.errors).toMatchObject([{ code, message: expect.stringContaining(code.slice(3)), raw: body }])
      expect(result.finish).toMatchObject({ reason: 'error', truncated: true })
      expect(result.calls).toEqual([])
    }
    // Whoever has the format told has an error of some name.
    expect(readResponse(body).errors).toHaveLength(1)
  })

  it('is no error of ours where it is the server’s, or where a prompt was blocked', () => {
    const codes = (body: object, format: WireFormatName): string[] =>
      readResponse(body, { format }).errors.map(({ code }) => code)
    for (const format of formats) expect(codes({ error: { message: 'no', code: 'nope' } }, format)).toEqual(['nope'])
    expect(codes({ promptFeedback: { blockReason: 'SAFETY' } }, 'gemini')).toEqual([])
    expect(
      codes({ choices: [{ error: { message: 'no', code: 'nope' }, finish_reason: 'error' }] }, 'openai-chat'),
    ).toEqual(['nope'])
  })

  it('is an ordinary event of a stream', () => {
    const stream =
      'data: {"choices":[]}\n\ndata: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n'
    expect(read([stream]).result).toMatchObject({ text: 'x', errors: [], finish: { truncated: false } })
    // As text of a stream it goes through the door for bodies, too.
    expect(readResponse(stream)).toMatchObject({ text: 'x', errors: [] })
  })
})
