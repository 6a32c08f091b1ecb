/**
 * Streams as they break in the wild, each with the verdict that it must come to. The README's table is made from these rows by
 * feeding them, and a test holds both to `verdict`, `finish` and `reported`.
 */

const tools = {
  save: { parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  list: { parameters: { type: 'object', properties: { filter: { type: 'string' } } } },
}

const event = (value) => `data: ${JSON.stringify(value)}\n\n`
const chat = (delta, reason = null) => event({ choices: [{ index: 0, delta, finish_reason: reason }] })
const call = (fields) => chat({ tool_calls: [fields] })
const open = (index, name, id = `call_${index}_${name}`) => call({ index, id, function: { name, arguments: '' } })
const add = (index, text) => call({ index, function: { arguments: text } })
const one = (text, name = 'save') => open(0, name) + add(0, text)
const finish = (reason) => chat({}, reason)
const done = 'data: [DONE]\n\n'
const whole = '{"text":"hello"}'
const half = '{"text":"hel'
/** A turn that ends as it should, whatever was in it. */
const ended = (events, reason = 'tool_calls') => events + finish(reason) + done
const error = event({ error: { message: 'The engine is overloaded', type: 'server_error' } })

const responses = [
  { type: 'response.created', sequence_number: 0, response: { id: 'r', object: 'response', status: 'in_progress' } },
  {
    type: 'response.output_item.added',
    sequence_number: 1,
    output_index: 0,
    item: { type: 'function_call', id: 'fc', call_id: 'c', name: 'save', arguments: '' },
  },
  { type: 'response.function_call_arguments.delta', sequence_number: 2, output_index: 0, delta: '{"text":' },
  { type: 'response.function_call_arguments.delta', sequence_number: 4, output_index: 0, delta: '"o"}' },
  { type: 'response.completed', sequence_number: 5, response: { id: 'r', object: 'response', status: 'completed' } },
]

/** The bytes without the last one of the first character that has several. */
function withHalfCharacter(body) {
  const bytes = new TextEncoder().encode(body)
  const lead = bytes.findIndex((byte) => byte >= 0xc0)
  const end = bytes.findIndex((byte, at) => at > lead && (byte < 0x80 || byte >= 0xc0))
  return bytes.filter((_, at) => at !== end - 1)
}

const ollamaLine = (message, rest) => `${JSON.stringify({ model: 'm', message, done: false, ...rest })}\n`

/** What is cut, said to be cut, or breaks off. */
const cut = [
  {
    stream: 'nothing is wrong',
    body: ended(one(whole)),
    verdict: 'ok',
    finish: 'tool-calls',
  },
  {
    stream: 'output limit inside the arguments',
    body: ended(one(half), 'length'),
    verdict: 'truncated (output-limit)',
    finish: 'length, truncated',
  },
  {
    stream: 'the same, but the server says `tool_calls`',
    body: ended(one(half)),
    verdict: 'truncated (unreported)',
    finish: 'tool-calls, truncated',
  },
  {
    stream: 'output limit after a whole object',
    body: ended(one(whole), 'length'),
    verdict: 'ok',
    finish: 'length, truncated',
  },
  {
    stream: 'output limit right after `{}`, which may be a placeholder',
    body: ended(one('{}', 'list'), 'length'),
    verdict: 'truncated (output-limit)',
    finish: 'length, truncated',
  },
  {
    stream: 'context window full',
    body: ended(one(half), 'model_context_window_exceeded'),
    verdict: 'truncated (context-window)',
    finish: 'length, truncated',
  },
  {
    stream: 'content filter after a whole object',
    body: ended(one(whole), 'content_filter'),
    verdict: 'interrupted (content-filter)',
    finish: 'content-filter, truncated',
  },
  {
    stream: 'a refusal beside the call',
    body: ended(one(whole) + chat({ refusal: 'I will not.' }), 'stop'),
    verdict: 'interrupted (content-filter)',
    finish: 'content-filter, truncated',
  },
  {
    stream: 'connection lost inside the arguments',
    body: one(half),
    verdict: 'truncated (connection)',
    finish: 'interrupted, truncated',
  },
  {
    stream: 'connection lost after a whole object',
    body: one(whole),
    verdict: 'interrupted (connection)',
    finish: 'interrupted, truncated',
  },
  {
    stream: 'connection lost inside an event',
    body: `${one(whole)}data: {"choi`,
    verdict: 'interrupted (connection)',
    finish: 'interrupted, truncated',
    reported: ['unterminated-event'],
  },
  {
    stream: 'error event inside the arguments',
    body: one(half) + error,
    verdict: 'truncated (server-error)',
    finish: 'error, truncated',
    reported: ['server_error'],
  },
  {
    stream: 'error event after a whole object',
    body: one(whole) + error,
    verdict: 'interrupted (server-error)',
    finish: 'error, truncated',
    reported: ['server_error'],
  },
  {
    stream: 'you call `abort()`',
    body: one(half),
    abort: true,
    verdict: 'truncated (aborted)',
    finish: 'interrupted, truncated',
    reported: ['aborted'],
  },
  {
    stream: 'end marker without a finish reason',
    body: one(whole) + done,
    verdict: 'ok',
    finish: 'tool-calls',
    reported: ['missing-finish-reason'],
  },
  {
    stream: 'finish reason without an end marker',
    body: one(whole) + finish('tool_calls'),
    verdict: 'ok',
    finish: 'tool-calls',
  },
  {
    stream: 'last event without its blank line',
    body: one(whole) + finish('tool_calls').trimEnd(),
    verdict: 'ok',
    finish: 'tool-calls',
  },
  {
    stream: 'a finish reason that nobody knows',
    body: ended(one(whole), 'gone_fishing'),
    verdict: 'ok',
    finish: 'tool-calls',
  },
]

/** What is lost, garbled or without a clear owner. */
const damaged = [
  {
    stream: 'a byte lost from inside a character of the arguments',
    body: withHalfCharacter(ended(one('{"text":"Zürich"}'))),
    verdict: 'damaged',
    finish: 'tool-calls, truncated',
    reported: ['malformed-event'],
  },
  {
    stream: 'an event that is no JSON, while a call is open',
    body: ended(`${one(half)}data: {"choices":[{"del\n\n${add(0, 'lo"}')}`),
    verdict: 'damaged',
    finish: 'tool-calls, truncated',
    reported: ['malformed-event'],
  },
  {
    stream: 'an event longer than `maxEventBytes`',
    body: ended(one(whole) + add(0, ' '.repeat(500))),
    options: { limits: { maxEventBytes: 400 } },
    verdict: 'damaged',
    finish: 'tool-calls, truncated',
    reported: ['malformed-event', 'over-limit'],
  },
  {
    stream: 'arguments longer than `maxArgumentBytes`',
    body: ended(one(whole)),
    options: { limits: { maxArgumentBytes: 10 } },
    verdict: 'over-limit',
    finish: 'tool-calls, truncated',
    reported: ['over-limit'],
  },
  {
    stream: 'a gap in `sequence_number` (Responses)',
    body: responses.map(event).join(''),
    verdict: 'damaged',
    finish: 'tool-calls, truncated',
    reported: ['malformed-event'],
  },
  {
    stream: 'two open calls, then a fragment without index or id',
    body: ended(open(0, 'save') + open(1, 'save') + call({ function: { arguments: whole } })),
    verdict: 'ambiguous, ambiguous',
    finish: 'tool-calls, truncated',
    reported: ['ambiguous-fragment'],
  },
  {
    stream: 'an HTML page instead of a stream',
    body: '<!doctype html><title>502 Bad Gateway</title>',
    verdict: 'no call',
    finish: 'error, truncated',
    reported: ['not-a-stream'],
  },
  {
    stream: '`tool_calls` announced, none sent',
    body: ended(chat({ content: 'One moment.' })),
    verdict: 'no call',
    finish: 'stop',
    reported: ['finish-without-calls'],
  },
]

/** What is whole and only looks odd. */
const odd = [
  {
    stream: 'parallel calls that all say index 0',
    body: ended(one(whole) + open(0, 'save', 'other') + add(0, whole)),
    verdict: 'ok, ok',
    finish: 'tool-calls',
  },
  {
    stream: 'calls without index and without id',
    body: ended(
      call({ function: { name: 'save', arguments: whole } }) +
        call({ function: { name: 'list', arguments: '{"filter":"a"}' } }),
    ),
    verdict: 'ok, ok',
    finish: 'tool-calls',
  },
  {
    stream: 'calls, but the server says `stop`',
    body: ended(one(whole), 'stop'),
    verdict: 'ok',
    finish: 'tool-calls',
  },
  {
    stream: 'a whole object on one line (Ollama)',
    body:
      ollamaLine({ role: 'assistant', tool_calls: [{ function: { name: 'save', arguments: { text: 'hello' } } }] }) +
      ollamaLine({ role: 'assistant', content: '' }, { done: true, done_reason: 'stop' }),
    verdict: 'ok',
    finish: 'tool-calls',
  },
  {
    stream: 'a call written in the text, with `textCalls: true`',
    body: ended(chat({ content: `<tool_call>{"name":"save","arguments":${whole}}</tool_call>` }), 'stop'),
    options: { textCalls: true },
    verdict: 'ok',
    finish: 'tool-calls',
  },
  {
    stream: 'no arguments; the schema takes `{}`',
    body: ended(one('', 'list')),
    verdict: 'ok, repaired: empty-object',
    finish: 'tool-calls',
  },
]

/** What arrived whole and still must not run. */
const wrong = [
  {
    stream: 'no arguments; the schema does not take `{}`',
    body: ended(one('')),
    verdict: 'empty-arguments',
    finish: 'tool-calls',
  },
  {
    stream: 'arguments that are no JSON',
    body: ended(one('{"text" "hello"}')),
    verdict: 'malformed',
    finish: 'tool-calls',
  },
  {
    stream: 'arguments against the schema',
    body: ended(one('{"text":5}')),
    verdict: 'schema-mismatch',
    finish: 'tool-calls',
  },
  {
    stream: 'a tool that does not exist',
    body: ended(one(whole, 'safe')),
    verdict: 'unknown-tool',
    finish: 'tool-calls',
  },
  {
    stream: 'a call whose name never comes',
    body: ended(call({ index: 0, id: 'c', function: { arguments: whole } })),
    verdict: 'missing-name',
    finish: 'tool-calls',
  },
]

export const brokenStreams = [...cut, ...damaged, ...odd, ...wrong]

/** Feeds a row, and says in words what came of it. */
export function judgeRow(row, { createAssembler }) {
  const assembler = createAssembler({ tools, ...row.options })
  assembler.feed(row.body)
  if (row.abort) assembler.abort()
  else assembler.end()
  const { calls, finish: ending, warnings, errors } = assembler.result
  return {
    verdict: calls.length === 0 ? 'no call' : calls.map(verdictOf).join(', '),
    finish: ending.truncated ? `${ending.reason}, truncated` : ending.reason,
    reported: [...new Set([...warnings, ...errors].map(({ code }) => code))],
    told: calls.map(toldOf).find((told) => told !== '') ?? (calls.length > 0 ? 'what the tool returned' : ''),
    message: calls.map((held) => (held.ok ? '' : held.failure.message)).join('\n\n'),
  }
}

function verdictOf(held) {
  if (held.ok) {
    const names = [...new Set(held.repairs.map(({ name }) => name))]
    return names.length === 0 ? 'ok' : `ok, repaired: ${names.join(', ')}`
  }
  const { code, truncation } = held.failure
  return truncation ? `${code} (${truncation.cause})` : code
}

/** The sentence of the message that says what to do. It stands behind the line that quotes what was received. */
function toldOf(held) {
  if (held.ok) return ''
  const lines = held.failure.message.split('\n')
  const received = lines.findIndex((line) => line.startsWith('Received'))
  return lines[received + 1] ?? ''
}

export function brokenStreamsTable(library) {
  const rows = brokenStreams.map((row) => {
    const { verdict, finish: ending, reported, told } = judgeRow(row, library)
    const also = reported.map((code) => `\`${code}\``).join(' ')
    return `| ${[row.stream, verdict, ending, also, told].join(' | ')} |`
  })
  return [
    '| the stream | its call | `finish` | also reported | what the model is told to do |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
