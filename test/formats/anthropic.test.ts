import { describe, expect, it } from 'vitest'
import { anthropic } from '../../src/formats/anthropic.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import { collector, eventFrame, messages, reading } from '../helpers/readers.ts'

/** Everything but the blocks that go back unchanged, which are told of below. */
const read = (...events: unknown[]): WireDelta[] =>
  reading(anthropic)(...events).filter(({ type }) => type !== 'kept-open' && type !== 'kept-close')

const toolUse = (fields: object = {}): object => ({ type: 'tool_use', id: 't1', name: 'f', input: {}, ...fields })
const start = (index: unknown, block: object): object => ({ type: 'content_block_start', index, content_block: block })
const delta = (index: unknown, fields: object): object => ({ type: 'content_block_delta', index, delta: fields })
const json = (index: unknown, fragment: unknown): object =>
  delta(index, { type: 'input_json_delta', partial_json: fragment })
const stop = (index: unknown): object => ({ type: 'content_block_stop', index })
const messageStart = (fields: object = {}): object => ({ type: 'message_start', message: { content: [], ...fields } })
const messageDelta = (reason: unknown, usage?: object): object => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage,
})

const opened = (key: number | string, fields: object = {}): object => ({
  type: 'call-open',
  choice: 0,
  key,
  wireIndex: key,
  id: 't1',
  name: 'f',
  kind: 'function',
  ...fields,
})
const appended = (key: number | string, fragment: string): object => ({ type: 'call-append', key, delta: fragment })
const closed = (key: number | string): object => ({ type: 'call-close', key })
const whole = (key: number | string, source: string): object => ({ ...appended(key, source), form: 'object' })
const serverCall = (argumentsText: string, fields: object = {}): object => ({
  type: 'server-call',
  call: { id: 's1', name: 'web_search', kind: 'server_tool_use', argumentsText, ...fields },
})
const finished = (raw: string, kind: string): object => ({ type: 'finish', choice: 0, raw, kind })

const ofType = (deltas: readonly WireDelta[], type: WireDelta['type']): WireDelta[] =>
  deltas.filter((item) => item.type === type)

const detects = (event: unknown): boolean => messages(event).some((message) => anthropic.detect(message))

describe('tool_use blocks', () => {
  it('open under their index, append their fragments and close when they stop', () => {
    expect(read(start(1, toolUse()), json(1, ''), json(1, '{"x":'), json(1, '1}'), stop(1))).toEqual([
      opened(1),
      appended(1, '{"x":'),
      appended(1, '1}'),
      closed(1),
    ])
  })

  it('may interleave', () => {
    expect(
      read(
        start(0, toolUse()),
        start(3, toolUse({ id: 't2', name: 'g' })),
        json(3, '{'),
        json(0, '{}'),
        json(3, '}'),
        stop(0),
        stop(3),
      ),
    ).toEqual([
      opened(0),
      opened(3, { id: 't2', name: 'g' }),
      appended(3, '{'),
      appended(0, '{}'),
      appended(3, '}'),
      closed(0),
      closed(3),
    ])
  })

  it('have no arguments by the empty input that they start with', () => {
    expect(read(start(0, toolUse()), stop(0))).toEqual([opened(0), closed(0)])
  })

  it('have the input that they start with as their text, as it was sent, and append to it', () => {
    const raw = `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"f","input":{ "n": 12345678901234567890, "n": 1, "__proto__": {} }}}`
    expect(read(raw, json(0, '{}'))).toEqual([
      opened(0),
      whole(0, '{ "n": 12345678901234567890, "n": 1, "__proto__": {} }'),
      appended(0, '{}'),
    ])
  })

  it('don’t pass for calls without arguments where a fed input has no JSON', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    const out = collector<WireDelta>()
    anthropic.reader(out).push({ kind: 'message', frame: 1, value: start(0, toolUse({ input: cycle })) })
    expect(out.items).toEqual([opened(0), whole(0, '[a value without JSON]')])
  })

  it('take an input that is text as text', () => {
    expect(read(start(0, toolUse({ input: '{"x":1}' })))).toEqual([opened(0), appended(0, '{"x":1}')])
  })

  it('keep who calls, for the history', () => {
    const caller = { type: 'code_execution_20250825', tool_id: 's9' }
    expect(read(start(0, toolUse({ caller, toolset_name: 'desk', cache: 1 })))).toEqual([
      opened(0, { extra: { caller, toolset_name: 'desk' } }),
    ])
  })

  it('open a new call on a used index', () => {
    expect(read(start(0, toolUse()), json(0, '{}'), stop(0), start(0, toolUse({ id: 't2' })), json(0, '{'))).toEqual([
      opened(0),
      appended(0, '{}'),
      closed(0),
      opened(0, { id: 't2' }),
      appended(0, '{'),
    ])
  })

  it('that are announced twice under one id are one call, whose inputs must agree', () => {
    expect(
      read(messageStart({ content: [toolUse({ input: { a: 1 } })] }), start(0, toolUse({ input: { a: 1 } }))),
    ).toEqual([
      opened(0),
      whole(0, '{"a":1}'),
      closed(0),
      { type: 'call-final', key: 0, arguments: '{"a":1}', id: 't1', name: 'f' },
    ])
  })

  it('without a name or id still open, for the ledger to judge', () => {
    expect(read(start(0, { type: 'tool_use', input: {} }))).toEqual([opened(0, { id: null, name: '' })])
  })
})

describe('fragments without a place', () => {
  it('of an unknown block go on under its index', () => {
    expect(read(json(7, '{"x":'))).toEqual([appended(7, '{"x":')])
  })

  it('of a stopped block go on', () => {
    expect(read(start(0, toolUse()), stop(0), json(0, '{}'))).toEqual([opened(0), closed(0), appended(0, '{}')])
  })

  it('without an index damage everyone, but belong to a block without an index', () => {
    expect(read(start(0, toolUse()), json(undefined, '{'))[1]).toMatchObject({
      type: 'damage',
      warning: { code: 'unexpected-type', frame: 2 },
    })
    const key = 'unindexed'
    expect(read(start(undefined, toolUse()), json(undefined, '{}'), stop(undefined))).toEqual([
      opened(key, { wireIndex: null }),
      appended(key, '{}'),
      closed(key),
    ])
  })

  it('of the wrong type damage their call', () => {
    expect(read(start(0, toolUse()), json(0, 5))[1]).toMatchObject({
      type: 'call-damage',
      key: 0,
      warning: { code: 'unexpected-type', raw: '5' },
    })
    expect(read(start(0, toolUse()), { type: 'content_block_delta', index: 0, delta: 'x' })[1]).toMatchObject({
      type: 'damage',
      warning: { raw: '"x"' },
    })
  })

  it('of an unknown kind damage the call that they are for, and no text', () => {
    expect(read(start(0, toolUse()), delta(0, { type: 'input_patch_delta', patch: 1 }))[1]).toMatchObject({
      type: 'call-damage',
      key: 0,
      warning: { code: 'unexpected-type', raw: '{"type":"input_patch_delta","patch":1}' },
    })
    expect(read(start(0, { type: 'text', text: '' }), delta(0, { type: 'citations_delta', citation: {} }))).toEqual([])
  })

  it('for a block of text are those of a call under a wrong index', () => {
    for (const block of [
      { type: 'text', text: '' },
      { type: 'thinking', thinking: '' },
    ]) {
      expect(read(start(0, block), stop(0), start(1, toolUse()), json(0, '{"a":1}')).at(-1)).toMatchObject({
        type: 'damage',
        warning: { code: 'unexpected-type', raw: '"{\\"a\\":1}"' },
      })
    }
  })

  it('without a kind go by the field that they have', () => {
    expect(read(start(0, toolUse()), delta(0, { partial_json: '{}' }))).toEqual([opened(0), appended(0, '{}')])
    expect(read(delta(0, { text: 'a' }), delta(1, { thinking: 'b' }))).toEqual([
      { type: 'text', choice: 0, delta: 'a' },
      { type: 'reasoning', choice: 0, delta: 'b' },
    ])
  })
})

describe('calls that the provider runs', () => {
  it('are handed on whole when their block stops, apart from the calls beside them', () => {
    expect(
      read(
        start(0, { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }),
        json(0, '{"query":'),
        start(1, toolUse()),
        json(0, '"q"}'),
        json(1, '{}'),
        stop(0),
        stop(1),
      ),
    ).toEqual([opened(1), appended(1, '{}'), serverCall('{"query":"q"}'), closed(1)])
  })

  it('include MCP, and may have their input at once', () => {
    expect(
      read(start(0, { type: 'mcp_tool_use', id: 's1', name: 'echo', server_name: 'e', input: { m: 1 } }), stop(0)),
    ).toEqual([serverCall('{"m":1}', { name: 'echo', kind: 'mcp_tool_use' })])
  })

  it('go out with what came when the stream is cut, and once', () => {
    const block = start(0, { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} })
    expect(read(block, json(0, '{"q'))).toEqual([serverCall('{"q')])
    expect(read(block, json(0, '{}'), { type: 'message_stop' })).toEqual([serverCall('{}'), { type: 'end' }])
    expect(read(block, stop(0), stop(0), json(0, 'late'))).toMatchObject([
      serverCall(''),
      { type: 'damage', warning: { code: 'unexpected-type', raw: '"late"' } },
    ])
  })

  it('leave their results uncounted, and tell of arguments that these can’t have', () => {
    const result = start(1, { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ title: 'T' }] })
    expect(read(result, stop(1))).toEqual([])
    expect(read(result, json(1, '{}'), stop(1))).toMatchObject([
      { type: 'warning', warning: { code: 'unexpected-type', raw: '{}' } },
    ])
  })
})

describe('text and reasoning', () => {
  it('come from starts and deltas, whatever the block was said to be', () => {
    expect(
      read(
        start(0, { type: 'thinking', thinking: 'Hm', signature: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'm.' }),
        delta(0, { type: 'signature_delta', signature: 'c2ln' }),
        stop(0),
        start(1, { type: 'text', text: 'A' }),
        delta(1, { type: 'text_delta', text: 'b' }),
        delta(9, { type: 'text_delta', text: 'c' }),
        delta(1, { type: 'citations_delta', citation: {} }),
      ),
    ).toEqual([
      { type: 'reasoning', choice: 0, delta: 'Hm' },
      { type: 'reasoning', choice: 0, delta: 'm.' },
      { type: 'text', choice: 0, delta: 'A' },
      { type: 'text', choice: 0, delta: 'b' },
      { type: 'text', choice: 0, delta: 'c' },
    ])
  })

  it('leave redacted thinking and unknown blocks alone', () => {
    expect(
      read(start(0, { type: 'redacted_thinking', data: 'x' }), start(1, { type: 'hologram', text: 'x' }), stop(1)),
    ).toEqual([])
  })
})

describe('the end of a message', () => {
  it.each([
    ['end_turn', 'clean'],
    ['tool_use', 'clean'],
    ['stop_sequence', 'clean'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'context-window'],
    ['refusal', 'filter'],
    ['pause_turn', 'other'],
    ['some_future_reason', 'other'],
  ])('%s is %s', (reason, kind) => {
    expect(read(messageDelta(reason), { type: 'message_stop' })).toEqual([finished(reason, kind), { type: 'end' }])
  })

  it('is no reason where stop_reason is null', () => {
    expect(read(messageDelta(null))).toEqual([])
  })

  it('counts tokens over both events, and lets no null undo a count', () => {
    expect(
      read(
        messageStart({ usage: { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 3 } }),
        messageDelta(null, { input_tokens: null, output_tokens: 9 }),
      ).at(-1),
    ).toEqual({
      type: 'usage',
      usage: {
        inputTokens: 7,
        outputTokens: 9,
        raw: { input_tokens: 7, output_tokens: 9, cache_read_input_tokens: 3 },
      },
    })
  })

  it('may be an error, with the status that the API documents for it', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    expect(read(error)).toEqual([
      { type: 'error', error: { code: 'overloaded_error', message: 'Overloaded', status: 529, frame: 1, raw: error } },
    ])
    expect(read({ type: 'error', error: { type: 'new_error', message: 'x' } })[0]).not.toHaveProperty('error.status')
  })

  it('is an error too in the form of other gateways', () => {
    expect(read({ error: { message: 'bad gateway', code: 502 } })[0]).toMatchObject({
      type: 'error',
      error: { message: 'bad gateway', status: 502 },
    })
  })
})

describe('messages that are there at once', () => {
  it('have their calls in message_start where a turn goes on', () => {
    const content = [toolUse({ input: { player: 'p2' } })]
    expect(read(messageStart({ content, stop_reason: 'tool_use' }), { type: 'message_stop' })).toEqual([
      opened(0),
      whole(0, '{"player":"p2"}'),
      closed(0),
      finished('tool_use', 'clean'),
      { type: 'end' },
    ])
  })

  it('are read from a body, where an empty input is what was sent', () => {
    expect(
      read({
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'T', signature: 's' },
          { type: 'text', text: 'Hi' },
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { q: 1 } },
          { type: 'web_search_tool_result', content: [] },
          toolUse(),
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
    ).toEqual([
      { type: 'reasoning', choice: 0, delta: 'T' },
      { type: 'text', choice: 0, delta: 'Hi' },
      serverCall('{"q":1}'),
      opened(4),
      whole(4, '{}'),
      closed(4),
      finished('tool_use', 'clean'),
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, raw: { input_tokens: 1, output_tokens: 2 } } },
    ])
  })

  it('may have their content as a string', () => {
    expect(read({ type: 'message', role: 'assistant', content: 'Hi' })).toEqual([
      { type: 'text', choice: 0, delta: 'Hi' },
    ])
  })

  it('are damaged where a block is no block', () => {
    expect(ofType(read(messageStart({ content: [5] })), 'damage')).toHaveLength(1)
    expect(ofType(read({ type: 'message_start', message: 'x' }), 'damage')).toHaveLength(1)
    expect(ofType(read({ type: 'content_block_start', index: 0 }), 'damage')).toHaveLength(1)
  })
})

describe('what else comes along', () => {
  it('is nothing: pings, event types of the future, extra fields', () => {
    expect(
      read(
        { type: 'ping' },
        { type: 'vibe_check', x: 1 },
        messageStart({ context_management: {} }),
        start(0, { type: 'text' }),
      ),
    ).toEqual([])
  })

  it('is reported where it is no event at all', () => {
    expect(read({ hello: 'world' })).toMatchObject([{ type: 'warning', warning: { code: 'unexpected-type' } }])
  })

  it('is read by the name of the SSE event where a gateway leaves the type out', () => {
    expect(
      read(
        eventFrame('{"index":0,"content_block":{"type":"tool_use","id":"t1","name":"f"}}', {
          event: 'content_block_start',
        }),
      ),
    ).toEqual([opened(0)])
  })
})

describe('detection', () => {
  it('takes the event types of the API, whole messages and its errors', () => {
    for (const event of [
      messageStart(),
      start(0, { type: 'text' }),
      json(0, '{'),
      { type: 'message', role: 'assistant', content: [] },
      { type: 'error', error: { type: 'api_error', message: 'x' } },
    ]) {
      expect(detects(event)).toBe(true)
    }
  })

  it('leaves other formats alone', () => {
    for (const event of [
      { choices: [] },
      { type: 'ping' },
      { type: 'message-start', delta: {} },
      { type: 'error', sequence_number: 1, error: { type: 'x', message: 'y' } },
      { type: 'error', message: 'x' },
      { type: 'message', role: 'user' },
      { messageStart: {} },
      '[DONE]',
    ]) {
      expect(detects(event)).toBe(false)
    }
  })
})

describe('blocks that go back unchanged', () => {
  const readAll = reading(anthropic)
  const thinking = (text: string): object => delta(0, { type: 'thinking_delta', thinking: text })
  const signed = (index: number, signature: string): object => delta(index, { type: 'signature_delta', signature })
  const opens = (block: number | null): object => ({ type: 'kept-open', block })
  const said = (text: string): object => ({ type: 'reasoning', choice: 0, delta: text })

  it('are signed thinking, whose text is what is said in between', () => {
    expect(
      readAll(
        start(0, { type: 'thinking', thinking: '', signature: '' }),
        thinking('Hm'),
        thinking('m.'),
        signed(0, 'c2ln'),
        signed(0, 'bmVk'),
        stop(0),
      ),
    ).toEqual([
      opens(0),
      said('Hm'),
      said('m.'),
      {
        type: 'kept-close',
        block: 0,
        value: { type: 'thinking', thinking: '', signature: 'c2lnbmVk' },
        textAt: ['thinking'],
      },
    ])
  })

  it('are thinking of which only the signature is shown', () => {
    const block = { type: 'thinking', thinking: '', signature: 'c2ln' }
    expect(readAll(start(0, block), stop(0))).toEqual([
      opens(0),
      { type: 'kept-close', block: 0, value: block, textAt: ['thinking'] },
    ])
  })

  it('are blocks of any other type, grown by whatever their deltas name', () => {
    expect(
      readAll(
        start(0, { type: 'redacted_thinking', data: 'ZGF0YQ==' }),
        stop(0),
        start(1, { type: 'compaction', content: null }),
        delta(1, { type: 'compaction_delta', content: 'So ' }),
        delta(1, { type: 'compaction_delta', content: 'far.' }),
        stop(1),
        start(2, { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ encrypted_content: 'x' }] }),
        stop(2),
      ),
    ).toEqual([
      opens(0),
      { type: 'kept-close', block: 0, value: { type: 'redacted_thinking', data: 'ZGF0YQ==' } },
      opens(1),
      { type: 'kept-close', block: 1, value: { type: 'compaction', content: 'So far.' } },
      opens(2),
      {
        type: 'kept-close',
        block: 2,
        value: { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ encrypted_content: 'x' }] },
      },
    ])
  })

  it('are what the provider runs, with the input that came in pieces, or not at all where that is no object', () => {
    const run = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }
    const closes = (...fragments: string[]): unknown =>
      ofType(readAll(start(0, run), ...fragments.map((fragment) => json(0, fragment)), stop(0)), 'kept-close')
    expect(closes('{"q":', '"a"}')).toEqual([{ type: 'kept-close', block: 0, value: { ...run, input: { q: 'a' } } }])
    expect(closes()).toEqual([{ type: 'kept-close', block: 0, value: run }])
    expect(closes('{"q":')).toEqual([{ type: 'kept-close', block: 0, value: null }])
    expect(closes('[1]')).toEqual([{ type: 'kept-close', block: 0, value: null }])
  })

  it('are given the word again where the wire turns back to them', () => {
    const other = (text: string): object => delta(1, { type: 'thinking_delta', thinking: text })
    const block = { type: 'thinking', thinking: '', signature: 's' }
    expect(
      readAll(start(0, block), start(1, block), other('b'), other('b'), thinking('a'), thinking('a'), other('b')),
    ).toEqual([opens(0), opens(1), said('b'), said('b'), opens(0), said('a'), said('a'), opens(1), said('b')])
  })

  it('have nothing of the thinking that comes for no block of theirs', () => {
    expect(
      readAll(
        start(0, { type: 'thinking', thinking: '', signature: 's' }),
        delta(7, { type: 'thinking_delta', thinking: 'x' }),
      ),
    ).toEqual([opens(0), opens(null), said('x')])
  })

  it('end with the message, with a block in their place, but not with a cut', () => {
    const block = { type: 'thinking', thinking: '', signature: 's' }
    const closes = (...events: object[]): unknown => ofType(readAll(start(0, block), ...events), 'kept-close')
    expect(closes({ type: 'message_stop' })).toHaveLength(1)
    expect(closes(start(0, toolUse()))).toHaveLength(1)
    expect(closes(start(1, toolUse()))).toEqual([])
    expect(closes()).toEqual([])
  })

  it('are no text and no call', () => {
    const events = readAll(start(0, { type: 'text', text: 'Hi' }), stop(0), start(1, toolUse()), stop(1))
    expect(events.map(({ type }) => type)).toEqual(['text', 'call-open', 'call-close'])
  })
})
