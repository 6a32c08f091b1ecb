// Cohere Chat v2. Source: https://docs.cohere.com/docs/tool-use-overview

import { outputText } from './content.ts'
import type { CohereToolCall } from './messages.ts'
import { replay } from './replay.ts'
import { said, type ReplyWriter, type TurnCall } from './writer.ts'

export const cohere: ReplyWriter<'cohere'> = {
  /** The plan that the model made before its calls goes back with them; without calls there is no plan. */
  turn(turn) {
    const { reasoning, calls } = turn
    const text = said(turn)
    if (calls.length === 0) return { role: 'assistant', content: text }
    return {
      role: 'assistant',
      ...(text === '' ? {} : { content: text }),
      ...(reasoning === '' ? {} : { tool_plan: reasoning }),
      tool_calls: calls.map(toolCall),
    }
  },
  /** There is no field that says error: the text has to. */
  reply({ id, output }) {
    return { role: 'tool', tool_call_id: id, content: outputText(output) }
  },
  join(turn, replies) {
    return [turn, ...replies]
  },
}

function toolCall({ call, id, name, extra }: TurnCall): CohereToolCall {
  return { ...extra, id, type: 'function', function: { name, arguments: replay(call).text } }
}
