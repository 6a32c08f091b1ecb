// The Responses API. Source: https://platform.openai.com/docs/api-reference/responses-streaming

import { callSteps, deltasOf, eventText, madeId, paddings, type Turn, type TurnCall } from '../turn.ts'

/** Writes one event: its type, then its members as JSON without the braces. */
type Write = (type: string, members: string) => string

export function* openaiResponses(turn: Turn): Generator<string> {
  const event = writer(turn)
  const padding = paddings()
  const pad = turn.obfuscation ? () => `,"obfuscation":"${padding()}"` : () => ''
  const output: string[] = []

  yield event('response.created', response(turn, 'in_progress', []))
  yield event('response.in_progress', response(turn, 'in_progress', []))
  if (turn.reasoning !== '') output.push(yield* reasoningItem(turn, event, output.length, pad))
  if (turn.text !== '') output.push(yield* messageItem(turn, event, output.length, pad))
  output.push(...(yield* callItems(turn, event, output.length, pad)))
  if (!turn.terminate) return
  const reason = turn.finishReason ?? 'completed'
  if (reason === 'completed' || reason === 'failed') yield event(`response.${reason}`, response(turn, reason, output))
  else yield event('response.incomplete', response(turn, 'incomplete', output, reason))
}

function writer(turn: Turn): Write {
  let sequence = 0
  return (type, members) => eventText(turn, `{"type":"${type}","sequence_number":${sequence++},${members}}`, type)
}

function response(turn: Turn, status: string, output: readonly string[], incomplete?: string): string {
  const details = incomplete === undefined ? 'null' : `{"reason":${JSON.stringify(incomplete)}}`
  const error = status === 'failed' ? '{"code":"server_error","message":"The server had an error."}' : 'null'
  const usage = turn.usage && status !== 'in_progress' ? tokenCounts : 'null'
  const model = JSON.stringify(turn.model ?? 'gpt-5-2025-08-07')
  return (
    `"response":{"id":"${madeId('resp_', 0, 48)}","object":"response","created_at":1759853367,"status":"${status}",` +
    `"background":false,"error":${error},"incomplete_details":${details},"instructions":null,"max_output_tokens":null,` +
    `"model":${model},"output":[${output.join(',')}],"parallel_tool_calls":true,"previous_response_id":null,` +
    '"reasoning":{"effort":null,"summary":null},"service_tier":"default","store":true,"temperature":1.0,' +
    `"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1.0,"usage":${usage},"metadata":{}}`
  )
}

const tokenCounts =
  '{"input_tokens":398,"input_tokens_details":{"cached_tokens":0},"output_tokens":40,' +
  '"output_tokens_details":{"reasoning_tokens":0},"total_tokens":438}'

/** `text` is a JSON string, as in every part and item here. */
function summaryPart(text: string): string {
  return `{"type":"summary_text","text":${text}}`
}

function textPart(text: string): string {
  return `{"type":"output_text","annotations":[],"logprobs":[],"text":${text}}`
}

function* reasoningItem(turn: Turn, event: Write, at: number, pad: () => string): Generator<string, string> {
  const id = madeId('rs_', at, 48)
  const place = `"item_id":"${id}","output_index":${at},"summary_index":0`
  const item = (summary: string): string => `{"id":"${id}","type":"reasoning","summary":[${summary}]}`
  const text = JSON.stringify(turn.reasoning)
  yield event('response.output_item.added', `"output_index":${at},"item":${item('')}`)
  yield event('response.reasoning_summary_part.added', `${place},"part":${summaryPart('""')}`)
  for (const delta of deltasOf(turn.reasoning, turn.deltaSize)) {
    yield event('response.reasoning_summary_text.delta', `${place},"delta":${JSON.stringify(delta)}${pad()}`)
  }
  yield event('response.reasoning_summary_text.done', `${place},"text":${text}`)
  yield event('response.reasoning_summary_part.done', `${place},"part":${summaryPart(text)}`)
  yield event('response.output_item.done', `"output_index":${at},"item":${item(summaryPart(text))}`)
  return item(summaryPart(text))
}

function* messageItem(turn: Turn, event: Write, at: number, pad: () => string): Generator<string, string> {
  const id = madeId('msg_', at, 48)
  const place = `"item_id":"${id}","output_index":${at},"content_index":0`
  const item = (status: string, content: string): string =>
    `{"id":"${id}","type":"message","status":"${status}","content":[${content}],"role":"assistant"}`
  const text = JSON.stringify(turn.text)
  yield event('response.output_item.added', `"output_index":${at},"item":${item('in_progress', '')}`)
  yield event('response.content_part.added', `${place},"part":${textPart('""')}`)
  for (const delta of deltasOf(turn.text, turn.deltaSize)) {
    yield event('response.output_text.delta', `${place},"delta":${JSON.stringify(delta)},"logprobs":[]${pad()}`)
  }
  yield event('response.output_text.done', `${place},"text":${text},"logprobs":[]`)
  yield event('response.content_part.done', `${place},"part":${textPart(text)}`)
  yield event('response.output_item.done', `"output_index":${at},"item":${item('completed', textPart(text))}`)
  return item('completed', textPart(text))
}

/** The calls from output index `first` on. Returns their items as the last event repeats them. */
function* callItems(turn: Turn, event: Write, first: number, pad: () => string): Generator<string, string[]> {
  const itemId = (call: TurnCall): string => madeId('fc_', first + call.index, 48)
  const item = (call: TurnCall, status: string, text: string): string =>
    `{"id":"${itemId(call)}","type":"function_call","status":"${status}","arguments":${JSON.stringify(text)},` +
    `"call_id":${JSON.stringify(call.id ?? madeId('call_', call.index))},"name":${JSON.stringify(call.name)}}`
  const places = turn.calls.map((call) => `"item_id":"${itemId(call)}","output_index":${first + call.index}`)

  for (const step of callSteps(turn)) {
    const { call } = step
    const place = places[call.index] ?? ''
    if (step.type === 'delta') {
      yield event('response.function_call_arguments.delta', `${place},"delta":${JSON.stringify(step.delta)}${pad()}`)
    } else if (step.type === 'open') {
      yield event(
        'response.output_item.added',
        `"output_index":${first + call.index},"item":${item(call, 'in_progress', '')}`,
      )
    } else {
      yield event('response.function_call_arguments.done', `${place},"arguments":${JSON.stringify(call.text)}`)
      yield event(
        'response.output_item.done',
        `"output_index":${first + call.index},"item":${item(call, 'completed', call.text)}`,
      )
    }
  }
  return turn.calls.map((call) => item(call, 'completed', call.text))
}
