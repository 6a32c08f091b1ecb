// What a stream turns into, event by event, and the whole turn at its end.

import type { ArgumentsByName, ServerCall, ToolCall } from './calls.ts'

/**
 * One step of the live arguments. `path` is a JSON Pointer (RFC 6901). A container or literal arrives by `set`; a string arrives
 * by `set` to its first piece and grows by `append`.
 */
export type Change =
  | { readonly op: 'set'; readonly path: string; readonly value: unknown }
  | { readonly op: 'append'; readonly path: string; readonly text: string }

/** What a stream turns into. `A` types the arguments by tool name. */
export type AssemblerEvent<A extends object = ArgumentsByName> =
  | { readonly type: 'text-delta'; readonly choice: number; readonly delta: string }
  | { readonly type: 'reasoning-delta'; readonly choice: number; readonly delta: string }
  | { readonly type: 'refusal-delta'; readonly choice: number; readonly delta: string }
  | {
      readonly type: 'tool-call-start'
      readonly choice: number
      readonly index: number
      readonly id: string
      readonly name: string
    }
  | {
      readonly type: 'tool-call-delta'
      readonly choice: number
      readonly index: number
      readonly id: string
      readonly delta: string
      /** With `partialArguments`: what this delta did to the live value. */
      readonly changes?: readonly Change[]
    }
  | { readonly type: 'tool-call-end'; readonly call: ToolCall<A> }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'error'; readonly error: StreamError }
  | { readonly type: 'finish'; readonly finish: Finish; readonly usage?: Usage }

/** How a turn ended. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'interrupted' | 'other'

/** How a turn, or one choice of it, ended, and who said so. */
export interface Finish {
  /** `tool-calls` whenever the turn ended cleanly and has calls, whatever the server wrote. */
  readonly reason: FinishReason
  /** The wire's own word, the worst where it said several; `null` where it said none. */
  readonly raw: string | null
  /** Whether something of the turn is missing: cut, filtered, failed, interrupted, or an event lost to damage. */
  readonly truncated: boolean
  /** Who said so: `finish-reason:<raw>`, `end-marker`, `no-end`, `error-event`, `aborted`, `open-string`, `open-container`, … */
  readonly evidence: readonly string[]
}

/** What is odd. Where something may be missing by it, the calls that may miss it are refused and `finish.truncated` is true. */
export type WarningCode =
  /** An event that could not be read, or that the server counted and did not send. */
  | 'malformed-event'
  /** A value of a type that its field never has, or an event of no kind that the format knows. */
  | 'unexpected-type'
  /** A piece that no call was opened for, or that contradicts the call it came for. */
  | 'orphan-fragment'
  /** A piece that could belong to several calls. None of them got it. */
  | 'ambiguous-fragment'
  /** The fragments of a call and the wire's own repetition of them are not the same. */
  | 'arguments-mismatch'
  /** The finish reason promises calls, and none came. */
  | 'finish-without-calls'
  /** The end marker came, and no finish reason before it. */
  | 'missing-finish-reason'
  /** The stream broke off inside its last event. */
  | 'unterminated-event'
  /** The wire gave several calls of the turn one id. */
  | 'reused-id'
  /** A call in the text that is reported once, or not at all: a copy, a mention, or none after all. */
  | 'suppressed-call'

/** Something odd that is not an error, with the bytes that show it. */
export interface Warning {
  readonly code: WarningCode
  readonly message: string
  /** The event that it was seen in, from 1. */
  readonly frame?: number
  /** The evidence, at most 2,000 characters. */
  readonly raw?: string
}

/** An error that the server sent, that the connection had, or that a limit of ours raised. */
export interface StreamError {
  /** The server's own code or type where it gave one; ours: `connection`, `aborted`, `over-limit`, `not-a-stream`, `unknown-format`. */
  readonly code: string
  readonly message: string
  /** HTTP status, where one was given. */
  readonly status?: number
  readonly frame?: number
  /** What the server said, whole. */
  readonly raw?: unknown
}

/** Token counts, where the wire has them. */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly totalTokens?: number
  /** The wire's own object. */
  readonly raw: unknown
}

/** One candidate answer of the turn. */
export interface ChoiceResult {
  readonly choice: number
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  readonly finish: Finish
}

/**
 * The whole turn. Not an interface of its own, because TypeScript would then keep a result whose tools are known by name from being
 * passed on as an `AssemblerResult` of any tools.
 */
export type AssemblerResult<A extends object = ArgumentsByName> = TurnResult & {
  readonly calls: readonly ToolCall<A>[]
}

/** What of a turn's result doesn't depend on its tools. `text`, `reasoning`, `refusal` and `finish` are those of choice 0, or of the first choice seen. */
export interface TurnResult {
  /** The wire format's name, or `unknown` where nothing arrived that told it. */
  readonly format: string
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  readonly serverCalls: readonly ServerCall[]
  readonly finish: Finish
  readonly warnings: readonly Warning[]
  readonly errors: readonly StreamError[]
  readonly usage?: Usage
  readonly choices: readonly ChoiceResult[]
}
