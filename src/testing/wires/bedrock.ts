// Bedrock ConverseStream: messages of an AWS event stream.
// Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html

import { encodeHeaders, encodeMessage } from '../event-stream.ts'
import { callSteps, deltasOf, madeId, paddings, type Turn } from '../turn.ts'

export function* bedrock(turn: Turn): Generator<Uint8Array> {
  const headers = {
    messageStart: headersOf('messageStart'),
    contentBlockStart: headersOf('contentBlockStart'),
    contentBlockDelta: headersOf('contentBlockDelta'),
    contentBlockStop: headersOf('contentBlockStop'),
    messageStop: headersOf('messageStop'),
    metadata: headersOf('metadata'),
  }
  const padding = paddings()
  const event = (type: keyof typeof headers, members: string): Uint8Array =>
    encodeMessage(headers[type], turn.obfuscation ? `{${members},"p":"${padding()}"}` : `{${members}}`)
  const start = (index: number, block: string): Uint8Array =>
    event('contentBlockStart', `"contentBlockIndex":${index},"start":${block}`)
  const append = (index: number, delta: string): Uint8Array =>
    event('contentBlockDelta', `"contentBlockIndex":${index},"delta":${delta}`)
  const stop = (index: number): Uint8Array => event('contentBlockStop', `"contentBlockIndex":${index}`)
  let index = 0

  yield event('messageStart', '"role":"assistant"')
  if (turn.reasoning !== '') {
    for (const delta of deltasOf(turn.reasoning, turn.deltaSize)) {
      yield append(index, `{"reasoningContent":{"text":${JSON.stringify(delta)}}}`)
    }
    yield stop(index++)
  }
  if (turn.text !== '') {
    for (const delta of deltasOf(turn.text, turn.deltaSize)) yield append(index, `{"text":${JSON.stringify(delta)}}`)
    yield stop(index++)
  }
  for (const step of callSteps(turn)) {
    const at = index + step.call.index
    if (step.type === 'delta') yield append(at, `{"toolUse":{"input":${JSON.stringify(step.delta)}}}`)
    else if (step.type === 'close') yield stop(at)
    else {
      const { id = madeId('tooluse_', step.call.index, 22), name } = step.call
      yield start(at, `{"toolUse":{"toolUseId":${JSON.stringify(id)},"name":${JSON.stringify(name)}}}`)
    }
  }
  const reason = turn.finishReason === undefined ? (turn.calls.length > 0 ? 'tool_use' : 'end_turn') : turn.finishReason
  if (reason !== null) yield event('messageStop', `"stopReason":${JSON.stringify(reason)}`)
  if (turn.usage) yield event('metadata', usage)
}

const usage = '"metrics":{"latencyMs":4491},"usage":{"inputTokens":657,"outputTokens":190,"totalTokens":847}'

function headersOf(type: string): Uint8Array {
  return encodeHeaders({ ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' })
}
