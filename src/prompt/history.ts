// The history of a conversation whose tools are in the prompt: everything is text, in the model's own dialect.

import type { ArgumentsByName } from '../model/calls.ts'
import type { AssemblerResult } from '../model/events.ts'
import type { FinishedCall, FinishedTurn } from '../replies/calls.ts'
import { outputValue } from '../replies/content.ts'
import { wellFormed } from '../replies/json.ts'
import { replyName } from '../replies/names.ts'
import { outcomeOf } from '../replies/outcome.ts'
import { outputsOf, type AnyOutputs, type ToolOutputs } from '../replies/outputs.ts'
import { replay } from '../replies/replay.ts'
import { describedCalls } from '../replies/turn.ts'
import { renderCalls, type WrittenCall } from '../text/render.ts'
import type { TextFormat } from '../text/row.ts'
import { defaultDialect, dialectOf, jsonBetween, responseTags } from './dialect.ts'

export interface DialectOptions {
  /** The dialect of the conversation: the name or alias of a text format, or a row of your own. Default `hermes`. */
  readonly format?: string | TextFormat
}

export interface ToolResponseOptions extends DialectOptions {
  /** Whether `output` says what went wrong. Default: whether it is an `Error`. A refused call is an error whatever this says. */
  readonly isError?: boolean
}

export interface TextMessagesOptions extends DialectOptions {
  /**
   * The assistant's text to the letter, if you kept it: calls, reasoning tags and all. Prompt caches hold then. Without it, the calls
   * are written anew behind the text.
   */
  readonly said?: string
}

/** Every chat API takes these, with tools or without. */
export interface TextMessage {
  role: 'assistant' | 'user'
  content: string
}

/**
 * The answer to one call in the tags of the dialect: JSON with the tool's name and its `content` or its `error`. It goes into a message
 * of the role `user`, or of a role that the model's template has for it. A refused call is answered with its failure's message.
 *
 * What it can't know: the exact words that a model's template would have put around a result.
 *
 * @throws TypeError for an unknown format, or an output that has no JSON or is a promise.
 */
export function toolResponse(call: FinishedCall, output: unknown, options: ToolResponseOptions = {}): string {
  const row = dialectOf(options.format ?? defaultDialect)
  const outcome = outcomeOf(call, output, options.isError)
  return jsonBetween(responseTags(row), {
    name: replyName(call),
    [outcome.isError ? 'error' : 'content']: outputValue(outcome.output),
  })
}

/**
 * All that the next request adds to a conversation in this dialect: what the assistant said, calls included, and one message of the
 * user with the answers to all of them. `outputs` as in `nextMessages`. A turn that holds nothing adds nothing.
 *
 * @throws TypeError where a ready call has no output, naming the call.
 */
export function textMessages<A extends object = ArgumentsByName>(
  result: AssemblerResult<A>,
  outputs: ToolOutputs<A>,
  options?: TextMessagesOptions,
): TextMessage[]
export function textMessages(
  result: FinishedTurn,
  outputs: AnyOutputs,
  options: TextMessagesOptions = {},
): TextMessage[] {
  const { format = defaultDialect, said } = options
  const calls = describedCalls(result)
  const content = said ?? written(result.text, writtenCalls(calls, dialectOf(format)))
  const assistant: TextMessage[] = content === '' ? [] : [{ role: 'assistant', content: wellFormed(content) }]
  if (calls.length === 0) return assistant
  const outputOf = outputsOf(calls, outputs)
  const answers = calls.map((call) => toolResponse(call, outputOf(call), { format }))
  return [...assistant, { role: 'user', content: answers.join('\n') }]
}

function writtenCalls(calls: readonly FinishedCall[], row: TextFormat): string {
  return renderCalls(
    row,
    calls.map((call) => writtenCall(call, row)),
  )
}

function writtenCall(call: FinishedCall, row: TextFormat): WrittenCall {
  const name = replyName(call)
  const id = call.replyId ?? call.wireId
  // Where the id has the name in it, an id of another wire would rename the call.
  const fits = row.header?.in !== 'id' || id?.includes(name) === true
  return { name, arguments: replay(call).value, id: fits ? id : null }
}

function written(text: string, calls: string): string {
  return text === '' || calls === '' || text.endsWith('\n') ? text + calls : `${text}\n${calls}`
}
