// Loops with an agent over real HTTP, in which the model's calls go wrong.
import { describe, expect, it, vi } from 'vitest'
import { createMeter, createRetryGuard } from '../../src/index.ts'
import type { ReadyCall, ReadyCustomCall } from '../../src/index.ts'
import type { EncodedCall } from '../../src/testing.ts'
import {
  inTurn,
  runAgent,
  says,
  sentAnswers,
  sentCalls,
  serve,
  type LoopFormat,
  type ModelAnswer,
  writeFile,
} from './support.ts'

const tools = {
  write_file: writeFile,
  now: { description: 'The time.', parameters: { type: 'object', properties: {} } },
}

const write = (text: string, id?: string): EncodedCall => ({
  name: 'write_file',
  arguments: text,
  ...(id === undefined ? {} : { id }),
})
const whole = '{"path":"notes.md","content":"The sun: ☀️ \\"warm\\""}'
const cutText = '{"path":"notes.md","content":"The sun: ☀'

interface Wrong {
  readonly format: LoopFormat
  readonly how: string
  readonly answer: ModelAnswer
  readonly code: string
}

const wrongs: readonly Wrong[] = [
  {
    format: 'openai-chat',
    how: 'cuts the arguments and says so',
    answer: says('openai-chat', [write(cutText)], { finishReason: 'length' }),
    code: 'truncated',
  },
  {
    format: 'openai-chat',
    how: 'cuts the arguments and calls that tool_calls',
    answer: says('openai-chat', [write(cutText)], { finishReason: 'tool_calls' }),
    code: 'truncated',
  },
  {
    format: 'openai-chat',
    how: 'sends no arguments and calls that tool_calls',
    answer: says('openai-chat', [write('')], { finishReason: 'tool_calls' }),
    code: 'empty-arguments',
  },
  {
    format: 'anthropic',
    how: 'cuts the arguments and says so',
    answer: says('anthropic', [write(cutText)], { finishReason: 'max_tokens' }),
    code: 'truncated',
  },
  {
    format: 'anthropic',
    how: 'cuts the arguments and calls that tool_use',
    answer: says('anthropic', [write(cutText)], { finishReason: 'tool_use' }),
    code: 'truncated',
  },
  {
    format: 'ollama',
    how: 'goes away after the call',
    answer: says('ollama', [write(whole)], { terminate: false }),
    code: 'interrupted',
  },
  {
    format: 'ollama',
    how: 'loses the arguments and calls that stop',
    answer: says('ollama', [write('{}')], { finishReason: 'stop' }),
    code: 'schema-mismatch',
  },
]

describe.each(wrongs)('a $format server that $how', ({ format, answer, code }) => {
  it('has its call answered and not run, and the second try run once', async () => {
    const run = vi.fn((call: ReadyCall | ReadyCustomCall) => `wrote ${call.argumentsText.length}`)
    const target = await serve(inTurn([answer, says(format, [write(whole)]), says(format, [], { text: 'Done.' })]))
    const { requests } = target
    const meter = createMeter()
    const { results, stopped } = await runAgent(target, { format, tools, run, onAudit: meter.onAudit })

    const [first, second, last] = results
    const [refusedCall] = first?.calls ?? []
    if (refusedCall === undefined || refusedCall.ok) throw new Error('the broken call was not refused')
    expect(refusedCall.failure.code).toBe(code)
    expect('arguments' in refusedCall).toBe(false)

    const [, retry] = requests
    if (retry === undefined) throw new Error('there was no second request')
    expect(sentCalls(format, retry)).toEqual([{ id: refusedCall.wireId, name: 'write_file', arguments: {} }])
    expect(sentAnswers(format, retry)).toEqual([{ id: refusedCall.wireId, text: refusedCall.failure.message }])
    expect(refusedCall.failure.message).toContain('write_file')

    expect(run.mock.calls.map(([call]) => call.arguments)).toEqual([JSON.parse(whole)])
    expect(second?.calls.map(({ ok }) => ok)).toEqual([true])
    expect(last?.text).toBe('Done.')
    expect(stopped).toBe('')
    const [, , end] = requests
    if (end === undefined) throw new Error('there was no third request')
    expect(sentCalls(format, end).map(({ arguments: args }) => args)).toEqual([{}, JSON.parse(whole)])
    expect(sentAnswers(format, end).at(-1)).toMatchObject({ text: `wrote ${whole.length}` })
    expect(requests).toHaveLength(3)

    expect(meter.snapshot()).toMatchObject({
      calls: 2,
      ok: 1,
      failed: 1,
      repaired: 0,
      failures: { [code]: 1 },
      tools: { write_file: { calls: 2, ok: 1 } },
      formats: { [format]: { calls: 2, ok: 1 } },
    })
  })
})

const formats: readonly LoopFormat[] = ['openai-chat', 'anthropic', 'ollama']

describe.each(formats)('a %s loop', (format) => {
  const hopeless = format === 'ollama' ? '{"path":5}' : cutText

  it('stops at the third equal failure and tells the host, with no fourth request', async () => {
    const run = vi.fn()
    const target = await serve(() => says(format, [write(hopeless)]))
    const { results, stopped } = await runAgent(target, { format, tools, run, guard: createRetryGuard({ max: 3 }) })
    expect(target.requests).toHaveLength(3)
    expect(results).toHaveLength(3)
    expect(stopped).toContain('write_file')
    expect(run).not.toHaveBeenCalled()
  })

  it('goes on where the failures differ', async () => {
    const target = await serve((_request, n) =>
      n < 4 ? says(format, [write(`{"path":"${n}"}`)]) : says(format, [], { text: 'I give up.' }),
    )
    const { stopped } = await runAgent(target, { format, tools, run: vi.fn() })
    expect(stopped).toBe('')
    expect(target.requests).toHaveLength(5)
  })

  it('runs the ready call of a turn and answers both, in the order of the calls', async () => {
    const run = vi.fn(() => '12:00')
    const calls = [write(hopeless, 'call_a'), { name: 'now', arguments: '{}', id: 'call_b' }]
    const target = await serve(inTurn([says(format, calls), says(format, [], { text: 'ok' })]))
    const { results } = await runAgent(target, { format, tools, run })
    expect(results[0]?.calls.map(({ name, ok }) => [name, ok])).toEqual([
      ['write_file', false],
      ['now', true],
    ])
    expect(run).toHaveBeenCalledTimes(1)
    const [, next] = target.requests
    if (next === undefined) throw new Error('there was no second request')
    expect(sentCalls(format, next)).toEqual([
      { id: 'call_a', name: 'write_file', arguments: {} },
      { id: 'call_b', name: 'now', arguments: {} },
    ])
    expect(sentAnswers(format, next)).toEqual([
      { id: 'call_a', text: expect.stringContaining('was not run') },
      { id: 'call_b', text: '12:00' },
    ])
  })

  it('asks nobody to approve a call that was refused', async () => {
    const asked: string[] = []
    const run = vi.fn()
    const target = await serve(
      inTurn([says(format, [write(hopeless), write(whole)]), says(format, [], { text: 'ok' })]),
    )
    await runAgent(target, {
      format,
      tools,
      run,
      approve: (call) => {
        asked.push(JSON.stringify(call.arguments))
        return false
      },
    })
    expect(asked).toEqual([JSON.stringify(JSON.parse(whole))])
    expect(run).not.toHaveBeenCalled()
    const [, next] = target.requests
    if (next === undefined) throw new Error('there was no second request')
    expect(sentAnswers(format, next).map(({ text }) => text)).toEqual([
      expect.stringContaining('was not run'),
      'The user said no.',
    ])
  })
})

describe('a meter', () => {
  it('counts over the loops of several formats, repairs and all', async () => {
    const meter = createMeter()
    const fenced = `\`\`\`json\n${whole}\n\`\`\``
    for (const format of ['openai-chat', 'anthropic'] as const) {
      const target = await serve(
        inTurn([
          says(format, [write(cutText), write(fenced), { name: 'now', arguments: '{}' }]),
          says(format, [{ name: 'unheard_of', arguments: '{}' }]),
          says(format, [], { text: 'ok' }),
        ]),
      )
      await runAgent(target, { format, tools, run: () => 'ok', onAudit: meter.onAudit })
    }
    const perFormat = {
      calls: 4,
      ok: 2,
      failed: 2,
      repaired: 1,
      repairs: { fence: 1 },
      failures: { truncated: 1, 'unknown-tool': 1 },
    }
    expect(meter.snapshot()).toEqual({
      calls: 8,
      ok: 4,
      failed: 4,
      repaired: 2,
      repairs: { fence: 2 },
      failures: { truncated: 2, 'unknown-tool': 2 },
      tools: {
        write_file: { calls: 4, ok: 2, failed: 2, repaired: 2, repairs: { fence: 2 }, failures: { truncated: 2 } },
        now: { calls: 2, ok: 2, failed: 0, repaired: 0, repairs: {}, failures: {} },
        unheard_of: { calls: 2, ok: 0, failed: 2, repaired: 0, repairs: {}, failures: { 'unknown-tool': 2 } },
      },
      formats: { 'openai-chat': perFormat, anthropic: perFormat },
    })
  })
})
