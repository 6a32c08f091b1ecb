// OpenAI's Responses API, and what gateways write in its manner.
// Source: https://platform.openai.com/docs/api-reference/responses-streaming

import type { ServerCall } from '../model/calls.ts'
import type { FinishKind, WireDelta } from '../model/deltas.ts'
import type { Hole, WireFormat, WireMessage } from '../model/formats.ts'
import type { JsonObject } from '../model/json.ts'
import type { Step } from '../model/stage.ts'
import { appended, unexpectedInCall, usageDelta, wholeArguments } from './deltas.ts'
import { errorBody, errorIn, serverError } from './errors.ts'
import { unexpectedType, unrecognized } from './faults.ts'
import { index, list, number, present, record, text, word, type Fields } from './fields.ts'
import { outputItem, type OutputItem } from './openai-responses-items.ts'
import {
  addItem,
  addUnannounced,
  findItem,
  findSame,
  matchItems,
  newState,
  type Item,
  type ItemContext,
  type State,
} from './openai-responses-state.ts'
import { partKey, readPart, readParts, readText, repeatText, textItem } from './openai-responses-text.ts'
import { finishKind } from './reasons.ts'
import { beforeEnd, fieldsOf, readMessages } from './reader.ts'
import type { ParsedMessage, SentArguments } from './source.ts'
import { at, below, type Path } from './path.ts'

const holes: readonly Hole[] = [
  { path: ['delta'], role: 'fragment' },
  { path: ['sequence_number'], role: 'sequence' },
  // Padding against traffic analysis.
  { path: ['obfuscation'], role: 'padding' },
]

/**
 * The API says everything up to four times: in deltas, in the part's own `done`, in the item's, and in the whole response. Any one of
 * them is enough. What a call's arguments repeat is compared by the ledger; text is taken where it comes first.
 *
 * Items are told apart by `output_index`: some gateways give an item another `id` in every event. Extra of a call: `caller`,
 * `namespace`, and `reasoning`, the list of encrypted reasoning items that came right before it and must go back in front of it.
 */
export const openaiResponses: WireFormat = {
  name: 'openai-responses',
  reader: (next) => {
    const state = newState()
    const step = endingItems(state, next)
    return readMessages(step, (fields, message) => readMessage(fields, message, state, step), lackOf)
  },
  detect: isResponses,
  holes,
}

function isResponses(message: WireMessage): boolean {
  const fields = fieldsOf(message)
  if (fields === null) return false
  const type = text(fields['type']) ?? ''
  return (
    type.startsWith('response.') ||
    (type === 'error' && present(fields['sequence_number'])) ||
    (fields['object'] === 'response' && list(fields['output']) !== null)
  )
}

/** What was held back for want of something that never came goes out before the end: arguments, and calls of the server. */
function endingItems(state: State, next: Step<WireDelta>): Step<WireDelta> {
  const endAll = (): void => {
    for (const item of state.items) {
      const { key, held } = item
      item.held = null
      // Under the key of a call that was never announced it finds no place, which the ledger reports.
      if (item.role === 'call' && held !== null && !item.announced) next.push(appended(key, held))
      else if (item.role === 'call' && held !== null && !item.heard) hear(item, held, next)
      if (item.server !== null && !item.done) next.push({ type: 'server-call', call: item.server })
      item.done = true
    }
  }
  return beforeEnd(next, endAll)
}

function lackOf(body: Fields): string | null {
  const isEvent = word(body['type']) !== null
  return isEvent || list(body['output']) !== null ? null : 'output'
}

function readMessage(fields: Fields, message: ParsedMessage, state: State, next: Step<WireDelta>): void {
  const context: ItemContext = { message, state, next }
  const sequence = number(fields['sequence_number'])
  if (sequence !== null && Number.isInteger(sequence)) next.push({ type: 'sequence', number: sequence })
  const type = word(fields['type']) ?? message.event
  switch (type) {
    case 'response.output_text.delta':
      return readText('text', fields, context)
    case 'response.refusal.delta':
      return readText('refusal', fields, context)
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return readText('reasoning', fields, context)
    case 'response.output_text.done':
      return repeatText('text', 'text', fields, context)
    case 'response.refusal.done':
      return repeatText('refusal', 'refusal', fields, context)
    case 'response.reasoning_text.done':
    case 'response.reasoning_summary_text.done':
      return repeatText('reasoning', 'text', fields, context)
    case 'response.content_part.done':
    case 'response.reasoning_summary_part.done':
      return readPart(
        fields['part'],
        at('part'),
        textItem(type.includes('reasoning') ? 'reasoning' : 'text', fields, context),
        partKey(fields),
        context,
      )
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
    case 'response.mcp_call_arguments.delta':
    case 'response.code_interpreter_call_code.delta':
      return readFragment(type, fields, context)
    case 'response.function_call_arguments.done':
    case 'response.mcp_call_arguments.done':
      return repeatArguments(type, 'arguments', fields, context)
    case 'response.custom_tool_call_input.done':
      return repeatArguments(type, 'input', fields, context)
    case 'response.output_item.added':
    case 'response.output_item.done':
      return readItemEvent(type.endsWith('.done'), fields, context)
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
    // What the API itself has only as a status.
    case 'response.cancelled':
      readResponse(record(fields['response']) ?? {}, at('response'), type.slice('response.'.length), context)
      return next.push({ type: 'end' })
    // OpenRouter's end, whatever the status.
    case 'response.done':
      readResponse(record(fields['response']) ?? {}, at('response'), null, context)
      return next.push({ type: 'end' })
    default:
      if (fields['object'] === 'response') readResponse(fields, undefined, null, context)
      else if (errorBody(fields, message.event) !== undefined || type === 'error') readError(fields, context)
      else if (type === undefined) next.push(unrecognized(message))
  }
}

// ---- items

function readItemEvent(repeats: boolean, fields: Fields, context: ItemContext): void {
  const { message, state, next } = context
  const item = record(fields['item'])
  if (item === null) {
    next.push(unexpectedType(message, at('item')))
    return
  }
  const view = outputItem(item, at('item'), message)
  const wireIndex = index(fields['output_index'])
  const known = findSame(item, view, wireIndex, repeats, state) ?? addItem(item, view, wireIndex, state)
  announce(known, view, context)
  if (repeats) endItem(known, item, view, at('item'), context)
}

/** Opens a call, with what came for it before it was announced; for one that is known, says once more who it is. */
function announce(item: Item, view: OutputItem, { state, next }: ItemContext): void {
  const isNew = !item.announced
  item.announced = true
  if (view.role === 'call') {
    const { callId: id, name, kind } = view
    if (isNew) {
      const { key, wireIndex } = item
      next.push({ type: 'call-open', choice: 0, key, wireIndex, id, name, kind, ...withReasoning(view.extra, state) })
      if (item.heard && item.held !== null) next.push({ type: 'call-append', key, delta: item.held.delta })
    } else {
      const extra = view.extra === undefined ? {} : { extra: view.extra }
      next.push({ type: 'call-final', key: item.key, arguments: '', id, name, ...extra })
    }
    item.callId ??= id
  }
  if (isNew && view.role !== 'reasoning') state.reasoning = []
}

function withReasoning(extra: JsonObject | undefined, state: State): { readonly extra?: JsonObject } {
  if (state.reasoning.length > 0) return { extra: { ...extra, reasoning: state.reasoning } }
  return extra === undefined ? {} : { extra }
}

/** The wire's own repetition of a whole item. */
function endItem(known: Item, item: Fields, view: OutputItem, path: Path, context: ItemContext): void {
  const { state, next } = context
  switch (view.role) {
    case 'call':
      if (view.arguments !== null) hear(known, view.arguments, next)
      if (item['status'] !== 'incomplete') next.push({ type: 'call-close', key: known.key })
      break
    case 'server':
      if (!known.done) next.push({ type: 'server-call', call: withArguments(view.call, known.server) })
      break
    case 'message':
      readParts(item['content'], below(path, 'content'), 'content', known, context)
      break
    case 'reasoning':
      readParts(item['summary'], below(path, 'summary'), 'summary', known, context)
      readParts(item['content'], below(path, 'content'), 'content', known, context)
      // Parsed JSON, kept as it is.
      if (!known.done && word(item['encrypted_content']) !== null) state.reasoning.push(item as JsonObject)
      break
    case 'other':
      break
    default:
      return view satisfies never
  }
  known.done = true
}

/** The fragments of a server's call, where its end doesn't repeat them. */
function withArguments(call: ServerCall, known: ServerCall | null): ServerCall {
  return call.argumentsText === '' && known !== null ? { ...call, argumentsText: known.argumentsText } : call
}

// ---- arguments

/** All of a call's arguments: the first time as the text of a value that the wire sends whole, then as repetition. */
function hear(item: Item, args: SentArguments, next: Step<WireDelta>): void {
  const { key } = item
  if (args.object && !item.heard) next.push(appended(key, args))
  else next.push({ type: 'call-final', key, arguments: args.delta, id: null, name: null })
  item.heard = true
}

function readFragment(type: string, fields: Fields, context: ItemContext): void {
  const { message, next } = context
  const { delta } = fields
  const item = callItem(type, fields, context)
  if (item === null) return
  if (typeof delta !== 'string') {
    if (present(delta)) next.push(unexpectedInCall(message, at('delta'), item.key))
  } else if (item.server !== null) {
    item.server = { ...item.server, argumentsText: item.server.argumentsText + delta }
  } else {
    item.heard = true
    if (!item.announced) item.held = { delta: (item.held?.delta ?? '') + delta }
    else if (delta !== '') next.push({ type: 'call-append', key: item.key, delta })
  }
}

/** The event that closes a call's arguments. Whoever lacks the deltas has them from here. */
function repeatArguments(type: string, field: 'arguments' | 'input', fields: Fields, context: ItemContext): void {
  const { message, next } = context
  const item = callItem(type, fields, context)
  if (item === null) return
  const args = wholeArguments(fields[field], at(field), message)
  if (item.server !== null) {
    item.server = { ...item.server, argumentsText: args?.delta ?? item.server.argumentsText }
  } else if (!item.announced) {
    item.held ??= args
    item.heard = true
  } else {
    if (args !== null) hear(item, args, next)
    next.push({ type: 'call-close', key: item.key })
  }
}

const itemTypes: ReadonlyMap<string, { readonly type: string; readonly role: 'call' | 'server' }> = new Map([
  ['response.function_call_arguments', { type: 'function_call', role: 'call' }],
  ['response.custom_tool_call_input', { type: 'custom_tool_call', role: 'call' }],
  ['response.mcp_call_arguments', { type: 'mcp_call', role: 'server' }],
  ['response.code_interpreter_call_code', { type: 'code_interpreter_call', role: 'server' }],
])

/** The item that a fragment is for; `null` where nothing says which, so that it may have been anybody's. */
function callItem(eventType: string, fields: Fields, { message, state, next }: ItemContext): Item | null {
  const known = findItem(fields, state)
  if (known !== undefined && (known.role === 'call' || known.role === 'server')) return known
  const expected = itemTypes.get(eventType.slice(0, eventType.lastIndexOf('.')))
  if (expected === undefined || (index(fields['output_index']) ?? word(fields['item_id'])) === null) {
    next.push(unexpectedType(message, undefined))
    return null
  }
  return addUnannounced(expected.type, expected.role, fields, state)
}

// ---- the whole response

/** A response as it stands at its end. `ending` is the event's own word for its status. */
function readResponse(response: Fields, path: Path, ending: string | null, context: ItemContext): void {
  const { next, message } = context
  const output = list(response['output'])
  if (output !== null) reconcile(output, below(path, 'output'), context)
  else if (present(response['output'])) next.push(unexpectedType(message, below(path, 'output')))
  const error = errorIn(response)
  if (error !== undefined) readError(error, context)
  const usage = record(response['usage'])
  if (usage !== null) {
    const { input_tokens: input, output_tokens: out, total_tokens: total } = usage
    next.push(usageDelta(usage, { input, output: out, total }))
  }
  const status = word(response['status']) ?? ending
  // A response that was asked for while it is being made has no ending yet.
  if (status === null || status === 'in_progress' || status === 'queued') return
  const reason = word(record(response['incomplete_details'])?.['reason'])
  next.push({ type: 'finish', choice: 0, raw: reason ?? status, kind: kindOf(status, reason) })
}

/** `incomplete` says that something is missing whatever the reason; one that we know says more. */
function kindOf(status: string, reason: string | null): FinishKind {
  const kind = finishKind(reason ?? status)
  return status === 'incomplete' && (kind === 'other' || kind === 'clean') ? 'stopped' : kind
}

/** Reads what the response repeats; an item that was never streamed is announced by it. */
function reconcile(output: readonly unknown[], path: Path, context: ItemContext): void {
  const { message, state } = context
  // A fed array may have holes, which `map` would leave as they are.
  const listed = Array.from(output, (value, position) => {
    const item = record(value) ?? {}
    const place = below(path, position)
    return { item, place, view: outputItem(item, place, message) }
  })
  const matches = matchItems(listed, state)
  for (const [position, { item, view, place }] of listed.entries()) {
    const known = matches[position] ?? addItem(item, view, position, state)
    announce(known, view, context)
    endItem(known, item, view, place, context)
  }
}

/** A failed response repeats the error that was sent as an event of its own. */
function readError(raw: unknown, { message, state, next }: ItemContext): void {
  const error = serverError(raw, message.frame)
  if (state.error !== null && state.error.code === error.code && state.error.message === error.message) return
  state.error = error
  next.push({ type: 'error', error })
}
