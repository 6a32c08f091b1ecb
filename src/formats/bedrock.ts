// Amazon Bedrock's Converse API: its event stream, whether as binary frames or as the SDKs' objects, and its whole answer.
// Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
import type { WireDelta } from '../model/deltas.ts'
import type { StreamError } from '../model/events.ts'
import type { WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { appendFragment, endingBlocks, startContent, startTool, stopBlock, unindexed, type Blocks } from './blocks.ts'
import { finish, say, usageDelta, wholeArguments, type Context } from './deltas.ts'
import { errorBody, serverError } from './errors.ts'
import { readUnread, unexpectedType, unrecognized } from './faults.ts'
import { index, list, present, record, text, word, type Fields } from './fields.ts'
import type { ParsedMessage } from './source.ts'
import { at, below, type Path } from './path.ts'

/**
 * Keys are the blocks' indexes. The stream has no marker of its end: `metadata` comes last, but only by habit.
 */
export const bedrock: WireFormat = {
  name: 'bedrock',
  reader: (next) => {
    const blocks: Blocks = new Map()
    const step = endingBlocks(blocks, next)
    return {
      push(message) {
        if (message.kind === 'message') readMessage(message, blocks, step)
        else readUnread(message, step)
      },
      end() {
        step.end()
      },
    }
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

/** How the framing names an exception in place of an event type. */
const exceptionPrefix = 'exception:'

interface BlockContext extends Context {
  readonly blocks: Blocks
}

/** One event of the stream, unwrapped. */
interface ConverseEvent {
  readonly type: string
  readonly fields: unknown
  readonly path: Path
}

function isConverse(message: WireMessage): boolean {
  if (message.kind !== 'message') return false
  const fields = record(message.value)
  if (fields === null) return false
  if (record(fields['output'])?.['message'] !== undefined && present(fields['stopReason'])) return true
  // Metadata is a key that anybody may have.
  return eventsOf(message, fields).some(({ type, fields: event }) => type !== 'metadata' && record(event) !== null)
}

/** Binary frames name their event in a header; the SDKs make the name the one key of an object. */
function eventsOf(message: ParsedMessage, fields: Fields): readonly ConverseEvent[] {
  const { event } = message
  if (event !== undefined) {
    const type = event.startsWith(exceptionPrefix) ? event.slice(exceptionPrefix.length) : event
    if (isEventType(type) || event !== type) return [{ type, fields, path: undefined }]
  }
  return Object.keys(fields)
    .filter(isEventType)
    .map((type) => ({ type, fields: fields[type], path: at(type) }))
}

function isEventType(type: string): boolean {
  return eventTypes.has(type) || exceptions.has(type)
}

function readMessage(message: ParsedMessage, blocks: Blocks, next: Step<WireDelta>): void {
  const fields = record(message.value)
  if (fields === null) return
  const context: BlockContext = { message, blocks, next }
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
  const { message, blocks, next } = context
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
      return stopBlock(blocks, index(fields['contentBlockIndex']) ?? unindexed, next)
    case 'messageStop':
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
  const start = record(fields['start'])
  if (start === null && present(fields['start'])) next.push(unexpectedType(message, below(path, 'start')))
  const tool = start?.['toolUse']
  if (present(tool)) readToolUse(tool, below(below(path, 'start'), 'toolUse'), wireIndex, context)
  else startContent(blocks, wireIndex ?? unindexed, next)
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
    say('reasoning', reasoning['text'], below(below(place, 'reasoningContent'), 'text'), 0, context)
  const tool = record(delta['toolUse'])
  if (tool === null) {
    if (present(delta['toolUse'])) next.push(unexpectedType(message, below(place, 'toolUse')))
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

/** Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
function readAnswer(fields: Fields, answer: Fields, context: BlockContext): void {
  const { blocks, next, message } = context
  for (const [position, item] of (list(answer['content']) ?? []).entries()) {
    const path: Path = at('output', 'message', 'content', position)
    const block = record(item)
    if (block === null) {
      next.push(unexpectedType(message, path))
      continue
    }
    say('text', block['text'], below(path, 'text'), 0, context)
    const thought = record(record(block['reasoningContent'])?.['reasoningText'])
    if (thought !== null)
      say(
        'reasoning',
        thought['text'],
        below(below(below(path, 'reasoningContent'), 'reasoningText'), 'text'),
        0,
        context,
      )
    if (!present(block['toolUse'])) continue
    readToolUse(block['toolUse'], below(path, 'toolUse'), position, context)
    stopBlock(blocks, position, next)
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
