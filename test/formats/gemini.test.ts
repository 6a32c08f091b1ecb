import { describe, expect, it } from 'vitest'
import { gemini } from '../../src/formats/gemini.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import { messages, reading } from '../helpers/readers.ts'

const read = reading(gemini)

const event = (parts: unknown[], candidate: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts }, ...candidate }],
})
const call = (functionCall: unknown, part: object = {}): object => event([{ functionCall, ...part }])
const pieces = (partialArgs: unknown, fields: object = { willContinue: true }): object =>
  call({ partialArgs, ...fields })
const string = (jsonPath: string, stringValue: string, willContinue?: true): object => ({
  jsonPath,
  stringValue,
  ...(willContinue ? { willContinue } : {}),
})

const opened = (key: number, fields: object = {}): object => ({
  type: 'call-open',
  choice: 0,
  key,
  wireIndex: null,
  id: null,
  name: 'f',
  kind: 'function',
  ...fields,
})
const appended = (key: number, delta: string): object => ({ type: 'call-append', key, delta })
const whole = (key: number, source: string): object => ({ ...appended(key, source), form: 'object' })
const closed = (key: number): object => ({ type: 'call-close', key })

const server = (id: string, name: string, kind: string, argumentsText: string): object => ({
  type: 'server-call',
  call: { id, name, kind, argumentsText },
})

const written = (deltas: readonly WireDelta[]): string =>
  deltas.map((delta) => (delta.type === 'call-append' ? delta.delta : '')).join('')

const detects = (value: unknown): boolean => messages(value).some((message) => gemini.detect(message))

describe('calls that come whole', () => {
  it('are told apart by their order alone, in one event or several', () => {
    expect(
      read(
        event([{ functionCall: { name: 'f', args: { a: 1 } } }, { functionCall: { name: 'f', args: { a: 2 } } }]),
        call({ name: 'g', args: {}, id: 'x7' }),
      ),
    ).toEqual([
      opened(0),
      whole(0, '{"a":1}'),
      closed(0),
      opened(1),
      whole(1, '{"a":2}'),
      closed(1),
      opened(2, { name: 'g', id: 'x7' }),
      whole(2, '{}'),
      closed(2),
    ])
  })

  it('keep their arguments as they were sent', () => {
    const raw = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"n": 12345678901234567890, "n": 1, "__proto__": {}}}}]}}]}`
    expect(read(raw)[1]).toEqual(whole(0, '{"n": 12345678901234567890, "n": 1, "__proto__": {}}'))
  })

  it('have no arguments where there are none', () => {
    expect(read(call({ name: 'f' }))).toEqual([opened(0), closed(0)])
    expect(read(call({ name: 'f', args: null }))).toEqual([opened(0), closed(0)])
  })

  it('carry the signature beside them', () => {
    expect(read(call({ name: 'f', args: {} }, { thoughtSignature: 'c2ln' }))[0]).toEqual(
      opened(0, { extra: { thoughtSignature: 'c2ln' } }),
    )
  })

  it('open without a name too, so that they are not lost', () => {
    expect(read(call({ args: { a: 1 } }))).toEqual([opened(0, { name: '' }), whole(0, '{"a":1}'), closed(0)])
    expect(read(call({ name: 5, args: {} }))[1]).toMatchObject({ type: 'call-damage', key: 0, warning: { raw: '5' } })
  })

  it('are damage where they are no object', () => {
    expect(read(call('f'))).toMatchObject([{ type: 'damage', warning: { code: 'unexpected-type', raw: '"f"' } }])
  })

  it('belong to their candidate', () => {
    const two = {
      candidates: [
        { content: { parts: [{ functionCall: { name: 'f' } }] } },
        { content: { parts: [{ functionCall: { name: 'g' } }, { text: 'x' }] }, finishReason: 'STOP' },
      ],
    }
    expect(read(two)).toEqual([
      opened(0),
      closed(0),
      opened(1, { name: 'g', choice: 1 }),
      closed(1),
      { type: 'text', choice: 1, delta: 'x' },
      { type: 'finish', choice: 1, raw: 'STOP', kind: 'clean' },
    ])
    expect(read({ candidates: [{ index: 2, content: { parts: [{ text: 'x' }] } }] })).toEqual([
      { type: 'text', choice: 2, delta: 'x' },
    ])
  })
})

describe('calls that come in pieces', () => {
  it('are written from front to back and closed by an empty call', () => {
    expect(
      read(
        call({ name: 'f', willContinue: true }, { thoughtSignature: 'c2ln' }),
        pieces([string('$.city', 'Bos', true)]),
        pieces([string('$.city', 'ton'), { jsonPath: '$.n', numberValue: 2 }]),
        pieces([
          { jsonPath: '$.tags[0]', boolValue: true },
          { jsonPath: '$.tags[1]', nullValue: 'NULL_VALUE' },
        ]),
        call({ willContinue: true }),
        call({}),
      ),
    ).toEqual([
      opened(0, { extra: { thoughtSignature: 'c2ln' } }),
      appended(0, '{"city":"Bos'),
      appended(0, 'ton","n":2'),
      appended(0, ',"tags":[true,null'),
      appended(0, ']}'),
      closed(0),
    ])
  })

  it('end with the last piece where that says so, or begin with the first', () => {
    expect(read(call({ name: 'f', partialArgs: [string('$.a', 'x')] }))).toEqual([
      opened(0),
      appended(0, '{"a":"x"'),
      appended(0, '}'),
      closed(0),
    ])
  })

  it('keep the digits of numbers', () => {
    const raw = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.n","numberValue":12345678901234567890}]}}]}}]}`
    expect(written(read(raw))).toBe('{"n":12345678901234567890}')
  })

  it('follow one another', () => {
    const one = [call({ name: 'f', willContinue: true }), pieces([string('$.a', 'x')]), call({})]
    expect(read(...one, ...one)).toEqual([
      opened(0),
      appended(0, '{"a":"x"'),
      appended(0, '}'),
      closed(0),
      opened(1),
      appended(1, '{"a":"x"'),
      appended(1, '}'),
      closed(1),
    ])
  })

  it('have no arguments where no piece comes', () => {
    expect(read(call({ name: 'f', willContinue: true }), call({}))).toEqual([opened(0), closed(0)])
  })

  it('stay open without their end, whatever follows', () => {
    expect(
      read(
        call({ name: 'f', willContinue: true }),
        pieces([string('$.a', 'x')]),
        call({ name: 'g', args: {} }),
        event([{ text: '' }], { finishReason: 'STOP' }),
      ),
    ).toEqual([
      opened(0),
      appended(0, '{"a":"x"'),
      opened(1, { name: 'g' }),
      whole(1, '{}'),
      closed(1),
      { type: 'finish', choice: 0, raw: 'STOP', kind: 'clean' },
    ])
  })

  it('stay open where a string never ended', () => {
    expect(read(call({ name: 'f', willContinue: true }), pieces([string('$.a', 'x', true)]), call({}))).toEqual([
      opened(0),
      appended(0, '{"a":"x'),
    ])
  })

  it('may repeat their name, and have their id and signature later', () => {
    expect(
      read(
        call({ name: 'f', willContinue: true }),
        call({ name: 'f', id: 'x1', partialArgs: [string('$.a', 'x')], willContinue: true }, { thoughtSignature: 's' }),
        call({}),
      ),
    ).toEqual([
      opened(0),
      { type: 'call-final', key: 0, arguments: '', id: 'x1', name: null, extra: { thoughtSignature: 's' } },
      appended(0, '{"a":"x"'),
      appended(0, '}'),
      closed(0),
    ])
  })

  it('may still get their arguments whole', () => {
    expect(read(call({ name: 'f', willContinue: true }), call({ args: { a: 1 } }))).toEqual([
      opened(0),
      whole(0, '{"a":1}'),
      closed(0),
    ])
  })

  it('are damaged by pieces without a place, and written no further', () => {
    const deltas = read(
      call({ name: 'f', willContinue: true }),
      pieces([string('$.a', 'x'), string('$.b[1]', 'y'), string('$.c', 'z')]),
      call({}),
    )
    expect(deltas.filter(({ type }) => type === 'call-damage')).toMatchObject([
      { key: 0, warning: { code: 'unexpected-type', raw: '{"jsonPath":"$.b[1]","stringValue":"y"}' } },
      { key: 0, warning: { raw: '{"jsonPath":"$.c","stringValue":"z"}' } },
    ])
    expect(written(deltas)).toBe('{"a":"x"')
  })

  it.each([
    [{ jsonPath: '$.*', stringValue: 'x' }],
    [{ stringValue: 'x' }],
    [{ jsonPath: '$.a' }],
    [{ jsonPath: '$.a', numberValue: 'NaN' }],
    ['x'],
  ])('are damaged by what is no piece: %j', (piece) => {
    expect(read(call({ name: 'f', willContinue: true }), pieces([piece]))[1]).toMatchObject({
      type: 'call-damage',
      key: 0,
    })
  })

  it('are damaged by pieces in no list, and by whole arguments after pieces', () => {
    expect(read(call({ name: 'f', willContinue: true }), pieces('x'))[1]).toMatchObject({ type: 'call-damage', key: 0 })
    expect(
      read(call({ name: 'f', willContinue: true }), pieces([string('$.a', 'x')]), call({ args: { a: 'x' } })),
    ).toMatchObject([opened(0), appended(0, '{"a":"x"'), { type: 'call-damage', key: 0 }, closed(0)])
  })

  it('that were never announced are nobody’s', () => {
    expect(read(pieces([string('$.a', 'x')]), call({ name: 'f' }))).toMatchObject([
      { type: 'call-append', key: 0 },
      opened(0),
      closed(0),
    ])
    expect(read(call({}))).toEqual([])
  })
})

describe('text, thoughts and what the server runs', () => {
  it('are told apart by part', () => {
    expect(
      read(
        event([
          { text: 'Hm', thought: true },
          { text: 'A' },
          { text: '', thoughtSignature: 's' },
          { inlineData: { data: 'x' } },
          { codeExecutionResult: { output: '1' } },
          { toolResponse: { id: 'q1' } },
        ]),
      ),
    ).toEqual([
      { type: 'reasoning', choice: 0, delta: 'Hm' },
      { type: 'text', choice: 0, delta: 'A' },
    ])
  })

  it('keep code and searches out of the calls', () => {
    const raw = `{"candidates":[{"content":{"parts":[{"executableCode":{"language": "PYTHON", "code": "1+1"},"thought":true},{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries": ["q"]},"id":"q1"}},{"toolCall":{"toolType":"FILE_SEARCH","id":"q2"}}]}}]}`
    expect(read(raw)).toEqual([
      server('', 'code_execution', 'executableCode', '{"language": "PYTHON", "code": "1+1"}'),
      server('q1', 'GOOGLE_SEARCH_WEB', 'toolCall', '{"queries": ["q"]}'),
      server('q2', 'FILE_SEARCH', 'toolCall', ''),
    ])
  })

  it('are damage where they have another type', () => {
    expect(read(event([{ text: 5 }]))).toMatchObject([{ type: 'damage' }])
    expect(read(event(['x']))).toMatchObject([{ type: 'damage' }])
    expect(read({ candidates: [{ content: 'x' }] })).toMatchObject([{ type: 'damage' }])
    expect(read({ candidates: [{ content: { parts: 'x' } }] })).toMatchObject([{ type: 'damage' }])
    expect(read({ candidates: ['x'] })).toMatchObject([{ type: 'damage' }])
    expect(read({ candidates: 'x' })).toMatchObject([{ type: 'damage' }])
    expect(read({ candidates: [{ content: { role: 'model' } }] })).toEqual([])
  })
})

describe('the end', () => {
  it.each<[unknown, string, string]>([
    ['STOP', 'STOP', 'clean'],
    ['MAX_TOKENS', 'MAX_TOKENS', 'length'],
    ['SAFETY', 'SAFETY', 'filter'],
    ['RECITATION', 'RECITATION', 'filter'],
    ['PROHIBITED_CONTENT', 'PROHIBITED_CONTENT', 'filter'],
    ['MALFORMED_FUNCTION_CALL', 'MALFORMED_FUNCTION_CALL', 'error'],
    ['UNEXPECTED_TOOL_CALL', 'UNEXPECTED_TOOL_CALL', 'error'],
    ['FAKE_ENUM', 'FAKE_ENUM', 'other'],
    [1, '1', 'clean'],
    [2, '2', 'length'],
    [3, '3', 'filter'],
    [99, '99', 'other'],
  ])('%j is %s, %s', (finishReason, raw, kind) => {
    expect(read(event([], { finishReason }))).toEqual([{ type: 'finish', choice: 0, raw, kind }])
  })

  it('is not told by a reason that is not specified', () => {
    expect(read(event([], { finishReason: 'FINISH_REASON_UNSPECIFIED' }), event([], { finishReason: 0 }))).toEqual([])
  })

  it('is a filter where the prompt was blocked, whoever blocked it', () => {
    for (const blockReason of ['SAFETY', 'OTHER', 'SOMETHING_NEW']) {
      expect(read({ promptFeedback: { blockReason } })).toEqual([
        { type: 'finish', choice: 0, raw: blockReason, kind: 'filter' },
      ])
    }
    expect(read({ promptFeedback: { safetyRatings: [] } })).toEqual([])
  })

  it('counts thoughts as output', () => {
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 6 }
    expect(read({ usageMetadata })).toEqual([
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 5, totalTokens: 6, raw: usageMetadata } },
    ])
    expect(read({ usageMetadata: {} })).toEqual([{ type: 'usage', usage: { raw: {} } }])
  })

  it('may be an error', () => {
    const raw = { error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }
    expect(read(raw)).toEqual([
      { type: 'error', error: { code: 'RESOURCE_EXHAUSTED', message: 'Quota', status: 429, frame: 1, raw } },
    ])
  })
})

describe('detection', () => {
  it('takes candidates, blocked prompts, token counts and errors of Google’s form', () => {
    expect(detects(event([]))).toBe(true)
    expect(detects({ promptFeedback: {} })).toBe(true)
    expect(detects({ usageMetadata: {}, modelVersion: 'm' })).toBe(true)
    expect(detects({ error: { code: 400, message: 'm', status: 'INVALID_ARGUMENT' } })).toBe(true)
  })

  it('leaves other formats alone', () => {
    expect(detects({ choices: [] })).toBe(false)
    expect(detects({ error: { code: 'x', message: 'm' } })).toBe(false)
    expect(detects({ error: 'x' })).toBe(false)
  })

  it('reports what is no response', () => {
    expect(read({ a: 1 })).toMatchObject([{ type: 'warning' }])
    expect(read({ responseId: 'x' })).toEqual([])
  })
})
