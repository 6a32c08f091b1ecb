// The turn of a result that replies and history are made from.

import { replyIds } from '../assembly/reply-ids.ts'
import type { FinishedCall, FinishedTurn } from './calls.ts'
import { wellFormed, wireObject } from './json.ts'
import type { ReplyFormatName } from './messages.ts'
import { replyId, replyName } from './names.ts'
import type { Turn, TurnCall } from './writer.ts'

export interface AssistantTurnOptions<F extends ReplyFormatName> {
  readonly format: F
  /**
   * Whether the history holds the model's reasoning, in the formats that take it unsigned: Chat Completions (`reasoning_content`),
   * Ollama (`thinking`), Cohere (`tool_plan`). Default: yes for Ollama and Cohere; no for Chat Completions, whose servers differ:
   * some demand it between calls and their results, some refuse it.
   */
  readonly reasoning?: boolean
}

const keepsReasoning: ReadonlySet<ReplyFormatName> = new Set(['ollama', 'cohere'])

export function turnOf(
  result: FinishedTurn,
  { format, reasoning = keepsReasoning.has(format) }: AssistantTurnOptions<ReplyFormatName>,
): Turn {
  const choice = describedChoice(result)
  // The ids of a turn are unique over all its choices.
  const ids = replyIds(result.calls)
  const calls = result.calls.map((call, n): TurnCall => {
    const extra = result.format === format ? wireObject(call.extra) : {}
    return { call, id: ids[n] ?? replyId(call), name: replyName(call), extra }
  })
  return {
    text: wellFormed(result.text),
    reasoning: reasoning ? wellFormed(result.reasoning) : '',
    refusal: wellFormed(result.refusal),
    calls: calls.filter(({ call }) => call.choice === choice),
  }
}

/** The calls of the choice that the result describes. */
export function describedCalls(result: FinishedTurn): readonly FinishedCall[] {
  const choice = describedChoice(result)
  return result.calls.filter((call) => call.choice === choice)
}

/** The choice that the result's own text and finish are of: 0, or the first one seen. */
function describedChoice({ choices, calls }: FinishedTurn): number {
  const seen = [...choices, ...calls].map(({ choice }) => choice)
  return seen.includes(0) ? 0 : (seen[0] ?? 0)
}
