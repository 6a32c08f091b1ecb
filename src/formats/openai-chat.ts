// Chat Completions, as OpenAI and some forty other servers write it.
// Source: https://platform.openai.com/docs/api-reference/chat-streaming
import type { WireDelta } from '../model/deltas.ts'
import type { Usage } from '../model/events.ts'
import type { Hole, WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { errorBody, errorIn, serverError } from './errors.ts'
import { pushText, readUnread, unexpectedType, unrecognized } from './faults.ts'
import { list, number, present, record, text, word, type Fields } from './fields.ts'
import { readCalls } from './openai-chat-calls.ts'
import { finishKind } from './reasons.ts'
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
 * Extra of a call: `extra_content` and `provider_specific_fields` as they stand on the call (Google's thought signatures), and
 * `reasoning_details`, the list of OpenRouter's entries that name the call by its id.
 */
export const openaiChat: WireFormat = {
  name: 'openai-chat',
  reader: (next) => {
    const state = newState()
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
  readonly choices: ChoiceState
  /** For `CallContext`. */
  wholeCalls: number
}

function newState(): State {
  return { choices: { first: null, known: new Map(), finished: false }, wholeCalls: 0 }
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
  if (present(choices)) readChoices(choices, message, chunk, state, next)
  const usage = readUsage(chunk['usage']) ?? readUsage(groq?.['usage'])
  if (usage !== null) next.push({ type: 'usage', usage })

  const error = present(choices) ? (errorIn(chunk) ?? errorIn(groq)) : errorBody(chunk, message.event)
  if (error !== undefined) next.push({ type: 'error', error: serverError(error, message.frame) })
  else if (!present(choices) && usage === null && !isChatObject(chunk['object'])) next.push(unrecognized(message))
}

function readChoices(
  choices: unknown,
  message: ParsedMessage,
  chunk: Fields,
  state: State,
  next: Step<WireDelta>,
): void {
  const items = list(choices)
  if (items === null) {
    next.push(unexpectedType(message, ['choices']))
    return
  }
  // A body is whole; a chunk is not, even where a server says `message` in it.
  const whole = chunk['object'] !== 'chat.completion.chunk'
  for (const [position, item] of items.entries()) {
    const path: Path = ['choices', position]
    const choice = record(item)
    if (choice !== null) readChoice(choice, path, message, { state, next, whole, alone: items.length === 1 })
    else if (present(item)) next.push(unexpectedType(message, path))
  }
}

interface ChoiceContext {
  readonly state: State
  readonly next: Step<WireDelta>
  /** Whether a `message` here is complete. */
  readonly whole: boolean
  /** Whether it is the only choice in its event. */
  readonly alone: boolean
}

function readChoice(fields: Fields, path: Path, message: ParsedMessage, context: ChoiceContext): void {
  const { state, next, alone } = context
  // Writer sends both, with the same content.
  const key = present(fields['delta']) ? 'delta' : 'message'
  const delta = record(fields[key])
  const choice = resolveChoice(state.choices, indexOf(fields, path), alone && !present(delta?.['role']))

  if (delta !== null) {
    readDelta(delta, [...path, key], message, choice, { ...context, whole: context.whole && key === 'message' })
  } else if (present(fields[key])) {
    next.push(unexpectedType(message, [...path, key]))
  } else {
    // The form of the older completions endpoint.
    pushText('text', fields['text'], [...path, 'text'], message, choice, next)
  }

  const reason = fields['finish_reason']
  const raw = word(reason) ?? number(reason)?.toString() ?? null
  if (raw !== null) {
    state.choices.finished = true
    next.push({ type: 'finish', choice, raw, kind: finishKind(raw) })
  } else if (present(reason) && reason !== '') {
    next.push(unexpectedType(message, [...path, 'finish_reason']))
  }
  const usage = readUsage(fields['usage'])
  if (usage !== null) next.push({ type: 'usage', usage })
  const error = errorIn(fields)
  if (error !== undefined) next.push({ type: 'error', error: serverError(error, message.frame) })
}

function indexOf(choice: Fields, path: Path): number {
  const given = choice['index']
  const position = path.at(-1)
  return number(given) ?? number(Number(word(given) ?? undefined)) ?? (typeof position === 'number' ? position : 0)
}

/** Which choices the stream has shown. Set and read by `resolveChoice`; `finished` is set by the choice that has a finish reason. */
interface ChoiceState {
  first: number | null
  /** From the index on the wire to the choice that it means. */
  readonly known: Map<number, number>
  finished: boolean
}

/**
 * Z.ai counts the index up in the middle of a completion: reasoning on 0, text on 1, the call on 2. `silent` says that the choice
 * came alone and without a role, as no other choice begins; while none has finished, such an index is the first one drifting.
 */
function resolveChoice(choices: ChoiceState, index: number, silent: boolean): number {
  const known = choices.known.get(index)
  if (known !== undefined) return known
  const choice = silent && choices.first !== null && !choices.finished ? choices.first : index
  choices.first ??= choice
  choices.known.set(index, choice)
  return choice
}

function readDelta(delta: Fields, path: Path, message: ParsedMessage, choice: number, context: ChoiceContext): void {
  const { next, state, whole } = context
  readReasoning(delta, path, message, choice, next)
  const { content, refusal } = delta
  if (typeof content === 'string') pushText('text', content, path, message, choice, next)
  else if (present(content)) readParts(content, [...path, 'content'], message, choice, next)
  pushText('refusal', refusal, [...path, 'refusal'], message, choice, next)
  readCalls(delta, path, message, { choice, whole, counter: state, next })
}

/**
 * The same thoughts go by several names, and gateways send them under two of them at once: equal texts are one. OpenRouter's
 * `reasoning_details` spell them a third time, and stand alone only in history that was written elsewhere.
 */
function readReasoning(delta: Fields, path: Path, message: ParsedMessage, choice: number, next: Step<WireDelta>): void {
  let said: string | null = null
  for (const name of ['reasoning_content', 'reasoning', 'thinking']) {
    const value = delta[name]
    if (value === said) continue
    pushText('reasoning', value, [...path, name], message, choice, next)
    said ??= word(value)
  }
  if (said !== null) return
  for (const item of list(delta['reasoning_details']) ?? []) {
    const detail = record(item)
    const thought = word(detail?.['text']) ?? word(detail?.['summary'])
    if (thought !== null) next.push({ type: 'reasoning', choice, delta: thought })
  }
}

/** Content as a list of parts, as Mistral's reasoning models write it. Parts without text, such as references, are no text. */
function readParts(content: unknown, path: Path, message: ParsedMessage, choice: number, next: Step<WireDelta>): void {
  const items = list(content) ?? [content]
  for (const [position, item] of items.entries()) {
    const part = record(item)
    const place = Array.isArray(content) ? [...path, position] : path
    if (part === null) {
      pushText('text', item, place, message, choice, next)
    } else if (present(part['thinking'])) {
      pushText('reasoning', joined(part['thinking']), [...place, 'thinking'], message, choice, next)
    } else {
      pushText('text', part['text'], [...place, 'text'], message, choice, next)
      pushText('refusal', part['refusal'], [...place, 'refusal'], message, choice, next)
    }
  }
}

/** The text of a list of text parts; anything else as it is. */
function joined(value: unknown): unknown {
  const texts = list(value)?.map((part) => text(part) ?? text(record(part)?.['text']) ?? '')
  return texts === undefined ? value : texts.join('')
}

function readUsage(value: unknown): Usage | null {
  const usage = record(value)
  if (usage === null) return null
  const input = number(usage['prompt_tokens'])
  const output = number(usage['completion_tokens'])
  const total = number(usage['total_tokens'])
  return {
    ...(input === null ? {} : { inputTokens: input }),
    ...(output === null ? {} : { outputTokens: output }),
    ...(total === null ? {} : { totalTokens: total }),
    raw: usage,
  }
}
