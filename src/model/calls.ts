// A finished call as the caller gets it: ready to run, or refused.

import type { Failure, Repair } from './failures.ts'
import type { JsonObject } from './json.ts'

/** Tool names with the type of their arguments. The default knows neither. */
export interface ArgumentsByName {
  readonly [name: string]: unknown
}

/** What is known of a call whatever became of it. */
export interface CallIdentity {
  /** The choice (candidate answer) that it belongs to; 0 where the wire has only one. */
  readonly choice: number
  /** Position among all calls of the turn, from 0, in order of first appearance: `result.calls[index]` is this call. */
  readonly index: number
  /** Unique in the turn and frozen when the call starts: the wire's id if it was known by then and free, else `call_<n>`. */
  readonly id: string
  /** The id as the wire gave it, even late; `null` where it gave none. Responses: `call_id`. */
  readonly wireId: string | null
  /**
   * The id that replies and history name this call by where `wireId` can't, because another call of the turn goes out under it.
   * Absent otherwise: then it is `wireId`, or `id` where the wire gave none.
   */
  readonly replyId?: string
  /** The index as the wire gave it: a number of any sign, a string, or `null`. */
  readonly wireIndex: number | string | null
  /** The tool's name; `''` where the stream never gave one. */
  readonly name: string
  /** `custom` is the Responses API's free-text call: its arguments are a string and no JSON. */
  readonly kind: 'function' | 'custom'
  /** What was sent, to the letter: joined fragments, or the source slice of an object on the wire. */
  readonly argumentsText: string
  /**
   * What must go back with the call in the history, by the names of its wire: `thoughtSignature`, `caller`, `namespace`, encrypted
   * `reasoning`. `blocks` (Anthropic, Bedrock) are the parts of the turn that are neither text nor call and stood before it, or after
   * the last one: signed thinking, what the provider ran itself. Each is `{ at, block }`: the block as the wire has it, and how many
   * UTF-16 units of the turn's text stood before it. `assistantTurn` puts all of it back.
   */
  readonly extra?: JsonObject
}

/** A call that may run: its arguments are certain. */
export type ReadyCall<A extends object = ArgumentsByName> = {
  readonly [Name in keyof A & string]: CallIdentity & {
    readonly ok: true
    readonly kind: 'function'
    readonly name: Name
    readonly arguments: string extends keyof A ? JsonObject : A[Name]
    readonly repairs: readonly Repair[]
  }
}[keyof A & string]

/** A free-text call of the Responses API (`custom_tool_call`): `arguments` is the text itself. */
export type ReadyCustomCall = CallIdentity & {
  readonly ok: true
  readonly kind: 'custom'
  readonly arguments: string
  readonly repairs: readonly []
}

/** A call that must not run. It has no `arguments` at all, so none can be run by accident. */
export type RefusedCall = CallIdentity & { readonly ok: false; readonly failure: Failure }

/** One finished tool call: told apart by `ok`, then by `kind`. */
export type ToolCall<A extends object = ArgumentsByName> = ReadyCall<A> | ReadyCustomCall | RefusedCall

/** The result of reading arguments that came from anywhere. */
export type ArgumentsOutcome<A = JsonObject> =
  | { readonly ok: true; readonly arguments: A; readonly repairs: readonly Repair[]; readonly argumentsText: string }
  | { readonly ok: false; readonly failure: Failure; readonly argumentsText: string }

/** A call that the provider runs itself (web search, code execution, MCP): never to be run by the caller. */
export interface ServerCall {
  readonly id: string
  readonly name: string
  /** The wire's own type, such as `server_tool_use` or `web_search_call`. */
  readonly kind: string
  readonly argumentsText: string
}

/** What `onAudit` gets, once a call: everything that was done to its arguments, or why it was refused. */
export interface AuditRecord {
  readonly id: string
  readonly name: string
  /** The wire format's name; `null` for arguments read without a stream. */
  readonly format: string | null
  readonly ok: boolean
  readonly raw: string
  /** The text that was parsed in the end; absent where nothing was repaired. */
  readonly repaired?: string
  readonly repairs: readonly Repair[]
  /** The failure's code; absent for a call that is ok. */
  readonly code?: Failure['code']
}
