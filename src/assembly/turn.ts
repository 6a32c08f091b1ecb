// What a turn has come to when its stream is over: everything that the verdict may look at.

import type { FinishKind } from '../model/deltas.ts'
import type { ServerCall } from '../model/calls.ts'
import type { AssemblerEvent, StreamError, Usage, Warning } from '../model/events.ts'
import type { LiveCall } from './live-call.ts'

/** A finish reason as the wire said it. */
export interface SaidReason {
  readonly raw: string
  readonly kind: FinishKind
}

export interface TurnChoice {
  readonly choice: number
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  /** In the order that they came, repetitions included. */
  readonly reasons: readonly SaidReason[]
}

/** Who broke the stream off, if it was broken off from outside. */
export type Break = 'connection' | 'aborted'

export interface Turn {
  /** In order of first appearance. */
  readonly choices: readonly TurnChoice[]
  readonly calls: readonly LiveCall[]
  readonly serverCalls: readonly ServerCall[]
  readonly warnings: readonly Warning[]
  readonly errors: readonly StreamError[]
  readonly usage: Usage | undefined
  /** The terminal marker came. */
  readonly ended: boolean
  /** The server said that it failed, or the body was no stream. A limit of ours is no failure. */
  readonly failed: boolean
  readonly broken: Break | null
  /** The stream stopped inside an event. */
  readonly cutInEvent: boolean
  /** An event or a fragment found no place: what it held is missing. */
  readonly lost: boolean
}

/** What the ledger hands to the verdict: events as they happen, then the whole turn, once. */
export type LedgerItem =
  | Exclude<AssemblerEvent, { type: 'tool-call-end' | 'finish' }>
  | { readonly type: 'turn-over'; readonly turn: Turn }

/** Out-of-band word that the stream was broken off: by the connection or by the caller. */
export interface BreakNotice {
  readonly type: 'break'
  readonly broken: Break
  readonly error: StreamError
}
