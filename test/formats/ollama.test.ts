import { describe, expect, it } from 'vitest'
import { ollama } from '../../src/formats/ollama.ts'
import { fault, messages, reading } from '../helpers/readers.ts'

const read = reading(ollama)

const line = (message: unknown, rest: object = {}): object => ({
  model: 'm',
  created_at: 't',
  message,
  done: false,
  ...rest,
})
const turn = (...tool_calls: unknown[]): object => line({ role: 'assistant', content: '', tool_calls })
const open = (fields: object): object => ({
  type: 'call-open',
  choice: 0,
  wireIndex: null,
  id: null,
  kind: 'function',
  ...fields,
})

const call = (name: string, index?: number): object => ({
  function: { name, arguments: {}, ...(index === undefined ? {} : { index }) },
})

const detects = (event: unknown): boolean => {
  const [message] = messages(event)
  return message !== undefined && ollama.detect(message)
}

describe('calls', () => {
  it('come whole, with the source of their arguments', () => {
    const data =
      '{"model":"m","message":{"tool_calls":[{"function":{"name":"f","arguments":{"n": 12345678901234567890,"n":1}}}]},"done":false}'
    expect(read(data)).toEqual([
      open({ key: 0, name: 'f' }),
      { type: 'call-append', key: 0, delta: '{"n": 12345678901234567890,"n":1}', form: 'object' },
      { type: 'call-close', key: 0 },
    ])
  })

  it('are calls of their own on one line and on several, whatever their index', () => {
    const deltas = read(turn(call('f'), call('f')), turn(call('g', 0)), turn(call('h', 1)))
    expect(deltas.filter(({ type }) => type === 'call-open')).toEqual([
      open({ key: 0, name: 'f' }),
      open({ key: 1, name: 'f' }),
      open({ key: 2, name: 'g', wireIndex: 0 }),
      open({ key: 3, name: 'h', wireIndex: 1 }),
    ])
  })

  it('keep the id and the index that newer versions give', () => {
    expect(
      read(
        turn(
          { id: 'call_x', function: { index: 1, name: 'f', arguments: {} } },
          { id: '', index: 2, function: { name: 'g' } },
        ),
      ),
    ).toMatchObject([
      open({ key: 0, name: 'f', id: 'call_x', wireIndex: 1 }),
      { type: 'call-append' },
      { type: 'call-close' },
      open({ key: 1, name: 'g', wireIndex: 2 }),
      { type: 'call-close' },
    ])
  })

  it('may have their arguments as text, or none', () => {
    expect(
      read(turn({ function: { name: 'f', arguments: '{"a":1}' } }, { function: { name: 'g', arguments: null } })),
    ).toEqual([
      open({ key: 0, name: 'f' }),
      { type: 'call-append', key: 0, delta: '{"a":1}' },
      { type: 'call-close', key: 0 },
      open({ key: 1, name: 'g' }),
      { type: 'call-close', key: 1 },
    ])
  })

  it('are damaged alone by arguments or a name of another type', () => {
    expect(read(turn({ function: { name: 5, arguments: 6 } }))).toMatchObject([
      { type: 'call-open', key: 0, name: '' },
      { type: 'call-damage', key: 0, warning: { code: 'unexpected-type', raw: '6' } },
      { type: 'call-damage', key: 0, warning: { code: 'unexpected-type', raw: '5' } },
      { type: 'call-close', key: 0 },
    ])
  })

  it('are damage where they are no calls', () => {
    for (const message of [{ tool_calls: 'x' }, { tool_calls: [5] }, { tool_calls: [{}] }, 'x']) {
      expect(read(line(message))).toMatchObject([{ type: 'damage', warning: { code: 'unexpected-type' } }])
    }
  })

  it('may come in the last line, before its end', () => {
    expect(
      read(
        line(
          { content: '', tool_calls: [{ function: { name: 'f', arguments: {} } }] },
          { done: true, done_reason: 'stop' },
        ),
      ),
    ).toMatchObject([
      { type: 'call-open' },
      { type: 'call-append' },
      { type: 'call-close' },
      { type: 'finish', raw: 'stop' },
      { type: 'end' },
    ])
  })
})

describe('text and thoughts', () => {
  it('are read from the message', () => {
    expect(
      read(line({ content: '', thinking: 'hm' }), line({ content: 'Hi' }), line({ thinking: 'so', content: 'x' })),
    ).toEqual([
      { type: 'reasoning', choice: 0, delta: 'hm' },
      { type: 'text', choice: 0, delta: 'Hi' },
      { type: 'reasoning', choice: 0, delta: 'so' },
      { type: 'text', choice: 0, delta: 'x' },
    ])
  })

  it('are read from the line on the generate route', () => {
    expect(read({ model: 'm', response: 'Hi', thinking: 'hm', done: false })).toEqual([
      { type: 'reasoning', choice: 0, delta: 'hm' },
      { type: 'text', choice: 0, delta: 'Hi' },
    ])
  })

  it('are damage where they are no text', () => {
    expect(read(line({ content: 5 }))).toMatchObject([{ type: 'damage', warning: { raw: '5' } }])
  })
})

describe('the last line', () => {
  it('is usage, finish reason and end, in that order', () => {
    const counters = { total_duration: 9, prompt_eval_count: 3, eval_count: 5 }
    expect(read(line({ content: '' }, { done: true, done_reason: 'length', ...counters }))).toEqual([
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 5, raw: counters } },
      { type: 'finish', choice: 0, raw: 'length', kind: 'length' },
      { type: 'end' },
    ])
  })

  it('needs neither a message nor a reason', () => {
    expect(read({ model: 'm', done: true })).toEqual([{ type: 'end' }])
  })
})

describe('errors and strays', () => {
  it('are errors in any line', () => {
    expect(read(line({ content: 'x' }), { error: 'boom' })).toMatchObject([
      { type: 'text' },
      { type: 'error', error: { message: 'boom', raw: { error: 'boom' }, frame: 2 } },
    ])
  })

  it('are a warning where the line says nothing that Ollama says', () => {
    expect(read({ foo: 1 })).toMatchObject([{ type: 'warning', warning: { code: 'unexpected-type' } }])
    expect(read({ model: 'm', done: false })).toEqual([])
  })

  it('are malformed lines and faults, as on every wire', () => {
    expect(read('{"model":', fault('not-a-stream', '<html>'))).toMatchObject([{ type: 'damage' }, { type: 'error' }])
  })
})

describe('detect', () => {
  it('knows a line by its model and its done', () => {
    expect(detects(line({ content: 'x' }))).toBe(true)
    expect(detects({ model: 'm', response: '', done: false })).toBe(true)
  })

  it.each([
    { error: 'x' },
    { choices: [], model: 'm', done: false },
    { type: 'message_start', message: {} },
    { model: 'm' },
    { done: true },
    'x',
  ])('does not know %j', (event) => {
    expect(detects(event)).toBe(false)
  })
})
