// Cohere's Chat API, version 2.
// Source: https://docs.cohere.com/v2/reference/chat-stream
import type { WireDelta } from '../model/deltas.ts'
import type { Hole, WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { appendFragment, startTool, stopBlock, unindexed, type Blocks } from './blocks.ts'
import { finish, say, unexpectedInCall, usageDelta, wholeArguments, type Context } from './deltas.ts'
import { errorBody, serverError } from './errors.ts'
import { readUnread, unexpectedType, unrecognized } from './faults.ts'
import { index, list, present, record, text, word, type Fields } from './fields.ts'
import type { ParsedMessage, Path } from './source.ts'

const holes: readonly Hole[] = [
  { path: ['delta', 'message', 'tool_calls', 'function', 'arguments'], role: 'fragment' },
  { path: ['delta', 'message', 'content', 'text'], role: 'fragment' },
  { path: ['delta', 'message', 'content', 'thinking'], role: 'fragment' },
  { path: ['delta', 'message', 'tool_plan'], role: 'fragment' },
]

/**
 * Keys are the calls' indexes, which count apart from those of the content. What the model plans to do with its tools is reasoning.
 * The stream ends with `[DONE]` behind `message-end`.
 */
export const cohere: WireFormat = {
  name: 'cohere',
  reader: (next) => {
    const calls: Blocks = new Map()
    return {
      push(message) {
        if (message.kind === 'message') readMessage(message, calls, next)
        else readUnread(message, next)
      },
      end() {
        next.end()
      },
    }
  },
  detect: isCohere,
  holes,
}

interface CallContext extends Context {
  readonly calls: Blocks
}

const eventTypes: ReadonlySet<string> = new Set([
  'message-start',
  'content-start',
  'content-delta',
  'content-end',
  'tool-plan-delta',
  'tool-call-start',
  'tool-call-delta',
  'tool-call-end',
  'citation-start',
  'citation-end',
  'message-end',
  'debug',
])

function isCohere(message: WireMessage): boolean {
  if (message.kind !== 'message') return false
  const fields = record(message.value)
  if (fields === null) return false
  const type = word(fields['type'])
  return type === null ? isAnswer(fields) : eventTypes.has(type)
}

/** A whole answer: one message, and a reason in capitals beside it. */
function isAnswer(fields: Fields): boolean {
  const reason = word(fields['finish_reason'])
  return reason !== null && /^[A-Z_]+$/.test(reason) && word(record(fields['message'])?.['role']) !== null
}

function readMessage(message: ParsedMessage, calls: Blocks, next: Step<WireDelta>): void {
  const fields = record(message.value)
  if (fields === null) return
  const context: CallContext = { message, calls, next }
  const type = word(fields['type']) ?? message.event
  const delta = record(fields['delta'])
  const said = record(delta?.['message'])
  const path: Path = ['delta', 'message']
  switch (type) {
    case 'content-start':
    case 'content-delta':
      return readContent(said?.['content'], [...path, 'content'], context)
    case 'tool-plan-delta':
      return say('reasoning', said?.['tool_plan'], [...path, 'tool_plan'], 0, context)
    case 'tool-call-start':
      return readCallStart(said?.['tool_calls'], index(fields['index']), [...path, 'tool_calls'], context)
    case 'tool-call-delta':
      return readCallDelta(said?.['tool_calls'], index(fields['index']), [...path, 'tool_calls'], context)
    case 'tool-call-end':
      return stopBlock(calls, index(fields['index']) ?? unindexed, next)
    case 'message-end':
      return readEnd(delta ?? {}, ['delta'], context)
    default:
      if (isAnswer(fields)) readAnswer(fields, context)
      else if (errorBody(fields, message.event) !== undefined || isBareError(fields, type))
        next.push({ type: 'error', error: serverError(fields, message.frame) })
      else if (type === undefined) next.push(unrecognized(message))
  }
}

/** The API's errors have nothing but an id beside their message. Source: https://docs.cohere.com/v2/reference/errors */
function isBareError(fields: Fields, type: string | undefined): boolean {
  return type === undefined && word(fields['message']) !== null
}

/** One part of the content in a stream, all of them in a list in an answer. */
function readContent(value: unknown, path: Path, context: CallContext): void {
  const parts = list(value)
  if (parts !== null) {
    for (const [position, part] of parts.entries()) readContent(part, [...path, position], context)
    return
  }
  const part = record(value)
  if (part === null) {
    say('text', value, path, 0, context)
    return
  }
  say('text', part['text'], [...path, 'text'], 0, context)
  say('reasoning', part['thinking'], [...path, 'thinking'], 0, context)
}

function readCallStart(value: unknown, wireIndex: number | string | null, path: Path, context: CallContext): void {
  const { calls, message, next } = context
  const [call, place] = onlyCall(value, path)
  const fields = record(call?.['function'])
  if (call === null || fields === null) {
    next.push(unexpectedType(message, path))
    return
  }
  const input = wholeArguments(fields['arguments'], [...place, 'function', 'arguments'], message)
  startTool(calls, { wireIndex, id: word(call['id']), name: text(fields['name']) ?? '', serverType: null, input }, next)
}

function readCallDelta(value: unknown, wireIndex: number | string | null, path: Path, context: CallContext): void {
  const [call, place] = onlyCall(value, path)
  const fields = record(call?.['function'])
  if (fields === null) {
    context.next.push(unexpectedInCall(context.message, path, wireIndex ?? unindexed))
    return
  }
  appendFragment(
    context.calls,
    { value: fields['arguments'], path: [...place, 'function', 'arguments'], wireIndex, indexPath: ['index'] },
    context,
  )
}

/** The API has one call where its name promises several; a list of one is the same. */
function onlyCall(value: unknown, path: Path): readonly [Fields | null, Path] {
  const items = list(value)
  return items?.length === 1 ? [record(items[0]), [...path, 0]] : [record(value), path]
}

function readEnd(fields: Fields, path: Path, context: CallContext): void {
  const { next, message } = context
  readUsage(fields['usage'], next)
  finish(fields['finish_reason'], [...path, 'finish_reason'], 0, context)
  if (present(fields['error'])) next.push({ type: 'error', error: serverError(fields['error'], message.frame) })
}

/** Source: https://docs.cohere.com/v2/reference/chat */
function readAnswer(fields: Fields, context: CallContext): void {
  const { calls, message, next } = context
  const answer = record(fields['message']) ?? {}
  const path: Path = ['message']
  say('reasoning', answer['tool_plan'], [...path, 'tool_plan'], 0, context)
  readContent(answer['content'], [...path, 'content'], context)
  const items = list(answer['tool_calls'])
  if (items === null && present(answer['tool_calls'])) next.push(unexpectedType(message, [...path, 'tool_calls']))
  for (const [position, item] of items?.entries() ?? []) {
    readCallStart(item, position, [...path, 'tool_calls', position], context)
    stopBlock(calls, position, next)
  }
  readEnd(fields, [], context)
}

/** `billed_units` leave out what is not charged for, so they count only where there is nothing else. */
function readUsage(value: unknown, next: Step<WireDelta>): void {
  const usage = record(value)
  const counts = record(usage?.['tokens']) ?? record(usage?.['billed_units'])
  if (usage !== null && counts !== null) {
    next.push(usageDelta(usage, { input: counts['input_tokens'], output: counts['output_tokens'] }))
  }
}
