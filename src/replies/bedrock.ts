// Bedrock Converse. Source: https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html
import { outputText } from './content.ts'
import { isWireObject, wireJson } from './json.ts'
import type { BedrockCallBlock, BedrockToolResult } from './messages.ts'
import { plainId } from './names.ts'
import { replayObject } from './replay.ts'
import { isBlank, said, type Answer, type ReplyWriter, type TurnCall } from './writer.ts'

export const bedrock: ReplyWriter<'bedrock'> = {
  /** Reasoning is left out: it is taken back only with its signature, which belongs to no call. */
  turn(turn) {
    const text = said(turn)
    return { role: 'assistant', content: [...(isBlank(text) ? [] : [{ text }]), ...turn.calls.map(toolUse)] }
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
  return { toolUse: { ...extra, toolUseId: plainId(id), name, input: replayObject(call) } }
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
