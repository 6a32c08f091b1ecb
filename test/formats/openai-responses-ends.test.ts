// A call of the Responses API is whole when its own end says so: announced, or repeated by a response that was cut, it is not.
import { describe, expect, it } from 'vitest'
import { createAssembler, readResponse, type AssemblerResult } from '../../src/index.ts'
import { agreed, outcomes, sse, warningCodes } from '../helpers/agreed.ts'

const limit = { incomplete_details: { reason: 'max_output_tokens' } }

const created = { type: 'response.created', response: { object: 'response', status: 'in_progress', output: [] } }
const added = (item: object, output_index = 0): object => ({ type: 'response.output_item.added', output_index, item })
const done = (item: object, output_index = 0): object => ({ type: 'response.output_item.done', output_index, item })
const completed = (...output: unknown[]): object => ({
  type: 'response.completed',
  response: { object: 'response', status: 'completed', output },
})
const incomplete = (...output: object[]): object => ({
  type: 'response.incomplete',
  response: { object: 'response', status: 'incomplete', output, ...limit },
})

const assembled = (...events: object[]): AssemblerResult => agreed('openai-responses', sse(created, ...events))

const patch = (diff: string, fields: object = {}): object => ({
  type: 'apply_patch_call',
  id: 'i',
  call_id: 'a',
  operation: { type: 'update_file', path: 'a', diff },
  ...fields,
})
const diffEvent = (kind: string, fields: object): object => ({
  type: `response.apply_patch_call_operation_diff.${kind}`,
  output_index: 0,
  item_id: 'i',
  ...fields,
})
const shell = (fields: object = {}): object => ({
  type: 'local_shell_call',
  id: 'i',
  call_id: 'a',
  action: { type: 'exec', command: ['rm'] },
  ...fields,
})
const custom = (input: string, fields: object = {}): object => ({
  type: 'custom_tool_call',
  id: 'i',
  call_id: 'a',
  name: 'sh',
  input,
  ...fields,
})
const customDelta = (delta: string): object => ({
  type: 'response.custom_tool_call_input.delta',
  output_index: 0,
  item_id: 'i',
  delta,
})
const customDone = (input: string): object => ({
  type: 'response.custom_tool_call_input.done',
  output_index: 0,
  item_id: 'i',
  input,
})
const fn = (args: unknown, fields: object = {}): object => ({
  type: 'function_call',
  id: 'i',
  call_id: 'a',
  name: 'f',
  arguments: args,
  ...fields,
})

const inProgress = { status: 'in_progress' }

describe('a call that was only announced', () => {
  const action = '{"type":"exec","command":["rm"]}'

  it.each<[string, object, string, unknown]>([
    ['at the output limit', incomplete(), 'truncated', { cause: 'output-limit' }],
    ['of a response that calls itself complete', completed(), 'truncated', { cause: 'unreported' }],
    ['of a stream that breaks off', { type: 'response.in_progress' }, 'truncated', { cause: 'connection' }],
  ])('is cut %s, whatever it is', (_, ending, code, truncation) => {
    for (const [item, name, text] of [
      [shell(inProgress), 'local_shell_call', action],
      [shell(), 'local_shell_call', action],
      [{ type: 'computer_call', id: 'i', call_id: 'a', action: { type: 'wait' } }, 'computer_call', '{"type":"wait"}'],
      [custom('', inProgress), 'sh', ''],
      [fn('', inProgress), 'f', ''],
      [fn({}, inProgress), 'f', '{}'],
    ] as const) {
      const result = assembled(added(item), ending)
      expect(outcomes(result)).toEqual([[name, code, text]])
      expect(result.calls).toMatchObject([{ failure: { truncation } }])
      expect(result.finish.truncated).toBe(true)
    }
  })

  it('goes by its arguments where they are text', () => {
    expect(outcomes(assembled(added(fn('{"x":1}', inProgress)), completed()))).toEqual([['f', { x: 1 }]])
    expect(outcomes(assembled(added(fn('{"x"', inProgress)), completed()))).toEqual([['f', 'truncated', '{"x"']])
  })

  it('does not lose the pieces that its end would have had whole', () => {
    for (const ending of [incomplete(), completed(), incomplete(patch('', inProgress))]) {
      const result = assembled(
        added(patch('', inProgress)),
        diffEvent('delta', { delta: '@@ -1' }),
        diffEvent('delta', { delta: ' +1 @@' }),
        ending,
      )
      expect(outcomes(result)).toEqual([
        ['apply_patch_call', 'truncated', '{"type":"update_file","path":"a","diff":""}'],
      ])
      expect(result.warnings).toMatchObject([{ code: 'orphan-fragment', raw: '@@ -1 +1 @@' }])
    }
    const shellItem = { type: 'shell_call', id: 'i', call_id: 'a', action: { commands: [] } }
    const command = { type: 'response.shell_call_command.done', output_index: 0, command_index: 0, command: 'ls' }
    expect(assembled(added(shellItem), command, completed()).warnings).toMatchObject([{ raw: 'ls' }])
    expect(assembled(diffEvent('delta', { delta: '@@' }), completed()).warnings).toMatchObject([
      { code: 'orphan-fragment', raw: '@@' },
    ])
  })

  it('is whole by its own end, or by that of the response, and its pieces are not told twice', () => {
    const pieces = [
      added(patch('', inProgress)),
      diffEvent('delta', { delta: '@@' }),
      diffEvent('done', { diff: '@@' }),
    ]
    for (const events of [
      [done(patch('@@', { status: 'completed' })), completed()],
      [done(patch('@@')), incomplete()],
      [completed(patch('@@'))],
      [incomplete(patch('@@', { status: 'completed' }))],
    ]) {
      const result = assembled(...pieces, ...events)
      expect(outcomes(result)).toEqual([['apply_patch_call', { type: 'update_file', path: 'a', diff: '@@' }]])
      expect(result.warnings).toEqual([])
    }
  })

  it('is damaged by a piece of another type', () => {
    const result = assembled(added(patch('')), diffEvent('delta', { delta: 5 }), done(patch('@@')), completed())
    expect(result.calls).toMatchObject([{ ok: false, failure: { code: 'damaged' } }])
  })
})

describe('an item’s status', () => {
  it.each<[string, object[], unknown]>([
    ['nothing at all', [], 'truncated'],
    ['a repetition in the cut response without a status', [incomplete(custom('rm -rf /tm'))], 'truncated'],
    ['a repetition that is in progress', [incomplete(custom('rm -rf /tm', inProgress))], 'truncated'],
    ['a repetition that is incomplete', [incomplete(custom('rm -rf /tm', { status: 'incomplete' }))], 'truncated'],
    [
      'the end of its input, then its status',
      [customDone('rm -rf /tm'), incomplete(custom('rm -rf /tm', { status: 'incomplete' }))],
      'truncated',
    ],
    ['a repetition that is completed', [incomplete(custom('rm -rf /tm', { status: 'completed' }))], 'rm -rf /tm'],
    ['the end of its input', [customDone('rm -rf /tm')], 'rm -rf /tm'],
    ['its own end', [done(custom('rm -rf /tm'))], 'rm -rf /tm'],
    ['its own end, incomplete', [done(custom('rm -rf /tm', { status: 'incomplete' }))], 'truncated'],
  ])('at the output limit: free text with %s', (_, events, fate) => {
    const ending = events.some((event) => 'response' in event) ? [] : [incomplete()]
    const result = assembled(added(custom('')), customDelta('rm -rf /tm'), ...events, ...ending)
    expect(outcomes(result)[0]?.[1]).toBe(fate)
    expect(result.finish).toMatchObject({ reason: 'length', truncated: true })
    expect(warningCodes(result)).toEqual([])
  })

  it('is a witness of its own where the response calls itself complete', () => {
    const status = { status: 'incomplete' }
    for (const [item, name, text] of [
      [custom('rm -rf /tm', status), 'sh', 'rm -rf /tm'],
      [shell(status), 'local_shell_call', '{"type":"exec","command":["rm"]}'],
      [fn('', status), 'f', ''],
      [fn('{}', status), 'f', '{}'],
      [fn('{"x":', status), 'f', '{"x":'],
    ] as const) {
      for (const events of [
        [added(item), done(item), completed()],
        [added(item), completed(item)],
        [completed(item)],
      ]) {
        const result = assembled(...events)
        expect(outcomes(result)).toEqual([[name, 'truncated', text]])
        expect(result.finish).toMatchObject({ reason: 'tool-calls', truncated: true })
      }
    }
    // Nothing can follow a whole object in text, but the turn does lack something.
    const whole = assembled(done(fn('{"x":1}', status)), completed())
    expect(outcomes(whole)).toEqual([['f', { x: 1 }]])
    expect(whole.finish.truncated).toBe(true)
  })

  it('counts in a whole body as in a stream', () => {
    const body = (status: string, item: object): object => ({
      object: 'response',
      status,
      output: [item],
      ...(status === 'incomplete' ? limit : {}),
    })
    for (const [given, fate] of [
      [body('incomplete', custom('rm')), 'truncated'],
      [body('incomplete', custom('rm', inProgress)), 'truncated'],
      [body('incomplete', custom('rm', { status: 'completed' })), 'rm'],
      [body('completed', custom('rm')), 'rm'],
      [body('completed', custom('rm', { status: 'incomplete' })), 'truncated'],
      [body('incomplete', shell()), 'truncated'],
      [body('incomplete', shell({ status: 'completed' })), { type: 'exec', command: ['rm'] }],
    ] as const) {
      const result = agreed('openai-responses', JSON.stringify(given))
      expect(outcomes(result)[0]?.[1]).toEqual(fate)
      expect(readResponse(given)).toEqual(result)
      expect(readResponse(given, { format: 'openai-responses' })).toEqual(result)
    }
  })
})

describe('an entry of the output that is no object', () => {
  it('is told, and taken for damage', () => {
    const result = assembled(
      done(fn('{"x":1}')),
      added(fn('', { id: 'j', call_id: 'b' }), 1),
      completed('x', fn('{"x":1}')),
    )
    expect(outcomes(result)).toEqual([
      ['f', { x: 1 }],
      ['f', 'damaged', ''],
    ])
    expect(result.warnings).toMatchObject([{ code: 'unexpected-type', raw: '"x"' }])
    expect(result.finish.truncated).toBe(true)
  })

  it('is told where a fed list has holes', () => {
    const assembler = createAssembler({ format: 'openai-responses' })
    const output = Array.from<object>({ length: 2 })
    output[1] = fn('{}')
    assembler.feedEvent(completed(...output))
    assembler.end()
    expect(assembler.result?.calls).toMatchObject([{ ok: true, name: 'f' }])
    expect(assembler.result?.warnings).toMatchObject([{ code: 'unexpected-type' }])
  })
})
