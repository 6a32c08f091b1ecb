// The tool calls in a Chat Completions delta or message: reported as evidence, placed by the ledger.

import type { JsonObject } from '../model/json.ts'
import { appended, argumentsPiece, extraFrom, isPlaceholder, type Context } from './deltas.ts'
import { unexpectedType } from './faults.ts'
import { identifier, index, list, present, record, text, word, type Fields } from './fields.ts'
import type { SentArguments } from './source.ts'
import { below, type Path } from './path.ts'

/** What has to be remembered of the calls of a stream. */
export interface CallState {
  /** Counts the calls that came whole, to key them: their place in the list tells them apart, whatever their ids. */
  wholeCalls: number
  /** Set by the first call of free text. */
  hasCustom: boolean
}

export function newCallState(): CallState {
  return { wholeCalls: 0, hasCustom: false }
}

export interface CallContext extends Context {
  readonly choice: number
  /** Whether the calls are complete: a message's are, a delta's are not; those of a message after deltas `repeat` what came. */
  readonly whole: boolean | 'repeat'
  readonly state: CallState
}

/** Fields of a call that must go back with it: thought signatures, in Google's and LiteLLM's spelling. */
const kept = ['extra_content', 'provider_specific_fields']

/** Reads `tool_calls`, the legacy `function_call`, and what belongs to calls by their id. */
export function readCalls(delta: Fields, path: Path, context: CallContext): void {
  const legacy = delta['function_call']
  if (present(legacy)) readFunction({}, path, legacy, below(path, 'function_call'), context)

  const calls = delta['tool_calls']
  if (present(calls) && !isPlaceholder(calls)) {
    const place: Path = below(path, 'tool_calls')
    const items = list(calls)
    // One call outside a list is still one call.
    if (items === null) readCall(calls, place, context)
    else for (let n = 0; n < items.length; n++) readCall(items[n], below(place, n), context)
  }
  readDetails(delta['reasoning_details'], context)
}

function readCall(item: unknown, path: Path, context: CallContext): void {
  const call = record(item)
  if (call === null) {
    if (present(item)) context.next.push(unexpectedType(context.message, path))
  } else if (present(call['custom'])) {
    readCustom(call, path, context)
    // A call is of one kind. What else stands beside it may have been a call, too.
    const other = call['function']
    if (present(other) && !isPlaceholder(other))
      context.next.push(unexpectedType(context.message, below(path, 'function')))
  } else if (present(call['function'])) {
    readFunction(call, path, call['function'], below(path, 'function'), context)
  } else if (call['type'] === 'custom') {
    // Nothing of it yet but what it is.
    bookPiece(call, path, { kind: 'custom', name: null, input: undefined }, context)
  } else if (isPlaceholder(call) || callFields.some((name) => name in call)) {
    // Name and arguments on the call itself, or nothing but an index or id.
    readFunction(call, path, call, path, context)
  } else {
    context.next.push(unexpectedType(context.message, path))
  }
}

/** Without any of these an object is no call. */
const callFields = ['index', 'id', 'type', 'function', 'name', 'arguments', ...kept] as const

/** `call` holds index and id, `value` name and arguments. */
function readFunction(call: Fields, callPath: Path, value: unknown, path: Path, context: CallContext): void {
  const { message, next } = context
  const body = record(value)
  if (body === null) {
    next.push(unexpectedType(message, path))
    return
  }
  const name = text(body['name'])
  const input = argumentsPiece(body['arguments'], below(path, 'arguments'), message)
  bookPiece(call, callPath, { kind: 'function', name, input: input ?? undefined }, context)
  // After the fragment: the call that it opened may be the one that lost something.
  if (input === null) next.push(unexpectedType(message, below(path, 'arguments')))
  if (name === null && present(body['name'])) next.push(unexpectedType(message, below(path, 'name')))
}

/** A free-text call. Source: https://platform.openai.com/docs/guides/function-calling#custom-tools */
function readCustom(call: Fields, callPath: Path, context: CallContext): void {
  const { message, next, state } = context
  state.hasCustom = true
  const path = below(callPath, 'custom')
  const custom = record(call['custom'])
  if (custom === null) {
    next.push(unexpectedType(message, path))
    return
  }
  const name = text(custom['name'])
  const input = text(custom['input'])
  bookPiece(call, callPath, { kind: 'custom', name, input: input === null ? undefined : { delta: input } }, context)
  if (input === null && present(custom['input'])) next.push(unexpectedType(message, below(path, 'input')))
  if (name === null && present(custom['name'])) next.push(unexpectedType(message, below(path, 'name')))
}

/** What a call's body says, of either kind. */
interface Piece {
  readonly kind: 'function' | 'custom'
  readonly name: string | null
  readonly input: SentArguments | undefined
}

/** A whole call under a key of its own; a piece of one as a fragment, for the ledger to place. */
function bookPiece(call: Fields, path: Path, { kind, name, input }: Piece, context: CallContext): void {
  const { message, next, choice, whole } = context
  const wireIndex = index(call['index'])
  const id = identifier(call['id'])
  const hasExtra = present(call['extra_content']) || present(call['provider_specific_fields'])
  const extra = hasExtra ? extraFrom(call, kept).extra : undefined
  if (whole === true) {
    const key = nextKey(context)
    next.push({ type: 'call-open', choice, key, wireIndex, id, name: name ?? '', kind, ...(extra && { extra }) })
    if (input) next.push(appended(key, input))
  } else {
    const fragment = {
      type: 'call-fragment',
      choice,
      index: wireIndex,
      id,
      name,
      arguments: input?.delta ?? null,
    } as const
    next.push(
      kind === 'custom' || input?.object || extra
        ? {
            ...fragment,
            ...(kind === 'custom' && { kind }),
            ...(kind === 'custom' && whole === 'repeat' && { form: 'whole' }),
            ...(input?.object && { form: 'object' }),
            ...(extra && { extra }),
          }
        : fragment,
    )
  }
  if (wireIndex === null && says(call['index'])) next.push(unexpectedType(message, below(path, 'index')))
  if (id === null && says(call['id'])) next.push(unexpectedType(message, below(path, 'id')))
}

/** An empty string is no evidence, but no surprise either. */
function says(value: unknown): boolean {
  return present(value) && value !== ''
}

function nextKey({ state }: CallContext): string {
  return `whole:${state.wholeCalls++}`
}

/**
 * OpenRouter ties encrypted reasoning to a call by the call's id, in a list beside the calls. Each id becomes a fragment that brings
 * nothing but its entries; ids that no call has are other reasoning, and nobody claims them.
 */
function readDetails(value: unknown, { choice, next }: CallContext): void {
  const details = list(value)
  if (details === null) return
  const byId = new Map<string, unknown[]>()
  for (const item of details) {
    const id = word(record(item)?.['id'])
    if (id === null) continue
    const entries = byId.get(id)
    if (entries === undefined) byId.set(id, [item])
    else entries.push(item)
  }
  for (const [id, entries] of byId) {
    const extra = asJson({ reasoning_details: entries })
    next.push({ type: 'call-fragment', choice, index: null, id, name: null, arguments: null, extra })
  }
}

/** Everything in it came out of a JSON text, or out of the object that the caller vouches for as one. */
function asJson(value: object): JsonObject {
  return value as JsonObject
}
