import { describe, expect, it } from 'vitest'
import { auto } from '../../src/formats/auto.ts'
import { ollama } from '../../src/formats/ollama.ts'
import { openaiChat } from '../../src/formats/openai-chat.ts'
import { formats } from '../../src/formats/registry.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import { eventFrame, fault, readAll, reading } from '../helpers/readers.ts'

const chat = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hi' } }] }
const lines = { model: 'm', message: { content: 'Hi' }, done: false }
const hi = { type: 'text', choice: 0, delta: 'Hi' }

function read(...events: unknown[]): { readonly chosen: readonly string[]; readonly deltas: readonly WireDelta[] } {
  const chosen: string[] = []
  const deltas = readAll(
    auto(formats, (format) => chosen.push(format.name)),
    ...events,
  )
  return { chosen, deltas }
}

describe('auto', () => {
  it('chooses the format that claims a message, once', () => {
    expect(read(chat, chat)).toEqual({ chosen: ['openai-chat'], deltas: [hi, hi] })
    expect(read(lines, lines)).toEqual({ chosen: ['ollama'], deltas: [hi, hi] })
  })

  it('never changes its mind', () => {
    expect(read(chat, lines)).toMatchObject({ chosen: ['openai-chat'], deltas: [hi, { type: 'warning' }] })
  })

  it('reads what came before that message with the same reader, in order', () => {
    const before = ['{"broken', { type: 'ping' }, { error: { message: 'boom' } }, fault('unknown-line', 'OK')]
    expect(read(...before, chat)).toEqual({ chosen: ['openai-chat'], deltas: reading(openaiChat)(...before, chat) })
    expect(read(...before, lines)).toEqual({ chosen: ['ollama'], deltas: reading(ollama)(...before, lines) })
  })

  it('tells the choice before the first delta', () => {
    const log: string[] = []
    const step = auto(formats, (format) => log.push(format.name))({
      push: ({ type }) => log.push(type),
      end: () => log.push('ended'),
    })
    step.push({ kind: 'message', frame: 1, value: chat })
    step.end()
    expect(log).toEqual(['openai-chat', 'text', 'ended'])
  })

  it('makes nothing of nothing', () => {
    expect(read()).toEqual({ chosen: [], deltas: [] })
    expect(read('', ' ')).toEqual({ chosen: [], deltas: [] })
  })

  it('reads the end of a stream without any message', () => {
    expect(read('[DONE]')).toEqual({ chosen: [], deltas: [{ type: 'end' }] })
  })

  it('reports the error that the server sent instead of a stream', () => {
    for (const body of [
      { error: { message: 'no such model' } },
      { detail: 'no such model' },
      { message: 'no such model', code: 404 },
    ]) {
      expect(read(body)).toMatchObject({
        chosen: [],
        deltas: [{ type: 'error', error: { message: 'no such model', raw: body } }],
      })
    }
    expect(read({ type: 'ping' }, { error: 'x' }).deltas).toMatchObject([{ type: 'error', error: { message: 'x' } }])
    expect(read(eventFrame('{"reason":"x"}', { event: 'error' })).deltas).toMatchObject([{ type: 'error' }])
  })

  it('reports a body that is no stream, and malformed events, as every reader does', () => {
    expect(read(fault('not-a-stream', '<html>')).deltas).toMatchObject([
      { type: 'error', error: { code: 'not-a-stream' } },
    ])
    expect(read('hello').deltas).toMatchObject([{ type: 'damage', warning: { code: 'malformed-event', raw: 'hello' } }])
    expect(read(eventFrame('{"choi', { terminated: false })).deltas).toMatchObject([
      { type: 'cut', warning: { code: 'unterminated-event' } },
    ])
  })

  it('says what it saw where it cannot tell the format', () => {
    const { chosen, deltas } = read(eventFrame('{"hello":"world"}', { event: 'greeting' }), { other: 1 })
    expect(chosen).toEqual([])
    expect(deltas).toMatchObject([
      { type: 'error', error: { code: 'unknown-format', frame: 1, raw: { hello: 'world' } } },
    ])
    const [error] = deltas
    expect(error?.type === 'error' && error.error.message).toContain('"greeting"')
    expect(error?.type === 'error' && error.error.message).toContain(JSON.stringify('{"hello":"world"}'))
  })

  it('goes by the names of events where their data has no type', () => {
    const anthropic = eventFrame('{"message":{"content":[]}}', { event: 'message_start' })
    const cohere = eventFrame('{"delta":{"message":{"role":"assistant"}}}', { event: 'message-start' })
    expect(read(anthropic).chosen).toEqual(['anthropic'])
    expect(read(cohere).chosen).toEqual(['cohere'])
  })

  it('hears an exception in a stream of any format', () => {
    const start = { type: 'message_start', message: { content: [] } }
    const exception = eventFrame('{"message":"m","originalStatusCode":500}', { event: 'exception:modelErrorException' })
    for (const first of [start, chat]) {
      expect(read(first, exception).deltas.at(-1)).toMatchObject({ type: 'error', error: { message: 'm' } })
    }
  })

  it('says so before the marker that ends the stream', () => {
    expect(read({ hello: 1 }, '[DONE]').deltas).toMatchObject([
      { type: 'error', error: { code: 'unknown-format' } },
      { type: 'end' },
    ])
  })

  it('gives up on a stream that never shows its format, and holds no more of it', () => {
    const strange = Array.from({ length: 100 }, (_, n) => ({ n }))
    expect(read(...strange, chat)).toMatchObject({
      chosen: [],
      deltas: [{ type: 'error', error: { code: 'unknown-format' } }],
    })
    expect(read(...strange.slice(0, 60), chat)).toMatchObject({ chosen: ['openai-chat'] })
    const long = { text: 'x'.repeat(2_000_000) }
    expect(read(long, chat)).toMatchObject({
      chosen: [],
      deltas: [{ type: 'error', error: { code: 'unknown-format' } }],
    })
  })
})

describe('registry', () => {
  it('has one format of each name', () => {
    expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length)
  })
})
