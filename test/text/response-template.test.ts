// Formats from the descriptions that models bring along.

import { describe, expect, it } from 'vitest'
import { importResponseTemplate } from '../../src/text/response-template.ts'
import { scan, tools } from './support.ts'

const call = { type: 'function', function: { name: '{name}', arguments: '{content}' } }

/** Templates as models of these families would describe themselves, with a text each. */
const templates: readonly (readonly [string, unknown, string])[] = [
  [
    'a JSON object in a tag',
    {
      start_anchor: '<|im_start|>assistant\n',
      fields: {
        thinking: { open: '<think>', close: '</think>' },
        tool_calls: {
          open: '<call>',
          close: '</call>',
          repeats: true,
          content: 'json',
          transform: { type: 'function', function: '{content}' },
        },
        content: { close: '<|im_end|>' },
      },
    },
    '<think>hm</think>Sure.<call>{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}</call><|im_end|>',
  ],
  [
    'a list of records with names of their own',
    {
      fields: {
        thinking: { open: '<|THINK|>', close: '<|/THINK|>' },
        tool_calls: {
          open: '<|ACTION|>',
          close: '<|/ACTION|>',
          content: 'json',
          transform_each: true,
          transform: { type: 'function', id: '{uid}', function: { name: '{tool}', arguments: '{inputs}' } },
        },
        content: { open: '<|SAY|>', close: '<|/SAY|>' },
      },
    },
    '<|THINK|>hm<|/THINK|><|SAY|>Sure.<|/SAY|><|ACTION|>[{"uid": "7", "tool": "get_weather", "inputs": {"city": "Oslo", "days": 2}}]<|/ACTION|>',
  ],
  [
    'a tag a parameter',
    {
      fields: {
        reasoning_content: { open: '<think>', close_pattern: '\\s*</think>' },
        tool_calls: {
          open_pattern: '<tool_call>\\s*<function=(?P<name>\\w+)>',
          close: '</tool_call>',
          repeats: true,
          content: 'xml-inline',
          content_args: {
            tag_pattern: '<parameter=(?P<key>\\w+)>\\s*(?P<value>.*?)\\s*</parameter>',
            value_parser: { name: 'json', args: { allow_non_json: true } },
          },
          transform: call,
        },
        content: { close: '<|im_end|>' },
      },
    },
    '<think>hm</think>Sure.<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call><|im_end|>',
  ],
  [
    'key and value in elements of their own',
    {
      fields: {
        thinking: { open: '<think>', close: '</think>' },
        tool_calls: {
          open_pattern: '<tool_call>(?P<name>\\w+)\\n',
          close: '</tool_call>',
          content: 'xml-inline',
          content_args: { tag_pattern: '<k>(?P<key>.*?)</k>\\s*<v>(?P<value>.*?)</v>' },
          transform: call,
        },
        content: {},
      },
    },
    '<think>hm</think>Sure.<tool_call>get_weather\n<k>city</k>\n<v>Oslo</v>\n<k>days</k><v>2</v></tool_call>',
  ],
  [
    'a name in a message header',
    {
      fields: {
        thinking: { open: '<|channel|>analysis<|message|>', close: '<|end|>' },
        tool_calls: {
          open_pattern: '<\\|channel\\|>commentary to=functions\\.(?P<name>\\w+).*?<\\|message\\|>',
          close: '<|call|>',
          repeats: true,
          content: 'json',
          transform: call,
        },
        content: { open: '<|channel|>final<|message|>', close: '<|end|>' },
      },
    },
    '<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>Sure.<|end|><|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo", "days": 2}<|call|>',
  ],
  [
    'bare keys and marked strings',
    {
      fields: {
        thinking: { open: '<|channel>thought\n', close: '<channel|>' },
        tool_calls: {
          open_pattern: '<\\|tool_call>call:(?P<name>\\w+)',
          close: '<tool_call|>',
          repeats: true,
          content: 'json',
          content_args: { unquoted_keys: true, string_delims: [['<|"|>', '<|"|>']] },
          transform: call,
        },
        content: {},
      },
    },
    '<|channel>thought\nhm<channel|>Sure.<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:2}<tool_call|>',
  ],
]

describe('a response template', () => {
  it.each(templates)('becomes a format: %s', (_, template, text) => {
    const format = importResponseTemplate('mine', template)
    for (const pieces of [[text], text.split('')]) {
      const result = scan(pieces, { formats: [format], tools })
      expect(result.calls.map((found) => [found.name, found.ok && found.arguments])).toEqual([
        ['get_weather', { city: 'Oslo', days: 2 }],
      ])
      expect([result.text, result.reasoning, result.warnings]).toEqual(['Sure.', 'hm', []])
    }
  })

  it('carries the id of a call', () => {
    const [, records] = templates
    if (!records) throw new Error('no template')
    const { calls } = scan(records[2], { formats: [importResponseTemplate('mine', records[1])], tools })
    expect(calls.map(({ wireId }) => wireId)).toEqual(['7'])
  })

  const field = { open: '<c>', close: '</c>', content: 'json', transform: { function: '{content}' } }
  it.each([
    ['no object', 7, /must be an object/],
    ['no tool calls', { fields: { content: {} } }, /no field "tool_calls"/],
    ['a look-ahead', { fields: { tool_calls: { ...field, open: undefined, open_pattern: '<c>(?=x)' } } }, /beyond/],
    ['an alternative', { fields: { tool_calls: { ...field, close: undefined, close_pattern: '</c>|$' } } }, /beyond/],
    ['lines of pairs', { fields: { tool_calls: { ...field, content: 'kv-lines' } } }, /kv-lines/],
    ['no name', { fields: { tool_calls: { ...field, transform: { function: { arguments: '{content}' } } } } }, /name/],
  ])('is refused for what a row cannot express: %s', (_, template, message) => {
    expect(() => importResponseTemplate('mine', template)).toThrow(message)
  })
})
