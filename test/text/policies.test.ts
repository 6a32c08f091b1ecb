// Where parsers differ, the caller decides: each policy, both ways.

import { describe, expect, it } from 'vitest'
import type { TextScannerOptions } from '../../src/assembly/text-scanner.ts'
import { scan, tools } from './support.ts'

const outcome = (text: string, options: TextScannerOptions): unknown[] =>
  scan(text, options).calls.map((call) => (call.ok ? call.arguments : call.failure.code))

const xml = (inside: string): string => `<tool_call>\n<function=f>\n${inside}\n</function>\n</tool_call>`
const qwen = { formats: ['qwen3-coder-xml'] }

describe('valueTrim', () => {
  it('takes off one newline at each end, nothing, or all white space', () => {
    const text = xml('<parameter=p>\n\n x \n\n</parameter>')
    expect(outcome(text, qwen)).toEqual([{ p: '\n x \n' }])
    expect(outcome(text, { ...qwen, valueTrim: 'none' })).toEqual([{ p: '\n\n x \n\n' }])
    expect(outcome(text, { ...qwen, valueTrim: 'all' })).toEqual([{ p: 'x' }])
  })

  it('is asked of values that hold nothing else', () => {
    for (const [value, one, all] of [
      ['', '', ''],
      ['\n', '', ''],
      ['\n\n', '', ''],
      [' ', ' ', ''],
      ['\n\n\n', '\n', ''],
    ]) {
      expect(outcome(xml(`<parameter=p>${value}</parameter>`), qwen)).toEqual([{ p: one }])
      expect(outcome(xml(`<parameter=p>${value}</parameter>`), { ...qwen, valueTrim: 'all' })).toEqual([{ p: all }])
    }
  })

  it('never takes off white space that nobody lays text out with', () => {
    for (const space of ['\u00a0', '\u3000', '\ufeff']) {
      const text = xml(`<parameter=p> ${space}x${space} </parameter>`)
      expect(outcome(text, { ...qwen, valueTrim: 'all' })).toEqual([{ p: `${space}x${space}` }])
    }
  })
})

describe('untyped', () => {
  it('takes a parameter that no schema types as text, or as JSON where it is JSON', () => {
    const text = xml('<parameter=a>5</parameter><parameter=b>[1, "x"]</parameter><parameter=c>5 apples</parameter>')
    expect(outcome(text, qwen)).toEqual([{ a: '5', b: '[1, "x"]', c: '5 apples' }])
    expect(outcome(text, { ...qwen, untyped: 'json' })).toEqual([{ a: 5, b: [1, 'x'], c: '5 apples' }])
  })
})

describe('implicitParamClose', () => {
  const missing = xml('<parameter=a>\n1\n<parameter=b>\n2\n</parameter>')

  it('takes the tag of the next parameter as part of the value, or as the end of it', () => {
    expect(outcome(missing, qwen)).toEqual([{ a: '1\n<parameter=b>\n2' }])
    expect(outcome(missing, { ...qwen, implicitParamClose: true })).toEqual([{ a: '1', b: '2' }])
  })

  it('believes only parameters that the tool declares and that have not come', () => {
    const options = {
      ...qwen,
      implicitParamClose: true,
      tools: [{ name: 'f', parameters: { type: 'object', properties: { a: {}, b: {} } } }],
    }
    expect(outcome(missing, options)).toEqual([{ a: '1', b: '2' }])
    expect(outcome(xml('<parameter=a>\n1\n<parameter=c>\n2\n</parameter>'), options)).toEqual([
      { a: '1\n<parameter=c>\n2' },
    ])
    expect(outcome(xml('<parameter=a>\n1\n<parameter=a>\n2\n</parameter>'), options)).toEqual([
      { a: '1\n<parameter=a>\n2' },
    ])
  })
})

describe('siblingIsolation', () => {
  const text = '<|python_start|>[f(a=1), g(a=h(2)), f(a=3)]<|python_end|>'

  it('refuses the call that cannot be read, or the list it stands in', () => {
    expect(outcome(text, { formats: ['pythonic'] })).toEqual([{ a: 1 }, 'malformed', { a: 3 }])
    expect(outcome(text, { formats: ['pythonic'], siblingIsolation: false })).toEqual(['malformed', 'malformed'])
  })

  it('refuses every call of a list whose brackets do not match', () => {
    expect(outcome('<|python_start|>[f(a=1), g(a=2])]<|python_end|>', { formats: ['pythonic'] })).toEqual([
      'malformed',
      'malformed',
    ])
  })
})

describe('strayClose', () => {
  it('keeps a close tag without a block in the text, or drops it', () => {
    expect(scan('a</tool_call>b', { formats: ['hermes'] }).text).toBe('a</tool_call>b')
    expect(scan('a</tool_call>b', { formats: ['hermes'], strayClose: 'drop' }).text).toBe('ab')
  })
})

describe('wrapperless', () => {
  it('reads calls whose section was left out where their models do that, or everywhere, or nowhere', () => {
    const function_ = '<function=f>\n<parameter=a>x</parameter>\n</function>'
    expect(outcome(function_, qwen)).toEqual([{ a: 'x' }])
    expect(outcome(`${function_}\n</tool_call>`, qwen)).toEqual([{ a: 'x' }])
    expect(scan(`${function_}\n</tool_call>`, qwen).text).toBe('')
    expect(outcome(function_, { ...qwen, wrapperless: false })).toEqual([])
    const invoke = '<invoke name="f"><parameter name="a">x</parameter></invoke>'
    expect(outcome(invoke, { formats: ['minimax'] })).toEqual([])
    expect(outcome(invoke, { formats: ['minimax'], wrapperless: true })).toEqual([{ a: 'x' }])
  })
})

describe('bareJson and bareList', () => {
  const json = '{"name": "get_weather", "arguments": {"city": "x"}}'
  const list = '[get_weather(city="x")]'

  it('read calls without a tag nowhere, first, or anywhere', () => {
    for (const [text, bare] of [
      [json, 'bareJson'],
      [list, 'bareList'],
    ] as const) {
      expect(outcome(text, { tools, [bare]: 'never' })).toEqual([])
      expect(outcome(` \n${text}`, { tools, [bare]: 'leading' })).toEqual([{ city: 'x' }])
      expect(outcome(`So: ${text}`, { tools, [bare]: 'leading' })).toEqual([])
    }
    expect(outcome(`So: ${json}`, { tools, bareJson: 'anywhere' })).toEqual([{ city: 'x' }])
    expect(outcome(`So: ${list}`, { tools })).toEqual([{ city: 'x' }])
  })

  it('need a tool that the caller has, unless any name will do', () => {
    expect(outcome('[other(city="x")]', { tools, formats: ['pythonic-bare'] })).toEqual([])
    expect(outcome('[other(city="x")]', { tools, formats: ['pythonic-bare'], bareList: 'always' })).toEqual([
      'unknown-tool',
    ])
    expect(outcome('[other(city="x")]', { formats: ['pythonic-bare'] })).toEqual([])
  })

  it('read several in a row', () => {
    for (const between of ['; ', ';', '\n', ' ']) {
      expect(outcome(json + between + json, { tools })).toEqual([{ city: 'x' }, { city: 'x' }])
    }
    const broken = scan(`${json}; {"name": "nobody"}`, { tools })
    expect([broken.calls.map(({ ok }) => ok), broken.text]).toEqual([[true], '; {"name": "nobody"}'])
  })
})

describe('unknownTool', () => {
  it('refuses a tagged call of a tool that nobody has, or leaves it in the text', () => {
    for (const text of [
      '<tool_call>{"name": "nope", "arguments": {}}</tool_call>',
      '<function=nope>\n</function>',
      '[TOOL_CALLS]nope[ARGS]{}',
    ]) {
      expect(outcome(text, { tools })).toEqual(['unknown-tool'])
      expect(scan(text, { tools, unknownTool: 'text' })).toMatchObject({ text, calls: [] })
    }
  })

  it('is asked in every shape that holds the name itself', () => {
    for (const [format, text] of [
      ['apertus', '<|tools_prefix|>[{"nope": {}}]<|tools_suffix|>'],
      ['nemotron', '<TOOLCALL>[{"name": "nope", "arguments": {}}]</TOOLCALL>'],
      ['pythonic', '<|python_start|>[nope()]<|python_end|>'],
      ['gemma4', '<|tool_call>call:nope{}<tool_call|>'],
    ] as const) {
      expect(outcome(text, { formats: [format], tools })).toEqual(['unknown-tool'])
      expect(scan(text, { formats: [format], tools, unknownTool: 'text' })).toMatchObject({ text, calls: [] })
    }
  })

  it('is asked of the first call of a block: behind a known one an unknown one is a refused call, however the text is cut', () => {
    for (const text of [
      '<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "x"}}, {"name": "nope", "arguments": {}}]</TOOLCALL>',
      '<|python_start|>[get_weather(city="x"), nope()]<|python_end|>',
      '[get_weather(city="x"), nope()]',
    ]) {
      for (const pieces of [[text], text.split('')]) {
        const { calls } = scan(pieces, {
          formats: ['nemotron', 'pythonic', 'pythonic-bare'],
          tools,
          unknownTool: 'text',
        })
        expect(calls.map((call) => (call.ok ? call.arguments : call.failure.code))).toEqual([
          { city: 'x' },
          'unknown-tool',
        ])
      }
    }
  })
})

describe('earlyName', () => {
  it('starts a call at its name, or when its arguments begin', () => {
    const starts = (text: string, earlyName: boolean): boolean =>
      scan([text, ''], { formats: ['hermes', 'mistral-v11'], earlyName }).events.some(
        ({ type }, n) => type === 'tool-call-start' && n === 0,
      )
    expect(starts('<tool_call>{"name": "f", "arguments": {"a": 1', true)).toBe(true)
    expect(starts('<tool_call>{"name": "f", "arguments": {"a": 1', false)).toBe(true)
    const early = '<tool_call>{"name": "f"'
    expect(scan(early, { formats: ['hermes'] }, { cut: true }).calls).toMatchObject([{ name: 'f', ok: false }])
    expect(scan(early, { formats: ['hermes'], earlyName: false }, { cut: true })).toMatchObject({
      calls: [],
      text: early,
    })
  })
})

describe('custom tags', () => {
  it('may overlap themselves', () => {
    const options = { formats: ['custom'], openTag: 'ababax', closeTag: 'END' }
    const text = 'before|abababax{"name": "t", "arguments": {"v": 1}}END|after'
    for (const pieces of [[text], text.split('')]) {
      expect(scan(pieces, options)).toMatchObject({ text: 'before|ab|after', calls: [{ name: 't', ok: true }] })
    }
  })
})
