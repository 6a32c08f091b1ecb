// Anthropic Messages. Source: https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use

import type { JsonValue } from '../model/json.ts'
import { outputText } from './content.ts'
import { withKept } from './kept.ts'
import type { AnthropicCallBlock } from './messages.ts'
import { plainId } from './names.ts'
import { replayObject } from './replay.ts'
import { isBlank, said, without, type Answer, type ReplyWriter, type TurnCall } from './writer.ts'

export const anthropic: ReplyWriter<'anthropic'> = {
  /** Thinking goes back only as the blocks that the calls brought along: it is taken with its signature alone. */
  turn(turn) {
    const before = withKept<AnthropicCallBlock>(said(turn), turn.calls, (text) => ({ type: 'text', text }))
    return { role: 'assistant', content: [...before, ...turn.calls.map(toolUse)] }
  },
  reply(answer) {
    const text = resultText(answer)
    return {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: plainId(answer.id),
          ...toolset(answer.call.extra?.['toolset_name']),
          ...(answer.isError ? { is_error: true as const } : {}),
          ...(isBlank(text) ? {} : { content: [{ type: 'text' as const, text }] }),
        },
      ],
    }
  },
  join(turn, replies) {
    const content = replies.flatMap((reply) => reply.content)
    return content.length === 0 ? [turn] : [turn, { role: 'user', content }]
  },
}

function toolUse({ call, id, name, extra }: TurnCall): AnthropicCallBlock {
  return { ...without(extra, 'blocks'), type: 'tool_use', id: plainId(id), name, input: replayObject(call) }
}

/** A call of a toolset is answered in its name. */
function toolset(name: JsonValue | undefined): { toolset_name?: string } {
  return typeof name === 'string' ? { toolset_name: name } : {}
}

/** An error without content is refused. */
function resultText({ output, isError }: Answer): string {
  const text = outputText(output)
  return isError && isBlank(text) ? 'The tool failed and gave no message.' : text
}
