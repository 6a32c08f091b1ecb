// Formats with one tag a parameter.

import type { Shape, TextFormat } from '../row.ts'
import { thinkTags } from './json.ts'

const functionParameters: Shape = {
  kind: 'tagged',
  key: { open: '<parameter=', close: '>' },
  value: { close: '</parameter>' },
  trim: 'one-newline',
}
const invokeParameters: Shape = {
  kind: 'tagged',
  key: { open: '<parameter ', close: '>', attribute: 'name' },
  value: { close: '</parameter>' },
  trim: 'none',
}
const invoke = { open: ['<invoke '], close: ['</invoke>'] }

export const taggedFormats: readonly TextFormat[] = [
  {
    name: 'qwen3-coder-xml',
    aliases: ['qwen3-coder', 'qwen3.5', 'nemotron3', 'step3.5'],
    models: 'Qwen3-Coder, Qwen3.5 and 3.6, Nemotron 3 Nano, Step 3.5',
    section: { open: ['<tool_call>'], close: ['</tool_call>'], optional: true },
    call: { open: ['<function='], close: ['</function>'] },
    header: { in: 'text', until: ['>'] },
    shapes: [functionParameters],
    closes: 'tag',
    thinking: thinkTags,
    layout: { section: '\n', between: '\n', call: '\n', parameter: '\n', value: '\n' },
    response: ['<tool_response>\n', '\n</tool_response>'],
  },
  {
    name: 'seed-oss',
    models: 'Seed-OSS',
    section: { open: ['<seed:tool_call>'], close: ['</seed:tool_call>'] },
    call: { open: ['<function='], close: ['</function>'] },
    header: { in: 'text', until: ['>'] },
    shapes: [functionParameters],
    closes: 'tag',
    thinking: [['<seed:think>', '</seed:think>']],
    layout: { section: '\n', between: '\n', call: '\n', parameter: '\n' },
  },
  {
    name: 'glm45',
    aliases: ['glm', 'glm46', 'glm47'],
    models: 'GLM 4.5, 4.6 and 4.7',
    call: { open: ['<tool_call>'], close: ['</tool_call>'] },
    header: { in: 'text', until: ['<', '\n'] },
    shapes: [
      {
        kind: 'tagged',
        key: { open: '<arg_key>', close: '</arg_key>' },
        value: { open: '<arg_value>', close: '</arg_value>' },
        trim: 'none',
      },
    ],
    closes: 'tag',
    thinking: thinkTags,
    layout: { between: '\n', call: '\n', parameter: '\n' },
    response: ['<tool_response>\n', '\n</tool_response>'],
  },
  {
    name: 'minimax-m2',
    aliases: ['minimax'],
    models: 'MiniMax-M2',
    section: { open: ['<minimax:tool_call>'], close: ['</minimax:tool_call>'] },
    call: invoke,
    header: { in: 'attributes', name: 'name', close: '>' },
    shapes: [invokeParameters],
    closes: 'tag',
    thinking: thinkTags,
    layout: { section: '\n', between: '\n', call: '\n', parameter: '\n' },
    response: ['<response>', '</response>'],
  },
  {
    name: 'minimax-m3',
    models: 'MiniMax-M3',
    section: { open: [']<]minimax[>[<tool_call>'], close: [']<]minimax[>[</tool_call>'] },
    call: { open: [']<]minimax[>[<invoke '], close: [']<]minimax[>[</invoke>'] },
    header: { in: 'attributes', name: 'name', close: '>' },
    shapes: [
      {
        kind: 'tagged',
        key: { open: ']<]minimax[>[<', close: '>' },
        value: { close: ']<]minimax[>[</{key}>' },
        trim: 'none',
      },
    ],
    closes: 'tag',
    thinking: [['<mm:think>', '</mm:think>'], ...thinkTags],
    layout: { section: '\n', between: '\n', call: '\n', parameter: '\n' },
  },
  {
    name: 'dsml',
    aliases: ['deepseek-v3.2', 'deepseek-v4'],
    models: 'DeepSeek V3.2 and V4',
    section: {
      open: ['<｜DSML｜function_calls>', '<｜DSML｜tool_calls>'],
      close: ['</｜DSML｜function_calls>', '</｜DSML｜tool_calls>'],
    },
    call: { open: ['<｜DSML｜invoke '], close: ['</｜DSML｜invoke>'] },
    header: { in: 'attributes', name: 'name', close: '>' },
    shapes: [
      {
        kind: 'tagged',
        key: { open: '<｜DSML｜parameter ', close: '>', attribute: 'name' },
        value: { close: '</｜DSML｜parameter>' },
        trim: 'none',
        typed: { attribute: 'string', by: 'string-or-json' },
      },
    ],
    closes: 'tag',
    thinking: thinkTags,
    layout: { section: '\n', between: '\n', call: '\n', parameter: '\n' },
    response: ['<function_results>\n<result>', '</result>\n</function_results>'],
  },
  {
    name: 'kimi-k3',
    models: 'Kimi-K3',
    section: { open: ['<|open|>tools<|sep|>'], close: ['<|close|>tools<|sep|>'] },
    call: { open: ['<|open|>call '], close: ['<|close|>call<|sep|>'] },
    header: { in: 'attributes', name: 'tool', close: '<|sep|>' },
    shapes: [
      {
        kind: 'tagged',
        key: { open: '<|open|>argument ', close: '<|sep|>', attribute: 'key' },
        value: { close: '<|close|>argument<|sep|>' },
        trim: 'none',
        typed: { attribute: 'type', by: 'name' },
      },
    ],
    closes: 'tag',
    thinking: thinkTags,
  },
  {
    name: 'step3',
    models: 'Step-3',
    section: { open: ['<｜tool_calls_begin｜>'], close: ['<｜tool_calls_end｜>'] },
    call: {
      open: ['<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke '],
      close: ['</steptml:invoke><｜tool_call_end｜>'],
    },
    header: { in: 'attributes', name: 'name', close: '>' },
    shapes: [
      {
        kind: 'tagged',
        key: { open: '<steptml:parameter ', close: '>', attribute: 'name' },
        value: { close: '</steptml:parameter>' },
        trim: 'none',
      },
    ],
    closes: 'tag',
    thinking: thinkTags,
    layout: { section: '\n', between: '\n', call: '\n', parameter: '\n' },
  },
  {
    name: 'anthropic-xml',
    aliases: ['invoke', 'claude-xml', 'glimmer'],
    models: 'models taught on function_calls and invoke elements',
    section: {
      open: ['<function_calls>', '<atem:function_calls>'],
      close: ['</function_calls>', '</atem:function_calls>'],
    },
    call: invoke,
    header: { in: 'attributes', name: 'name', close: '>' },
    shapes: [invokeParameters],
    closes: 'tag',
    thinking: [['<thinking>', '</thinking>'], ...thinkTags],
    layout: { section: '\n', between: '\n', call: '\n', parameter: '\n' },
    response: ['<function_results>\n', '\n</function_results>'],
  },
  {
    name: 'cline',
    aliases: ['roo'],
    models: 'any model under Cline or Roo Code',
    call: { open: ['<{name}>'], close: ['</{name}>'] },
    header: { in: 'tag' },
    shapes: [
      {
        kind: 'tagged',
        key: { open: '<', close: '>' },
        value: { close: '</{key}>' },
        trim: 'all',
      },
    ],
    closes: 'tag',
    thinking: [['<thinking>', '</thinking>'], ...thinkTags],
    layout: { between: '\n', call: '\n', parameter: '\n' },
  },
]
