// What is a call, what is only text, and what stays of both.

import { describe, expect, it } from 'vitest'
import { createTextScanner } from '../../src/assembly/text-scanner.ts'
import type { TextFormat } from '../../src/text/row.ts'
import { scan, tools } from './support.ts'

const weather = (city: string): string =>
  `<tool_call>\n{"name": "get_weather", "arguments": {"city": ${JSON.stringify(city)}}}\n</tool_call>`

const cities = (calls: ReturnType<typeof scan>['calls']): unknown[] =>
  calls.map((call) => (call.ok && call.kind === 'function' ? call.arguments['city'] : call.ok || call.failure.code))

describe('text', () => {
  it('before, between and after calls is kept to the letter', () => {
    const { text, calls } = scan(`  a\n${weather('x')} b\t${weather('y')}\nc \n`, { tools })
    expect(text).toBe('  a\n b\t\nc \n')
    expect(cities(calls)).toEqual(['x', 'y'])
  })

  it.each([
    "Use the <tool_call> tag, it's simple. Done.",
    'abc\n<tool_call fakeout',
    '<tool_cal',
    '<tool_call>',
    '<tool_call>\n\n',
    '[TOOL_CALLS] are written in brackets',
    'see [get_weather](https://example.org) and [1, 2] and {}',
    'for { fmt.Println("hello") }',
    '{"name": "get_weather"}',
    '{"name": "get_weather", "arguments": ',
    '<function=foo> is how it starts',
    '<|python_tag|>print("hi")',
    '</tool_call></think>',
    '<|start|>assistant said so',
    'a < b && c > d',
  ])('that only looks like a call stays text: %j', (text) => {
    const result = scan(text, { tools })
    expect({ text: result.text, calls: result.calls, reasoning: result.reasoning }).toEqual({
      text,
      calls: [],
      reasoning: '',
    })
    expect(scan(text.split(''), { tools }).text).toBe(text)
  })

  it('is handed on at once, but for what may be an opener', () => {
    const seen = (pieces: readonly string[]): string[] =>
      scan(pieces, { tools }).events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
    expect(seen(['Hello ', ' \n', '<tool', '_ca', 'lm>'])).toEqual(['Hello ', ' \n', '<tool_calm>'])
  })
})

describe('a call', () => {
  it('starts when its name is read, and its arguments stream from their first character', () => {
    const { events } = scan(
      ['<tool_call>{"name": "get_weather"', ', "arguments": {', '"city": "Os', 'lo"}}</tool_call>'],
      {
        tools,
      },
    )
    expect(events.map((event) => (event.type === 'tool-call-delta' ? event.delta : event.type))).toEqual([
      'tool-call-start',
      '{',
      '"city": "Os',
      'lo"}',
      'tool-call-end',
      'finish',
    ])
  })

  it('keeps digits, key order, escapes and white space of its arguments as they were written', () => {
    const args = '{ "b" : 1.50,\n"a":"\\u00e9\\/" , "n": 1E2 }'
    const { calls } = scan(`<tool_call>{"name":"f","arguments": ${args} }</tool_call>`, { formats: ['hermes'] })
    expect(calls[0]?.argumentsText).toBe(args)
  })

  it('may hold tags, braces and quotes in its strings', () => {
    const city = '</tool_call> "<tool_call>" {"}] \\ </think> ```\n'
    expect(cities(scan(weather(city), { tools }).calls)).toEqual([city])
  })

  it('may have its arguments before its name', () => {
    const { calls, events } = scan('<tool_call>{"arguments": {"city": "x"}, "name": "get_weather"}</tool_call>', {
      tools,
    })
    expect(cities(calls)).toEqual(['x'])
    expect(events.map(({ type }) => type)).toEqual(['tool-call-start', 'tool-call-delta', 'tool-call-end', 'finish'])
  })

  it('may stand with others in a list, in a row, or in a code fence inside its tag', () => {
    const one = '{"name": "get_weather", "arguments": {"city": "x"}}'
    for (const body of [`[${one}, ${one}]`, `${one}\n${one}`, `${one}, ${one}`, `${one}; ${one}`]) {
      expect(cities(scan(`<tool_call>${body}</tool_call>`, { tools }).calls)).toEqual(['x', 'x'])
    }
    const fenced = scan(`<tool_call>\n\`\`\`json\n${one}\n\`\`\`\n</tool_call>`, { tools })
    expect([cities(fenced.calls), fenced.text]).toEqual([['x'], ''])
  })

  it('takes the id that the text gives it, before or after its arguments', () => {
    for (const fields of ['"id": "abc", "name": "f", "arguments": {}', '"name": "f", "arguments": {}, "id": "abc"']) {
      const { calls } = scan(`[TOOL_CALLS][{${fields}}]`, { formats: ['mistral-pre-v11'] })
      expect(calls.map(({ wireId, ok }) => [wireId, ok])).toEqual([['abc', true]])
    }
    const kimi = scan('<|tool_call_begin|>functions.f:3<|tool_call_argument_begin|>{}<|tool_call_end|>', {
      formats: ['kimi-k2'],
    })
    expect(kimi.calls.map(({ name, wireId, id }) => [name, wireId, id])).toEqual([
      ['f', 'functions.f:3', 'functions.f:3'],
    ])
  })

  it('of a tool that the caller does not have is refused, in a tag, and text without one', () => {
    expect(cities(scan('<tool_call>{"name": "nope", "arguments": {}}</tool_call>', { tools }).calls)).toEqual([
      'unknown-tool',
    ])
    const bare = '{"name": "nope", "arguments": {}}'
    expect(scan(bare, { tools })).toMatchObject({ text: bare, calls: [] })
  })

  it('without arguments is judged by the gate for absent ones', () => {
    const strict = [{ name: 'f', parameters: { type: 'object', required: ['a'] } }]
    const text = '<tool_call>{"name": "f"}</tool_call>'
    expect(scan(text, { tools: strict }).calls.map((call) => call.ok || call.failure.code)).toEqual(['empty-arguments'])
    expect(scan(text, { formats: ['hermes'] }).calls.map(({ ok }) => ok)).toEqual([true])
  })

  it('whose fields stand beside its arguments is refused; with arguments, they are reported', () => {
    const refused = scan('<tool_call>{"name": "get_weather", "city": "x"}</tool_call>', { tools })
    expect(cities(refused.calls)).toEqual(['malformed'])
    expect(refused.warnings.map(({ raw }) => raw)).toEqual(['"city": "x"'])
    const reported = scan('<tool_call>{"name": "get_weather", "arguments": {}, "note": "x"}</tool_call>', { tools })
    expect(reported.calls.map(({ ok }) => ok)).toEqual([true])
    expect(reported.warnings.map(({ code, raw }) => [code, raw])).toEqual([['unexpected-type', '"note": "x"']])
  })
})

describe('reasoning', () => {
  it('is told from text by its tags, and by where the text begins', () => {
    expect(scan('<think>a</think>b', { tools })).toMatchObject({ reasoning: 'a', text: 'b' })
    expect(scan('a</think>b', { tools, startInReasoning: true })).toMatchObject({ reasoning: 'a', text: 'b' })
    expect(scan('<think>a', { tools })).toMatchObject({ reasoning: 'a', text: '' })
  })

  it('keeps a call that is only thought of, with a warning', () => {
    const { reasoning, calls, warnings } = scan(`<think>maybe ${weather('x')}?</think>${weather('y')}`, { tools })
    expect(reasoning).toBe(`maybe ${weather('x')}?`)
    expect(cities(calls)).toEqual(['y'])
    expect(warnings.map(({ code, raw }) => [code, raw])).toEqual([['suppressed-call', weather('x')]])
  })

  it('that mentions an opener and no call is no matter for a warning', () => {
    expect(scan('<think>I might use <tool_call> later</think>', { tools }).warnings).toEqual([])
  })

  it('ends at a call where the model is known to forget its close tag', () => {
    const text = '<think>go<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>'
    expect(scan(text, { formats: ['kimi-k2'] })).toMatchObject({ reasoning: 'go', calls: [{ name: 'f', ok: true }] })
    expect(scan(text, { formats: ['kimi-k2'], inThink: 'ignore' }).calls).toEqual([])
  })
})

describe('a call that is only shown', () => {
  it.each([
    ['in a code fence', `\`\`\`xml\n${weather('x')}\n\`\`\`\n${weather('y')}`],
    ['in a fence of tildes', `~~~\n${weather('x')}\n~~~\n${weather('y')}`],
    [
      'in a code span',
      `like \`<tool_call>{"name": "get_weather", "arguments": {"city": "x"}}</tool_call>\` here\n${weather('y')}`,
    ],
    [
      'in a quotation',
      `he wrote "<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>" once.\n${weather('y')}`,
    ],
    [
      'behind a typographic quote',
      `“<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>”\n${weather('y')}`,
    ],
  ])('%s stays text, with a warning', (_, text) => {
    for (const pieces of [[text], text.split('')]) {
      const result = scan(pieces, { tools })
      expect(result.text).toBe(text.slice(0, -weather('y').length))
      expect(cities(result.calls)).toEqual(['y'])
      expect(result.warnings.map(({ code }) => code)).toEqual(['suppressed-call'])
    }
  })

  it('is read where the caller wants it read', () => {
    expect(cities(scan(`\`\`\`\n${weather('x')}\n\`\`\``, { tools, fence: 'scan' }).calls)).toEqual(['x'])
    expect(cities(scan(`"${weather('x')}"`, { tools, quoted: 'scan' }).calls)).toEqual(['x'])
  })

  it('is meant behind a closing quote, a stray backtick of another line, or a closed fence', () => {
    for (const before of ['She said "hi"', "it's`\n", '```\ncode\n```\n', '`code`', "don't "]) {
      expect([before, cities(scan(before + weather('x'), { tools }).calls)]).toEqual([before, ['x']])
    }
  })

  it('in a JSON fence is meant only as the first thing of the answer', () => {
    const fence = '```json\n{"name": "get_weather", "arguments": {"city": "x"}}\n```'
    expect(scan(`\n${fence}\nok`, { tools })).toMatchObject({ text: '\n\nok', calls: [{ ok: true }] })
    expect(scan(`For example:\n${fence}`, { tools })).toMatchObject({ text: `For example:\n${fence}`, calls: [] })
  })
})

describe('the formats', () => {
  it('may be asked for by name or alias, and by a row of the caller’s own', () => {
    expect(scan(weather('x'), { formats: ['qwen'] }).calls).toHaveLength(1)
    const own = {
      name: 'mine',
      models: 'mine',
      section: { open: ['<<'], close: ['>>'] },
      shapes: [{ kind: 'object', list: 'never', name: ['tool'], arguments: ['with'] }],
      closes: 'tag',
    } as const
    const { calls, text } = scan('a <<{"tool": "f", "with": {"x": 1}}>> b', { formats: [own] })
    expect([text, calls.map(({ name, argumentsText }) => [name, argumentsText])]).toEqual(['a  b', [['f', '{"x": 1}']]])
  })

  it('of the caller’s own may have tags that are the name of a tool around any shape', () => {
    const own: TextFormat = {
      name: 'own',
      models: 'mine',
      call: { open: ['<{name}>'], close: ['</{name}>'] },
      header: { in: 'tag' },
      shapes: [{ kind: 'json' }],
      closes: 'tag',
    }
    expect(scan('a<get_weather>{"city": "x"}</get_weather>b', { formats: [own], tools })).toMatchObject({
      text: 'ab',
      calls: [{ name: 'get_weather', ok: true, arguments: { city: 'x' } }],
    })
  })

  it('that do not exist are named in a TypeError', () => {
    expect(() => scan('', { formats: ['nope'] })).toThrow(/"nope"/)
    expect(() => scan('', { formats: ['custom'] })).toThrow(/openTag/)
  })

  it('without tags are not read where there are no tools to know a call by, unless asked for by name', () => {
    const bare = '{"name": "f", "arguments": {}}'
    expect(scan(bare)).toMatchObject({ text: bare, calls: [] })
    expect(scan(bare, { formats: ['bare-json'] }).calls).toHaveLength(1)
  })

  it('are told apart by what follows a shared opener', () => {
    const texts = [
      '<tool_call>{"name": "get_weather", "arguments": {"city": "x"}}</tool_call>',
      '<tool_call><name>get_weather</name><arguments>{"city": "x"}</arguments></tool_call>',
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nx\n</parameter>\n</function>\n</tool_call>',
      '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>x</arg_value>\n</tool_call>',
      '<function=get_weather>{"city": "x"}</function>',
      '<function=get_weather><parameter=city>x</parameter></function>',
      '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "x"}}]',
      '[TOOL_CALLS]get_weather[ARGS]{"city": "x"}',
      '[TOOL_CALLS]get_weather{"city": "x"}',
    ]
    const { calls, text } = scan(texts.join(' '), { tools })
    expect(cities(calls)).toEqual(texts.map(() => 'x'))
    expect(text).toBe(' '.repeat(texts.length - 1))
  })
})

describe('a scanner', () => {
  it('takes nothing but text, and nothing after the end', () => {
    const scanner = createTextScanner()
    // Callers without types do this.
    expect(() => scanner.feed(new Uint8Array() as unknown as string)).toThrow(TypeError)
    expect(scanner.result).toBeUndefined()
    expect(scanner.end().at(-1)?.type).toBe('finish')
    expect(scanner.end()).toEqual([])
    expect(() => scanner.feed('x')).toThrow(TypeError)
  })

  it('refuses a tool whose schema can only be asked with patience', () => {
    const schema = { '~standard': { version: 1 as const, vendor: 'x', validate: async () => ({ value: {} }) } }
    expect(() => scan('', { tools: [{ name: 'slow', parameters: schema }] })).toThrow(/"slow"/)
  })

  it('begins in the middle of a block where the prompt opened it', () => {
    const { text, calls } = scan('get_weather\n{"city": "x"}', {
      formats: ['functionary-v3.2'],
      promptPrefix: '>>>',
      tools,
    })
    expect([text, cities(calls)]).toEqual(['', ['x']])
    expect(scan('Hello', { formats: ['functionary-v3.2'], promptPrefix: '>>>' }).text).toBe('Hello')
  })
})

describe('a hook that throws', () => {
  it('comes out of the call that it was called in, and the events of that call come with the next', () => {
    const scanner = createTextScanner({
      tools,
      refine: () => {
        throw new RangeError('boom')
      },
    })
    const fed = scanner.feed(`a ${weather('x')}`)
    expect(() => scanner.end()).toThrow(new RangeError('boom'))
    const types = [...fed, ...scanner.end()].map(({ type }) => type)
    expect(types.filter((type) => type === 'tool-call-start' || type === 'tool-call-end')).toEqual([
      'tool-call-start',
      'tool-call-end',
    ])
    expect(types.at(-1)).toBe('finish')
    expect(scanner.end()).toEqual([])
  })
})
