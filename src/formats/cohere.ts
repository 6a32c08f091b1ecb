// Cohere's Chat API, version 2.
// Source: https://docs.cohere.com/reference/chat-stream

import type { WireDelta } from '../model/deltas.ts'
import type { Hole, WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { appendFragment, startTool, stopBlock, unindexed, type Blocks } from './blocks.ts'
import { finish, isPlaceholder, say, unexpectedInCall, usageDelta, wholeArguments, type Context } from './deltas.ts'
import { errorBody, errorIn, serverError } from './errors.ts'
import { unexpectedType, unrecognized } from './faults.ts'
import { index, list, present, record, text, word, type Fields } from './fields.ts'
import { fieldsOf, readMessages } from './reader.ts'
import type { ParsedMessage } from './source.ts'
import { at, below, type Path } from './path.ts'

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
    return readMessages(next, (fields, message) => readMessage(fields, message, calls, next), lackOf)
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
])

function isCohere(message: WireMessage): boolean {
  const fields = fieldsOf(message)
  if (message.kind !== 'message' || fields === null) return false
  const type = word(fields['type']) ?? message.event
  return type === undefined ? isAnswer(fields) : eventTypes.has(type)
}

/** A whole answer: one message, and a reason in capitals beside it. */
function isAnswer(fields: Fields): boolean {
  const reason = word(member(fields, 'finish_reason', undefined)[0])
  return reason !== null && /^[A-Z_]+$/.test(reason) && word(record(fields['message'])?.['role']) !== null
}

function lackOf(body: Fields): string | null {
  const isEvent = eventTypes.has(word(body['type']) ?? '')
  return isEvent || isBareError(body, undefined) || record(body['message']) !== null ? null : 'message'
}

function readMessage(fields: Fields, message: ParsedMessage, calls: Blocks, next: Step<WireDelta>): void {
  const context: CallContext = { message, calls, next }
  const type = word(fields['type']) ?? message.event
  const delta = record(fields['delta']) ?? {}
  const said = record(delta['message']) ?? {}
  const path: Path = at('delta', 'message')
  const wireIndex = index(fields['index'])
  switch (type) {
    case 'content-start':
    case 'content-delta':
      return readContent(said['content'], below(path, 'content'), context)
    case 'tool-plan-delta':
      return readPlan(said, path, context)
    case 'tool-call-start':
      return readCallStart(...member(said, 'tool_calls', path), wireIndex, context)
    case 'tool-call-delta':
      return readCallDelta(...member(said, 'tool_calls', path), wireIndex, context)
    case 'tool-call-end':
      return stopBlock(calls, wireIndex ?? unindexed, next)
    case 'message-end':
      return readEnd(delta, at('delta'), context)
    default:
      if (isAnswer(fields)) readAnswer(fields, context)
      else if (errorBody(fields, message.event) !== undefined || isBareError(fields, type))
        next.push({ type: 'error', error: serverError(fields, message.frame, message.event) })
      else if (type === undefined) next.push(unrecognized(message))
  }
}

/** The API's errors have nothing but an id beside their message. Source: https://docs.cohere.com/reference/errors */
function isBareError(fields: Fields, type: string | undefined): boolean {
  return type === undefined && word(fields['message']) !== null
}

/** A member under the wire's name, or under the name that Cohere's own SDK for TypeScript gives it: with capitals for underscores. */
function member(fields: Fields, name: string, path: Path): readonly [value: unknown, path: Path] {
  const renamed = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  const found = present(fields[name]) || !present(fields[renamed]) ? name : renamed
  return [fields[found], below(path, found)]
}

function readPlan(fields: Fields, path: Path, context: CallContext): void {
  const [plan, place] = member(fields, 'tool_plan', path)
  say('reasoning', plan, place, 0, context)
}

/** One part of the content in a stream, all of them in a list in an answer. */
function readContent(value: unknown, path: Path, context: CallContext): void {
  const parts = list(value)
  if (parts === null) readPart(value, path, context)
  for (const [position, part] of parts?.entries() ?? []) readPart(part, below(path, position), context)
}

function readPart(value: unknown, path: Path, context: CallContext): void {
  const part = record(value)
  if (part === null) {
    say('text', value, path, 0, context)
    return
  }
  say('text', part['text'], below(path, 'text'), 0, context)
  say('reasoning', part['thinking'], below(path, 'thinking'), 0, context)
}

function readCallStart(value: unknown, path: Path, wireIndex: number | string | null, context: CallContext): void {
  const { calls, message, next } = context
  const [call, place] = onlyCall(value, path)
  const fields = record(call?.['function'])
  if (call === null || fields === null) {
    next.push(unexpectedType(message, path))
    return
  }
  const input = wholeArguments(fields['arguments'], below(below(place, 'function'), 'arguments'), message)
  startTool(calls, { wireIndex, id: word(call['id']), name: text(fields['name']) ?? '', serverType: null, input }, next)
}

function readCallDelta(value: unknown, path: Path, wireIndex: number | string | null, context: CallContext): void {
  const [call, place] = onlyCall(value, path)
  const fields = record(call?.['function'])
  if (fields !== null) {
    appendFragment(
      context.calls,
      {
        value: fields['arguments'],
        path: below(below(place, 'function'), 'arguments'),
        wireIndex,
        indexPath: at('index'),
      },
      context,
    )
  } else if (call === null || !isPlaceholder(call)) {
    context.next.push(unexpectedInCall(context.message, path, wireIndex ?? unindexed))
  }
}

/** The API has one call where its name promises several; a list of one is the same. */
function onlyCall(value: unknown, path: Path): readonly [Fields | null, Path] {
  const items = list(value)
  return items?.length === 1 ? [record(items[0]), below(path, 0)] : [record(value), path]
}

function readEnd(fields: Fields, path: Path, context: CallContext): void {
  const { next, message } = context
  readUsage(fields['usage'], next)
  finish(...member(fields, 'finish_reason', path), 0, context)
  const error = errorIn(fields)
  if (error !== undefined) next.push({ type: 'error', error: serverError(error, message.frame) })
}

/** Source: https://docs.cohere.com/reference/chat */
function readAnswer(fields: Fields, context: CallContext): void {
  const { calls, message, next } = context
  const answer = record(fields['message']) ?? {}
  readPlan(answer, at('message'), context)
  readContent(answer['content'], at('message', 'content'), context)
  const [value, path] = member(answer, 'tool_calls', at('message'))
  const items = list(value)
  if (items === null && present(value)) next.push(unexpectedType(message, path))
  for (const [position, item] of items?.entries() ?? []) {
    readCallStart(item, below(path, position), position, context)
    stopBlock(calls, position, next)
  }
  readEnd(fields, undefined, context)
}

/** Billed units leave out what is not charged for, so they count only where there is nothing else. */
function readUsage(value: unknown, next: Step<WireDelta>): void {
  const usage = record(value)
  const counts = record(usage?.['tokens']) ?? record(member(usage ?? {}, 'billed_units', undefined)[0])
  if (usage === null || counts === null) return
  const [input] = member(counts, 'input_tokens', undefined)
  const [output] = member(counts, 'output_tokens', undefined)
  next.push(usageDelta(usage, { input, output }))
}
