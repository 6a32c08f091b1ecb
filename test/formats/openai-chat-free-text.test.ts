// Free-text calls of Chat Completions: the same rules of identity as for functions, and no structure to witness their end.
import { describe, expect, it } from 'vitest'
import { readResponse, type AssemblerOptions, type AssemblerResult } from '../../src/index.ts'
import { agreed, outcomes, sse, warningCodes } from '../helpers/agreed.ts'

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})

function streamed(pieces: readonly object[], reason = 'tool_calls', options: AssemblerOptions = {}): AssemblerResult {
  const deltas = pieces.map((piece) => chunk({ tool_calls: [piece] }))
  return agreed('openai-chat', sse(chunk({ role: 'assistant' }), ...deltas, chunk({}, reason), '[DONE]'), options)
}

const piece = (fields: object, custom?: object): object => ({ ...fields, ...(custom && { type: 'custom', custom }) })
const ofFunction = (fields: object, body: object): object => ({ ...fields, type: 'function', function: body })

const outcome = (...pieces: object[]): unknown => outcomes(streamed(pieces))

describe('a free-text call in deltas', () => {
  it('grows under its index', () => {
    expect(
      outcome(
        piece({ index: 0, id: 'a' }, { name: 'sh', input: '' }),
        piece({ index: 1, id: 'b' }, { name: 'py', input: '1' }),
        { index: 0, custom: { input: 'ls ' } },
        { index: 0, id: '', type: '', custom: { name: '', input: '-l' } },
      ),
    ).toEqual([
      ['sh', 'ls -l'],
      ['py', '1'],
    ])
  })

  it('is a new one where a second id comes with a name on a used index', () => {
    expect(
      outcome(
        piece({ index: 0, id: 'a' }, { name: 'sh', input: 'ls' }),
        piece({ index: 0, id: 'b' }, { name: 'py', input: '1' }),
        { index: 0, custom: { input: '+1' } },
      ),
    ).toEqual([
      ['sh', 'ls'],
      ['py', '1+1'],
    ])
  })

  it('goes on without an index, by its id or as the only one', () => {
    const opening = piece({ id: 'a' }, { name: 'sh', input: 'ls' })
    expect(outcome(opening, { custom: { input: ' -l' } })).toEqual([['sh', 'ls -l']])
    expect(outcome(opening, { id: 'a', custom: { input: ' -l' } })).toEqual([['sh', 'ls -l']])
    expect(outcome({ ...opening, index: 0 }, { id: 'a', custom: { input: ' -l' } })).toEqual([['sh', 'ls -l']])
    expect(outcome({ ...opening, index: 0 }, { custom: { input: ' -l' } })).toEqual([['sh', 'ls -l']])
  })

  it('is refused with every other that a piece may belong to: no free text is ever known to be whole', () => {
    const result = streamed([
      piece({ id: 'a' }, { name: 'sh', input: '{"a":1}' }),
      piece({ id: 'b' }, { name: 'py', input: '{"b":1}' }),
      { custom: { input: 'x' } },
    ])
    expect(outcomes(result)).toEqual([
      ['sh', 'ambiguous', '{"a":1}'],
      ['py', 'ambiguous', '{"b":1}'],
    ])
    expect(result.warnings).toMatchObject([{ code: 'ambiguous-fragment', raw: 'x' }])
    expect(result.finish.truncated).toBe(true)
  })

  it('is told from a function’s by what a piece is', () => {
    expect(
      outcome(
        piece({ id: 'a' }, { name: 'sh', input: 'l' }),
        ofFunction({ id: 'b' }, { name: 'f', arguments: '{"x"' }),
        { custom: { input: 's' } },
        { function: { arguments: ':1}' } },
      ),
    ).toEqual([
      ['sh', 'ls'],
      ['f', { x: 1 }],
    ])
  })

  it('gives up its index to a function with a name, and is refused for a piece of arguments without one', () => {
    const custom = piece({ index: 0, id: 'a' }, { name: 'sh', input: 'ls' })
    expect(outcome(custom, ofFunction({ index: 0 }, { name: 'f', arguments: '{}' }))).toEqual([
      ['sh', 'ls'],
      ['f', {}],
    ])
    const result = streamed([custom, ofFunction({ index: 0 }, { arguments: '{"x":1}' })])
    expect(outcomes(result)).toEqual([['sh', 'ambiguous', 'ls']])
    expect(result.warnings).toMatchObject([{ code: 'ambiguous-fragment', raw: '{"x":1}' }])
    expect(
      outcome(ofFunction({ index: 0 }, { name: 'f', arguments: '{}' }), { index: 0, custom: { input: 'l' } }),
    ).toEqual([['f', 'ambiguous', '{}']])
  })

  it('has its name in pieces, late, or repeated', () => {
    const named = (...names: string[]): unknown =>
      outcome(
        ...names.map((name, n) => piece({ index: 0, id: 'a' }, { name, input: n === names.length - 1 ? 'ls' : '' })),
      )
    expect(named('s', 'h')).toEqual([['sh', 'ls']])
    expect(named('', 'sh')).toEqual([['sh', 'ls']])
    expect(named('sh', 'sh')).toEqual([['sh', 'ls']])
    expect(
      outcome(piece({ index: 0, id: 'a', type: 'custom' }), { index: 0, custom: { name: 'sh', input: 'ls' } }),
    ).toEqual([['sh', 'ls']])
  })

  it('is damaged by another name once it has started', () => {
    const result = streamed([
      piece({ index: 0, id: 'a' }, { name: 'sh', input: 'ls' }),
      piece({ index: 0, id: 'a' }, { name: 'py', input: '' }),
    ])
    expect(outcomes(result)).toEqual([['sh', 'damaged', 'ls']])
    expect(result.warnings).toMatchObject([{ code: 'orphan-fragment', raw: 'py' }])
  })

  it('is damaged by a name or text of another type, and by a function beside it', () => {
    for (const body of [
      { name: 'sh', input: 5 },
      { name: 5, input: 'ls' },
    ]) {
      const result = streamed([piece({ index: 0, id: 'a' }, body)])
      expect(result.calls).toMatchObject([{ ok: false, failure: { code: 'damaged' } }])
      expect(result.warnings).toMatchObject([{ code: 'unexpected-type', raw: '5' }])
    }
    const both = {
      ...piece({ index: 0, id: 'a' }, { name: 'sh', input: 'ls' }),
      function: { name: 'f', arguments: '{}' },
    }
    const result = streamed([both])
    expect(outcomes(result)).toEqual([['sh', 'damaged', 'ls']])
    expect(result.warnings).toMatchObject([{ code: 'unexpected-type', raw: '{"name":"f","arguments":"{}"}' }])
  })

  it('is not said twice by a message that repeats it', () => {
    const repetition = (input: string): AssemblerResult => {
      const tool_calls = [piece({ id: 'a' }, { name: 'sh', input })]
      const message = {
        object: 'chat.completion',
        choices: [{ index: 0, message: { tool_calls }, finish_reason: 'stop' }],
      }
      const opening = chunk({
        role: 'assistant',
        tool_calls: [piece({ index: 0, id: 'a' }, { name: 'sh', input: 'ls' })],
      })
      return agreed('openai-chat', sse(opening, message, '[DONE]'))
    }
    expect(outcomes(repetition('ls'))).toEqual([['sh', 'ls']])
    expect(outcomes(repetition('ls -l'))).toEqual([['sh', 'damaged', 'ls']])
    expect(repetition('ls -l').warnings).toMatchObject([{ code: 'arguments-mismatch', raw: 'ls -l' }])
  })

  it('keeps what must go back with it', () => {
    const extra_content = { google: { thought_signature: 's' } }
    const { calls } = streamed([piece({ index: 0, id: 'a', extra_content }, { name: 'sh', input: 'ls' })])
    expect(calls).toMatchObject([{ ok: true, kind: 'custom', extra: { extra_content } }])
  })

  it('counts with the others against the limit', () => {
    const opening = (n: number): object => piece({ index: n, id: `c${n}` }, { name: 'sh', input: `${n}` })
    const result = streamed(
      [opening(0), opening(1), { index: 1, custom: { input: 'x' } }, { index: 0, custom: { input: 'y' } }],
      'tool_calls',
      {
        limits: { maxCalls: 1 },
      },
    )
    expect(outcomes(result)).toEqual([['sh', '0y']])
    expect(result.errors).toMatchObject([{ code: 'over-limit' }])
    expect(result.finish.truncated).toBe(true)
  })
})

describe('the end of a free-text call', () => {
  const calls = [{ index: 0, id: 'a', type: 'custom', custom: { name: 'sh', input: 'rm -rf /tm' } }]

  it.each<[string, string, unknown]>([
    ['length', 'truncated', 'output-limit'],
    ['content_filter', 'interrupted', 'content-filter'],
  ])('at %s is no end, in a stream, a body and a body fed as a stream', (reason, code, cause) => {
    const body = {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: reason }],
    }
    for (const result of [
      streamed(calls, reason),
      readResponse(body),
      readResponse(body, { format: 'openai-chat' }),
      agreed('openai-chat', JSON.stringify(body)),
    ]) {
      expect(outcomes(result)).toEqual([['sh', code, 'rm -rf /tm']])
      expect(result.calls).toMatchObject([{ kind: 'custom', failure: { truncation: { cause, finishReason: reason } } }])
      expect(warningCodes(result)).toEqual([])
    }
  })

  it('is that of the turn where nothing else speaks', () => {
    expect(outcomes(streamed(calls, 'stop'))).toEqual([['sh', 'rm -rf /tm']])
    expect(outcomes(agreed('openai-chat', sse(chunk({ role: 'assistant', tool_calls: calls }))))).toEqual([
      ['sh', 'truncated', 'rm -rf /tm'],
    ])
  })
})
