// Chat Completions, as OpenAI and some forty other servers write it.
// Source: https://platform.openai.com/docs/api-reference/chat-streaming
import type { WireDelta } from '../model/deltas.ts'
import type { Hole, WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { finish, say, usageDelta, type Context } from './deltas.ts'
import { errorBody, errorIn, serverError } from './errors.ts'
import { readUnread, unexpectedType, unrecognized } from './faults.ts'
import { list, number, present, record, text, word, type Fields } from './fields.ts'
import { readCalls } from './openai-chat-calls.ts'
import type { ParsedMessage, Path } from './source.ts'

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
    const state: State = { firstChoice: null, choices: new Map(), finished: false, wholeCalls: 0 }
    return {
      push(message) {
        if (message.kind === 'message') readMessage(message, state, next)
        else readUnread(message, next)
      },
      end() {
        next.end()
      },
    }
  },
  detect: isChatCompletion,
  holes,
}

interface State {
  /** The choice that the stream began with. */
  firstChoice: number | null
  /** From every index that the wire has used to the choice that it means. */
  readonly choices: Map<number, number>
  /** Whether any choice has been given a finish reason. */
  finished: boolean
  /** For `CallContext`. */
  wholeCalls: number
}

function isChatCompletion(message: WireMessage): boolean {
  if (message.kind !== 'message') return false
  const chunk = record(message.value)
  return list(chunk?.['choices']) !== null || isChatObject(chunk?.['object'])
}

function isChatObject(object: unknown): boolean {
  return text(object)?.startsWith('chat.completion') ?? false
}

function readMessage(message: ParsedMessage, state: State, next: Step<WireDelta>): void {
  const chunk = record(message.value)
  if (chunk === null) return
  const { choices } = chunk
  const groq = record(chunk['x_groq'])
  if (present(choices)) readChoices(choices, chunk, state, { message, next })
  const usage = record(chunk['usage']) ?? record(groq?.['usage'])
  readUsage(usage, next)

  const error = present(choices) ? (errorIn(chunk) ?? errorIn(groq)) : errorBody(chunk, message.event)
  if (error !== undefined) next.push({ type: 'error', error: serverError(error, message.frame) })
  else if (!present(choices) && usage === null && !isChatObject(chunk['object'])) next.push(unrecognized(message))
}

function readChoices(choices: unknown, chunk: Fields, state: State, context: Context): void {
  const items = list(choices)
  if (items === null) {
    context.next.push(unexpectedType(context.message, ['choices']))
    return
  }
  // A body is whole; a chunk is not, even where a server says `message` in it.
  const isBody = chunk['object'] !== 'chat.completion.chunk'
  for (const [position, item] of items.entries()) {
    const path: Path = ['choices', position]
    const choice = record(item)
    if (choice === null) {
      if (present(item)) context.next.push(unexpectedType(context.message, path))
      continue
    }
    // Writer sends both, with the same content.
    const key = present(choice['delta']) ? 'delta' : 'message'
    const silent = items.length === 1 && !present(record(choice[key])?.['role'])
    const index = resolveChoice(
      state,
      number(choice['index']) ?? number(Number(word(choice['index']) ?? NaN)) ?? position,
      silent,
    )
    readTurn(choice[key], [...path, key], index, isBody && key === 'message', state, context)
    readRest(choice, path, index, state, context)
  }
}

/**
 * Z.ai counts the index up in the middle of a completion: reasoning on 0, text on 1, the call on 2. `silent` says that the choice
 * came alone and without a role, as no other choice begins; while none has finished, such an index is the first one drifting.
 */
function resolveChoice(state: State, index: number, silent: boolean): number {
  const known = state.choices.get(index)
  if (known !== undefined) return known
  const choice = silent && state.firstChoice !== null && !state.finished ? state.firstChoice : index
  state.firstChoice ??= choice
  state.choices.set(index, choice)
  return choice
}

/** A choice's delta or message. */
function readTurn(value: unknown, path: Path, choice: number, whole: boolean, state: State, context: Context): void {
  const turn = record(value)
  if (turn === null) {
    if (present(value)) context.next.push(unexpectedType(context.message, path))
    return
  }
  readReasoning(turn, path, choice, context)
  const { content } = turn
  if (typeof content === 'object' && content !== null) readParts(content, [...path, 'content'], choice, context)
  else say('text', content, [...path, 'content'], choice, context)
  say('refusal', turn['refusal'], [...path, 'refusal'], choice, context)
  readCalls(turn, path, { ...context, choice, whole, counter: state })
}

/** What stands on a choice beside its delta. */
function readRest(choice: Fields, path: Path, index: number, state: State, context: Context): void {
  // The text of the older completions endpoint; Together has it, empty, beside the delta.
  if (!present(choice['delta'])) say('text', choice['text'], [...path, 'text'], index, context)
  const reason = choice['finish_reason']
  if (present(reason) && reason !== '') state.finished = true
  finish(reason, [...path, 'finish_reason'], index, context)
  readUsage(record(choice['usage']), context.next)
  const error = errorIn(choice)
  if (error !== undefined) context.next.push({ type: 'error', error: serverError(error, context.message.frame) })
}

/**
 * The same thoughts go by several names, and gateways send them under two of them at once: equal texts are one. OpenRouter's
 * `reasoning_details` spell them once more, and are read where they stand alone.
 */
function readReasoning(turn: Fields, path: Path, choice: number, context: Context): void {
  let said: string | null = null
  for (const name of ['reasoning_content', 'reasoning', 'thinking']) {
    const value = turn[name]
    if (value === said) continue
    say('reasoning', value, [...path, name], choice, context)
    said ??= word(value)
  }
  if (said !== null) return
  for (const item of list(turn['reasoning_details']) ?? []) {
    const detail = record(item)
    const thought = word(detail?.['text']) ?? word(detail?.['summary'])
    if (thought !== null) context.next.push({ type: 'reasoning', choice, delta: thought })
  }
}

/** Content as a list of parts, as Mistral's reasoning models write it. Parts without text, such as references, are no text. */
function readParts(content: object, path: Path, choice: number, context: Context): void {
  for (const [position, item] of (list(content) ?? [content]).entries()) {
    const place = Array.isArray(content) ? [...path, position] : path
    const part = record(item)
    if (part === null) {
      say('text', item, place, choice, context)
    } else if (present(part['thinking'])) {
      say('reasoning', joined(part['thinking']), [...place, 'thinking'], choice, context)
    } else {
      say('text', part['text'], [...place, 'text'], choice, context)
      say('refusal', part['refusal'], [...place, 'refusal'], choice, context)
    }
  }
}

/** The text of a list of text parts; anything else as it is. */
function joined(value: unknown): unknown {
  const texts = list(value)?.map((part) => text(part) ?? text(record(part)?.['text']) ?? '')
  return texts === undefined ? value : texts.join('')
}

function readUsage(usage: Fields | null, next: Step<WireDelta>): void {
  if (usage === null) return
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage
  next.push(usageDelta(usage, { input, output, total }))
}
