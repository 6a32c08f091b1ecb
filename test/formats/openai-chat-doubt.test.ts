// Two things that a Chat Completions event can hide: that it is a whole answer without an answer, and a member that the parse drops.
import { describe, expect, it } from 'vitest'
import { readResponse, createAssembler, type AssemblerResult } from '../../src/index.ts'
import { agreed, outcomes, sse, warningCodes } from '../helpers/agreed.ts'

describe('a completion without choices', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }

  it.each<[string, object]>([
    ['', { object: 'chat.completion', choices: [] }],
    [', counts or not', { object: 'chat.completion', choices: [], usage }],
    [', not even an empty list of them', { object: 'chat.completion', id: 'x' }],
    [', by null', { object: 'chat.completion', choices: null }],
  ])('is the same error as a body and fed as a stream%s', (_, body) => {
    const whole = readResponse(body)
    expect(whole.errors).toMatchObject([{ code: 'no-choices', raw: body }])
    expect(whole.finish.reason).toBe('error')
    expect(readResponse(body, { format: 'openai-chat' })).toEqual(whole)
    for (const text of [JSON.stringify(body), JSON.stringify(body, null, 1), sse(body), sse(body, '[DONE]')]) {
      const fed = agreed('openai-chat', text)
      expect(fed.errors).toMatchObject([{ code: 'no-choices', raw: body }])
      expect(fed.finish.reason).toBe('error')
    }
    const assembler = createAssembler()
    assembler.feedEvent(body)
    assembler.end()
    expect(assembler.result?.errors).toMatchObject([{ code: 'no-choices' }])
  })

  it('is none of a stream, whatever name that gives its chunks', () => {
    const chunk = (object: string): object => ({
      object,
      choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }],
    })
    for (const object of ['chat.completion.chunk', 'chat.completion', '']) {
      const counts = { object, choices: [], usage }
      for (const events of [
        [chunk(object), counts],
        [counts, chunk(object)],
      ]) {
        const result = agreed('openai-chat', sse(...events, '[DONE]'))
        expect(result).toMatchObject({ text: 'Hi', errors: [], finish: { reason: 'stop' } })
      }
    }
    expect(
      agreed('openai-chat', sse({ object: 'chat.completion.chunk', choices: [], usage }, '[DONE]')).errors,
    ).toEqual([])
  })

  it('is the error that it says', () => {
    const body = { object: 'chat.completion', choices: [], error: { message: 'No.', code: 'x' } }
    expect(agreed('openai-chat', sse(body)).errors).toMatchObject([{ code: 'x' }])
    expect(readResponse(body).errors).toMatchObject([{ code: 'x' }])
  })
})

describe('a member that stands twice in one object', () => {
  const event = (call: string): string =>
    `{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[${call}]},"finish_reason":null}]}`
  const opening = event('{"index":0,"id":"a","function":{"name":"f","arguments":""}}')
  const end = event('').replace('null', '"tool_calls"')
  const assembled = (...calls: string[]): AssemblerResult =>
    agreed('openai-chat', sse(opening, ...calls.map(event), end, '[DONE]'))

  it.each<[string, string, string]>([
    ['arguments', '{"index":0,"function":{"arguments":"{\\"x\\":1}","arguments":"{}"}}', '{}'],
    ['a function', '{"index":0,"function":{"arguments":"{\\"x\\":1}"},"function":{"arguments":"{}"}}', '{}'],
  ])('is damage: %s', (_, call, text) => {
    const result = assembled(call)
    expect(outcomes(result)).toEqual([['f', 'damaged', text]])
    expect(result.warnings).toMatchObject([{ code: 'malformed-event', raw: event(call) }])
    expect(result.finish.truncated).toBe(true)
  })

  it('is damage in free text, and in a body', () => {
    const custom = '{"index":0,"id":"a","type":"custom","custom":{"name":"sh","input":"rm","input":"ls"}}'
    expect(outcomes(agreed('openai-chat', sse(event(custom), end, '[DONE]')))).toEqual([['sh', 'damaged', 'ls']])
    const body = `{"object":"chat.completion","choices":[{"index":0,"message":{"tool_calls":[${custom}]},"finish_reason":"tool_calls"}]}`
    expect(outcomes(agreed('openai-chat', body))).toEqual([['sh', 'damaged', 'ls']])
    expect(outcomes(readResponse(body))).toEqual([['sh', 'damaged', 'ls']])
  })

  it('is not what text and names look like, nor several calls in one event', () => {
    const result = assembled(
      '{"index":0,"function":{"arguments":"{\\"arguments\\":1,"}}',
      '{"index":0,"function":{"arguments":"\\"b\\":\\"\\\\\\"arguments\\\\\\"\\"}"}}',
      '{"index":1,"id":"b","function":{"name":"arguments","arguments":"{}"}},{"index":2,"id":"c","function":{"name":"arguments","arguments":"{}"}}',
    )
    expect(outcomes(result)).toEqual([
      ['f', { arguments: 1, b: '"arguments"' }],
      ['arguments', {}],
      ['arguments', {}],
    ])
    expect(warningCodes(result)).toEqual([])
  })
})
