// Ollama's own chat API. Source: https://docs.ollama.com/capabilities/tool-calling

import { outputText } from './content.ts'
import type { OllamaToolCall } from './messages.ts'
import { replayObject } from './replay.ts'
import { said, type ReplyWriter, type TurnCall } from './writer.ts'

export const ollama: ReplyWriter<'ollama'> = {
  turn(turn) {
    const { reasoning, calls } = turn
    return {
      role: 'assistant',
      content: said(turn),
      ...(reasoning === '' ? {} : { thinking: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
    }
  },
  /** There is no field that says error: the text has to. Without ids the server goes by name and order. */
  reply({ call, id, name, output }) {
    return {
      role: 'tool',
      tool_name: name,
      ...(call.wireId === null ? {} : { tool_call_id: id }),
      content: outputText(output),
    }
  },
  join(turn, replies) {
    return [turn, ...replies]
  },
}

function toolCall({ call, id, name, extra }: TurnCall): OllamaToolCall {
  return { ...extra, ...(call.wireId === null ? {} : { id }), function: { name, arguments: replayObject(call) } }
}
