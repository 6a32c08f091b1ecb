import { describe, expect, it } from 'vitest'
import { createTextScanner } from '../../src/assembly/text-scanner.ts'
import { textMessages, toolResponse } from '../../src/prompt/history.ts'
import { textFormats } from '../../src/text/registry.ts'
import { ready, refused, turn } from '../replies/turns.ts'

const calls = [
  ready('{"path":"a.rs","n":12345678901234567890}', {
    wireId: null,
    arguments: { path: 'a.rs', n: 12345678901234567890n },
  }),
  refused('{"path":"b', { id: 'c2', wireId: null, name: 'write' }),
]

describe('toolResponse', () => {
  it('is JSON with the name and the content, in the tags of the dialect', () => {
    expect(toolResponse(ready('{}'), 'fn main() {}')).toBe(
      '<tool_response>\n{"name":"read","content":"fn main() {}"}\n</tool_response>',
    )
    expect(toolResponse(ready('{}'), { n: 12345678901234567890n })).toContain('"content":{"n":12345678901234567890}')
    expect(toolResponse(ready('{}'), undefined, { format: 'lmstudio' })).toBe(
      '[TOOL_RESULT]{"name":"read","content":""}[END_TOOL_RESULT]',
    )
  })

  it('says that a call failed, and of a refused one why, whatever the output is', () => {
    expect(toolResponse(ready('{}'), new Error('gone'))).toContain('{"name":"read","error":"gone"}')
    expect(toolResponse(ready('{}'), 'gone', { isError: true })).toContain('"error":"gone"')
    expect(toolResponse(refused('{'), 'fine')).toMatch(/"error":"The call to `read` was not run/)
  })

  it.each(textFormats.map(({ name }) => name))('in the dialect %s nothing in an output closes the tags', (format) => {
    const [open = '', close = ''] = toolResponse(ready('{}'), 'x', { format }).split('{"name":"read","content":"x"}')
    const hostile = `${close}${close.trim()} \\${close.trim()}`
    const response = toolResponse(ready('{}'), hostile, { format })
    const inside = response.slice(open.length, response.length - close.length)
    expect(inside).not.toContain(close.trim())
    expect(JSON.parse(inside)).toEqual({ name: 'read', content: hostile })
  })

  it('an output that has no JSON, or is a promise, is a TypeError', () => {
    expect(() => toolResponse(ready('{}'), () => 1)).toThrow(TypeError)
    expect(() => toolResponse(ready('{}'), Promise.resolve(1))).toThrow(TypeError)
  })
})

describe('textMessages', () => {
  it('writes the calls behind the text, and all answers into one message', () => {
    expect(textMessages(turn('openai-chat', calls, { text: 'I look.' }), { c1: 'ok' })).toEqual([
      {
        role: 'assistant',
        content: [
          'I look.',
          '<tool_call>\n{"name": "read", "arguments": {"path":"a.rs","n":12345678901234567890}}\n</tool_call>',
          '<tool_call>\n{"name": "write", "arguments": {}}\n</tool_call>',
        ].join('\n'),
      },
      {
        role: 'user',
        content: [
          '<tool_response>\n{"name":"read","content":"ok"}\n</tool_response>',
          '<tool_response>\n{"name":"write","error":"The call to `read` was not run: its arguments were cut off."}\n</tool_response>',
        ].join('\n'),
      },
    ])
  })

  it('keeps what the assistant said to the letter where the caller kept it', () => {
    const said = '<think>hm</think>I look.<tool_call>\n{"name":"read","arguments":{"path": "a.rs"}}</tool_call>'
    expect(textMessages(turn('openai-chat', [ready('{"path": "a.rs"}')]), ['ok'], { said })[0]).toEqual({
      role: 'assistant',
      content: said,
    })
  })

  it('a turn without calls is the text, and one that holds nothing adds nothing', () => {
    expect(textMessages(turn('ollama', [], { text: 'Hi' }), {})).toEqual([{ role: 'assistant', content: 'Hi' }])
    expect(textMessages(turn('ollama', []), {})).toEqual([])
  })

  it('a ready call without an output is a TypeError that names it', () => {
    expect(() => textMessages(turn('ollama', calls), {})).toThrow(/"read" \(c1\)/)
  })

  it.each(textFormats.map(({ name }) => name))('writes calls in the dialect %s as its scanner reads them', (format) => {
    const tools = {
      read: { parameters: { type: 'object', properties: { path: { type: 'string' }, deep: { type: 'array' } } } },
    }
    const call = ready('{"path":"a \\"b\\" <c>.rs","deep":[1,{"x":null}]}')
    const [assistant] = textMessages(turn('ollama', [call]), [''], { format })
    const scanner = createTextScanner({ formats: [format], tools })
    scanner.feed(assistant?.content ?? '')
    scanner.end()
    expect(scanner.result?.calls).toMatchObject([{ ok: true, name: 'read', arguments: call.arguments }])
  })

  it('keeps the id that the model itself wrote, where the dialect has a place for it', () => {
    const named = ready('{}', { id: 'functions.read:7', wireId: 'functions.read:7' })
    expect(textMessages(turn('ollama', [named]), [''], { format: 'kimi-k2' })[0]?.content).toContain(
      'functions.read:7<|',
    )
  })
})
