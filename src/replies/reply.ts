// From a finished turn to the messages of the next request.

import type { ArgumentsByName } from '../model/calls.ts'
import type { AssemblerResult } from '../model/events.ts'
import type { FinishedCall, FinishedTurn } from './calls.ts'
import type { ReplyFormatName, ReplyShapes } from './messages.ts'
import { replyId, replyName } from './names.ts'
import { outcomeOf } from './outcome.ts'
import { outputsOf, type AnyOutputs, type ToolOutputs } from './outputs.ts'
import { writerFor } from './registry.ts'
import { turnOf, type AssistantTurnOptions } from './turn.ts'
import type { Answer } from './writer.ts'

export interface ToolReplyOptions<F extends ReplyFormatName> {
  readonly format: F
  /** Whether `output` says what went wrong. Default: whether it is an `Error`. A refused call is an error whatever this says. */
  readonly isError?: boolean
  /** Put the tool's name on a Chat Completions reply, for servers whose prompt template wants it. Default `false`. */
  readonly includeName?: boolean
}

export type NextMessagesOptions<F extends ReplyFormatName> = AssistantTurnOptions<F> &
  Pick<ToolReplyOptions<F>, 'includeName'>

/**
 * The message that answers a call, complete in itself. Text goes as it is, anything else as JSON, `undefined` as no text.
 *
 * A refused call is answered with its failure's message, in the format's shape for errors, whatever `output` is: nothing was run, so
 * there is nothing else to tell. Formats without such a shape (Chat Completions, Ollama, Cohere) have the text alone.
 *
 * Where an API wants the results of a turn in one message (Anthropic, Bedrock, Gemini), several of these have to be joined, which
 * `nextMessages` does.
 *
 * @throws TypeError for an unknown format, or an output that has no JSON or is a promise.
 */
export function toolReply<F extends ReplyFormatName>(
  call: FinishedCall,
  output: unknown,
  options: ToolReplyOptions<F>,
): ReplyShapes[F]['reply'] {
  return writerFor(options.format).reply(answer(call, replyId(call), output, options))
}

/**
 * The assistant's turn for the history: its text and the calls of the choice that `result` describes, refused ones included, so that
 * every reply meets its call. See `replay` for what stands as a call's arguments.
 *
 * Calls that were read out of the text become calls like any other: the server's template writes them in the model's own dialect.
 * Where the model was given its tools in the prompt, `textMessages` writes its history.
 *
 * What an API wants back unchanged (signed or encrypted reasoning, what it ran itself) goes back where a call brings it in its
 * `extra`, and then only to the API that it came from. A turn without calls goes back as its text, which every API takes.
 */
export function assistantTurn<F extends ReplyFormatName>(
  result: FinishedTurn,
  options: AssistantTurnOptions<F>,
): ReplyShapes[F]['turn'] {
  return writerFor(options.format).turn(turnOf(result, options))
}

/**
 * All that the next request adds to the conversation: the assistant's turn, then the answers to its calls in their order, as many
 * messages as the API wants for them. A turn that holds nothing adds nothing.
 *
 * `outputs` has the result of every ready call; refused ones are answered by themselves. A list is in the order of the ready calls, or
 * of all calls of the turn with anything at the place of the refused ones. An `Error` as output is a failed run.
 *
 * @throws TypeError where a ready call has no output, naming the call: a history with an unanswered call is refused by every API.
 */
export function nextMessages<F extends ReplyFormatName, A extends object = ArgumentsByName>(
  result: AssemblerResult<A>,
  outputs: ToolOutputs<A>,
  options: NextMessagesOptions<F>,
): ReplyShapes[F]['message'][]
export function nextMessages<F extends ReplyFormatName>(
  result: FinishedTurn,
  outputs: AnyOutputs,
  options: NextMessagesOptions<F>,
): ReplyShapes[F]['message'][] {
  const writer = writerFor(options.format)
  const turn = turnOf(result, options)
  if (turn.calls.length === 0 && turn.text === '' && turn.refusal === '') return []
  const outputOf = outputsOf(
    turn.calls.map(({ call }) => call),
    outputs,
  )
  const replies = turn.calls.map(({ call, id }) => writer.reply(answer(call, id, outputOf(call), options)))
  return writer.join(writer.turn(turn), replies)
}

function answer(
  call: FinishedCall,
  id: string,
  given: unknown,
  { isError, includeName = false }: Omit<ToolReplyOptions<ReplyFormatName>, 'format'>,
): Answer {
  return { call, id, name: replyName(call), includeName, ...outcomeOf(call, given, isError) }
}
