// Ollama's own chat API: a JSON object a line, each call whole. Source: https://github.com/ollama/ollama/blob/main/docs/api.md

import { deltasOf, madeId, type Turn } from '../turn.ts'

export function* ollama(turn: Turn): Generator<string> {
  const head = `{"model":${JSON.stringify(turn.model ?? 'qwen3:4b')},"created_at":"2025-09-25T07:23:59.7516114Z","message":`
  const line = (members: string, rest: string = '"done":false'): string =>
    `${head}{"role":"assistant",${members}},${rest}}${turn.lineEnding}`

  for (const delta of deltasOf(turn.reasoning, turn.deltaSize))
    yield line(`"content":"","thinking":${JSON.stringify(delta)}`)
  for (const delta of deltasOf(turn.text, turn.deltaSize)) yield line(`"content":${JSON.stringify(delta)}`)
  for (const { index, id = madeId('call_', index, 8), name, text } of turn.calls) {
    const args = text.trim() === '' ? '' : `,"arguments":${text}`
    const call = `{"id":${JSON.stringify(id)},"function":{"index":${index},"name":${JSON.stringify(name)}${args}}}`
    yield line(`"content":"","tool_calls":[${call}]`)
  }
  if (!turn.terminate) return
  const reason = turn.finishReason === undefined ? 'stop' : turn.finishReason
  const doneReason = reason === null ? '' : `,"done_reason":${JSON.stringify(reason)}`
  yield line('"content":""', `"done":true${doneReason}${turn.usage ? counts : ''}`)
}

/** Durations in nanoseconds. */
const counts =
  ',"total_duration":4883583458,"load_duration":1334875,"prompt_eval_count":188,"prompt_eval_duration":342546000,' +
  '"eval_count":472,"eval_duration":4535599000'
