// Ollama's own API: one JSON object a line, every call whole. Its compatible routes are the other formats'.
// Source: https://docs.ollama.com/api/chat and https://docs.ollama.com/api/generate
import type { WireDelta } from '../model/deltas.ts'
import type { Usage } from '../model/events.ts'
import type { WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { errorBody, serverError } from './errors.ts'
import { pushText, readUnread, unexpectedType, unrecognized } from './faults.ts'
import { identifier, index, list, number, present, record, text, word, type Fields } from './fields.ts'
import { finishKind } from './reasons.ts'
import { readArguments, type ParsedMessage, type Path } from './source.ts'

export const ollama: WireFormat = {
  name: 'ollama',
  reader: (next) => {
    const counter = { calls: 0 }
    return {
      push(message) {
        if (message.kind === 'message') readMessage(message, counter, next)
        else readUnread(message, next)
      },
      end() {
        next.end()
      },
    }
  },
  detect: isOllama,
}

/** Counts the calls, to key them: the index restarts or stays away. */
interface Counter {
  calls: number
}

function isOllama(message: WireMessage): boolean {
  if (message.kind !== 'message') return false
  const line = record(message.value)
  return line !== null && typeof line['done'] === 'boolean' && text(line['model']) !== null && !present(line['choices'])
}

function readMessage(message: ParsedMessage, counter: Counter, next: Step<WireDelta>): void {
  const line = record(message.value)
  if (line === null) return
  const { message: turn, done } = line
  const error = errorBody(line, message.event)
  if (error !== undefined) next.push({ type: 'error', error: serverError(error, message.frame) })

  const fields = record(turn)
  if (fields !== null) readTurn(fields, message, counter, next)
  else if (present(turn) && error === undefined) next.push(unexpectedType(message, ['message']))
  // The generate route has these on the line itself.
  pushText('reasoning', line['thinking'], ['thinking'], message, 0, next)
  pushText('text', line['response'], ['response'], message, 0, next)

  if (done === true) readEnd(line, message, next)
  else if (error === undefined && !present(turn) && !present(line['response']) && !present(done))
    next.push(unrecognized(message))
}

function readTurn(turn: Fields, message: ParsedMessage, counter: Counter, next: Step<WireDelta>): void {
  pushText('reasoning', turn['thinking'], ['message', 'thinking'], message, 0, next)
  pushText('text', turn['content'], ['message', 'content'], message, 0, next)
  const path: Path = ['message', 'tool_calls']
  const calls = turn['tool_calls']
  const items = list(calls)
  if (items === null && present(calls)) next.push(unexpectedType(message, path))
  for (const [position, item] of items?.entries() ?? []) readCall(item, [...path, position], message, counter, next)
}

function readCall(item: unknown, path: Path, message: ParsedMessage, counter: Counter, next: Step<WireDelta>): void {
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
  next.push({
    type: 'call-open',
    choice: 0,
    key,
    wireIndex,
    id: id === '' ? null : id,
    name: name ?? '',
    kind: 'function',
  })

  const place: Path = [...path, 'function', 'arguments']
  const sent = readArguments(message, body['arguments'], place)
  if (sent) next.push({ type: 'call-append', key, delta: sent.text, ...(sent.object ? { object: true } : {}) })
  // Each call stands alone on this wire, so what is odd in one harms no other.
  else if (sent === null) next.push({ ...unexpectedType(message, place), key })
  if (name === null && present(body['name']))
    next.push({ ...unexpectedType(message, [...path, 'function', 'name']), key })
  next.push({ type: 'call-close', key })
}

function readEnd(line: Fields, message: ParsedMessage, next: Step<WireDelta>): void {
  const usage = usageOf(line)
  if (usage !== null) next.push({ type: 'usage', usage })
  const reason = line['done_reason']
  const raw = word(reason)
  if (raw !== null) next.push({ type: 'finish', choice: 0, raw, kind: finishKind(raw) })
  else if (present(reason) && reason !== '') next.push(unexpectedType(message, ['done_reason']))
  next.push({ type: 'end' })
}

/** The counters stand on the line itself, among its other fields: all its numbers, and nothing else, are the usage. */
function usageOf(line: Fields): Usage | null {
  const counters = Object.entries(line).filter(([, value]) => typeof value === 'number')
  if (counters.length === 0) return null
  const input = number(line['prompt_eval_count'])
  const output = number(line['eval_count'])
  return {
    ...(input === null ? {} : { inputTokens: input }),
    ...(output === null ? {} : { outputTokens: output }),
    raw: Object.fromEntries(counters),
  }
}
