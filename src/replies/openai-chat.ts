// Chat Completions and the servers that speak it. Source: https://platform.openai.com/docs/api-reference/chat/create

import { listOf } from '../arguments/json.ts'
import { outputText } from './content.ts'
import { wellFormed } from './json.ts'
import type { ChatToolCall } from './messages.ts'
import { replay } from './replay.ts'
import { without, type ReplyWriter, type TurnCall } from './writer.ts'

export const openaiChat: ReplyWriter<'openai-chat'> = {
  turn({ text, reasoning, refusal, calls }) {
    // OpenRouter keeps them on the message, whichever call they belong to. Source: https://openrouter.ai/docs/use-cases/reasoning-tokens
    const details = calls.flatMap(({ extra }) => listOf(extra['reasoning_details']))
    return {
      role: 'assistant',
      content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
      ...(refusal === '' ? {} : { refusal }),
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      // An empty list is refused.
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
    }
  },
  /** There is no field that says error: the text has to. */
  reply({ id, name, output, includeName }) {
    return { role: 'tool', tool_call_id: id, ...(includeName ? { name } : {}), content: outputText(output) }
  },
  join(turn, replies) {
    return [turn, ...replies]
  },
}

function toolCall({ call, id, name, extra }: TurnCall): ChatToolCall {
  const beside = without(extra, 'reasoning_details')
  return call.kind === 'custom'
    ? { ...beside, id, type: 'custom', custom: { name, input: wellFormed(call.argumentsText) } }
    : { ...beside, id, type: 'function', function: { name, arguments: replay(call).text } }
}
