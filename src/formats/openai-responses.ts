// OpenAI's Responses API, and what gateways write in its manner.
// Source: https://platform.openai.com/docs/api-reference/responses-streaming

import type { ServerCall } from '../model/calls.ts'
import type { FinishKind, WireDelta } from '../model/deltas.ts'
import type { Hole, WireFormat, WireMessage } from '../model/formats.ts'
import type { JsonObject } from '../model/json.ts'
import type { Step } from '../model/stage.ts'
import { excerpt } from '../arguments/excerpt.ts'
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
  type ListedItem,
  type State,
} from './openai-responses-state.ts'
import { partKey, readPart, readParts, readText, repeatAll, repeatText, textItem } from './openai-responses-text.ts'
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
    repeatAll(state, next)
    for (const item of state.items) {
      item.said.clear()
      if (item.role === 'call') endCall(item, next)
      if (item.server !== null && !item.done) next.push({ type: 'server-call', call: item.server })
      item.held = null
      item.done = true
    }
  }
  return beforeEnd(next, endAll)
}

/**
 * A call at the end of the stream whose end never came. What came as text goes by its structure, and by how the turn ended. A call
 * that nothing was said of but that it begins is cut, and so is one whose arguments are a value: that closes even where it isn't whole.
 */
function endCall(item: Item, next: Step<WireDelta>): void {
  const { key, type, held, heard, preview } = item
  if (item.ended) return
  item.ended = true
  if (!item.announced) {
    // Under the key of a call that was never announced it finds no place, which the ledger reports.
    const rest = held ?? (preview === '' ? null : { delta: preview })
    if (rest !== null) next.push(appended(key, rest))
    return
  }
  if (preview !== '') {
    const message = `pieces came for the item ${type}, which never came whole`
    next.push({ type: 'warning', warning: { code: 'orphan-fragment', message, raw: excerpt(preview) } })
  }
  if (!heard && held !== null) hear(item, held, next)
  const cameAsText =
    type === 'custom_tool_call' ? heard : type === 'function_call' && (heard || (held !== null && !held.object))
  if (!cameAsText) next.push({ type: 'call-close', key, cut: true })
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
    case 'response.apply_patch_call_operation_diff.delta':
    case 'response.shell_call_command.delta':
      return readPreview(type, 'delta', fields, context)
    case 'response.apply_patch_call_operation_diff.done':
      return readPreview(type, 'diff', fields, context)
    case 'response.shell_call_command.done':
      return readPreview(type, 'command', fields, context)
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
  if (repeats) endItem(known, { item, view, place: at('item') }, true, context)
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

/** The wire's own repetition of a whole item. `ends` says that nothing more can come of it, unless its status does. */
function endItem(known: Item, { item, view, place: path }: PlacedItem, ends: boolean, context: ItemContext): void {
  const { state, next } = context
  switch (view.role) {
    case 'call':
      if (view.arguments !== null) hear(known, view.arguments, next)
      closeCall(known, word(item['status']), ends, next)
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

interface PlacedItem extends ListedItem {
  readonly place: Path
}

/** The item's status is a witness of its own: it is heard whatever the response says of itself. */
function closeCall(item: Item, status: string | null, ends: boolean, next: Step<WireDelta>): void {
  if (status === 'incomplete') next.push({ type: 'call-close', key: item.key, cut: true })
  else if (ends || status === 'completed') next.push({ type: 'call-close', key: item.key })
  else return
  item.ended = true
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

/** A piece of what the item's end has whole, as a member of an object: so it is the end that the arguments are read from. */
function readPreview(type: string, field: string, fields: Fields, context: ItemContext): void {
  const item = callItem(type, fields, context)
  if (item === null || item.role !== 'call') return
  const piece = fields[field]
  if (typeof piece !== 'string') {
    if (present(piece)) context.next.push(unexpectedInCall(context.message, at(field), item.key))
  } else if (item.preview.length < previewLength && (field === 'delta' || item.preview === '')) {
    item.preview += piece.slice(0, previewLength)
  }
}

/** More than a warning shows. */
const previewLength = 4000

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
    closeCall(item, null, true, next)
  }
}

const itemTypes: ReadonlyMap<string, { readonly type: string; readonly role: 'call' | 'server' }> = new Map([
  ['response.function_call_arguments', { type: 'function_call', role: 'call' }],
  ['response.custom_tool_call_input', { type: 'custom_tool_call', role: 'call' }],
  ['response.apply_patch_call_operation_diff', { type: 'apply_patch_call', role: 'call' }],
  ['response.shell_call_command', { type: 'shell_call', role: 'call' }],
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
  const status = word(response['status']) ?? ending
  const reason = word(record(response['incomplete_details'])?.['reason'])
  const kind = status === null ? null : kindOf(status, reason)
  const output = list(response['output'])
  if (output !== null) reconcile(output, below(path, 'output'), kind === null || kind === 'clean', context)
  else if (present(response['output'])) next.push(unexpectedType(message, below(path, 'output')))
  const error = errorIn(response)
  if (error !== undefined) readError(error, context)
  const usage = record(response['usage'])
  if (usage !== null) {
    const { input_tokens: input, output_tokens: out, total_tokens: total } = usage
    next.push(usageDelta(usage, { input, output: out, total }))
  }
  // A response that was asked for while it is being made has no ending yet.
  if (status === null || kind === null || status === 'in_progress' || status === 'queued') return
  next.push({ type: 'finish', choice: 0, raw: reason ?? status, kind })
}

/** `incomplete` says that something is missing whatever the reason; one that we know says more. */
function kindOf(status: string, reason: string | null): FinishKind {
  const kind = finishKind(reason ?? status)
  return status === 'incomplete' && (kind === 'other' || kind === 'clean') ? 'stopped' : kind
}

/** Reads what the response repeats; an item that was never streamed is announced by it. `ends`: the response is complete. */
function reconcile(output: readonly unknown[], path: Path, ends: boolean, context: ItemContext): void {
  const { message, state, next } = context
  // By index, as a fed array may have holes.
  const listed = Array.from(output, (value, position): PlacedItem => {
    const place = below(path, position)
    const item = record(value)
    if (item === null) next.push(unexpectedType(message, place))
    return { item: item ?? {}, place, view: outputItem(item ?? {}, place, message) }
  })
  const matches = matchItems(listed, state)
  for (const [position, one] of listed.entries()) {
    const known = matches[position] ?? addItem(one.item, one.view, position, state)
    announce(known, one.view, context)
    endItem(known, one, ends, context)
  }
}

/** A failed response repeats the error that was sent as an event of its own. */
function readError(raw: unknown, { message, state, next }: ItemContext): void {
  const error = serverError(raw, message.frame)
  if (state.error !== null && state.error.code === error.code && state.error.message === error.message) return
  state.error = error
  next.push({ type: 'error', error })
}
