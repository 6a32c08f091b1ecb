// Finished calls and turns as this floor takes them: whatever the types of their arguments are.

import type { CallIdentity, ReadyCustomCall, RefusedCall } from '../model/calls.ts'
import type { AssemblerResult } from '../model/events.ts'
import type { Repair } from '../model/failures.ts'

/** Every `ToolCall<A>` is one of these, for any `A`. */
export type FinishedCall = FinishedReadyCall | ReadyCustomCall | RefusedCall

export type FinishedReadyCall = CallIdentity & {
  readonly ok: true
  readonly kind: 'function'
  readonly arguments: unknown
  readonly repairs: readonly Repair[]
}

/** The part of a result that replies are made from. Every `AssemblerResult<A>` is one of these. */
export type FinishedTurn = Pick<AssemblerResult, 'format' | 'text' | 'reasoning' | 'refusal' | 'choices'> & {
  readonly calls: readonly FinishedCall[]
}
