// Calls in the text of a stream, through a whole assembler.

import { describe, expect, it } from 'vitest'
import { createAssembler } from '../../src/assembly/create.ts'
import type { AssemblerEvent, AssemblerResult } from '../../src/model/events.ts'
import { tools } from './support.ts'

const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const pieces = (text: string): string[] => text.match(/[\s\S]{1,5}/g) ?? []

function run(
  body: readonly string[],
  textCalls: boolean | readonly string[] = true,
): AssemblerResult & { readonly events: readonly AssemblerEvent[] } {
  const assembler = createAssembler({ format: 'openai-chat', tools, textCalls })
  const events = body.flatMap((chunk) => assembler.feed(chunk))
  events.push(...assembler.end())
  const { result } = assembler
  if (!result) throw new Error('no result after end()')
  return { ...result, events }
}

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
const said = (text: string): string[] => pieces(text).map((content) => event({ content }))
const done = 'data: [DONE]\n\n'

describe('calls in the text of a stream', () => {
  it('are calls like any other, and the turn ends with them', () => {
    const { calls, text, finish } = run([...said(`Wait. ${call}`), event({}, 'stop'), done])
    expect(calls).toMatchObject([{ ok: true, name: 'get_weather', arguments: { city: 'Oslo' }, wireId: null }])
    expect([text, finish.reason, finish.raw]).toEqual(['Wait. ', 'tool-calls', 'stop'])
  })

  it('are only text where nobody asked for them', () => {
    const { calls, text } = run([...said(call), event({}, 'stop'), done], false)
    expect([calls, text]).toEqual([[], call])
  })

  it('stream before the end of the stream', () => {
    const { events } = run([...said(call), event({}, 'stop'), done])
    const kinds = events.map(({ type }) => type)
    expect(kinds.filter((type) => type === 'tool-call-delta').length).toBeGreaterThan(2)
    expect(kinds.slice(-2)).toEqual(['tool-call-end', 'finish'])
  })

  it('that were cut are refused, whoever says so', () => {
    const open = call.slice(0, call.indexOf('}}'))
    for (const ending of [[event({}, 'length'), done], [event({}, 'stop'), done], []]) {
      const { calls, finish } = run([...said(open), ...ending])
      expect([calls.map((found) => found.ok || found.failure.code), finish.truncated]).toEqual([['truncated'], true])
    }
    const unclosed = call.slice(0, -'</tool_call>'.length)
    expect(run([...said(unclosed), event({}, 'length'), done]).calls.map(({ ok }) => ok)).toEqual([false])
    expect(run([...said(unclosed), event({}, 'stop'), done]).calls.map(({ ok }) => ok)).toEqual([true])
  })

  it('are reported once where the server reports them as well', () => {
    const native = event({
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
      ],
    })
    for (const body of [
      [...said(call), native],
      [native, ...said(call)],
    ]) {
      const { calls, warnings } = run([...body, event({}, 'tool_calls'), done])
      expect(calls).toMatchObject([{ ok: true, wireId: 'call_1', arguments: { city: 'Oslo' } }])
      expect(warnings.map(({ code }) => code)).toEqual(['suppressed-call'])
    }
  })

  it('that lost an event in their middle are damaged', () => {
    const [first = '', ...rest] = said(call)
    expect(
      run([first, 'data: {"choices": [{"ind\n\n', ...rest, event({}, 'stop'), done]).calls.some(({ ok }) => ok),
    ).toBe(false)
  })
})
