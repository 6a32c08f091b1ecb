// Cohere v2 chat. Source: https://docs.cohere.com/v2/docs/streaming

import { callSteps, deltasOf, eventText, madeId, type Turn } from '../turn.ts'

export function* cohere(turn: Turn): Generator<string> {
  const event = (type: string, members: string): string => eventText(turn, `{"type":"${type}"${members}}`, type)

  const first = message('"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]')
  yield event('message-start', `,"id":"${madeId('', 0, 36)}",${first}`)
  for (const delta of deltasOf(turn.reasoning, turn.deltaSize)) {
    yield event('tool-plan-delta', `,${message(`"tool_plan":${JSON.stringify(delta)}`)}`)
  }
  if (turn.text !== '') {
    yield event('content-start', `,"index":0,${message('"content":{"type":"text","text":""}')}`)
    for (const delta of deltasOf(turn.text, turn.deltaSize)) {
      yield event('content-delta', `,"index":0,${message(`"content":{"text":${JSON.stringify(delta)}}`)}`)
    }
    yield event('content-end', ',"index":0')
  }
  for (const step of callSteps(turn)) {
    const { index, name } = step.call
    if (step.type === 'delta') {
      const call = `"tool_calls":{"function":{"arguments":${JSON.stringify(step.delta)}}}`
      yield event('tool-call-delta', `,"index":${index},${message(call)}`)
    } else if (step.type === 'open') {
      const id = JSON.stringify(step.call.id ?? madeId(`${name}_`, index, 12))
      const call = `{"id":${id},"type":"function","function":{"name":${JSON.stringify(name)},"arguments":""}}`
      yield event('tool-call-start', `,"index":${index},${message(`"tool_calls":${call}`)}`)
    } else yield event('tool-call-end', `,"index":${index}`)
  }
  const reason =
    turn.finishReason === undefined ? (turn.calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE') : turn.finishReason
  if (reason !== null) {
    yield event(
      'message-end',
      `,"delta":{"finish_reason":${JSON.stringify(reason)}${turn.usage ? `,"usage":${usage}` : ''}}`,
    )
  }
  if (turn.terminate) yield eventText(turn, '[DONE]')
}

const usage = '{"billed_units":{"input_tokens":62,"output_tokens":28},"tokens":{"input_tokens":968,"output_tokens":83}}'

function message(members: string): string {
  return `"delta":{"message":{${members}}}`
}
