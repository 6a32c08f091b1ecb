// Bedrock Converse. Source: https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html

import { outputText } from './content.ts'
import { isWireObject, wireJson } from './json.ts'
import { withKept } from './kept.ts'
import type { BedrockCallBlock, BedrockToolResult } from './messages.ts'
import { plainId } from './names.ts'
import { replayObject } from './replay.ts'
import { isBlank, said, without, type Answer, type ReplyWriter, type TurnCall } from './writer.ts'

export const bedrock: ReplyWriter<'bedrock'> = {
  /**
   * Reasoning goes back only as the blocks that the calls brought along: it is taken with its signature alone. `redactedContent` is
   * base64, as the API's JSON has it; AWS's SDKs take bytes in its place.
   */
  turn(turn) {
    const before = withKept<BedrockCallBlock>(said(turn), turn.calls, (text) => ({ text }))
    return { role: 'assistant', content: [...before, ...turn.calls.map(toolUse)] }
  },
  reply(answer) {
    const { id, isError } = answer
    const toolResult = {
      toolUseId: plainId(id),
      status: isError ? ('error' as const) : ('success' as const),
      content: resultContent(answer),
    }
    return { role: 'user', content: [{ toolResult }] }
  },
  join(turn, replies) {
    const content = replies.flatMap((reply) => reply.content)
    return content.length === 0 ? [turn] : [turn, { role: 'user', content }]
  },
}

function toolUse({ call, id, name, extra }: TurnCall): BedrockCallBlock {
  return { toolUse: { ...without(extra, 'blocks'), toolUseId: plainId(id), name, input: replayObject(call) } }
}

/** An object goes as JSON, which several models demand to be an object; everything else as text, and nothing as an empty list. */
function resultContent({ output, isError }: Answer): BedrockToolResult['toolResult']['content'] {
  if (typeof output === 'object' && output !== null && !isError) {
    const json = wireJson(output)
    if (isWireObject(json)) return [{ json }]
  }
  const text = outputText(output)
  return isBlank(text) ? [] : [{ text }]
}
