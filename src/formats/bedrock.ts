// Amazon Bedrock's Converse API: its event stream, whether as binary frames or as the SDKs' objects, and its whole answer.
// Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html

import type { CallKey, WireDelta } from '../model/deltas.ts'
import type { StreamError } from '../model/events.ts'
import type { WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { growReasoning, newReasoning, reasoningBlock, type HeldReasoning } from './bedrock-reasoning.ts'
import { appendFragment, endingBlocks, startContent, startTool, stopBlock, unindexed, type Blocks } from './blocks.ts'
import { finish, isPlaceholder, say, unexpectedInCall, usageDelta, wholeArguments, type Context } from './deltas.ts'
import { errorBody, exceptionName, serverError } from './errors.ts'
import { unexpectedType, unrecognized } from './faults.ts'
import { index, list, present, record, text, word, type Fields } from './fields.ts'
import { endKept, giveWord, newKeeping, startKept, type Keeping } from './kept.ts'
import { fieldsOf, readMessages } from './reader.ts'
import type { ParsedMessage } from './source.ts'
import { at, below, type Path } from './path.ts'

/**
 * Keys are the blocks' indexes. The stream has no marker of its end: `metadata` comes last, but only by habit.
 *
 * Extra of a call: `blocks`, the signed and the redacted reasoning, which the API wants back unchanged in a turn with calls.
 * Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningContentBlock.html
 */
export const bedrock: WireFormat = {
  name: 'bedrock',
  reader: (next) => {
    const state: State = { blocks: new Map(), kept: newKeeping() }
    const step = endingBlocks(state.blocks, next)
    return readMessages(step, (fields, message) => readMessage(fields, message, state, step), lackOf)
  },
  detect: isConverse,
}

const eventTypes: ReadonlySet<string> = new Set([
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
])

/** The exceptions that the stream is declared to raise, with the status of each. Same source. */
const exceptions: ReadonlyMap<string, number> = new Map([
  ['internalServerException', 500],
  ['modelStreamErrorException', 424],
  ['validationException', 400],
  ['throttlingException', 429],
  ['serviceUnavailableException', 503],
  ['modelTimeoutException', 408],
])

interface State {
  readonly blocks: Blocks
  readonly kept: Keeping<HeldReasoning>
}

interface BlockContext extends Context, State {}

/** One event of the stream, unwrapped. */
interface ConverseEvent {
  readonly type: string
  readonly fields: unknown
  readonly path: Path
}

function isConverse(message: WireMessage): boolean {
  const fields = fieldsOf(message)
  if (message.kind !== 'message' || fields === null) return false
  if (record(fields['output'])?.['message'] !== undefined && present(fields['stopReason'])) return true
  // Metadata is a key that anybody may have.
  return eventsOf(message, fields).some(({ type, fields: event }) => type !== 'metadata' && record(event) !== null)
}

/** Binary frames name their event in a header; the SDKs make the name the one key of an object. */
function eventsOf(message: ParsedMessage, fields: Fields): readonly ConverseEvent[] {
  const { event } = message
  if (event !== undefined) {
    const raised = exceptionName(event)
    const type = raised ?? event
    if (isEventType(type) || raised !== null) return [{ type, fields, path: undefined }]
  }
  return Object.keys(fields)
    .filter(isEventType)
    .map((type) => ({ type, fields: fields[type], path: at(type) }))
}

function isEventType(type: string): boolean {
  return eventTypes.has(type) || exceptions.has(type)
}

function lackOf(body: Fields): string | null {
  const isEvent = Object.keys(body).some(isEventType)
  return isEvent || record(record(body['output'])?.['message']) !== null ? null : 'message'
}

function readMessage(fields: Fields, message: ParsedMessage, state: State, next: Step<WireDelta>): void {
  const context: BlockContext = { message, blocks: state.blocks, kept: state.kept, next }
  const answer = record(record(fields['output'])?.['message'])
  if (answer !== null) {
    readAnswer(fields, answer, context)
    return
  }
  const events = eventsOf(message, fields)
  for (const event of events) readEvent(event, context)
  if (events.length > 0) return
  if (errorBody(fields, message.event) !== undefined)
    next.push({ type: 'error', error: serverError(fields, message.frame) })
  // A frame with a header of another type is an event that the API has added since.
  else if (message.event === undefined) next.push(unrecognized(message))
}

function readEvent({ type, fields: value, path }: ConverseEvent, context: BlockContext): void {
  const { message, next } = context
  const fields = record(value)
  if (fields === null) {
    if (present(value)) next.push(unexpectedType(message, path))
    return
  }
  switch (type) {
    case 'contentBlockStart':
      return readBlockStart(fields, path, context)
    case 'contentBlockDelta':
      return readBlockDelta(fields, path, context)
    case 'contentBlockStop':
      return endBlock(index(fields['contentBlockIndex']) ?? unindexed, context)
    case 'messageStop':
      for (const key of context.kept.open.keys()) endReasoning(key, context)
      return finish(fields['stopReason'], below(path, 'stopReason'), 0, context)
    case 'metadata':
      return readUsage(fields['usage'], next)
    case 'messageStart':
      return
    default:
      next.push({ type: 'error', error: exception(type, fields, message) })
  }
}

function exception(type: string, fields: Fields, message: ParsedMessage): StreamError {
  const error = serverError(fields, message.frame)
  const status = error.status ?? exceptions.get(type)
  return { ...error, code: type, ...(status === undefined ? {} : { status }), raw: message.value }
}

function readBlockStart(fields: Fields, path: Path, context: BlockContext): void {
  const { blocks, next, message } = context
  const wireIndex = index(fields['contentBlockIndex'])
  endReasoning(wireIndex ?? unindexed, context)
  const start = record(fields['start'])
  if (start === null && present(fields['start'])) next.push(unexpectedType(message, below(path, 'start')))
  const tool = start?.['toolUse']
  if (present(tool)) readToolUse(tool, below(below(path, 'start'), 'toolUse'), wireIndex, context)
  else startContent(blocks, wireIndex ?? unindexed, 'uncounted', next)
}

/** Nova's own tools carry a type of their own; what the caller runs has none. */
function readToolUse(value: unknown, path: Path, wireIndex: number | string | null, context: BlockContext): void {
  const { blocks, next, message } = context
  const tool = record(value)
  if (tool === null) {
    next.push(unexpectedType(message, path))
    return
  }
  startTool(
    blocks,
    {
      wireIndex,
      id: word(tool['toolUseId']),
      name: text(tool['name']) ?? '',
      serverType: word(tool['type']),
      input: wholeArguments(tool['input'], below(path, 'input'), message),
    },
    next,
  )
}

function readBlockDelta(fields: Fields, path: Path, context: BlockContext): void {
  const { blocks, next, message } = context
  const place = below(path, 'delta')
  const delta = record(fields['delta'])
  if (delta === null) {
    next.push(unexpectedType(message, place))
    return
  }
  // Text has no start of its own on this wire.
  say('text', delta['text'], below(place, 'text'), 0, context)
  const reasoning = record(delta['reasoningContent'])
  if (reasoning !== null)
    readReasoning(reasoning, below(place, 'reasoningContent'), index(fields['contentBlockIndex']) ?? unindexed, context)
  const tool = record(delta['toolUse'])
  if (tool === null) {
    if (present(delta['toolUse'])) next.push(unexpectedType(message, below(place, 'toolUse')))
    else readOtherDelta(delta, place, index(fields['contentBlockIndex']) ?? unindexed, context)
    return
  }
  appendFragment(
    blocks,
    {
      value: tool['input'],
      path: below(below(place, 'toolUse'), 'input'),
      wireIndex: index(fields['contentBlockIndex']),
      indexPath: below(path, 'contentBlockIndex'),
    },
    context,
  )
}

/** Text, signature and redacted bytes of one block. Like text, it has no start of its own. */
function readReasoning(part: Fields, path: Path, key: CallKey, context: BlockContext): void {
  const { kept, next } = context
  if (kept.open.has(key)) giveWord(kept, key, next)
  else startKept(kept, key, newReasoning(), next)
  say('reasoning', part['text'], below(path, 'text'), 0, context)
  const open = kept.open.get(key)
  if (open !== undefined) growReasoning(open.held, part)
}

function endReasoning(key: CallKey, { kept, next }: BlockContext): void {
  endKept(kept, key, reasoningBlock, next)
}

/** The wire's own end of a block. */
function endBlock(key: CallKey, context: BlockContext): void {
  endReasoning(key, context)
  stopBlock(context.blocks, key, context.next)
}

/** What a call is sent under a name that we don't know may be a part of its arguments. */
function readOtherDelta(delta: Fields, path: Path, key: CallKey, { blocks, next, message }: BlockContext): void {
  const isKnown = ['text', 'reasoningContent'].some((name) => present(delta[name]))
  if (isKnown || isPlaceholder(delta) || blocks.get(key)?.kind !== 'call') return
  next.push(unexpectedInCall(message, path, key))
}

/** Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
function readAnswer(fields: Fields, answer: Fields, context: BlockContext): void {
  const { next, message } = context
  for (const [position, item] of (list(answer['content']) ?? []).entries()) {
    const path: Path = at('output', 'message', 'content', position)
    const block = record(item)
    if (block === null) {
      next.push(unexpectedType(message, path))
      continue
    }
    say('text', block['text'], below(path, 'text'), 0, context)
    const reasoning = record(block['reasoningContent'])
    if (reasoning !== null) {
      const place = below(path, 'reasoningContent')
      const signed = record(reasoning['reasoningText'])
      if (signed !== null) readReasoning(signed, below(place, 'reasoningText'), position, context)
      else readReasoning(reasoning, place, position, context)
    }
    if (present(block['toolUse'])) readToolUse(block['toolUse'], below(path, 'toolUse'), position, context)
    endBlock(position, context)
  }
  readUsage(fields['usage'], next)
  finish(fields['stopReason'], at('stopReason'), 0, context)
}

function readUsage(value: unknown, next: Step<WireDelta>): void {
  const usage = record(value)
  if (usage === null) return
  next.push(
    usageDelta(usage, { input: usage['inputTokens'], output: usage['outputTokens'], total: usage['totalTokens'] }),
  )
}
