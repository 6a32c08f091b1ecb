// Anthropic Messages. Source: https://docs.anthropic.com/en/docs/build-with-claude/streaming

import { callSteps, deltasOf, eventText, madeId, type Turn } from '../turn.ts'

export function* anthropic(turn: Turn): Generator<string> {
  const event = (type: string, members: string = ''): string => eventText(turn, `{"type":"${type}"${members}}`, type)
  const open = (index: number, block: string): string =>
    event('content_block_start', `,"index":${index},"content_block":${block}`)
  const append = (index: number, type: string, field: string, text: string): string =>
    event('content_block_delta', `,"index":${index},"delta":{"type":"${type}","${field}":${JSON.stringify(text)}}`)
  const close = (index: number): string => event('content_block_stop', `,"index":${index}`)
  let index = 0

  const message =
    `{"model":${JSON.stringify(turn.model ?? 'claude-sonnet-4-5-20250929')},"id":"${madeId('msg_01', 0)}",` +
    '"type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null'
  yield event('message_start', `,"message":${message}${turn.usage ? `,"usage":${firstUsage}` : ''}}`)
  if (turn.reasoning !== '') {
    yield open(index, '{"type":"thinking","thinking":"","signature":""}')
    yield event('ping')
    for (const delta of deltasOf(turn.reasoning, turn.deltaSize))
      yield append(index, 'thinking_delta', 'thinking', delta)
    yield append(index, 'signature_delta', 'signature', 'EoQDCm0IDhgCKkCDzGs2kL2PgnDCZU')
    yield close(index++)
  }
  if (turn.text !== '') {
    yield open(index, '{"type":"text","text":""}')
    yield event('ping')
    for (const delta of deltasOf(turn.text, turn.deltaSize)) yield append(index, 'text_delta', 'text', delta)
    yield close(index++)
  }
  for (const step of callSteps(turn)) {
    const at = index + step.call.index
    if (step.type === 'delta') yield append(at, 'input_json_delta', 'partial_json', step.delta)
    else if (step.type === 'close') yield close(at)
    else {
      const { id = madeId('toolu_01', step.call.index), name } = step.call
      yield open(at, `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"input":{}}`)
      // Every call opens with an empty piece.
      yield append(at, 'input_json_delta', 'partial_json', '')
    }
  }
  const reason = turn.finishReason === undefined ? (turn.calls.length > 0 ? 'tool_use' : 'end_turn') : turn.finishReason
  if (reason !== null) {
    const delta = `{"stop_reason":${JSON.stringify(reason)},"stop_sequence":null}`
    yield event('message_delta', `,"delta":${delta}${turn.usage ? `,"usage":${lastUsage}` : ''}`)
  }
  if (turn.terminate) yield event('message_stop')
}

const firstUsage =
  '{"input_tokens":598,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":8,"service_tier":"standard"}'
const lastUsage = '{"input_tokens":598,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":92}'
