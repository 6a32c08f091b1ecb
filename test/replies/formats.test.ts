// The shapes that each API documents, written out: one turn that has every kind of call in it, and the answers to all of them.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import type { ReplyFormatName } from '../../src/replies/messages.ts'
import { assistantTurn, nextMessages, toolReply } from '../../src/replies/reply.ts'
import { custom, ready, refused, turn } from './turns.ts'

const refusal = 'The call to `read` was not run: its arguments were cut off.'

/** A ready call with text output, one with object output, a refused one, and one whose arguments had a fence around them. */
function mixed(format: ReplyFormatName, extra?: JsonObject) {
  const fenced = '```json\n{"n": 1.0}\n```'
  return turn(
    format,
    [
      ready('{ "path":"ü😀.rs" }', extra === undefined ? {} : { extra }),
      ready('{}', { id: 'c2', wireId: 'c2', name: 'list' }),
      refused('{"path":"a', { id: 'c3', wireId: 'c3' }),
      ready(fenced, {
        id: 'c4',
        wireId: 'c4',
        name: 'count',
        arguments: { n: 1 },
        repairs: [
          { name: 'fence', start: 0, end: 8, before: '```json\n' },
          { name: 'fence', start: 18, end: 22, before: '\n```' },
        ],
      }),
    ],
    { text: 'I look.' },
  )
}

const outputs = { c1: 'fn main() {}', c2: { files: ['a', 'ü'], big: 1 }, c4: new Error('no such thing') }

/** A call that is an item of its own type and no function. */
function item(type: string, argumentsText: string) {
  return ready(argumentsText, { name: type, extra: { type, id: 'item_1' } })
}

describe('Chat Completions', () => {
  it('writes the turn with arguments as text and answers each call with a tool message', () => {
    const result = mixed('openai-chat', { extra_content: { google: { thought_signature: 'sig' } } })
    expect(nextMessages(result, outputs, { format: 'openai-chat' })).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'read', arguments: '{ "path":"ü😀.rs" }' },
            extra_content: { google: { thought_signature: 'sig' } },
          },
          { id: 'c2', type: 'function', function: { name: 'list', arguments: '{}' } },
          { id: 'c3', type: 'function', function: { name: 'read', arguments: '{}' } },
          { id: 'c4', type: 'function', function: { name: 'count', arguments: '{"n": 1.0}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'fn main() {}' },
      { role: 'tool', tool_call_id: 'c2', content: '{"files":["a","ü"],"big":1}' },
      { role: 'tool', tool_call_id: 'c3', content: refusal },
      { role: 'tool', tool_call_id: 'c4', content: 'no such thing' },
    ])
  })

  it('has no content beside calls without text, and no list of calls without calls', () => {
    expect(assistantTurn(turn('openai-chat', [ready('{}')]), { format: 'openai-chat' }).content).toBeNull()
    expect(assistantTurn(turn('openai-chat', [], { text: 'Hi' }), { format: 'openai-chat' })).toEqual({
      role: 'assistant',
      content: 'Hi',
    })
    expect(assistantTurn(turn('openai-chat', [], { refusal: 'No.' }), { format: 'openai-chat' })).toEqual({
      role: 'assistant',
      content: null,
      refusal: 'No.',
    })
  })

  it('names the tool on request', () => {
    expect(toolReply(ready('{}'), 'x', { format: 'openai-chat', includeName: true })).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      name: 'read',
      content: 'x',
    })
  })

  it('keeps reasoning only on request, and its details on the message', () => {
    const details = [{ type: 'reasoning.encrypted', id: 'c1', data: 'x' }]
    const result = turn('openai-chat', [ready('{}', { extra: { reasoning_details: details } })], { reasoning: 'hm' })
    expect(assistantTurn(result, { format: 'openai-chat', reasoning: true })).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'hm',
      reasoning_details: details,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    })
    expect(assistantTurn(result, { format: 'openai-chat' })).not.toHaveProperty('reasoning_content')
  })

  it('writes a free-text call as the custom call that the API knows', () => {
    expect(
      assistantTurn(turn('openai-responses', [custom('*** Begin')]), { format: 'openai-chat' }).tool_calls,
    ).toEqual([{ id: 'c1', type: 'custom', custom: { name: 'patch', input: '*** Begin' } }])
  })
})

describe('Responses', () => {
  it('writes the turn as items and answers each call with an output item', () => {
    const caller = { type: 'program', caller_id: 'p1' }
    const result = mixed('openai-responses', { namespace: 'fs', caller })
    expect(nextMessages(result, outputs, { format: 'openai-responses' })).toEqual([
      { type: 'message', role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{ "path":"ü😀.rs" }', namespace: 'fs', caller },
      { type: 'function_call', call_id: 'c2', name: 'list', arguments: '{}' },
      { type: 'function_call', call_id: 'c3', name: 'read', arguments: '{}' },
      { type: 'function_call', call_id: 'c4', name: 'count', arguments: '{"n": 1.0}' },
      { type: 'function_call_output', call_id: 'c1', output: 'fn main() {}', caller },
      { type: 'function_call_output', call_id: 'c2', output: '{"files":["a","ü"],"big":1}' },
      { type: 'function_call_output', call_id: 'c3', output: refusal },
      { type: 'function_call_output', call_id: 'c4', output: 'no such thing' },
    ])
  })

  it('answers a free-text call with its own kind of output', () => {
    expect(
      nextMessages(turn('openai-responses', [custom('*** Begin')]), ['done'], { format: 'openai-responses' }),
    ).toEqual([
      { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
    ])
  })

  it('answers a refused free-text call with its own kind of output too, and replays what was written', () => {
    const cut = refused('*** Beg', { kind: 'custom', name: 'patch' })
    expect(nextMessages(turn('openai-responses', [cut]), {}, { format: 'openai-responses' })).toEqual([
      { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** Beg' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: refusal },
    ])
  })

  const format = 'openai-responses'

  it('puts encrypted reasoning whole in front of the call that it led to', () => {
    const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
    const caller = { type: 'program', caller_id: 'p1' }
    const result = turn(format, [ready('{}', { extra: { caller, reasoning: [thought, 'x'] } })])
    expect(assistantTurn(result, { format })).toEqual([
      thought,
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}', caller },
    ])
  })

  it('writes a local shell call and its output under both ids', () => {
    const call = item('local_shell_call', '{"type":"exec","command":["ls"],"env":{}}')
    expect(nextMessages(turn(format, [call]), ['a.rs'], { format })).toEqual([
      {
        type: 'local_shell_call',
        id: 'item_1',
        call_id: 'c1',
        status: 'completed',
        action: { type: 'exec', command: ['ls'], env: {} },
      },
      { type: 'local_shell_call_output', id: 'item_1', call_id: 'c1', output: 'a.rs' },
    ])
  })

  it('writes a shell call with its output as runs', () => {
    const call = item('shell_call', '{"commands":["ls"]}')
    expect(nextMessages(turn(format, [call]), ['a.rs'], { format })).toEqual([
      { type: 'shell_call', call_id: 'c1', status: 'completed', action: { commands: ['ls'] } },
      {
        type: 'shell_call_output',
        call_id: 'c1',
        output: [{ stdout: 'a.rs', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ])
    const run = { stdout: '', stderr: 'slow', outcome: { type: 'timeout' } }
    expect(toolReply(call, [run, run], { format })).toHaveProperty('output', [run, run])
    expect(toolReply(call, run, { format })).toHaveProperty('output', [run])
    expect(toolReply(call, new Error('gone'), { format })).toHaveProperty('output', [
      { stdout: '', stderr: 'gone', outcome: { type: 'exit', exit_code: 1 } },
    ])
  })

  it('says of a patch whether it was applied', () => {
    const call = item('apply_patch_call', '{"type":"delete_file","path":"a"}')
    expect(nextMessages(turn(format, [call]), [''], { format })).toEqual([
      { type: 'apply_patch_call', call_id: 'c1', status: 'completed', operation: { type: 'delete_file', path: 'a' } },
      { type: 'apply_patch_call_output', call_id: 'c1', status: 'completed', output: '' },
    ])
    expect(toolReply(call, 'conflict', { format, isError: true })).toMatchObject({
      status: 'failed',
      output: 'conflict',
    })
  })

  it('answers a computer call with a picture, and keeps one action apart from several', () => {
    const one = item('computer_call', '{"type":"click","x":1,"y":2,"button":"left"}')
    expect(nextMessages(turn(format, [one]), ['data:image/png;base64,AA=='], { format })).toEqual([
      {
        type: 'computer_call',
        id: 'item_1',
        call_id: 'c1',
        status: 'completed',
        pending_safety_checks: [],
        action: { type: 'click', x: 1, y: 2, button: 'left' },
      },
      {
        type: 'computer_call_output',
        call_id: 'c1',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' },
      },
    ])
    const several = turn(format, [item('computer_call', '{"actions":[{"type":"wait"}]}')])
    expect(assistantTurn(several, { format })[0]).toMatchObject({ actions: [{ type: 'wait' }] })
    expect(assistantTurn(several, { format })[0]).not.toHaveProperty('action')
    expect(toolReply(one, { file_id: 'f1' }, { format })).toHaveProperty('output', {
      type: 'computer_screenshot',
      file_id: 'f1',
    })
    expect(toolReply(one, new Error('gone'), { format })).toHaveProperty('output', { type: 'computer_screenshot' })
  })

  it('answers a tool search with the tools that it found', () => {
    const call = item('tool_search_call', '{"query":"x"}')
    const tools = [{ type: 'function', name: 'f' }]
    expect(nextMessages(turn(format, [call]), [{ tools }], { format })).toEqual([
      { type: 'tool_search_call', call_id: 'c1', status: 'completed', execution: 'client', arguments: { query: 'x' } },
      { type: 'tool_search_output', call_id: 'c1', execution: 'client', status: 'completed', tools },
    ])
    expect(() => toolReply(call, 'none', { format })).toThrow(TypeError)
  })

  it('stands the least that the API takes in for a refused item, and says why', () => {
    const extra = { type: 'local_shell_call', id: 'item_1' }
    const [call, output] = nextMessages(turn(format, [refused('{"type', { extra })]), {}, { format })
    expect(call).toMatchObject({ type: 'local_shell_call', action: { type: 'exec', command: [], env: {} } })
    expect(output).toMatchObject({ type: 'local_shell_call_output', output: refusal })
  })
})

describe('Anthropic', () => {
  it('writes arguments as objects and puts all results into one user message', () => {
    const caller = { type: 'code_execution_20250825', tool_id: 's1' }
    expect(nextMessages(mixed('anthropic', { caller }), outputs, { format: 'anthropic' })).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'ü😀.rs' }, caller },
          { type: 'tool_use', id: 'c2', name: 'list', input: {} },
          { type: 'tool_use', id: 'c3', name: 'read', input: {} },
          { type: 'tool_use', id: 'c4', name: 'count', input: { n: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'fn main() {}' }] },
          { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: '{"files":["a","ü"],"big":1}' }] },
          { type: 'tool_result', tool_use_id: 'c3', is_error: true, content: [{ type: 'text', text: refusal }] },
          {
            type: 'tool_result',
            tool_use_id: 'c4',
            is_error: true,
            content: [{ type: 'text', text: 'no such thing' }],
          },
        ],
      },
    ])
  })

  it('sends no blank text, which the API refuses', () => {
    const result = turn('anthropic', [ready('{}')], { text: ' \n' })
    expect(nextMessages(result, [''], { format: 'anthropic' })).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
    ])
    const [result1] = toolReply(ready('{}'), '', { format: 'anthropic', isError: true }).content
    expect(result1?.content).toEqual([{ type: 'text', text: 'The tool failed and gave no message.' }])
  })

  it('answers a call of a toolset in its name', () => {
    const call = ready('{}', { extra: { toolset_name: 'browser' } })
    expect(nextMessages(turn('anthropic', [call]), ['ok'], { format: 'anthropic' })).toMatchObject([
      { content: [{ type: 'tool_use', toolset_name: 'browser' }] },
      { content: [{ type: 'tool_result', toolset_name: 'browser' }] },
    ])
  })

  it('makes ids of other wires fit, in the turn and its answers alike', () => {
    const call = ready('{}', { id: 'functions.add:0', wireId: 'functions.add:0' })
    const [history, answers] = nextMessages(turn('openai-chat', [call]), ['1'], { format: 'anthropic' })
    expect(history?.content).toMatchObject([{ id: 'functions_2e_add_3a_0' }])
    expect(answers?.content).toMatchObject([{ tool_use_id: 'functions_2e_add_3a_0' }])
  })
})

describe('Ollama', () => {
  it('writes arguments as objects and names the tool that answers', () => {
    expect(nextMessages(mixed('ollama'), outputs, { format: 'ollama' })).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'c1', function: { name: 'read', arguments: { path: 'ü😀.rs' } } },
          { id: 'c2', function: { name: 'list', arguments: {} } },
          { id: 'c3', function: { name: 'read', arguments: {} } },
          { id: 'c4', function: { name: 'count', arguments: { n: 1 } } },
        ],
      },
      { role: 'tool', tool_name: 'read', tool_call_id: 'c1', content: 'fn main() {}' },
      { role: 'tool', tool_name: 'list', tool_call_id: 'c2', content: '{"files":["a","ü"],"big":1}' },
      { role: 'tool', tool_name: 'read', tool_call_id: 'c3', content: refusal },
      { role: 'tool', tool_name: 'count', tool_call_id: 'c4', content: 'no such thing' },
    ])
  })

  it('sends no id where the server gave none, and keeps the thinking', () => {
    const call = ready('{}', { id: 'call_0', wireId: null })
    expect(nextMessages(turn('ollama', [call], { reasoning: 'hm' }), [2], { format: 'ollama' })).toEqual([
      { role: 'assistant', content: '', thinking: 'hm', tool_calls: [{ function: { name: 'read', arguments: {} } }] },
      { role: 'tool', tool_name: 'read', content: '2' },
    ])
  })
})

describe('Gemini', () => {
  it('keeps the thought signature on its part and puts all responses into one content', () => {
    expect(nextMessages(mixed('gemini', { thoughtSignature: 'sig' }), outputs, { format: 'gemini' })).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          { functionCall: { id: 'c1', name: 'read', args: { path: 'ü😀.rs' } }, thoughtSignature: 'sig' },
          { functionCall: { id: 'c2', name: 'list', args: {} } },
          { functionCall: { id: 'c3', name: 'read', args: {} } },
          { functionCall: { id: 'c4', name: 'count', args: { n: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'read', response: { output: 'fn main() {}' } } },
          { functionResponse: { id: 'c2', name: 'list', response: { output: { files: ['a', 'ü'], big: 1 } } } },
          { functionResponse: { id: 'c3', name: 'read', response: { error: refusal } } },
          { functionResponse: { id: 'c4', name: 'count', response: { error: 'no such thing' } } },
        ],
      },
    ])
  })

  it('sends no id where the model gave none', () => {
    const call = ready('{"a":1}', { id: 'call_0', wireId: null })
    expect(nextMessages(turn('gemini', [call]), [undefined], { format: 'gemini' })).toEqual([
      { role: 'model', parts: [{ functionCall: { name: 'read', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: '' } } }] },
    ])
  })
})

describe('Cohere', () => {
  it('writes arguments as text, the plan beside the calls, and answers each call with a tool message', () => {
    const result = { ...mixed('cohere'), reasoning: 'First I read.' }
    expect(nextMessages(result, outputs, { format: 'cohere' })).toEqual([
      {
        role: 'assistant',
        content: 'I look.',
        tool_plan: 'First I read.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read', arguments: '{ "path":"ü😀.rs" }' } },
          { id: 'c2', type: 'function', function: { name: 'list', arguments: '{}' } },
          { id: 'c3', type: 'function', function: { name: 'read', arguments: '{}' } },
          { id: 'c4', type: 'function', function: { name: 'count', arguments: '{"n": 1.0}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'fn main() {}' },
      { role: 'tool', tool_call_id: 'c2', content: '{"files":["a","ü"],"big":1}' },
      { role: 'tool', tool_call_id: 'c3', content: refusal },
      { role: 'tool', tool_call_id: 'c4', content: 'no such thing' },
    ])
  })
})

describe('Bedrock', () => {
  it('writes arguments as objects and puts all results, with their status, into one user message', () => {
    expect(nextMessages(mixed('bedrock'), outputs, { format: 'bedrock' })).toEqual([
      {
        role: 'assistant',
        content: [
          { text: 'I look.' },
          { toolUse: { toolUseId: 'c1', name: 'read', input: { path: 'ü😀.rs' } } },
          { toolUse: { toolUseId: 'c2', name: 'list', input: {} } },
          { toolUse: { toolUseId: 'c3', name: 'read', input: {} } },
          { toolUse: { toolUseId: 'c4', name: 'count', input: { n: 1 } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'c1', status: 'success', content: [{ text: 'fn main() {}' }] } },
          { toolResult: { toolUseId: 'c2', status: 'success', content: [{ json: { files: ['a', 'ü'], big: 1 } }] } },
          { toolResult: { toolUseId: 'c3', status: 'error', content: [{ text: refusal }] } },
          { toolResult: { toolUseId: 'c4', status: 'error', content: [{ text: 'no such thing' }] } },
        ],
      },
    ])
  })

  it('sends a list as text: models that take JSON want an object', () => {
    const { content } = toolReply(ready('{}'), [1, 2], { format: 'bedrock' })
    expect(content[0]?.toolResult.content).toEqual([{ text: '[1,2]' }])
  })
})
