// What is wrong with a block is said, and nothing of it is lost.

import { describe, expect, it } from 'vitest'
import type { TextScannerOptions } from '../../src/assembly/text-scanner.ts'
import { scan, tools } from './support.ts'

const codes = (text: string | readonly string[], options: TextScannerOptions = {}, cut = false): string[] =>
  scan(text, { tools, ...options }, { cut }).calls.map((call) => (call.ok ? 'ok' : call.failure.code))

const call = '{"name": "get_weather", "arguments": {"city": "x"}}'

describe('a block without its close tag', () => {
  it('is a call if its body is whole and the model ended it, and cut if somebody else did', () => {
    for (const end of ['', '\n', '</tool', ' and text']) {
      expect(codes(`<tool_call>${call}${end}`)).toEqual(['ok'])
    }
    expect(codes(`<tool_call>${call}`, {}, true)).toEqual(['truncated'])
    expect(codes(`<tool_call>[${call}, ${call}`)).toEqual(['truncated', 'truncated'])
    expect(codes(`<tool_call>${call.slice(0, -1)}`)).toEqual(['truncated'])
  })

  it('is closed by the next opener', () => {
    expect(codes(`<tool_call>${call}<tool_call>${call}</tool_call>`)).toEqual(['ok', 'ok'])
    expect(codes(`<tool_call>${call}<tool_call>${call}</tool_call>`, { implicitClose: false })).toEqual([
      'malformed',
      'ok',
    ])
  })

  it('is refused where the caller wants the tag', () => {
    expect(codes(`<tool_call>${call}`, { missingClose: 'refuse' })).toEqual(['truncated'])
    expect(codes(`<tool_call>${call} text`, { missingClose: 'refuse' })).toEqual(['malformed'])
  })

  it('is whole without a tag in formats whose calls need none, even if the stream was cut', () => {
    expect(codes('[TOOL_CALLS]get_weather[ARGS]{"city": "x"}', {}, true)).toEqual(['ok'])
    expect(codes('[TOOL_CALLS]get_weather[ARGS]{"city": "x"', {}, true)).toEqual(['truncated'])
  })

  it('with tagged parameters could have gone on, unless the caller takes it as it is and nothing required is missing', () => {
    const strict = [
      { name: 'grep', parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] } },
    ]
    const one = '<tool_call>grep\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>'
    const two = `${one}\n<arg_key>b</arg_key>\n<arg_value>y</arg_value>`
    for (const [text, missingClose, code] of [
      [two, undefined, 'truncated'],
      [two, 'accept-complete', 'ok'],
      [one, 'accept-complete', 'truncated'],
    ] as const) {
      const options: TextScannerOptions = { tools: strict, formats: ['glm'], ...(missingClose && { missingClose }) }
      expect(scan(text, options).calls.map((found) => (found.ok ? 'ok' : found.failure.code))).toEqual([code])
      expect(scan(text, options, { cut: true }).calls.map(({ ok }) => ok)).toEqual([false])
    }
  })
})

describe('a malformed block', () => {
  it('without a name is text, with a warning', () => {
    for (const body of [
      '{totally broken}',
      '{"arguments": {"city": "x"}}',
      '{"__proto__": {"name": "get_weather"}}',
      '{"name": 1}',
      '[]',
    ]) {
      const text = `<tool_call>${body}</tool_call> after`
      const result = scan(text, { tools })
      expect([result.text, result.calls, result.warnings.map(({ code }) => code)]).toEqual([
        text,
        [],
        ['suppressed-call'],
      ])
    }
  })

  it('with a name is a refused call that holds what came up to the close tag', () => {
    const { calls, text } = scan(
      '<tool_call>{"name": "get_weather", "arguments": {"city": "x"} junk}</tool_call> after',
      {
        tools,
      },
    )
    expect(text).toBe(' after')
    expect(calls).toMatchObject([{ ok: false, argumentsText: '{"city": "x"}junk}', failure: { code: 'malformed' } }])
  })

  it('stands in the text as well where the caller wants it', () => {
    const text = '<tool_call>{"name": "get_weather", "arguments": {}</tool_call>'
    expect(scan(text, { tools, onMalformed: 'emit-text' })).toMatchObject({ text, calls: [{ ok: false }] })
    expect(scan(text, { tools })).toMatchObject({ text: '', calls: [{ ok: false }] })
  })

  it('does not open another block from inside its broken strings', () => {
    const text = '<tool_call>{"name": "get_weather", "x": y "<tool_call>get_weather\n</tool_call>'
    expect(codes(text)).toEqual(['malformed'])
  })

  it('refuses two arguments, two names, and a brace too many by its own name', () => {
    expect(codes('<tool_call>{"name": "get_weather", "arguments": {}, "parameters": {}}</tool_call>')).toEqual([
      'multiple-objects',
    ])
    expect(codes('<tool_call>{"name": "get_weather", "name": "f", "arguments": {}}</tool_call>')).toEqual([
      'duplicate-key',
    ])
    expect(codes(`<tool_call>${call}}</tool_call>`)).toEqual(['extra-closing-brace'])
    expect(codes(`<tool_call>${call}}</tool_call>`, { repair: 'lenient' })).toEqual(['ok'])
    expect(codes(`<tool_call>${call.slice(0, -1)}</tool_call>`)).toEqual(['malformed'])
  })

  it('without a tag stays text, and is a refused call if it named a tool', () => {
    const text = '{"name": "get_weather", "arguments": {"city": "x"} oops'
    const result = scan(text, { tools })
    expect([result.text, result.calls.map(({ ok }) => ok)]).toEqual([text, [false]])
  })
})

describe('what belongs to no call', () => {
  const bad = '{"nom": "g", "arguments": {"secret": 2}}'

  it.each([
    ['hermes', '<tool_call>', '</tool_call>'],
    ['tool_calls-array', '<tool_calls>', '</tool_calls>'],
    ['functools', 'functools', ''],
    ['mistral-pre-v11', '[TOOL_CALLS]', '[/TOOL_CALLS]'],
  ])('is told of where it stands in a list beside calls that can be read, in %s', (format, open, close) => {
    for (const items of [`${call},${bad},${call}`, `${bad}, ${call}, ${call}`, `${call}, ${call}, ${bad}`]) {
      const text = `${open}[${items}]${close}`
      for (const pieces of [[text], text.split('')]) {
        const { calls, warnings } = scan(pieces, { tools, formats: [format] })
        expect(calls).toMatchObject([
          { ok: true, argumentsText: '{"city": "x"}' },
          { ok: true, argumentsText: '{"city": "x"}' },
        ])
        expect(warnings.map(({ code, raw }) => [code, raw])).toEqual([['unexpected-type', bad]])
      }
      expect(codes(text, { formats: [format], siblingIsolation: false })).not.toContain('ok')
    }
  })

  it('is told of where its name is none', () => {
    for (const entry of ['{"name": 5, "arguments": {}}', '{"name": "", "arguments": {}}', '{}']) {
      const { calls, warnings } = scan(`<tool_call>[${call}, ${entry}, ${call}]</tool_call>`, { tools })
      expect([calls.map(({ ok }) => ok), warnings.map(({ raw }) => raw)]).toEqual([[true, true], [entry]])
    }
  })

  it('is kept with the call that it stands behind, or that it is a part of', () => {
    for (const [formats, text, kept, code] of [
      ['hermes', `<tool_call>${call}{"secret": 2}</tool_call>`, '{"city": "x"}{"secret": 2}', 'multiple-objects'],
      [
        'pythonic',
        '<|python_start|>[get_weather(days=1),secret f(x=1)]<|python_end|>',
        '{"days":1}secret f(x=1)]',
        'malformed',
      ],
      ['pythonic', '<|python_start|>[get_weather(secret', 'secret', 'truncated'],
      ['gemma4', '<|tool_call>call:get_weather{days:12', '{"days":12', 'truncated'],
      ['glm', '<tool_call>get_weather\n<arg_key>sec', 'sec', 'truncated'],
      ['glm', '<tool_call>get_weather\n<arg_key>secret</arg_key>\n', 'secret\n', 'truncated'],
      ['glm', '<tool_call>get_weather\n<arg_key>secret</arg_value>x</tool_call>', 'secret</arg_value>x', 'malformed'],
    ] as const) {
      for (const pieces of [[text], text.split('')]) {
        const { calls, text: rest } = scan(pieces, { tools, formats: [formats] })
        expect([rest, calls.map((found) => [found.argumentsText, found.ok ? 'ok' : found.failure.code])]).toEqual([
          '',
          [[kept, code]],
        ])
      }
    }
  })

  it('is told of where a call object is cut or breaks beside its arguments', () => {
    for (const [rest, raw] of [
      [', "argumentsX": {"secret":', '"argumentsX": {"secret":'],
      [', "sec', '"sec'],
      [', "secret" x}</tool_call>', '"secret"'],
    ] as const) {
      const { calls, warnings } = scan(`<tool_call>{"name": "get_weather"${rest}`, { tools })
      expect([calls.map(({ ok }) => ok), warnings.map((warning) => warning.raw)]).toEqual([[false], [raw]])
    }
  })
})

describe('what is too long or too far away', () => {
  const long = 'x'.repeat(600)
  const far = ' '.repeat(80)

  it.each([
    ['hermes', `<tool_call>${far}${call}</tool_call>`],
    ['hermes', `<tool_call>{"${long}": 1}</tool_call>`],
    ['hermes', `<tool_call>{"name": "${long}"}</tool_call>`],
    ['mistral-v11', `[TOOL_CALLS]${long}[ARGS]{}`],
    ['minimax', `<minimax:tool_call><invoke name="${long}"></invoke></minimax:tool_call>`],
    ['kimi-k2', `<|tool_call_begin|>${long}<|tool_call_argument_begin|>{}<|tool_call_end|>`],
    ['pythonic', `<|python_start|>[${long}()]<|python_end|>`],
    ['gemma4', `<|tool_call>call:${long}{}<tool_call|>`],
  ])('to be the head of a call is text, in %s', (format, text) => {
    for (const pieces of [[text], text.split('')]) {
      expect(scan(pieces, { formats: [format], tools })).toMatchObject({ text, calls: [] })
    }
  })

  it.each([
    ['qwen3-coder', `<tool_call><function=get_weather><parameter=city>x</parameter>${far}</function></tool_call>`],
    ['qwen3-coder', `<tool_call><function=get_weather><parameter=${long}>x</parameter></function></tool_call>`],
    [
      'minimax',
      `<minimax:tool_call><invoke name="get_weather"><parameter name="${long}"></invoke></minimax:tool_call>`,
    ],
    ['glm', `<tool_call>get_weather\n<arg_key>city</arg_key>${far}<arg_value>x</arg_value></tool_call>`],
    ['pythonic', `<|python_start|>[get_weather(${long}=1)]<|python_end|>`],
    ['pythonic', `<|python_start|>[get_weather(days=${'1'.repeat(600)})]<|python_end|>`],
    ['gemma4', `<|tool_call>call:get_weather{${long}:1}<tool_call|>`],
    ['seed-name-arguments', `<tool_call><name>get_weather</name><arguments>{}${far}</arguments></tool_call>`],
  ])('to be a part of a call is a refused call, in %s', (format, text) => {
    for (const pieces of [[text], text.split('')]) {
      expect(codes(pieces, { formats: [format] })).toEqual(['malformed'])
    }
  })
})

describe('the evidence in a warning', () => {
  const long = `${'x'.repeat(1_900)}${'🙂'.repeat(100)}`

  it.each([
    `<think><tool_call>{"name": "f", "arguments": {"a": "${long}"}}</tool_call></think>`,
    `<think><tool_call> {"name": "f", "arguments": {"a": "${long}"}}</tool_call></think>`,
    `<tool_call>{"name": "f", "arguments": {}, "a": "${long}"}</tool_call>`,
    `<tool_call>{"name": "f", "arguments": {}, "ab": "${long}"}</tool_call>`,
    `<tool_call>{"a": "${long}"}</tool_call>`,
    `<tool_call>{"ab": "${long}"}</tool_call>`,
  ])('is at most 2,000 characters long and never ends with half of one', (text) => {
    for (const pieces of [[text], text.split('')]) {
      const { warnings } = scan(pieces, { formats: ['hermes'] })
      expect(warnings).toHaveLength(1)
      for (const { raw = '' } of warnings) {
        expect(raw.length).toBeGreaterThan(1_990)
        expect(raw.length).toBeLessThanOrEqual(2_000)
        expect(raw).not.toMatch(/\p{Surrogate}/u)
      }
    }
  })
})

describe('<name> and <arguments>', () => {
  const formats = { formats: ['seed-name-arguments'] }
  const whole = '<tool_call><name>get_weather</name><arguments>{"city": "x"}</arguments></tool_call>'

  it('are a call, wherever white space stands', () => {
    const spaced = '<tool_call>\n<name> get_weather </name>\n<arguments>\n{"city": "x"}\n</arguments>\n</tool_call>'
    for (const text of [whole, spaced]) {
      const { calls, text: rest } = scan(`a ${text} b`, { tools, ...formats })
      expect(calls).toMatchObject([{ ok: true, name: 'get_weather', arguments: { city: 'x' } }])
      expect(rest).toBe('a  b')
    }
    expect(codes(whole + whole)).toEqual(['ok', 'ok'])
    expect(codes('<tool_call><name>get_weather</name></tool_call>')).toEqual(['ok'])
  })

  it('are cut at every place before their end', () => {
    for (let length = whole.indexOf('{'); length < whole.length; length++) {
      expect([length, codes(whole.slice(0, length), formats, true)]).toEqual([length, ['truncated']])
    }
    for (let length = 0; length < whole.indexOf('{'); length++) {
      const text = whole.slice(0, length)
      expect(scan(text, { tools, ...formats }, { cut: true })).toMatchObject({
        text: expect.any(String),
        calls: expect.any(Array),
      })
      expect(codes(text, formats, true)).not.toContain('ok')
    }
  })

  it('are a call without the last tag only if the model ended it', () => {
    expect(codes(whole.slice(0, -'</tool_call>'.length), formats)).toEqual(['ok'])
    expect(codes(whole.slice(0, -'</arguments></tool_call>'.length), formats)).toEqual(['truncated'])
  })

  it('are refused when malformed', () => {
    const wrap = (args: string): string =>
      `<tool_call><name>get_weather</name><arguments>${args}</arguments></tool_call>`
    expect(codes(wrap('{"city": x}'), formats)).toEqual(['unquoted-value'])
    expect(codes(wrap('{"city": "x"} and more'), formats)).toEqual(['malformed'])
    expect(codes(wrap('["x"]'), formats)).toEqual(['not-an-object'])
    expect(codes(wrap('no JSON'), formats)).not.toContain('ok')
  })

  it('are text in prose, in reasoning and in code', () => {
    for (const text of [
      'Write <tool_call><name>… and so on.',
      'The <name> tag goes into <tool_call>, then <arguments>.',
      `\`${whole}\` is how it looks.`,
    ]) {
      expect(scan(text, { tools, ...formats })).toMatchObject({ text, calls: [] })
    }
    expect(scan(`<think>${whole}</think>`, { tools, ...formats })).toMatchObject({ reasoning: whole, calls: [] })
  })

  it('may hold their own tags inside strings', () => {
    const city = '</arguments></tool_call><tool_call><name>f</name>'
    const { calls } = scan(
      `<tool_call><name>get_weather</name><arguments>${JSON.stringify({ city })}</arguments></tool_call>`,
      {
        tools,
        ...formats,
      },
    )
    expect(calls).toMatchObject([{ ok: true, arguments: { city } }])
  })
})
