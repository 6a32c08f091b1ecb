import { describe, expect, it } from 'vitest'
import { openaiChat } from '../../src/formats/openai-chat.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import { collector, eventFrame, fault, frames, messages, reading } from '../helpers/readers.ts'

const read = reading(openaiChat)

/** A chunk with one choice. */
function chunk(delta: object, choice: object = {}, top: object = {}): object {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, ...choice }],
    ...top,
  }
}

function calls(...items: unknown[]): object {
  return chunk({ tool_calls: items })
}

const fragment = (fields: object): object => ({
  type: 'call-fragment',
  choice: 0,
  index: null,
  id: null,
  name: null,
  arguments: null,
  ...fields,
})

const damage = (path: string, raw: string) => ({
  type: 'damage',
  warning: { code: 'unexpected-type', frame: 1, raw, message: expect.stringContaining(path) },
})

const at = (index: unknown, delta: object, rest: object = {}): object => ({ choices: [{ index, delta, ...rest }] })

const said = (choice: number, delta: string): object => ({ type: 'text', choice, delta })

const body = (message: object, rest: object = {}): object => ({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'tool_calls', ...rest }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
})

const detects = (event: unknown): boolean => {
  const [message] = messages(event)
  return message !== undefined && openaiChat.detect(message)
}

describe('tool calls in deltas', () => {
  it('become fragments with all their evidence, in order', () => {
    expect(
      read(
        calls({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
        calls(
          { index: 0, function: { arguments: '{"x":' } },
          { index: 1, id: 'b', function: { name: 'g', arguments: '{' } },
        ),
        calls({ index: 1, function: { arguments: '}' } }, { index: 0, function: { arguments: '1}' } }),
      ),
    ).toEqual([
      fragment({ index: 0, id: 'a', name: 'f', arguments: '' }),
      fragment({ index: 0, arguments: '{"x":' }),
      fragment({ index: 1, id: 'b', name: 'g', arguments: '{' }),
      fragment({ index: 1, arguments: '}' }),
      fragment({ index: 0, arguments: '1}' }),
    ])
  })

  it('keep an index of any kind as the wire has it', () => {
    expect(
      read(
        calls(
          { index: -1, id: 'a' },
          { index: '0', id: 'b' },
          { index: 7, id: 'c' },
          { id: 'd' },
          { index: null, id: 'e' },
        ),
      ),
    ).toEqual([
      fragment({ index: -1, id: 'a' }),
      fragment({ index: '0', id: 'b' }),
      fragment({ index: 7, id: 'c' }),
      fragment({ id: 'd' }),
      fragment({ id: 'e' }),
    ])
  })

  it('take an empty id for none, and a number for an id', () => {
    expect(
      read(calls({ index: 0, id: '', type: '', function: { name: '', arguments: 'x' } }, { index: 1, id: 0 })),
    ).toEqual([fragment({ index: 0, name: '', arguments: 'x' }), fragment({ index: 1, id: '0' })])
  })

  it('have no arguments where they are null or absent', () => {
    expect(
      read(
        calls(
          { index: 0, id: null, type: null, function: { name: null, arguments: null } },
          { index: 1, function: { name: 'g' } },
        ),
      ),
    ).toEqual([fragment({ index: 0 }), fragment({ index: 1, name: 'g' })])
  })

  it('have the source of arguments that are an object', () => {
    const data =
      '{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":{"n": 12345678901234567890,"n":1}}}]}}]}'
    expect(read(data)).toEqual([
      fragment({ index: 0, name: 'f', arguments: '{"n": 12345678901234567890,"n":1}', form: 'object' }),
    ])
  })

  it('are damaged by arguments, names, ids and indexes of other types, after what can be read of them', () => {
    expect(read(calls({ index: 0, function: { arguments: 5 } }))).toEqual([
      fragment({ index: 0 }),
      damage('choices.0.delta.tool_calls.0.function.arguments', '5'),
    ])
    expect(read(calls({ index: 0, function: { name: ['f'], arguments: '{}' } }))).toEqual([
      fragment({ index: 0, arguments: '{}' }),
      damage('function.name', '["f"]'),
    ])
    expect(read(calls({ index: true, id: {}, function: { name: 'f' } }))).toEqual([
      fragment({ name: 'f' }),
      damage('tool_calls.0.index', 'true'),
      damage('tool_calls.0.id', '{}'),
    ])
    expect(read(calls(5, null))).toEqual([damage('tool_calls.0', '5')])
    expect(read(calls({ index: 0, function: 'f' }))).toEqual([damage('tool_calls.0.function', '"f"')])
    expect(read(chunk({ tool_calls: 'f' }))).toEqual([damage('tool_calls', '"f"')])
    expect(read(chunk({ tool_calls: { x: 1 } }))).toEqual([damage('tool_calls', '{"x":1}')])
    expect(read(calls({ x: 1 }))).toEqual([damage('tool_calls.0', '{"x":1}')])
    expect(read(calls({}))).toMatchObject([{ type: 'call-fragment', arguments: null }])
  })

  it('may stand outside a list, and have their fields outside of function', () => {
    expect(read(chunk({ tool_calls: {} }))).toEqual([])
    expect(read(chunk({ tool_calls: { id: 'a', function: { name: 'f' } } }))).toEqual([
      fragment({ id: 'a', name: 'f' }),
    ])
    expect(read(calls({ id: 'a', name: 'f', arguments: { x: 1 } }))).toEqual([
      fragment({ id: 'a', name: 'f', arguments: '{"x":1}', form: 'object' }),
    ])
  })

  it('are read before the finish reason in the same chunk', () => {
    expect(
      read(
        chunk({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }, { finish_reason: 'tool_calls' }),
      ),
    ).toEqual([
      fragment({ id: 'a', name: 'f', arguments: '{}' }),
      { type: 'finish', choice: 0, raw: 'tool_calls', kind: 'clean' },
    ])
  })

  it('are read in the legacy form', () => {
    expect(
      read(
        chunk({ role: 'assistant', content: null, function_call: { name: 'f', arguments: '' } }),
        chunk({ function_call: { arguments: '{}' } }),
        chunk({ function_call: null }),
        chunk({}, { finish_reason: 'function_call' }),
      ),
    ).toEqual([
      fragment({ name: 'f', arguments: '' }),
      fragment({ arguments: '{}' }),
      { type: 'finish', choice: 0, raw: 'function_call', kind: 'clean' },
    ])
  })
})

describe('free-text calls in deltas', () => {
  it('are fragments of their kind', () => {
    expect(
      read(
        calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'sh', input: '' } }),
        calls({ index: 0, custom: { input: 'ls ' } }, { index: 1, id: 'b', type: 'custom' }),
      ),
    ).toEqual([
      fragment({ index: 0, id: 'a', name: 'sh', arguments: '', kind: 'custom' }),
      fragment({ index: 0, arguments: 'ls ', kind: 'custom' }),
      fragment({ index: 1, id: 'b', kind: 'custom' }),
    ])
  })

  it('are damaged by input of another type', () => {
    expect(read(calls({ index: 0, custom: { name: 'sh', input: 5 } }, { index: 1, custom: 'x' }))).toMatchObject([
      { type: 'call-fragment', name: 'sh', arguments: null },
      { type: 'damage', warning: { code: 'unexpected-type', raw: '5' } },
      { type: 'damage', warning: { code: 'unexpected-type', raw: '"x"' } },
    ])
  })
})

describe('what must go back with a call', () => {
  it('is the thought signature that stands on it', () => {
    const extra_content = { google: { thought_signature: 's' } }
    expect(read(calls({ index: 0, id: 'a', extra_content, function: { name: 'f' } }))).toEqual([
      fragment({ index: 0, id: 'a', name: 'f', extra: { extra_content } }),
    ])
  })

  it('is the encrypted reasoning that names it by its id, in a fragment that brings nothing else', () => {
    const mine = { type: 'reasoning.encrypted', id: 'a', data: 'xyz', format: 'google-gemini-v1' }
    const other = { type: 'reasoning.encrypted', data: 'abc' }
    expect(
      read(
        chunk({
          reasoning_details: [other, mine, { ...mine, data: 'more' }],
          tool_calls: [{ id: 'a', function: { name: 'f' } }],
        }),
      ),
    ).toEqual([
      fragment({ id: 'a', name: 'f' }),
      fragment({ id: 'a', extra: { reasoning_details: [mine, { ...mine, data: 'more' }] } }),
    ])
  })
})

describe('text', () => {
  it('is content as a string; empty and null content is nothing', () => {
    expect(read(chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hi' }), chunk({ content: null }))).toEqual(
      [{ type: 'text', choice: 0, delta: 'Hi' }],
    )
  })

  it('is content as a list of parts, of which thinking is reasoning', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }, 'm'] }
    const parts = [
      thinking,
      { type: 'thinking', thinking: 'so' },
      { type: 'text', text: 'a' },
      'b',
      { type: 'reference', reference_ids: [1] },
    ]
    expect(read(chunk({ content: parts }), chunk({ content: { type: 'text', text: 'c' } }))).toEqual([
      { type: 'reasoning', choice: 0, delta: 'hmm' },
      { type: 'reasoning', choice: 0, delta: 'so' },
      { type: 'text', choice: 0, delta: 'a' },
      { type: 'text', choice: 0, delta: 'b' },
      { type: 'text', choice: 0, delta: 'c' },
    ])
  })

  it('may be thoughts in a part of their own', () => {
    const summary = [{ type: 'summary_text', text: 'hm', signature: 's' }]
    const content = [
      { type: 'reasoning', summary },
      { type: 'reasoning', text: 'so' },
      { type: 'text', text: 'a' },
    ]
    expect(read(chunk({ content }))).toEqual([
      { type: 'reasoning', choice: 0, delta: 'hm' },
      { type: 'reasoning', choice: 0, delta: 'so' },
      { type: 'text', choice: 0, delta: 'a' },
    ])
  })

  it('is damage where it is no text', () => {
    for (const delta of [
      { content: 5 },
      { content: [5] },
      { content: [{ text: 5 }] },
      { refusal: {} },
      { reasoning: 1 },
    ]) {
      expect(read(chunk(delta))).toMatchObject([{ type: 'damage', warning: { code: 'unexpected-type' } }])
    }
    expect(read({ choices: [{ index: 0, delta: 'x' }] })).toMatchObject([{ type: 'damage', warning: { raw: '"x"' } }])
  })

  it('is a refusal where the server says so', () => {
    expect(read(chunk({ refusal: "I can't." }), chunk({ refusal: null }))).toEqual([
      { type: 'refusal', choice: 0, delta: "I can't." },
    ])
  })

  it('is the text of a choice without a delta', () => {
    expect(read({ choices: [{ index: 0, text: 'Hi' }] })).toEqual([{ type: 'text', choice: 0, delta: 'Hi' }])
    expect(read(chunk({ content: 'Hi' }, { text: 'Hi' }))).toEqual([{ type: 'text', choice: 0, delta: 'Hi' }])
  })
})

describe('reasoning', () => {
  it.each(['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'])('is read under the name %s', (name) => {
    expect(read(chunk({ [name]: 'hm' }), chunk({ [name]: null }), chunk({ [name]: '' }))).toEqual([
      { type: 'reasoning', choice: 0, delta: 'hm' },
    ])
  })

  it('is not doubled where it comes under several names', () => {
    const details = [{ type: 'reasoning.text', text: 'hm' }]
    expect(read(chunk({ reasoning: 'hm', reasoning_content: 'hm', reasoning_details: details }))).toEqual([
      { type: 'reasoning', choice: 0, delta: 'hm' },
    ])
  })

  it('is not lost where two names say different things', () => {
    expect(read(chunk({ reasoning: 'b', reasoning_content: 'a' }))).toEqual([
      { type: 'reasoning', choice: 0, delta: 'a' },
      { type: 'reasoning', choice: 0, delta: 'b' },
    ])
  })

  it('is read from details that stand alone', () => {
    const details = [
      { type: 'reasoning.summary', summary: 'sum' },
      { type: 'reasoning.text', text: 'txt' },
      { type: 'reasoning.text', text: '' },
    ]
    expect(read(chunk({ reasoning: null, reasoning_details: details }))).toEqual([
      { type: 'reasoning', choice: 0, delta: 'sum' },
      { type: 'reasoning', choice: 0, delta: 'txt' },
    ])
  })
})

describe('choices', () => {
  it('are told apart by their index', () => {
    const both = {
      choices: [
        { index: 0, delta: { content: 'a' } },
        { index: 1, delta: { content: 'b' } },
      ],
    }
    expect(read(both, at(1, { content: 'c' }))).toEqual([said(0, 'a'), said(1, 'b'), said(1, 'c')])
  })

  it('begin on an index of their own when they bring a role', () => {
    expect(read(at(0, { role: 'assistant', content: 'a' }), at(1, { role: 'assistant', content: 'b' }))).toEqual([
      said(0, 'a'),
      said(1, 'b'),
    ])
  })

  it('drift where the index first appears without a role, alone, before any has finished, and stay so', () => {
    expect(
      read(
        at(0, { role: 'assistant', reasoning_content: 'hm' }),
        at(1, { content: 'a' }),
        at(2, { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] }),
        at(3, {}, { finish_reason: 'tool_calls' }),
        at(2, { content: 'b' }),
        at(4, { content: 'c' }),
      ),
    ).toEqual([
      { type: 'reasoning', choice: 0, delta: 'hm' },
      said(0, 'a'),
      fragment({ index: 0, id: 'c', name: 'f', arguments: '{}' }),
      { type: 'finish', choice: 0, raw: 'tool_calls', kind: 'clean' },
      said(0, 'b'),
      said(4, 'c'),
    ])
  })

  it('drift to the first choice, whichever that is', () => {
    expect(read(at(1, { content: 'a' }), at(2, { content: 'b' }))).toEqual([said(1, 'a'), said(1, 'b')])
  })

  it('do not drift in company', () => {
    expect(
      read(at(0, { content: 'a' }), {
        choices: [
          { index: 1, delta: { content: 'b' } },
          { index: 2, delta: { content: 'c' } },
        ],
      }),
    ).toEqual([said(0, 'a'), said(1, 'b'), said(2, 'c')])
  })

  it('without an index go by their place, and an index may be text', () => {
    expect(read({ choices: [{ delta: { content: 'a' } }, { index: null, delta: { content: 'b' } }] })).toEqual([
      said(0, 'a'),
      said(1, 'b'),
    ])
    expect(read(at('1', { role: 'assistant', content: 'a' }))).toEqual([said(1, 'a')])
  })

  it('may be none, or lack a delta', () => {
    expect(
      read(
        { object: 'chat.completion.chunk', choices: [], prompt_filter_results: [] },
        { choices: [{ index: 0 }, null] },
      ),
    ).toEqual([])
    expect(read({ choices: [{ index: 0, delta: null, finish_reason: 'stop' }] })).toEqual([
      { type: 'finish', choice: 0, raw: 'stop', kind: 'clean' },
    ])
  })

  it('are damage where they are of another type', () => {
    expect(read({ choices: 'x' })).toMatchObject([{ type: 'damage', warning: { code: 'unexpected-type', raw: '"x"' } }])
    expect(read({ choices: [7] })).toMatchObject([{ type: 'damage', warning: { code: 'unexpected-type', raw: '7' } }])
  })
})

describe('the end of a choice', () => {
  it('is its finish reason, with the kind of it', () => {
    expect(
      read(
        chunk({}, { finish_reason: 'length' }),
        chunk({}, { finish_reason: null }),
        chunk({}, { finish_reason: '' }),
      ),
    ).toEqual([{ type: 'finish', choice: 0, raw: 'length', kind: 'length' }])
  })

  it('may be told more than once', () => {
    expect(
      read(chunk({}, { finish_reason: 'tool_calls' }), chunk({ content: ' ' }), chunk({}, { finish_reason: 'stop' })),
    ).toHaveLength(3)
  })

  it('is damage where it is no text', () => {
    expect(read(chunk({}, { finish_reason: { type: 'stop' } }))).toMatchObject([
      { type: 'damage', warning: { code: 'unexpected-type' } },
    ])
  })
})

describe('a whole body', () => {
  it('opens each call of its message as a call of its own, whatever its id', () => {
    const message = {
      role: 'assistant',
      content: 'Hi',
      reasoning_content: 'hm',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":2}' } },
        { type: 'function', function: { name: 'g' } },
      ],
    }
    const open = { type: 'call-open', choice: 0, wireIndex: null, kind: 'function' }
    expect(read(body(message))).toEqual([
      { type: 'reasoning', choice: 0, delta: 'hm' },
      { type: 'text', choice: 0, delta: 'Hi' },
      { ...open, key: 'whole:0', id: 'a', name: 'f' },
      { type: 'call-append', key: 'whole:0', delta: '{"x":1}' },
      { ...open, key: 'whole:1', id: 'a', name: 'f' },
      { type: 'call-append', key: 'whole:1', delta: '{"x":2}' },
      { ...open, key: 'whole:2', id: null, name: 'g' },
      { type: 'finish', choice: 0, raw: 'tool_calls', kind: 'clean' },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3, raw: expect.anything() } },
    ])
  })

  it('may hold calls in the legacy form and in free text', () => {
    expect(read(body({ function_call: { name: 'f', arguments: '{}' } }))).toMatchObject([
      { type: 'call-open', name: 'f', kind: 'function' },
      { type: 'call-append', delta: '{}' },
      { type: 'finish' },
      { type: 'usage' },
    ])
    expect(
      read(body({ tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sh', input: 'ls' } }] })),
    ).toMatchObject([
      { type: 'call-open', id: 'a', name: 'sh', kind: 'custom' },
      { type: 'call-append', delta: 'ls' },
      { type: 'finish' },
      { type: 'usage' },
    ])
  })

  it('is not what a chunk with a message is', () => {
    const item = { index: 0, id: 'a', function: { name: 'f', arguments: '{' } }
    expect(read({ object: 'chat.completion.chunk', choices: [{ index: 0, message: { tool_calls: [item] } }] })).toEqual(
      [fragment({ index: 0, id: 'a', name: 'f', arguments: '{' })],
    )
  })

  it('after deltas of the same choice repeats them: its calls are evidence, its text is not said again', () => {
    const item = { id: 'a', function: { name: 'f', arguments: '{}' } }
    const other = { index: 1, message: { content: 'Other' } }
    const repetition = {
      index: 0,
      message: { role: 'assistant', content: 'Hi', tool_calls: [item] },
      finish_reason: 'stop',
    }
    expect(
      read(chunk({ content: 'Hi' }), { object: 'chat.completion.done', choices: [repetition, other] }).map(
        ({ type }) => type,
      ),
    ).toEqual(['text', 'call-fragment', 'finish', 'text'])
  })

  it('yields to a delta beside it', () => {
    const message = { content: 'Hi', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }
    expect(read(chunk({ content: 'Hi' }, { message }), { choices: [{ index: 0, delta: {}, message }] })).toEqual([
      { type: 'text', choice: 0, delta: 'Hi' },
    ])
  })
})

describe('usage', () => {
  const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14, cost: 0.1 }
  const delta = { type: 'usage', usage: { inputTokens: 9, outputTokens: 5, totalTokens: 14, raw: usage } }

  it('is read where servers put it', () => {
    expect(read({ choices: [], usage }, { usage })).toEqual([delta, delta])
    expect(read(chunk({}, { usage }))).toEqual([delta])
    expect(read(chunk({}, {}, { x_groq: { id: 'r', usage } }))).toEqual([delta])
  })

  it('is nothing while it is null', () => {
    expect(read(chunk({}, {}, { usage: null }))).toEqual([])
  })

  it('has only the counts that are numbers', () => {
    expect(read({ choices: [], usage: { prompt_tokens: 'many', completion_tokens: 5 } })).toEqual([
      { type: 'usage', usage: { outputTokens: 5, raw: { prompt_tokens: 'many', completion_tokens: 5 } } },
    ])
  })
})

describe('errors', () => {
  it('are read from events of their own, and kept whole', () => {
    const overloaded = { error: { message: 'overloaded', code: 503, metadata: { provider: 'x' } }, user_id: 'u' }
    expect(read(overloaded)).toEqual([
      { type: 'error', error: { code: '503', message: 'overloaded', status: 503, frame: 1, raw: overloaded } },
    ])
  })

  it('are read from beside choices, after them', () => {
    const error = { message: 'bad call', code: 502 }
    expect(read(chunk({ content: 'x' }, { finish_reason: 'error' }, { error }))).toMatchObject([
      { type: 'text' },
      { type: 'finish', raw: 'error', kind: 'error' },
      { type: 'error', error: { message: 'bad call', status: 502, raw: error } },
    ])
    expect(read(chunk({}, { error }))).toMatchObject([{ type: 'error', error: { message: 'bad call' } }])
    expect(read(chunk({}, {}, { x_groq: { error: 'over capacity' } }))).toMatchObject([
      { type: 'error', error: { message: 'over capacity' } },
    ])
  })

  it('are none where the field says nothing', () => {
    expect(
      read(chunk({ content: 'x' }, {}, { error: null }), chunk({ content: 'y' }, {}, { error: {} })),
    ).toMatchObject([{ type: 'text' }, { type: 'text' }])
  })

  it('are read from bodies that are no completion', () => {
    for (const raw of [
      { detail: 'Not Found' },
      { message: 'no such model', code: 404 },
      { object: 'error', message: 'x' },
    ]) {
      expect(read(raw)).toMatchObject([{ type: 'error', error: { raw } }])
    }
    expect(read(eventFrame('{"reason":"gone"}', { event: 'error' }))).toMatchObject([{ type: 'error' }])
  })
})

describe('events that are no chunk', () => {
  it('warn, and damage nobody', () => {
    expect(read({ type: 'ping' })).toMatchObject([
      { type: 'warning', warning: { code: 'unexpected-type', raw: '{"type":"ping"}' } },
    ])
    expect(read({ object: 'chat.completion.chunk' })).toEqual([])
  })

  it('are markers, malformed or faults, as on every wire', () => {
    expect(read('{"choices":', fault('error-line', '{"message":"boom"}'), '[DONE]')).toMatchObject([
      { type: 'damage', warning: { code: 'malformed-event' } },
      { type: 'error', error: { message: 'boom' } },
      { type: 'end' },
    ])
  })
})

describe('detect', () => {
  it('knows a completion by its choices or its object', () => {
    expect(detects({ choices: [] })).toBe(true)
    expect(detects({ object: 'chat.completion.chunk' })).toBe(true)
  })

  it.each([
    { error: {} },
    { type: 'message_start' },
    { candidates: [] },
    { model: 'm', done: false },
    { choices: 5 },
    '[DONE]',
    '{',
  ])('does not know %j', (event) => {
    expect(detects(event)).toBe(false)
  })
})

describe('the reader', () => {
  it('passes the end on, once', () => {
    const out = collector<WireDelta>()
    openaiChat.reader(out).end()
    expect(out.ended).toBe(1)
  })

  it('keeps streams apart', () => {
    const drifted = [
      { choices: [{ index: 0, delta: { content: 'a' } }] },
      { choices: [{ index: 1, delta: { content: 'b' } }] },
    ]
    read(...drifted)
    expect(read(drifted[1])).toEqual([{ type: 'text', choice: 1, delta: 'b' }])
  })

  it('reads nothing at the places that the fast path takes for padding', () => {
    const padded = chunk({ content: 'x' }, {}, { created: 2, obfuscation: 'abc', p: 'abc' })
    expect(read(padded)).toEqual(read(chunk({ content: 'x' })))
    const paths = openaiChat.holes?.filter(({ role }) => role === 'padding').map(({ path }) => path)
    expect(paths).toEqual([['obfuscation'], ['p'], ['created']])
  })

  it('never throws on an event of any shape', () => {
    for (const [delta] of frames(
      '{"choices":[{"delta":{"tool_calls":[[]]}}]}',
      '{"choices":[[]]}',
      '{"choices":{}}',
    ).map((frame) => [frame])) {
      expect(() => read(delta)).not.toThrow()
    }
  })
})
