/** What the demo's server plays: real shapes of real APIs, with what goes wrong on them. Each scene is one response. */

/** The tools of every scene, with the schemas that arguments have to satisfy. */
export const tools = {
  get_weather: {
    description: 'Current weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
      required: ['city'],
    },
  },
  write_file: {
    description: 'Writes a text file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
}

const file = {
  path: 'src/greet.ts',
  content:
    'export function greet(name: string): string {\n  return `Hello, ${name}! \\u{1f44b} Grüße aus Köln 🌧️`\n}\n',
}
const fileText = JSON.stringify(file)

/** Pieces of four to six characters, the size of a token or two. */
function tokens(text) {
  const pieces = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = 4 + (turn % 3)
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

const event = (value) => `data: ${JSON.stringify(value)}\n\n`
const namedEvent = (value) => `event: ${value.type}\n${event(value)}`

const chat = (delta, finish_reason = null) =>
  event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const opening = (index, name) =>
  chat({ tool_calls: [{ index, id: `call_${index}_${name}`, type: 'function', function: { name, arguments: '' } }] })
const piece = (index, text) => chat({ tool_calls: [{ index, function: { arguments: text } }] })
const done = 'data: [DONE]\n\n'

function oneCall(name, argumentsText, ending) {
  return [opening(0, name), ...tokens(argumentsText).map((text) => piece(0, text)), ending].join('')
}

function twoCallsInterleaved() {
  const weather = tokens(JSON.stringify({ city: 'Reykjavík', unit: 'celsius' }))
  const events = [opening(0, 'write_file'), opening(1, 'get_weather')]
  for (const [turn, text] of tokens(fileText).entries()) {
    events.push(piece(0, text))
    const other = weather[turn]
    if (other !== undefined) events.push(piece(1, other))
  }
  return [...events, chat({}, 'tool_calls'), done].join('')
}

const line = (message, rest = {}) => `${JSON.stringify({ model: 'qwen3:8b', message, done: false, ...rest })}\n`

function ollama() {
  const call = (name, args) =>
    line({ role: 'assistant', content: '', tool_calls: [{ function: { name, arguments: args } }] })
  return [
    line({ role: 'assistant', content: 'One moment. ' }),
    call('get_weather', { city: 'Bergen' }),
    call('write_file', file),
    line({ role: 'assistant', content: '' }, { done: true, done_reason: 'stop' }),
  ].join('')
}

function anthropic() {
  const delta = (index, value) => namedEvent({ type: 'content_block_delta', index, delta: value })
  return [
    namedEvent({
      type: 'message_start',
      message: { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 90 } },
    }),
    namedEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    delta(0, { type: 'text_delta', text: 'I will look that up.' }),
    namedEvent({ type: 'content_block_stop', index: 0 }),
    namedEvent({
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} },
    }),
    ...tokens('{"city": "Tórshavn", "unit": "kelvin"}').map((partial_json) =>
      delta(1, { type: 'input_json_delta', partial_json }),
    ),
    namedEvent({ type: 'content_block_stop', index: 1 }),
    namedEvent({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 41 } }),
    namedEvent({ type: 'message_stop' }),
  ].join('')
}

function callInText() {
  const text = `Let me see.\n<tool_call>\n${JSON.stringify({ name: 'get_weather', arguments: { city: 'Nuuk' } })}\n</tool_call>`
  return [...tokens(text).map((content) => chat({ content })), chat({}, 'stop'), done].join('')
}

const cutText = fileText.slice(0, 70)
const errorEvent = event({ error: { message: 'The engine is overloaded', type: 'server_error', code: 'overloaded' } })

/** Each with a path of its own on the server. `options` go to `assemble`. */
export const scenes = [
  { title: 'two calls, interleaved', path: '/interleaved', route: { body: twoCallsInterleaved() } },
  { title: 'Ollama, whole objects', path: '/ollama', route: { body: ollama(), contentType: 'application/x-ndjson' } },
  { title: 'Anthropic, against the schema', path: '/anthropic', route: { body: anthropic() } },
  {
    title: 'arguments in a code fence',
    path: '/repaired',
    route: { body: oneCall('write_file', `\`\`\`json\n${fileText}\n\`\`\``, chat({}, 'tool_calls') + done) },
  },
  {
    title: 'a call in the text',
    path: '/text-call',
    route: { body: callInText() },
    options: { textCalls: true },
  },
  {
    title: 'cut by the output limit',
    path: '/length',
    route: { body: oneCall('write_file', cutText, chat({}, 'length') + done) },
  },
  {
    title: 'cut, but "tool_calls"',
    path: '/hidden-cut',
    route: { body: oneCall('write_file', cutText, chat({}, 'tool_calls') + done) },
  },
  {
    title: 'connection dropped',
    path: '/dropped',
    route: { body: oneCall('write_file', fileText, ''), cut: { after: 3000, how: 'drop' } },
  },
  {
    title: 'error in mid-stream',
    path: '/error',
    route: { body: oneCall('write_file', fileText, ''), cut: { after: 2500, how: 'error', event: errorEvent } },
  },
  {
    title: 'a model without tools',
    path: '/no-tools',
    route: {
      status: 400,
      contentType: 'application/json',
      body: JSON.stringify({ error: 'registry.ollama.ai/library/gemma:2b does not support tools' }),
    },
  },
]
