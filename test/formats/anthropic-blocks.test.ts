// What comes for a block that can't have it, in Anthropic's Messages API.
import { describe, expect, it } from 'vitest'
import { readResponse, type AssemblerResult } from '../../src/index.ts'
import { agreed, outcomes, sse } from '../helpers/agreed.ts'

const start = (index: number, content_block: object): object => ({ type: 'content_block_start', index, content_block })
const tool = (index: number, id: unknown, name: unknown): object =>
  start(index, { type: 'tool_use', id, name, input: {} })
const args = (index: number, partial_json: string): object => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
})
const stop = (index: number): object => ({ type: 'content_block_stop', index })

function assembled(...events: object[]): AssemblerResult {
  const message = { role: 'assistant', content: [] }
  const end = [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }]
  return agreed('anthropic', sse({ type: 'message_start', message }, ...events, ...end))
}

describe('a fragment for a block that has stopped', () => {
  it('while another call is open may be of either, and of none that is over besides', () => {
    const result = assembled(
      tool(0, 'a', 'ping'),
      stop(0),
      tool(1, 'b', 'f'),
      args(1, '{}'),
      stop(1),
      tool(2, 'c', 'g'),
      args(0, '{"tz":"B"}'),
      stop(2),
    )
    expect(outcomes(result)).toEqual([
      ['ping', 'ambiguous', ''],
      ['f', {}],
      ['g', 'ambiguous', ''],
    ])
    expect(result.warnings).toMatchObject([{ code: 'orphan-fragment', raw: '{"tz":"B"}' }])
    expect(result.finish.truncated).toBe(true)
  })

  it('is its own where no other is open', () => {
    expect(outcomes(assembled(tool(0, 'a', 'ping'), stop(0), args(0, '{"x":1}')))).toEqual([['ping', { x: 1 }]])
  })

  it('of the provider is another’s', () => {
    const result = assembled(
      start(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      args(0, '{"q":1}'),
      stop(0),
      tool(1, 'b', 'f'),
      args(0, '{"x":1}'),
      stop(1),
    )
    expect(result.serverCalls).toMatchObject([{ name: 'web_search', argumentsText: '{"q":1}' }])
    expect(outcomes(result)).toEqual([['f', 'damaged', '']])
    expect(result.warnings).toMatchObject([{ code: 'unexpected-type', raw: JSON.stringify('{"x":1}') }])
  })
})

describe('a name or id of another type', () => {
  it('is the id as text, where it is a number', () => {
    const result = assembled(tool(0, 5, 'ping'), args(0, '{}'), stop(0))
    expect(result.calls).toMatchObject([{ ok: true, id: '5', wireId: '5' }])
    expect(result.warnings).toEqual([])
    const content = [{ type: 'tool_use', id: 5, name: 'ping', input: {} }]
    expect(readResponse({ type: 'message', role: 'assistant', content, stop_reason: 'tool_use' }).calls).toMatchObject([
      { ok: true, wireId: '5' },
    ])
  })

  it('is reported, and its call refused', () => {
    for (const [id, name, raw] of [
      ['a', 5, '5'],
      [{ x: 1 }, 'ping', '{"x":1}'],
    ] as const) {
      const result = assembled(tool(0, id, name), args(0, '{}'), stop(0), tool(1, 'b', 'f'), args(1, '{}'), stop(1))
      expect(result.calls).toMatchObject([
        { ok: false, failure: { code: 'damaged' } },
        { ok: true, name: 'f' },
      ])
      expect(result.warnings).toMatchObject([{ code: 'unexpected-type', raw }])
    }
  })
})

describe('arguments of a block of an unknown type', () => {
  const unknown = start(0, { type: 'weird_tool_use', id: 'z', name: 'f' })

  it.each<[string, object[]]>([
    ['when it stops', [stop(0)]],
    ['when another takes its index', [tool(0, 'a', 'g'), args(0, '{}'), stop(0)]],
    ['at the end', []],
  ])('are told once, %s', (_, events) => {
    const result = assembled(unknown, args(0, '{"tz"'), args(0, ':"B"}'), ...events)
    expect(result.warnings.filter(({ code }) => code === 'unexpected-type')).toMatchObject([{ raw: '{"tz":"B"}' }])
    expect(result.calls.every(({ ok }) => ok)).toBe(true)
  })
})
