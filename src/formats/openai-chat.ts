// Chat Completions, as OpenAI and some forty other servers write it.
// Source: https://platform.openai.com/docs/api-reference/chat-streaming

import type { WireDelta } from '../model/deltas.ts'
import type { StreamError } from '../model/events.ts'
import type { Hole, WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { finish, say, usageDelta, type Context } from './deltas.ts'
import { errorBody, errorIn, serverError } from './errors.ts'
import { hiddenMember, unexpectedType, unrecognized } from './faults.ts'
import { list, number, present, record, text, word, type Fields } from './fields.ts'
import { newCallState, readCalls, type CallState } from './openai-chat-calls.ts'
import { readText } from './openai-chat-text.ts'
import { hidesMember } from './hidden.ts'
import { beforeEnd, emptyBody, fieldsOf, readMessages } from './reader.ts'
import type { ParsedMessage } from './source.ts'
import { at, below, type Path } from './path.ts'

const holes: readonly Hole[] = [
  { path: ['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments'], role: 'fragment' },
  { path: ['choices', 0, 'delta', 'content'], role: 'fragment' },
  // OpenAI's and Mistral's padding against traffic analysis, and a clock: nothing reads them.
  { path: ['obfuscation'], role: 'padding' },
  { path: ['p'], role: 'padding' },
  { path: ['created'], role: 'padding' },
]

/**
 * A call's `extra` holds `extra_content` and `provider_specific_fields` as they stand on the call, and as `reasoning_details` the
 * entries of OpenRouter's list that name the call by its id.
 */
export const openaiChat: WireFormat = {
  name: 'openai-chat',
  reader: (next) => {
    const state: State = { first: null, others: undefined, finished: false, empty: null, ...newCallState() }
    const step = beforeEnd(next, () => tellEmpty(state, next))
    return readMessages(step, (fields, message) => readMessage(fields, message, state, step), lackOf)
  },
  detect: isChatCompletion,
  holes,
}

interface State extends CallState {
  /** The choice that the stream began with. Set once. */
  first: Choice | null
  /** From every other index that the wire has used to the choice that it means. Made by the first of them. */
  others: Map<number, Choice> | undefined
  /** Whether any choice has been given a finish reason. */
  finished: boolean
  /** A message that calls itself a whole completion and has no choice. Cleared when it is told. */
  empty: StreamError | null
}

interface Choice {
  readonly index: number
  /** Whether some of it came in deltas. */
  streamed: boolean
}

function isChatCompletion(message: WireMessage): boolean {
  const chunk = fieldsOf(message)
  return list(chunk?.['choices']) !== null || isChatObject(chunk?.['object'])
}

function isChatObject(object: unknown): boolean {
  return text(object)?.startsWith('chat.completion') ?? false
}

function lackOf(body: Fields): string | null {
  const choices = list(body['choices']) ?? []
  if (choices.length === 0) return 'choices'
  return choices.every((choice) => isAnswer(record(choice))) ? null : 'message'
}

/** A choice has its message, or the text of the older completions endpoint, or an error of its own. */
function isAnswer(choice: Fields | null): boolean {
  return errorIn(choice) !== undefined || ['message', 'delta', 'text'].some((key) => present(choice?.[key]))
}

/** Told at the end: servers give chunks the name of a whole completion, too, and one of those may have nothing but counts. */
function tellEmpty(state: State, next: Step<WireDelta>): void {
  const { empty, first } = state
  state.empty = null
  if (empty !== null && first === null) next.push({ type: 'error', error: empty })
}

function readMessage(chunk: Fields, message: ParsedMessage, state: State, next: Step<WireDelta>): void {
  const { choices } = chunk
  const groq = record(chunk['x_groq'])
  if (present(choices)) readChoices(choices, chunk, state, { message, next })
  const usage = record(chunk['usage']) ?? record(groq?.['usage'])
  readUsage(usage, next)

  const error = present(choices) ? (errorIn(chunk) ?? errorIn(groq)) : errorBody(chunk, message.event)
  const isEmpty = chunk['object'] === 'chat.completion' && (list(choices) ?? []).length === 0
  // Of a body that is known as one it has been told.
  if (isEmpty && !message.body && error === undefined) state.empty ??= emptyBody('choices', message)
  if (error !== undefined) next.push({ type: 'error', error: serverError(error, message.frame) })
  else if (!present(choices) && usage === null && !isChatObject(chunk['object'])) next.push(unrecognized(message))
}

const choicesPath = at('choices')

function readChoices(choices: unknown, chunk: Fields, state: State, context: Context): void {
  const items = list(choices)
  if (items === null) {
    context.next.push(unexpectedType(context.message, choicesPath))
    return
  }
  // A body is whole; a chunk is not, even where a server says `message` in it.
  const isBody = chunk['object'] !== 'chat.completion.chunk'
  for (let position = 0; position < items.length; position++) {
    const item = items[position]
    const path = below(choicesPath, position)
    const choice = record(item)
    if (choice === null) {
      if (present(item)) context.next.push(unexpectedType(context.message, path))
      continue
    }
    // Writer sends both, with the same content.
    const key = present(choice['delta']) ? 'delta' : 'message'
    const silent = items.length === 1 && !present(record(choice[key])?.['role'])
    const meant = resolveChoice(state, indexOf(choice, position), silent)
    readTurn(choice[key], below(path, key), meant, isBody && key === 'message', state, context)
    readRest(choice, path, meant.index, state, context)
  }
  // After the fragments: the call that one of them opened may be the one that lost something.
  const { message, next } = context
  if (hidesMember(message, 'arguments') || (state.hasCustom && hidesMember(message, 'input')))
    next.push(hiddenMember(message))
}

/** The index as the wire has it, as a number or as text; where it has none, the place in the list. */
function indexOf(choice: Fields, position: number): number {
  const index = choice['index']
  return number(index) ?? number(Number(word(index) ?? NaN)) ?? position
}

/**
 * Z.ai counts the index up in the middle of a completion: reasoning on 0, text on 1, the call on 2. `silent` says that the choice
 * came alone and without a role, as no other choice begins; while none has finished, such an index is the first one drifting.
 */
function resolveChoice(state: State, index: number, silent: boolean): Choice {
  const { first } = state
  const known = first?.index === index ? first : state.others?.get(index)
  if (known) return known
  if (first === null) return (state.first = { index, streamed: false })
  const choice = silent && !state.finished ? first : { index, streamed: false }
  state.others ??= new Map()
  state.others.set(index, choice)
  return choice
}

/** A choice's delta or message. */
function readTurn(value: unknown, path: Path, choice: Choice, isWhole: boolean, state: State, context: Context): void {
  const turn = record(value)
  if (turn === null) {
    if (present(value)) context.next.push(unexpectedType(context.message, path))
    return
  }
  // A whole message after deltas repeats them. Its calls are still evidence: the ledger can tell a repetition from a call.
  const repeats = isWhole && choice.streamed
  if (!isWhole) choice.streamed = true
  if (!repeats) readText(turn, path, choice.index, context)
  // Written out: spreading an object costs more here than parsing the event does.
  const { message, next } = context
  readCalls(turn, path, { message, next, choice: choice.index, whole: repeats ? 'repeat' : isWhole, state })
}

/** What stands on a choice beside its delta. */
function readRest(choice: Fields, path: Path, index: number, state: State, context: Context): void {
  // The text of the older completions endpoint; Together has it, empty, beside the delta.
  if (!present(choice['delta'])) say('text', choice['text'], below(path, 'text'), index, context)
  const reason = choice['finish_reason']
  if (present(reason) && reason !== '') state.finished = true
  finish(reason, below(path, 'finish_reason'), index, context)
  readUsage(record(choice['usage']), context.next)
  const error = errorIn(choice)
  if (error !== undefined) context.next.push({ type: 'error', error: serverError(error, context.message.frame) })
}

function readUsage(usage: Fields | null, next: Step<WireDelta>): void {
  if (usage === null) return
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage
  next.push(usageDelta(usage, { input, output, total }))
}
