// What a wire format reads out of its messages: the words between the readers and the ledger.

import type { ServerCall } from './calls.ts'
import type { StreamError, Usage, Warning } from './events.ts'
import type { ArgumentsFaultCode, FailureCode } from './failures.ts'
import type { JsonObject } from './json.ts'

/** What kind of ending a wire's finish reason is. `cut` is the length kind, `stopped` one that somebody else cut (abort, cancelled). */
export type FinishKind = 'clean' | 'length' | 'context-window' | 'filter' | 'error' | 'stopped' | 'other'

/** What a wire format reads out of its messages: the words that the ledger understands. */
export type WireDelta =
  | { readonly type: 'text' | 'reasoning' | 'refusal'; readonly choice: number; readonly delta: string }
  | TextFinal
  | CallFragment
  | CallOpen
  | CallAppend
  | CallFinal
  | CallClose
  | CallReject
  | { readonly type: 'server-call'; readonly call: ServerCall }
  | KeptOpen
  | KeptClose
  | { readonly type: 'finish'; readonly choice: number; readonly raw: string; readonly kind: FinishKind }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** An error that the server sent inside its stream. */
  | { readonly type: 'error'; readonly error: StreamError }
  /** Odd, but nothing is lost. */
  | { readonly type: 'warning'; readonly warning: Warning }
  /** An event, or a part of one, that could not be read: whoever is open may have lost it. */
  | { readonly type: 'damage'; readonly warning: Warning }
  /** The same where only the call `key` may have lost it. */
  | { readonly type: 'call-damage'; readonly key: CallKey; readonly warning: Warning }
  /** Something that is no event at all. Nothing is missing, unless a call is open that it may have been part of. */
  | { readonly type: 'stray'; readonly warning: Warning }
  /** The stream broke off inside its last event. That is an ending and damages nobody. */
  | { readonly type: 'cut'; readonly warning: Warning }
  /** Until the other one comes, an event is read that some bytes of are not what was sent: no call that it touches can be whole. */
  | { readonly type: 'spoilt-open'; readonly warning: Warning }
  | { readonly type: 'spoilt-close' }
  /** The number that the wire counts its events by. A gap damages. */
  | { readonly type: 'sequence'; readonly number: number }
  /** The terminal marker. Whatever follows is ignored. */
  | { readonly type: 'end' }

/**
 * The wire's own repetition of all that was said of a sort (Responses: the texts of the parts, in order). What it has beyond what was
 * said is text that was lost on the way.
 */
export interface TextFinal {
  readonly type: 'text-final'
  readonly of: 'text' | 'reasoning' | 'refusal'
  readonly choice: number
  readonly text: string
}

/**
 * A piece of a call on a wire without reliable keys (Chat Completions): the ledger decides by the evidence of index, id and name
 * together whose it is. `null` and `''` are no evidence.
 */
export interface CallFragment {
  readonly type: 'call-fragment'
  readonly choice: number
  readonly index: number | string | null
  readonly id: string | null
  readonly name: string | null
  /** `null` where the wire sent none. */
  readonly arguments: string | null
  /** Absent on pieces of a function's call. The arguments of a `custom` one are its free text. */
  readonly kind?: 'custom'
  /**
   * `object` as in `CallAppend`: the arguments are the source of an object that the wire sent whole. `whole`: all of a free text, as in
   * `CallFinal`, since nothing in such a text shows a repetition.
   */
  readonly form?: 'object' | 'whole'
  readonly extra?: JsonObject
}

/** A key that the wire guarantees: the same key is the same call, whatever else changes. */
export type CallKey = number | string

/** Opens the call that the wire calls `key`. */
export interface CallOpen {
  readonly type: 'call-open'
  readonly choice: number
  readonly key: CallKey
  readonly wireIndex: number | string | null
  readonly id: string | null
  readonly name: string
  readonly kind: 'function' | 'custom'
  readonly extra?: JsonObject
}

/** Appends to the arguments of the call `key`. For an unknown key the ledger warns `orphan-fragment`. */
export interface CallAppend {
  readonly type: 'call-append'
  readonly key: CallKey
  readonly delta: string
  /**
   * What the delta is, if it is no mere fragment of text. `object`: the source of an object that the wire sent whole. `delimited`: a
   * piece of arguments that are delimited where they stand, as in text. In both `{}` is no placeholder.
   */
  readonly form?: 'object' | 'delimited'
}

/**
 * The wire's own repetition of a call's whole arguments (Responses: `…arguments.done`, `output_item.done`, `response.completed`).
 * Taken as the text where no fragment came; a contradiction with the fragments is `arguments-mismatch` and damages.
 * `id`, `name` and `extra` fill what was missing.
 */
export interface CallFinal {
  readonly type: 'call-final'
  readonly key: CallKey
  readonly arguments: string
  readonly id: string | null
  readonly name: string | null
  readonly extra?: JsonObject
}

/** The wire says that the call is complete (block stop, item done, a call sent whole): later damage can't touch it. */
export interface CallClose {
  readonly type: 'call-close'
  readonly key: CallKey
  /** It is over but not complete: by the wire's own word (Responses: status `incomplete`), or since it was only announced. */
  readonly cut?: true
}

/**
 * A block begins that is neither text nor a call and must go back as it is: signed reasoning, what the provider ran itself. Until the
 * next of these, reasoning is the text of the block `block`, a number that the reader gives each block anew; of nobody where it is
 * `null`. A number that is open already is only returned to. Only wires with one choice have such blocks.
 */
export interface KeptOpen {
  readonly type: 'kept-open'
  readonly block: number | null
}

/** The block is over. It is tied to the next call, or to the last one where none follows. */
export interface KeptClose {
  readonly type: 'kept-close'
  readonly block: number
  /** The block as the wire has it; `null` where nothing of it can go back. */
  readonly value: JsonObject | null
  /** Where in `value` the reasoning belongs that was said for the block; absent for a block that has none. */
  readonly textAt?: readonly string[]
}

/**
 * The reader of calls in text found that the block can't be a call as it stands. The call is refused with `code`, whatever its
 * arguments look like.
 */
export interface CallReject {
  readonly type: 'call-reject'
  readonly key: CallKey
  readonly code: Extract<FailureCode, 'truncated' | ArgumentsFaultCode>
  /** What would have been right, in words. */
  readonly expected?: string
}
