// Streams that are made to cost as much as possible: much of whatever might be gone through again for every event.

import type { AssemblerOptions, WireFormatName } from '../../src/index.ts'

const sse = (...values: unknown[]): string => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
const chatCall = (call: object): object => ({
  choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }],
})
const chat = (count: number, call: (n: number) => object): string =>
  Array.from({ length: count }, (_, n) => sse(chatCall(call(n)))).join('')
const opening = { index: 0, id: 'c', function: { name: 'f', arguments: '' } }
const responses = (type: string, more: object): string => sse({ type: `response.${type}`, ...more })
const item = { id: 'fc', type: 'function_call', call_id: 'c', name: 'f', arguments: '', status: 'in_progress' }

export interface Hostile {
  readonly name: string
  readonly format: WireFormatName
  /** How much of it takes some milliseconds. */
  readonly size: number
  readonly body: (size: number) => string
  readonly options?: AssemblerOptions
}

export const hostile: readonly Hostile[] = [
  {
    name: 'a call in thousands of pieces',
    format: 'openai-chat',
    size: 2_000,
    body: (size) => sse(chatCall(opening)) + chat(size, () => ({ index: 0, function: { arguments: '{"a":' } })),
  },
  {
    name: 'pieces that belong to no index',
    format: 'openai-chat',
    size: 2_000,
    body: (size) => sse(chatCall(opening)) + chat(size, () => ({ function: { arguments: '[1,' } })),
  },
  {
    name: 'a name on every piece',
    format: 'openai-chat',
    size: 2_000,
    body: (size) => chat(size, () => ({ index: 0, function: { name: 'f', arguments: '{}' } })),
  },
  {
    name: 'a name in thousands of pieces, with tools',
    format: 'openai-chat',
    size: 2_000,
    body: (size) => chat(size, (n) => ({ index: 0, function: { name: `piece${n}` } })),
    options: { tools: [{ name: 'f', parameters: {} }] },
  },
  {
    name: 'a name in thousands of pieces, without tools',
    format: 'openai-chat',
    size: 2_000,
    body: (size) => chat(size, (n) => ({ index: 0, function: { name: `piece${n}` } })),
  },
  {
    name: 'thousands of calls',
    format: 'openai-chat',
    size: 800,
    body: (size) => chat(size, (n) => ({ index: n, id: `c${n}`, function: { name: 'f', arguments: '{"a":1}' } })),
  },
  {
    name: 'thousands of ids for one call',
    format: 'openai-chat',
    size: 2_000,
    body: (size) => chat(size, (n) => ({ index: 0, id: `c${n}`, function: { arguments: ' ' } })),
  },
  {
    name: 'ids that are taken already',
    format: 'openai-chat',
    size: 800,
    body: (size) => chat(size, (n) => ({ id: `call_${n % 300}`, function: { name: 'f', arguments: '{}' } })),
  },
  {
    name: 'thousands of choices',
    format: 'openai-chat',
    size: 1_000,
    body: (size) =>
      Array.from({ length: size }, (_, n) =>
        sse({ choices: [{ index: n, delta: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }] }),
      ).join(''),
  },
  {
    name: 'reasoning that goes back with a call, over and over',
    format: 'openai-chat',
    size: 2_000,
    body: (size) =>
      sse(chatCall(opening)) +
      sse({ choices: [{ index: 0, delta: { reasoning_details: [{ id: 'c', type: 'reasoning.encrypted' }] } }] }).repeat(
        size,
      ),
  },
  {
    name: 'thousands of events that can’t be read, with calls open',
    format: 'openai-chat',
    size: 1_000,
    body: (size) => sse(chatCall(opening)) + 'data: {"choices":[{"index":0,"delta":{\n\n'.repeat(size),
  },
  {
    name: 'thousands of lines that are no field',
    format: 'openai-chat',
    size: 4_000,
    body: (size) => sse(chatCall(opening)) + '{"choices": nonsense\n'.repeat(size),
  },
  {
    name: 'one event of thousands of lines',
    format: 'openai-chat',
    size: 4_000,
    body: (size) => `${'data: {"choices":[]}\n'.repeat(size)}\n`,
  },
  {
    name: 'backslashes and quotes in a fragment',
    format: 'openai-chat',
    size: 50_000,
    body: (size) => sse(chatCall(opening), chatCall({ index: 0, function: { arguments: '\\"'.repeat(size) } })),
  },
  {
    name: 'arguments nested beyond all limits',
    format: 'openai-chat',
    size: 50_000,
    body: (size) => sse(chatCall(opening), chatCall({ index: 0, function: { arguments: '{"a":['.repeat(size) } })),
  },
  {
    name: 'an envelope nested beyond all limits',
    format: 'ollama',
    size: 50_000,
    body: (size) => `{"model":"m","done":false,"message":${'['.repeat(size)}${']'.repeat(size)}}\n`,
  },
  {
    name: 'thousands of calls in one line',
    format: 'ollama',
    size: 800,
    body: (size) =>
      `{"model":"m","message":{"tool_calls":[${Array.from({ length: size }, (_, n) => `{"function":{"name":"f","arguments":{"n":${n}}}}`).join()}]},"done":false}\n`,
  },
  {
    name: 'a repetition after every piece, each another',
    format: 'openai-responses',
    size: 1_500,
    body: (size) =>
      responses('output_item.added', { output_index: 0, item }) +
      (
        responses('function_call_arguments.delta', { output_index: 0, item_id: 'fc', delta: '{"a":"bcdefghijkl' }) +
        responses('function_call_arguments.done', { output_index: 0, item_id: 'fc', arguments: '{}' })
      ).repeat(size),
  },
  {
    name: 'thousands of items of encrypted reasoning',
    format: 'openai-responses',
    size: 1_500,
    body: (size) =>
      Array.from({ length: size }, (_, n) =>
        responses('output_item.done', {
          output_index: n,
          item: { id: `rs_${n}`, type: 'reasoning', summary: [], encrypted_content: 'x' },
        }),
      ).join(''),
  },
  {
    name: 'thousands of items of one type, repeated under other ids',
    format: 'openai-responses',
    size: 800,
    body: (size) => {
      const items = (prefix: string): object[] =>
        Array.from({ length: size }, (_, n) => ({ ...item, id: `${prefix}${n}`, call_id: null, arguments: '{}' }))
      return (
        items('a')
          .map((held, at) => responses('output_item.done', { output_index: at, item: held }))
          .join('') +
        responses('completed', { response: { object: 'response', status: 'completed', output: items('b') } })
      )
    },
  },
  {
    name: 'blocks that all have the same index',
    format: 'anthropic',
    size: 1_500,
    body: (size) =>
      Array.from({ length: size }, (_, n) =>
        sse({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: `t${n}`, name: 'f', input: {} },
        }),
      ).join(''),
  },
  {
    name: 'token counts under thousands of names',
    format: 'anthropic',
    size: 1_000,
    body: (size) =>
      Array.from({ length: size }, (_, n) =>
        sse({ type: 'message_delta', delta: {}, usage: { [`count${n}`]: n } }),
      ).join(''),
  },
  {
    name: 'arguments in thousands of pieces under deep paths',
    format: 'gemini',
    size: 800,
    body: (size) => {
      const part = (functionCall: object): string => sse({ candidates: [{ content: { parts: [{ functionCall }] } }] })
      const jsonPath = `$${'.a'.repeat(50)}`
      const piece = { partialArgs: [{ jsonPath, stringValue: 'x', willContinue: true }], willContinue: true }
      return part({ name: 'f', willContinue: true }) + part(piece).repeat(size)
    },
  },
]
