// Anthropic's Messages API, as Anthropic, Vertex, Bedrock's InvokeModel, Azure, Ollama and gateways write it.
// Source: https://platform.claude.com/docs/en/build-with-claude/streaming

import type { CallKey, WireDelta } from '../model/deltas.ts'
import type { StreamError } from '../model/events.ts'
import type { Hole, WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { anthropicBlock, growBlock, wholeBlock, type HeldBlock } from './anthropic-blocks.ts'
import {
  appendFragment,
  endingBlocks,
  serverInput,
  startContent,
  startTool,
  stopBlock,
  unindexed,
  type Blocks,
} from './blocks.ts'
import {
  extraFrom,
  finish,
  isPlaceholder,
  say,
  unexpectedInCall,
  usageDelta,
  wholeArguments,
  type Context,
} from './deltas.ts'
import { errorBody, serverError } from './errors.ts'
import { unexpectedType, unrecognized } from './faults.ts'
import { identifier, index, list, present, record, text, word, type Fields } from './fields.ts'
import { endKept, giveWord, newKeeping, startKept, type Keeping } from './kept.ts'
import { beforeEnd, fieldsOf, readMessages } from './reader.ts'
import type { ParsedMessage } from './source.ts'
import { at, below, type Path } from './path.ts'

const holes: readonly Hole[] = [
  { path: ['delta', 'partial_json'], role: 'fragment' },
  { path: ['delta', 'text'], role: 'fragment' },
  { path: ['delta', 'thinking'], role: 'fragment' },
]

/**
 * Keys are the blocks' indexes. Extra of a call: `caller` (who runs it: the model or code that the model wrote), `toolset_name`, and
 * `blocks`: thinking, redacted thinking, calls that the provider ran and their results, which the API wants back unchanged in a turn
 * with calls. A turn without calls goes back as its text alone, which the API allows.
 * Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
 * A turn that goes on after a pause has its blocks in `message_start`, whole.
 */
export const anthropic: WireFormat = {
  name: 'anthropic',
  reader: (next) => {
    const blocks: Blocks = new Map()
    const state: State = { blocks, kept: newKeeping(), counts: new Map() }
    const step = beforeEnd(endingBlocks(blocks, next), () => tellUsage(state.counts, next))
    return readMessages(step, (fields, message) => readMessage(fields, message, state, step), lackOf)
  },
  detect: isAnthropic,
  holes,
}

interface State {
  readonly blocks: Blocks
  readonly kept: Keeping<HeldBlock>
  /**
   * The counts so far: `message_start` has the input's, `message_delta` the output's and whatever has changed. Told once, before the
   * end: how often they come is the server's affair, and a copy each time would cost all that came before.
   */
  readonly counts: Map<string, unknown>
}

interface MessageContext extends Context {
  readonly state: State
}

/** A ping alone could be anybody's. */
const eventTypes: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
])

function isAnthropic(message: WireMessage): boolean {
  const fields = fieldsOf(message)
  if (message.kind !== 'message' || fields === null) return false
  const type = word(fields['type'])
  if (type === null) return eventTypes.has(message.event ?? '')
  if (type === 'message') return list(fields['content']) !== null && word(fields['role']) !== null
  // OpenAI's Responses number their error events; these have a type inside and no number.
  if (type === 'error') return word(record(fields['error'])?.['type']) !== null && !present(fields['sequence_number'])
  // Others send pings too.
  return type !== 'ping' && eventTypes.has(type)
}

function lackOf(body: Fields): string | null {
  const isEvent = eventTypes.has(word(body['type']) ?? '')
  return isEvent || list(body['content']) !== null || typeof body['content'] === 'string' ? null : 'content'
}

function readMessage(fields: Fields, message: ParsedMessage, state: State, next: Step<WireDelta>): void {
  const context: MessageContext = { message, state, next }
  const type = word(fields['type']) ?? message.event
  switch (type) {
    case 'message_start':
      return readWhole(fields['message'], at('message'), context)
    case 'message':
      return readWhole(fields, undefined, context)
    case 'content_block_start':
      return readBlockStart(fields, context)
    case 'content_block_delta':
      return readBlockDelta(fields, context)
    case 'content_block_stop':
      return endBlock(index(fields['index']) ?? unindexed, context)
    case 'message_delta':
      finish(record(fields['delta'])?.['stop_reason'], at('delta', 'stop_reason'), 0, context)
      return keepUsage(fields['usage'], context)
    case 'message_stop':
      for (const key of state.kept.open.keys()) endKeptBlock(key, context)
      return next.push({ type: 'end' })
    case 'error':
      return next.push({ type: 'error', error: anthropicError(fields, message) })
    default:
      if (errorBody(fields, message.event) !== undefined)
        next.push({ type: 'error', error: anthropicError(fields, message) })
      // The API announces that it will add types of events; such a one holds nothing of those above.
      else if (type === undefined) next.push(unrecognized(message))
  }
}

/** A message with the content that it has so far: nearly always none where it starts, all of it in a body. */
function readWhole(value: unknown, path: Path, context: MessageContext): void {
  const { next, message } = context
  const fields = record(value)
  if (fields === null) {
    if (present(value)) next.push(unexpectedType(message, path))
    return
  }
  const content = list(fields['content'])
  // A plain string is how requests may write their content, and some servers their answer.
  if (content === null) say('text', fields['content'], below(path, 'content'), 0, context)
  for (const [position, item] of content?.entries() ?? []) {
    const block = record(item)
    const place = below(below(path, 'content'), position)
    if (block === null) {
      next.push(unexpectedType(message, place))
      continue
    }
    readBlock(block, place, position, true, context)
    endBlock(position, context)
  }
  keepUsage(fields['usage'], context)
  finish(fields['stop_reason'], below(path, 'stop_reason'), 0, context)
}

function readBlockStart(fields: Fields, context: MessageContext): void {
  const block = record(fields['content_block'])
  if (block === null) context.next.push(unexpectedType(context.message, at('content_block')))
  else readBlock(block, at('content_block'), index(fields['index']), false, context)
}

/** The wire's own end of a block. */
function endBlock(key: CallKey, context: MessageContext): void {
  endKeptBlock(key, context)
  stopBlock(context.state.blocks, key, context.next)
}

function endKeptBlock(key: CallKey, { state, next }: MessageContext): void {
  endKept(state.kept, key, (held) => wholeBlock(held, serverInput(state.blocks, key)), next)
}

function readBlock(
  block: Fields,
  path: Path,
  wireIndex: number | string | null,
  whole: boolean,
  context: MessageContext,
): void {
  const { state, next, message } = context
  const type = word(block['type'])
  const key = wireIndex ?? unindexed
  endKeptBlock(key, context)
  if (type !== 'text' && type !== 'tool_use') startKept(state.kept, key, anthropicBlock(block), next)
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
    const { input } = block
    const sent = whole || !isPlaceholder(input) ? wholeArguments(input, below(path, 'input'), message) : null
    startTool(
      state.blocks,
      {
        wireIndex,
        id: identifier(block['id']),
        name: text(block['name']) ?? '',
        serverType: type === 'tool_use' ? null : type,
        input: sent,
        ...extraFrom(block, ['caller', 'toolset_name']),
      },
      next,
    )
    checkNames(block, path, key, context)
    return
  }
  startContent(state.blocks, key, type === 'text' || type === 'thinking' ? 'text' : 'uncounted', next)
  if (type === 'text') say('text', block['text'], below(path, 'text'), 0, context)
  else if (type === 'thinking') say('reasoning', block['thinking'], below(path, 'thinking'), 0, context)
}

/** What a call is known by, where it is of a type that says nothing: after its start, since it is this call that lacks it. */
function checkNames(block: Fields, path: Path, key: CallKey, { message, next }: Context): void {
  const { id, name } = block
  if (present(name) && text(name) === null) next.push(unexpectedInCall(message, below(path, 'name'), key))
  if (present(id) && id !== '' && identifier(id) === null) next.push(unexpectedInCall(message, below(path, 'id'), key))
}

function readBlockDelta(fields: Fields, context: MessageContext): void {
  const { state, next, message } = context
  const delta = record(fields['delta'])
  if (delta === null) {
    next.push(unexpectedType(message, at('delta')))
    return
  }
  const key = index(fields['index']) ?? unindexed
  switch (typeOf(delta)) {
    case 'text_delta':
      return say('text', delta['text'], at('delta', 'text'), 0, context)
    case 'thinking_delta':
      giveWord(state.kept, key, next)
      return say('reasoning', delta['thinking'], at('delta', 'thinking'), 0, context)
    case 'input_json_delta':
      return appendFragment(
        state.blocks,
        {
          value: delta['partial_json'],
          path: at('delta', 'partial_json'),
          wireIndex: index(fields['index']),
          indexPath: at('index'),
        },
        context,
      )
    default: {
      const kept = state.kept.open.get(key)
      if (kept !== undefined) growBlock(kept.held, delta)
      // Citations belong to text. What a call is sent under a type that we don't know may be a part of its arguments.
      if (state.blocks.get(key)?.kind === 'call') next.push(unexpectedInCall(message, at('delta'), key))
    }
  }
}

/** A delta's type, or, where a gateway leaves it out, that of the field that it has. */
function typeOf(delta: Fields): string | undefined {
  const type = word(delta['type'])
  if (type !== null) return type
  return typesByField.find(([field]) => present(delta[field]))?.[1]
}

const typesByField = [
  ['partial_json', 'input_json_delta'],
  ['text', 'text_delta'],
  ['thinking', 'thinking_delta'],
] as const

function keepUsage(value: unknown, { state }: MessageContext): void {
  for (const [name, count] of Object.entries(record(value) ?? {})) if (present(count)) state.counts.set(name, count)
}

function tellUsage(counts: State['counts'], next: Step<WireDelta>): void {
  if (counts.size === 0) return
  const usage = { input: counts.get('input_tokens'), output: counts.get('output_tokens') }
  next.push(usageDelta(Object.fromEntries(counts), usage))
  counts.clear()
}

/** Source: https://platform.claude.com/docs/en/api/errors */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

function anthropicError(raw: Fields, { frame, event }: ParsedMessage): StreamError {
  const error = serverError(raw, frame, event)
  const status = error.status ?? statuses.get(error.code)
  return status === undefined ? error : { ...error, status }
}
