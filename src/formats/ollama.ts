// Ollama's own API: one JSON object a line, every call whole. Its compatible routes are the other formats'.
// Source: https://docs.ollama.com/api/chat and https://docs.ollama.com/api/generate

import type { WireDelta } from '../model/deltas.ts'
import type { WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { appended, argumentsPiece, finish, say, unexpectedInCall, usageDelta, type Context } from './deltas.ts'
import { errorBody, serverError } from './errors.ts'
import { unexpectedType, unrecognized } from './faults.ts'
import { identifier, index, list, present, record, text, type Fields } from './fields.ts'
import { fieldsOf, readMessages } from './reader.ts'
import type { ParsedMessage } from './source.ts'
import { at, below, type Path } from './path.ts'

export const ollama: WireFormat = {
  name: 'ollama',
  reader: (next) => {
    const counter = { calls: 0 }
    return readMessages(next, (fields, message) => readMessage(fields, message, counter, next), lackOf)
  },
  detect: isOllama,
}

/** Counts the calls, to key them: the index restarts or stays away. */
interface Counter {
  calls: number
}

function isOllama(message: WireMessage): boolean {
  const line = fieldsOf(message)
  return line !== null && typeof line['done'] === 'boolean' && text(line['model']) !== null && !present(line['choices'])
}

/** The chat route has a message, the generate route a response. */
function lackOf(body: Fields): string | null {
  return record(body['message']) !== null || text(body['response']) !== null ? null : 'message'
}

function readMessage(line: Fields, message: ParsedMessage, counter: Counter, next: Step<WireDelta>): void {
  const context: Context = { message, next }
  const { message: turn, done } = line
  const error = errorBody(line, message.event)
  if (error !== undefined) next.push({ type: 'error', error: serverError(error, message.frame, message.event) })

  const fields = record(turn)
  if (fields !== null) readTurn(fields, counter, context)
  else if (present(turn) && error === undefined) next.push(unexpectedType(message, at('message')))
  // The generate route has these on the line itself.
  say('reasoning', line['thinking'], at('thinking'), 0, context)
  say('text', line['response'], at('response'), 0, context)

  if (done === true) readEnd(line, context)
  else if (error === undefined && ![turn, line['response'], done].some(present)) next.push(unrecognized(message))
}

function readTurn(turn: Fields, counter: Counter, context: Context): void {
  say('reasoning', turn['thinking'], at('message', 'thinking'), 0, context)
  say('text', turn['content'], at('message', 'content'), 0, context)
  const path: Path = at('message', 'tool_calls')
  const calls = turn['tool_calls']
  const items = list(calls)
  if (items === null && present(calls)) context.next.push(unexpectedType(context.message, path))
  for (const [position, item] of items?.entries() ?? []) readCall(item, below(path, position), counter, context)
}

function readCall(item: unknown, path: Path, counter: Counter, { message, next }: Context): void {
  const call = record(item)
  const body = record(call?.['function'])
  if (call === null || body === null) {
    if (present(item)) next.push(unexpectedType(message, path))
    return
  }
  const key = counter.calls++
  const name = text(body['name'])
  const wireIndex = index(body['index']) ?? index(call['index'])
  const id = identifier(call['id'])
  next.push({ type: 'call-open', choice: 0, key, wireIndex, id, name: name ?? '', kind: 'function' })

  const place: Path = below(below(path, 'function'), 'arguments')
  const sent = argumentsPiece(body['arguments'], place, message)
  if (sent) next.push(appended(key, sent))
  // Each call stands alone on this wire, so what is odd in one harms no other.
  else if (sent === null) next.push(unexpectedInCall(message, place, key))
  if (name === null && present(body['name']))
    next.push(unexpectedInCall(message, below(below(path, 'function'), 'name'), key))
  next.push({ type: 'call-close', key })
}

function readEnd(line: Fields, context: Context): void {
  // The counters stand on the line itself, among its other fields: all its numbers, and nothing else, are the usage.
  const counters = Object.entries(line).filter(([, value]) => typeof value === 'number')
  if (counters.length > 0) {
    const { prompt_eval_count: input, eval_count: output } = line
    context.next.push(usageDelta(Object.fromEntries(counters), { input, output }))
  }
  finish(line['done_reason'], at('done_reason'), 0, context)
  context.next.push({ type: 'end' })
}
