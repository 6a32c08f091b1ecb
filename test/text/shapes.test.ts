// The ways to write arguments, and what of them is data.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TextScannerOptions } from '../../src/assembly/text-scanner.ts'
import { scan } from './support.ts'

const outcome = (text: string, options: TextScannerOptions): unknown[] =>
  scan(text, options).calls.map((call) => (call.ok ? call.arguments : call.failure.code))

describe('tagged parameters', () => {
  const properties = {
    s: { type: 'string' },
    n: { type: 'number' },
    i: { type: ['integer', 'null'] },
    b: { type: 'boolean' },
    o: { $ref: '#/$defs/o' },
    l: { type: 'array' },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    maybe: { type: ['string', 'null'] },
    pick: { enum: ['a', 'b'] },
    some: { oneOf: [{ const: 1 }, { const: 2 }] },
  }
  const options = {
    formats: ['qwen3-coder-xml'],
    tools: [{ name: 'f', parameters: { type: 'object', properties, $defs: { o: { type: 'object' } } } }],
  }
  const one = (key: string, value: string): unknown[] =>
    outcome(`<tool_call><function=f><parameter=${key}>${value}</parameter></function></tool_call>`, options)

  it.each([
    ['s', '42', '42'],
    ['s', 'null', 'null'],
    ['s', 'a "b" \\ \u0001\t<c> &amp; é🙂', 'a "b" \\ \u0001\t<c> &amp; é🙂'],
    ['n', ' 1.50 ', 1.5],
    ['i', 'null', null],
    ['i', 'None', null],
    ['b', 'True', true],
    ['b', 'false', false],
    ['o', '{"a": [1]}', { a: [1] }],
    ['l', '[]', []],
    ['either', '7', '7'],
    ['maybe', 'null', null],
    ['maybe', 'nullable', 'nullable'],
    ['maybe', '', ''],
    ['pick', 'a', 'a'],
    ['some', '2', 2],
  ])('%s: %j', (key, value, expected) => {
    expect(one(key, value)).toEqual([{ [key]: expected }])
  })

  it('that are not of their type are the schema’s to refuse', () => {
    expect(one('n', 'many')).toEqual(['schema-mismatch'])
    expect(one('o', '{broken')).toEqual(['schema-mismatch'])
  })

  it('keep every digit of a number, so that one that no double holds is refused', () => {
    expect(one('n', '12345678901234567890123')).toEqual(['lossy-number'])
  })

  it('are typed by any place of the schema that a reference leads to', () => {
    const parameters = {
      type: 'object',
      properties: {
        first: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        same: { $ref: '#/properties/first/anyOf/0' },
        odd: { $ref: '#/$defs/a~1b' },
      },
      $defs: { 'a/b': { type: 'boolean' } },
    }
    const text = '<function=f><parameter=same>2</parameter><parameter=odd>true</parameter></function>'
    expect(outcome(text, { formats: ['qwen3-coder-xml'], tools: [{ name: 'f', parameters }] })).toEqual([
      { same: 2, odd: true },
    ])
  })

  it('may hold their own tags where no parameter can end', () => {
    const value = '<parameter=x>1</parameter> text </function> </tool_call> </parameter>y'
    expect(one('s', value)).toEqual([{ s: value }])
  })

  it('stream when they are text', () => {
    const { events } = scan(['<function=f><parameter=s>ab', 'cd\n', 'ef</para', 'meter></function>'], options)
    expect(events.flatMap((event) => (event.type === 'tool-call-delta' ? [event.delta] : []))).toEqual([
      '{"s":',
      '"',
      'ab',
      'cd',
      '\\nef',
      '"',
      '}',
    ])
  })

  it('take any text back as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        fc.pre(!/<\/parameter>\s*<(?:parameter=|\/)/.test(text) && !text.includes('</'))
        expect(one('s', `\n${text}\n`)).toEqual([{ s: text }])
      }),
    )
  })

  it('are typed by their attribute where the format has one', () => {
    const call = (attributes: string, value: string): string =>
      `<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="x" ${attributes}>${value}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`
    expect(outcome(call('string="true"', '5'), { formats: ['dsml'] })).toEqual([{ x: '5' }])
    expect(outcome(call('string="false"', '5'), { formats: ['dsml'] })).toEqual([{ x: 5 }])
    const k3 = (type: string, value: string): string =>
      `<|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|><|open|>argument key="x" type="${type}"<|sep|>${value}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`
    expect(outcome(k3('string', '5'), { formats: ['kimi-k3'] })).toEqual([{ x: '5' }])
    expect(outcome(k3('number', '5'), { formats: ['kimi-k3'] })).toEqual([{ x: 5 }])
  })

  it('may be tags of their own name, closed by the last tag that can close them', () => {
    const tools = [
      {
        name: 'write',
        parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
      },
    ]
    const text =
      '<write>\n<path>a</path>\n<content>\n<content>x</content>\n<div>y</div>\n</content>\n</write> and <b>z</b>'
    const result = scan(text, { formats: ['cline'], tools })
    expect(result.calls).toMatchObject([
      { ok: true, arguments: { path: 'a', content: '<content>x</content>\n<div>y</div>' } },
    ])
    expect(result.text).toBe(' and <b>z</b>')
  })

  it('without a value are malformed, never empty', () => {
    expect(outcome('<tool_call>f\n<arg_key>a</arg_key>\n</tool_call>', { formats: ['glm'] })).toEqual(['malformed'])
  })
})

describe('Python arguments', () => {
  const one = (args: string): unknown[] =>
    outcome(`<|python_start|>[f(${args})]<|python_end|>`, { formats: ['pythonic'] })

  it.each<[string, unknown]>([
    ['', {}],
    ['a=\'x\', b="y",', { a: 'x', b: 'y' }],
    ['a = True , b=None, c=false', { a: true, b: null, c: false }],
    ['a=[1, [2.50, -3], {\'k\': "v",}], b={}', { a: [1, [2.5, -3], { k: 'v' }], b: {} }],
    ["a='it\\'s \\n\\x41\\u00e9\\U0001F642\\101 \\q'", { a: "it's \nAé🙂A \\q" }],
    ["a='''it's\n''two''', b=\"\"", { a: "it's\n''two", b: '' }],
    ['f=-0b11, g=0o17, h=5e3, i=1.e1, j=-.5', { f: -3, g: 15, h: 5000, i: 10, j: -0.5 }],
    ["a='\\1', b='\\12x', c=u'y'", { a: '\u0001', b: '\nx', c: 'y' }],
    ["a=r'\\d+\\'' ", { a: "\\d+\\'" }],
    ['a=1_000, b=.5, c=0x1F, d=+2, e=1.', { a: 1000, b: 0.5, c: 31, d: 2, e: 1 }],
    ['a={1: 2}', { a: { '1': 2 } }],
    ['a=\')]}\', b="<|python_end|>"', { a: ')]}', b: '<|python_end|>' }],
    ['größe=1', { größe: 1 }],
  ])('%s', (args, expected) => {
    expect(one(args)).toEqual([expected])
  })

  it.each([
    "'x'",
    'a=f(1)',
    'a=1 + 2',
    "a='x' 'y'",
    'a=nan',
    'a=(1, 2)',
    'a={1, 2}',
    "a=b'x'",
    'a b=1',
    '**kw',
    'a=08',
  ])('that are more than literals are refused: %s', (args) => {
    expect(one(args)).toEqual(['malformed'])
  })

  it('that overflow a number, or come twice, are refused for what they are', () => {
    expect(one('a=1e999')).toEqual(['lossy-number'])
    expect(one('a=1, a=2')).toEqual(['duplicate-key'])
  })

  it('stand one call a line, in a fence, or behind a tag alone', () => {
    const expected = [{ a: 'x' }, {}]
    expect(outcome('<function_calls>f(a="x")\ng()</function_calls>', { formats: ['olmo3'] })).toEqual(expected)
    expect(outcome('```tool_code\nf(a="x")\ng()\n```', { formats: ['gemma3'] })).toEqual(expected)
    expect(outcome('<|python_tag|>f.call(a="x")', { formats: ['llama3-python-tag'] })).toEqual([{ a: 'x' }])
  })
})

describe('the elements before a name', () => {
  const call = (before: string): string =>
    `<use_mcp_tool>${before}<tool_name>f</tool_name><arguments>{"a": 1}</arguments></use_mcp_tool>`

  it('go back with the call, and may be missing', () => {
    const options = { formats: ['mcp-xml'] }
    const [named] = scan(call('\n<server_name> files </server_name>\n'), options).calls
    expect(named).toMatchObject({ name: 'f', ok: true, extra: { server_name: 'files' } })
    const [alone] = scan(call('\n'), options).calls
    expect([alone?.ok, alone?.extra]).toEqual([true, undefined])
  })

  it('that go on for too long are no head of a call', () => {
    const text = call(`<server_name>${'x'.repeat(300)}</server_name>`)
    expect(scan(text, { formats: ['mcp-xml'] })).toMatchObject({ text, calls: [] })
  })
})

describe('a call of no tool', () => {
  it('is what some models write to say that they call none: nothing of it is run, and a warning tells of it', () => {
    const text = 'Action:\n```json\n[{"tool_name": "directly_answer", "parameters": {}}]\n```'
    for (const pieces of [[text], text.split('')]) {
      const { calls, warnings, text: rest } = scan(pieces, { formats: ['command-r-plus'] })
      expect([calls, rest, warnings.map(({ code, raw }) => [code, raw])]).toEqual([
        [],
        '',
        [['suppressed-call', text.slice(0, -3) + '```']],
      ])
    }
  })
})

describe('dict arguments', () => {
  const q = '<|"|>'
  const one = (args: string): unknown[] => outcome(`<|tool_call>call:f{${args}}<tool_call|>`, { formats: ['gemma4'] })

  it.each<[string, unknown]>([
    ['', {}],
    [`a:${q}x${q}, b : 1`, { a: 'x', b: 1 }],
    [`a:${q}say "hi" {}[],: \\n${q}`, { a: 'say "hi" {}[],: \\n' }],
    [`a:${q}one ${q} two${q},b:true`, { a: `one ${q} two`, b: true }],
    ['a:"x\\ty",b:null', { a: 'x\ty', b: null }],
    ['a:"x\\/y"', { a: 'x/y' }],
    [`o:{l:[1,${q}y${q},{}]}`, { o: { l: [1, 'y', {}] } }],
    [`${q}a b${q}:1`, { 'a b': 1 }],
  ])('%s', (args, expected) => {
    expect(one(args)).toEqual([expected])
  })

  it('may lack commas where the models leave them out', () => {
    expect(
      outcome('<start_function_call>call:f{a:<escape>x<escape>b:2<end_function_call>', { formats: ['functiongemma'] }),
    ).toEqual(['malformed'])
    expect(
      outcome('<start_function_call>call:f{a:<escape>x<escape>b:2}<end_function_call>', { formats: ['functiongemma'] }),
    ).toEqual([{ a: 'x', b: 2 }])
  })

  it.each(['a:x', 'a', 'a:1 b:2', '{}'])('that are no dict are refused: %s', (args) => {
    expect(one(args)).toEqual(['malformed'])
  })
})

describe('message headers', () => {
  const options = { formats: ['harmony'] }

  it('tell reasoning, text and calls apart', () => {
    const { text, reasoning, calls } = scan(
      '<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hi<|end|>' +
        '<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>',
      options,
    )
    expect([text, reasoning, calls.map(({ name, ok }) => [name, ok])]).toEqual(['Hi', 'hm', [['f', true]]])
  })

  it('to somebody else than the caller’s functions stay as they are', () => {
    const text = '<|start|>assistant<|channel|>commentary to=python<|message|>print(1)'
    expect(scan(text, options)).toMatchObject({ text, calls: [] })
  })

  it('may begin in the prompt', () => {
    const { calls, text } = scan(' to=functions.f<|channel|>commentary<|message|>{}', {
      ...options,
      promptPrefix: '<|start|>assistant',
    })
    expect([text, calls.map(({ name }) => name)]).toEqual(['', ['f']])
  })
})
