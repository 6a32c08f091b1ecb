// Gemini and Vertex AI. Source: https://ai.google.dev/gemini-api/docs/function-calling

import { outputJson, outputText } from './content.ts'
import type { GeminiCallPart, GeminiResponsePart } from './messages.ts'
import { replayObject } from './replay.ts'
import { said, type Answer, type ReplyWriter, type TurnCall } from './writer.ts'

export const gemini: ReplyWriter<'gemini'> = {
  /**
   * A thought signature goes back on the very part that it came on, or Gemini 3 refuses the request.
   * Source: https://ai.google.dev/gemini-api/docs/thought-signatures
   */
  turn(turn) {
    const text = said(turn)
    // A content needs a part.
    return {
      role: 'model',
      parts: [...(text === '' && turn.calls.length > 0 ? [] : [{ text }]), ...turn.calls.map(functionCall)],
    }
  },
  reply(answer) {
    const functionResponse = { ...ids(answer), name: answer.name, response: response(answer) }
    return { role: 'user', parts: [{ functionResponse }] }
  },
  join(turn, replies) {
    const parts = replies.flatMap((reply) => reply.parts)
    return parts.length === 0 ? [turn] : [turn, { role: 'user', parts }]
  },
}

function functionCall(turnCall: TurnCall): GeminiCallPart {
  const { call, name, extra } = turnCall
  return { ...extra, functionCall: { ...ids(turnCall), name, args: replayObject(call) } }
}

/** Most models give no ids and match by name and order; an id that was never given is not sent. */
function ids({ call, id }: Pick<TurnCall, 'call' | 'id'>): { id?: string } {
  return call.wireId === null ? {} : { id }
}

function response({ output, isError }: Answer): GeminiResponsePart['functionResponse']['response'] {
  return isError ? { error: outputText(output) } : { output: outputJson(output) }
}
