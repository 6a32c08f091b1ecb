import { describe, expect, it } from 'vitest'
import { cohere } from '../../src/formats/cohere.ts'
import { messages, reading } from '../helpers/readers.ts'

const read = reading(cohere)

const event = (type: string, message: object, index?: number): object => ({ type, index, delta: { message } })
const call = (fields: object = {}): object => ({
  id: 'c1',
  type: 'function',
  function: { name: 'f', arguments: '', ...fields },
})
const start = (index: number, fields: object = {}): object =>
  event('tool-call-start', { tool_calls: call(fields) }, index)
const fragment = (index: number | undefined, args: unknown): object =>
  event('tool-call-delta', { tool_calls: { function: { arguments: args } } }, index)
const end = (index: number): object => ({ type: 'tool-call-end', index })

const opened = (key: number, fields: object = {}): object => ({
  type: 'call-open',
  choice: 0,
  key,
  wireIndex: key,
  id: 'c1',
  name: 'f',
  kind: 'function',
  ...fields,
})
const appended = (key: number, delta: string): object => ({ type: 'call-append', key, delta })
const closed = (key: number): object => ({ type: 'call-close', key })

const detects = (value: unknown): boolean => messages(value).some((message) => cohere.detect(message))

describe('tool calls', () => {
  it('open, append and close under their index, with one call where others have a list', () => {
    expect(read(start(0), fragment(0, '{\n    "x": '), fragment(0, '1\n}'), end(0), start(1), end(1))).toEqual([
      opened(0),
      appended(0, '{\n    "x": '),
      appended(0, '1\n}'),
      closed(0),
      opened(1),
      closed(1),
    ])
  })

  it('may start with arguments, as text or as an object', () => {
    expect(read(start(0, { arguments: '{"x":' }))).toEqual([opened(0), appended(0, '{"x":')])
    expect(read(start(0, { arguments: { n: 1 } }))).toEqual([opened(0), { ...appended(0, '{"n":1}'), form: 'object' }])
  })

  it('may come as a list of one', () => {
    expect(read(event('tool-call-start', { tool_calls: [call()] }, 0))).toEqual([opened(0)])
  })

  it('that are unknown or mistyped are reported', () => {
    expect(read(fragment(4, '{'))).toEqual([appended(4, '{')])
    expect(read(start(0), fragment(0, 5))[1]).toMatchObject({ type: 'call-damage', key: 0 })
    expect(read(start(0), fragment(undefined, '{'))[1]).toMatchObject({ type: 'damage', warning: { frame: 2 } })
    expect(read(event('tool-call-start', { tool_calls: 'f' }, 0))).toMatchObject([{ type: 'damage' }])
    expect(read(event('tool-call-delta', { tool_calls: 'f' }, 0))).toMatchObject([{ type: 'call-damage', key: 0 }])
  })

  it('may have nothing to add', () => {
    expect(read(start(0), event('tool-call-delta', { tool_calls: {} }, 0))).toEqual([opened(0)])
    for (const other of [{ function: 'x' }, { patch: 'x' }]) {
      expect(read(start(0), event('tool-call-delta', { tool_calls: other }, 0))[1]).toMatchObject({
        type: 'call-damage',
        key: 0,
      })
    }
  })

  it('count apart from content', () => {
    expect(
      read(
        event('content-start', { content: { type: 'text', text: '' } }, 0),
        start(0),
        event('content-delta', { content: { text: 'Hi' } }, 0),
        fragment(0, '{}'),
        { type: 'content-end', index: 0 },
      ),
    ).toEqual([opened(0), { type: 'text', choice: 0, delta: 'Hi' }, appended(0, '{}')])
  })
})

describe('text and reasoning', () => {
  it('are content, thinking and the plan for the tools', () => {
    expect(
      read(
        event('message-start', { role: 'assistant', content: [], tool_plan: '', tool_calls: [] }),
        event('tool-plan-delta', { tool_plan: 'Look.' }),
        event('content-start', { content: { type: 'thinking', thinking: 'H' } }, 0),
        event('content-delta', { content: { thinking: 'm' } }, 0),
        event('content-delta', { content: { text: 'A' } }, 1),
        event('citation-start', { citations: { text: 'A' } }, 0),
        { type: 'debug', prompt: 'p' },
      ),
    ).toEqual([
      { type: 'reasoning', choice: 0, delta: 'Look.' },
      { type: 'reasoning', choice: 0, delta: 'H' },
      { type: 'reasoning', choice: 0, delta: 'm' },
      { type: 'text', choice: 0, delta: 'A' },
    ])
  })
})

describe('the end', () => {
  it.each([
    ['COMPLETE', 'clean'],
    ['TOOL_CALL', 'clean'],
    ['STOP_SEQUENCE', 'clean'],
    ['MAX_TOKENS', 'length'],
    ['ERROR', 'error'],
    ['ERROR_LIMIT', 'error'],
    ['TIMEOUT', 'stopped'],
  ])('%s is %s, and [DONE] the marker', (reason, kind) => {
    expect(read({ type: 'message-end', delta: { finish_reason: reason } }, '[DONE]')).toEqual([
      { type: 'finish', choice: 0, raw: reason, kind },
      { type: 'end' },
    ])
  })

  it('has the token counts, and may have an error', () => {
    const usage = { billed_units: { input_tokens: 1 }, tokens: { input_tokens: 5, output_tokens: 6 } }
    expect(
      read({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'model fell over', usage } }),
    ).toMatchObject([
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 6, raw: usage } },
      { type: 'finish', kind: 'error' },
      { type: 'error', error: { message: 'model fell over' } },
    ])
  })

  it('may be an error body', () => {
    expect(read({ id: 'e', message: 'too many requests' })).toMatchObject([
      { type: 'error', error: { message: 'too many requests' } },
    ])
  })
})

describe('a whole answer', () => {
  it('has everything at once', () => {
    const raw = `{"id":"m","finish_reason":"TOOL_CALL","message":{"role":"assistant","tool_plan":"Plan.","content":[{"type":"text","text":"Hi"}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"g","arguments":{"n":1.0}}}]},"usage":{"tokens":{"input_tokens":1,"output_tokens":2}}}`
    expect(read(raw)).toMatchObject([
      { type: 'reasoning', delta: 'Plan.' },
      { type: 'text', delta: 'Hi' },
      opened(0),
      appended(0, '{}'),
      closed(0),
      opened(1, { id: 'c2', name: 'g' }),
      { ...appended(1, '{"n":1.0}'), form: 'object' },
      closed(1),
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
      { type: 'finish', raw: 'TOOL_CALL', kind: 'clean' },
    ])
  })
})

describe('events as Cohere’s SDK gives them', () => {
  it('have names with capitals', () => {
    expect(
      read(
        event('tool-plan-delta', { toolPlan: 'Look.' }),
        event('tool-call-start', { toolCalls: call() }, 0),
        event('tool-call-delta', { toolCalls: { function: { arguments: '{}' } } }, 0),
        {
          type: 'message-end',
          delta: { finishReason: 'TOOL_CALL', usage: { billedUnits: { inputTokens: 1, outputTokens: 2 } } },
        },
      ),
    ).toMatchObject([
      { type: 'reasoning', delta: 'Look.' },
      opened(0),
      appended(0, '{}'),
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
      { type: 'finish', raw: 'TOOL_CALL' },
    ])
    expect(
      read({
        finishReason: 'TOOL_CALL',
        message: { role: 'assistant', toolPlan: 'P', toolCalls: [call({ arguments: '{}' })] },
      }),
    ).toMatchObject([{ delta: 'P' }, opened(0), appended(0, '{}'), closed(0), { type: 'finish' }])
  })
})

describe('detection', () => {
  it('takes its own events and answers, and leaves other formats alone', () => {
    expect(detects(event('message-start', {}))).toBe(true)
    expect(detects({ finish_reason: 'COMPLETE', message: { role: 'assistant', content: [] } })).toBe(true)
    expect(detects({ type: 'message_start', message: {} })).toBe(false)
    expect(detects({ finish_reason: 'stop', message: { role: 'assistant' } })).toBe(false)
    expect(detects({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' })).toBe(false)
  })

  it('is silent on event types of the future and reports what is no event', () => {
    expect(read({ type: 'mood-delta', delta: {} })).toEqual([])
    expect(read({ a: 1 })).toMatchObject([{ type: 'warning' }])
  })
})
