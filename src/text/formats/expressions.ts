// Formats that write a call as an expression: Python calls, and objects with bare keys.

import type { TextFormat } from '../row.ts'
import { thinkTags } from './json.ts'

export const expressionFormats: readonly TextFormat[] = [
  {
    name: 'llama4-pythonic',
    aliases: ['llama4', 'pythonic'],
    models: 'Llama 4',
    section: { open: ['<|python_start|>'], close: ['<|python_end|>'] },
    shapes: [{ kind: 'python', list: 'brackets' }],
    closes: 'tag',
    stops: ['<|eom|>', '<|eot|>'],
  },
  {
    name: 'pythonic-bare',
    aliases: ['toolace', 'llama3.2-pythonic'],
    models: 'Llama 3.2, Llama 4, ToolACE, LFM2.5',
    shapes: [{ kind: 'python', list: 'brackets' }],
    closes: 'itself',
    thinking: thinkTags,
    bare: 'list',
  },
  {
    name: 'lfm2',
    models: 'LFM2',
    section: { open: ['<|tool_call_start|>'], close: ['<|tool_call_end|>'] },
    shapes: [{ kind: 'python', list: 'brackets' }],
    closes: 'tag',
    thinking: thinkTags,
    response: ['<|tool_response_start|>', '<|tool_response_end|>'],
  },
  {
    name: 'olmo3',
    models: 'OLMo 3',
    section: { open: ['<function_calls>'], close: ['</function_calls>'] },
    shapes: [{ kind: 'python', list: 'lines' }],
    closes: 'tag',
    thinking: thinkTags,
    layout: { between: '\n' },
  },
  {
    name: 'gemma3',
    aliases: ['tool_code'],
    models: 'Gemma 3',
    section: { open: ['```tool_code\n'], close: ['```'] },
    shapes: [{ kind: 'python', list: 'lines' }],
    closes: 'tag',
    layout: { between: '\n' },
    response: ['```tool_output\n', '\n```'],
  },
  {
    name: 'functiongemma',
    models: 'FunctionGemma',
    section: { open: ['<start_function_call>'], close: ['<end_function_call>'] },
    shapes: [{ kind: 'dict', open: 'call:', quote: '<escape>', commas: 'optional' }],
    closes: 'tag',
    response: ['<start_function_response>', '<end_function_response>'],
  },
  {
    name: 'gemma4',
    models: 'Gemma 4',
    section: { open: ['<|tool_call>'], close: ['<tool_call|>'] },
    shapes: [{ kind: 'dict', open: 'call:', quote: '<|"|>', commas: 'required' }],
    closes: 'tag',
    thinking: [['<|channel>thought\n', '<channel|>']],
    response: ['<|tool_response>', '<tool_response|>'],
  },
]
