import { describe, expect, it } from 'vitest'
import { bedrock } from '../../src/formats/bedrock.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import { eventFrame, messages, reading } from '../helpers/readers.ts'

/** Everything but the blocks that go back unchanged, which are told of below. */
const read = (...events: unknown[]): WireDelta[] =>
  reading(bedrock)(...events).filter(({ type }) => type !== 'kept-open' && type !== 'kept-close')

const start = (contentBlockIndex: number, block: object): object => ({
  contentBlockStart: { contentBlockIndex, start: block },
})
const delta = (contentBlockIndex: number | undefined, value: unknown): object => ({
  contentBlockDelta: { contentBlockIndex, delta: value, p: 'abc' },
})
const stop = (contentBlockIndex: number): object => ({ contentBlockStop: { contentBlockIndex } })
const tool = (fields: object = {}): object => ({ toolUse: { toolUseId: 'u1', name: 'f', ...fields } })
const input = (fragment: unknown): object => ({ toolUse: { input: fragment } })

const frame = (event: string, value: object) => eventFrame(JSON.stringify(value), { event })

const opened = (key: number, fields: object = {}): object => ({
  type: 'call-open',
  choice: 0,
  key,
  wireIndex: key,
  id: 'u1',
  name: 'f',
  kind: 'function',
  ...fields,
})
const appended = (key: number, text: string): object => ({ type: 'call-append', key, delta: text })
const closed = (key: number): object => ({ type: 'call-close', key })

const detects = (value: unknown): boolean => messages(value).some((message) => bedrock.detect(message))

describe('events as the SDKs give them', () => {
  it('open, append and close calls under the index of their block', () => {
    expect(
      read(
        { messageStart: { role: 'assistant' } },
        delta(0, { text: 'Hi' }),
        stop(0),
        start(1, tool()),
        delta(1, input('{"x":')),
        delta(1, input('1}')),
        stop(1),
        { messageStop: { stopReason: 'tool_use' } },
        { metadata: { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 }, metrics: {} } },
      ),
    ).toEqual([
      { type: 'text', choice: 0, delta: 'Hi' },
      opened(1),
      appended(1, '{"x":'),
      appended(1, '1}'),
      closed(1),
      { type: 'finish', choice: 0, raw: 'tool_use', kind: 'clean' },
      {
        type: 'usage',
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          totalTokens: 3,
          raw: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
        },
      },
    ])
  })

  it('may be several in one object, beside keys that are no events', () => {
    expect(
      read({
        messageStop: { stopReason: 'end_turn' },
        metadata: { usage: {} },
        'amazon-bedrock-invocationMetrics': {},
      }),
    ).toMatchObject([{ type: 'finish', raw: 'end_turn' }, { type: 'usage' }])
  })

  it('have reasoning beside signatures and redacted parts', () => {
    expect(
      read(
        delta(0, { reasoningContent: { text: 'Hm' } }),
        delta(0, { reasoningContent: { signature: 'c2ln' } }),
        delta(0, { reasoningContent: { redactedContent: 'x' } }),
        delta(1, { citation: {} }),
      ),
    ).toEqual([{ type: 'reasoning', choice: 0, delta: 'Hm' }])
  })

  it('keep calls that Nova runs itself apart, and leave their results out', () => {
    expect(
      read(
        start(0, tool({ name: 'nova_grounding', type: 'server_tool_use' })),
        delta(0, input('{"query":')),
        delta(0, input('"q"}')),
        stop(0),
        start(1, { toolResult: { toolUseId: 'u1', type: 'nova_grounding_result', status: 'success' } }),
        delta(1, { toolResult: [{ text: 'r' }] }),
        stop(1),
      ),
    ).toEqual([
      {
        type: 'server-call',
        call: { id: 'u1', name: 'nova_grounding', kind: 'server_tool_use', argumentsText: '{"query":"q"}' },
      },
    ])
  })

  it('report fragments that are unknown, mistyped or without an index', () => {
    expect(read(delta(3, input('{')))).toEqual([appended(3, '{')])
    expect(read(start(0, tool()), delta(0, input(true)))[1]).toMatchObject({ type: 'call-damage', key: 0 })
    expect(read(start(0, tool()), delta(undefined, input('{')))[1]).toMatchObject({ type: 'damage' })
    expect(read(start(0, tool()), delta(0, 'x'))[1]).toMatchObject({ type: 'damage' })
    expect(read(start(0, tool()), delta(0, { toolUse: 'x' }))[1]).toMatchObject({ type: 'damage' })
    expect(read(start(0, tool()), delta(0, { toolPatch: 'x' }))[1]).toMatchObject({ type: 'call-damage', key: 0 })
    expect(read(start(0, tool()), delta(0, {}))).toHaveLength(1)
    expect(read(delta(0, { image: {} }))).toEqual([])
    expect(read({ contentBlockDelta: 5 })).toMatchObject([{ type: 'damage' }])
  })

  it('take an object in place of text as the whole of the arguments', () => {
    expect(read(start(0, tool()), delta(0, input({ n: 1 })))).toEqual([
      opened(0),
      { ...appended(0, '{"n":1}'), form: 'object' },
    ])
  })
})

describe('events as binary frames', () => {
  it('have their name in the header', () => {
    expect(
      read(
        frame('messageStart', { p: 'ab', role: 'assistant' }),
        frame('contentBlockStart', { contentBlockIndex: 0, start: tool() }),
        frame('contentBlockDelta', { contentBlockIndex: 0, delta: input('{}') }),
        frame('contentBlockStop', { contentBlockIndex: 0 }),
        frame('messageStop', { stopReason: 'tool_use' }),
        frame('somethingNew', { x: 1 }),
      ),
    ).toEqual([opened(0), appended(0, '{}'), closed(0), { type: 'finish', choice: 0, raw: 'tool_use', kind: 'clean' }])
  })

  it('report exceptions with their type and status', () => {
    expect(read(eventFrame('{"message":"Too many"}', { event: 'exception:throttlingException' }))).toEqual([
      {
        type: 'error',
        error: {
          code: 'throttlingException',
          message: 'Too many',
          status: 429,
          frame: 1,
          raw: { message: 'Too many' },
        },
      },
    ])
    expect(read(eventFrame('{"message":"?"}', { event: 'exception:unheardOfException' }))[0]).toMatchObject({
      type: 'error',
      error: { code: 'unheardOfException', message: '?' },
    })
  })
})

describe('exceptions as the SDKs give them', () => {
  it('are errors with what the model said', () => {
    const raw = { modelStreamErrorException: { message: 'Broke', originalStatusCode: 500, originalMessage: 'x' } }
    expect(read(raw)).toEqual([
      { type: 'error', error: { code: 'modelStreamErrorException', message: 'Broke', status: 424, frame: 1, raw } },
    ])
  })
})

describe('reasons', () => {
  it.each([
    ['end_turn', 'clean'],
    ['max_tokens', 'length'],
    ['stop_sequence', 'clean'],
    ['guardrail_intervened', 'filter'],
    ['content_filtered', 'filter'],
    ['malformed_tool_use', 'error'],
    ['malformed_model_output', 'error'],
    ['model_context_window_exceeded', 'context-window'],
  ])('%s is %s', (stopReason, kind) => {
    expect(read({ messageStop: { stopReason } })).toEqual([{ type: 'finish', choice: 0, raw: stopReason, kind }])
  })
})

describe('a whole answer', () => {
  it('has its arguments as objects, as they were sent', () => {
    const raw = `{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"Hm","signature":"s"}}},{"text":"Hi"},{"toolUse":{"toolUseId":"u1","name":"f","input":{"n": 1e2}}},{"toolUse":{"toolUseId":"u2","name":"nova_code_interpreter","type":"server_tool_use","input":{"c":1}}}]}},"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3}}`
    expect(read(raw)).toMatchObject([
      { type: 'reasoning', delta: 'Hm' },
      { type: 'text', delta: 'Hi' },
      opened(2),
      { ...appended(2, '{"n": 1e2}'), form: 'object' },
      closed(2),
      { type: 'server-call', call: { name: 'nova_code_interpreter', argumentsText: '{"c":1}' } },
      { type: 'usage' },
      { type: 'finish', raw: 'tool_use' },
    ])
  })

  it('has an empty object for a call without arguments', () => {
    const answer = { output: { message: { content: [tool({ input: {} })] } }, stopReason: 'tool_use' }
    expect(read(answer)[1]).toEqual({ ...appended(0, '{}'), form: 'object' })
  })
})

describe('detection', () => {
  it('takes wrapped events, named frames and answers', () => {
    expect(detects({ messageStart: { role: 'assistant' } })).toBe(true)
    expect(detects(eventFrame('{"role":"assistant"}', { event: 'messageStart' }))).toBe(true)
    expect(detects(eventFrame('{"message":"x"}', { event: 'exception:throttlingException' }))).toBe(true)
    expect(detects({ output: { message: {} }, stopReason: 'end_turn' })).toBe(true)
  })

  it('leaves other formats alone', () => {
    expect(detects({ type: 'message_start', message: {} })).toBe(false)
    expect(detects({ metadata: 'x' })).toBe(false)
    expect(detects(eventFrame('{"type":"message_start"}', { event: 'message_start' }))).toBe(false)
    expect(detects({ output: [], object: 'response' })).toBe(false)
  })

  it('reports what is no event', () => {
    expect(read({ a: 1 })).toMatchObject([{ type: 'warning' }])
    expect(read({ error: { message: 'no' } })).toMatchObject([{ type: 'error' }])
  })
})

describe('blocks that go back unchanged', () => {
  const readAll = reading(bedrock)
  const thought = (index: number, fields: object): object => delta(index, { reasoningContent: fields })
  const closes = (...events: object[]): unknown[] => readAll(...events).filter(({ type }) => type === 'kept-close')
  const textAt = ['reasoningContent', 'reasoningText', 'text']
  const signed = (signature: string): object => ({
    type: 'kept-close',
    block: 0,
    value: { reasoningContent: { reasoningText: { text: '', signature } } },
    textAt,
  })
  const redacted = (redactedContent: string): object => ({
    type: 'kept-close',
    block: 0,
    value: { reasoningContent: { redactedContent } },
  })

  it('are signed reasoning, whose text is what is said in between', () => {
    expect(
      readAll(thought(0, { text: 'Hm' }), thought(0, { text: 'm' }), thought(0, { signature: 'c2ln' }), stop(0)),
    ).toEqual([
      { type: 'kept-open', block: 0 },
      { type: 'reasoning', choice: 0, delta: 'Hm' },
      { type: 'reasoning', choice: 0, delta: 'm' },
      signed('c2ln'),
    ])
  })

  it('are redacted reasoning as base64, as bytes too and in several pieces', () => {
    expect(closes(thought(0, { redactedContent: 'YQ==' }), stop(0))).toEqual([redacted('YQ==')])
    expect(closes(thought(0, { redactedContent: 'YQ==' }), thought(0, { redactedContent: 'Yg==' }), stop(0))).toEqual([
      redacted('YWI='),
    ])
    const out: unknown[] = []
    const step = bedrock.reader({ push: (item) => void out.push(item), end: () => undefined })
    const fed = { contentBlockDelta: thoughtDelta(new Uint8Array([0, 255, 128])) }
    step.push({ kind: 'message', frame: 1, value: fed })
    step.push({ kind: 'message', frame: 2, value: { contentBlockStop: { contentBlockIndex: 0 } } })
    expect(out.at(-1)).toEqual(redacted('AP+A'))
  })

  it('are not what has no signature, or no bytes that could be read', () => {
    const nothing = { type: 'kept-close', block: 0, value: null }
    expect(closes(thought(0, { text: 'Hm' }), stop(0))).toEqual([nothing])
    expect(closes(thought(0, { redactedContent: 5 }), stop(0))).toEqual([nothing])
    expect(closes(thought(0, { redactedContent: '%' }), thought(0, { redactedContent: '%' }), stop(0))).toEqual([
      nothing,
    ])
  })

  it('are read from a whole answer', () => {
    const content = [
      { reasoningContent: { reasoningText: { text: 'Hm', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'YQ==' } },
    ]
    expect(closes({ output: { message: { role: 'assistant', content } }, stopReason: 'end_turn' })).toEqual([
      signed('c2ln'),
      { ...redacted('YQ=='), block: 1 },
    ])
  })

  it('end with the message where their own end is missing', () => {
    const events = [thought(0, { signature: 'c2ln' })]
    expect(closes(...events, { messageStop: { stopReason: 'tool_use' } })).toEqual([signed('c2ln')])
    expect(closes(...events)).toEqual([])
  })
})

function thoughtDelta(redactedContent: Uint8Array): object {
  return { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent } } }
}
