// Chat Completions. Source: https://platform.openai.com/docs/api-reference/chat-streaming

import { callSteps, deltasOf, eventText, madeId, paddings, type Turn } from '../turn.ts'

export function* openaiChat(turn: Turn): Generator<string> {
  const model = JSON.stringify(turn.model ?? 'gpt-4o-2024-08-06')
  const head =
    `{"id":"${madeId('chatcmpl-', 0, 29)}","object":"chat.completion.chunk","created":1759436808,"model":${model},` +
    '"service_tier":"default","system_fingerprint":"fp_cbf1785567"'
  const padding = paddings()
  const pad = turn.obfuscation ? () => `,"obfuscation":"${padding()}"` : () => ''
  const chunk = (choice: number, delta: string, reason: string = 'null'): string =>
    eventText(
      turn,
      `${head},"choices":[{"index":${choice},"delta":${delta},"logprobs":null,"finish_reason":${reason}}],"usage":null${pad()}}`,
    )

  for (let choice = 0; choice < turn.choices; choice++) yield* answer(turn, (delta) => chunk(choice, delta), choice)
  const reason = turn.finishReason === undefined ? (turn.calls.length > 0 ? 'tool_calls' : 'stop') : turn.finishReason
  if (reason !== null) {
    for (let choice = 0; choice < turn.choices; choice++) yield chunk(choice, '{}', JSON.stringify(reason))
  }
  if (turn.usage) yield eventText(turn, `${head},"choices":[],"usage":${usage}${pad()}}`)
  if (turn.terminate) yield eventText(turn, '[DONE]')
}

const usage =
  '{"prompt_tokens":398,"completion_tokens":40,"total_tokens":438,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},' +
  '"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}'

function* answer(turn: Turn, chunk: (delta: string) => string, choice: number): Generator<string> {
  yield chunk('{"role":"assistant","content":null}')
  for (const delta of deltasOf(turn.reasoning, turn.deltaSize))
    yield chunk(`{"reasoning_content":${JSON.stringify(delta)}}`)
  for (const delta of deltasOf(turn.text, turn.deltaSize)) yield chunk(`{"content":${JSON.stringify(delta)}}`)
  for (const step of callSteps(turn)) {
    const { index, id, name } = step.call
    if (step.type === 'open') {
      const unique = choice === 0 ? '' : `_${choice}`
      const wireId = JSON.stringify((id ?? madeId('call_', index)) + unique)
      const call = `"id":${wireId},"type":"function","function":{"name":${JSON.stringify(name)},"arguments":""}`
      yield chunk(`{"tool_calls":[{"index":${index},${call}}]}`)
    } else if (step.type === 'delta') {
      yield chunk(`{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(step.delta)}}}]}`)
    }
  }
}
