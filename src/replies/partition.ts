// Sorts the calls of a turn into those that may run and those that must not.

import type { ArgumentsByName, ReadyCall, ReadyCustomCall, RefusedCall } from '../model/calls.ts'
import type { AssemblerResult } from '../model/events.ts'

/** Every call of the turn once, each list in their order. A refused call has no `arguments`; `toolReply` answers it by itself. */
export interface PartitionedCalls<A extends object = ArgumentsByName> {
  readonly ready: readonly (ReadyCall<A> | ReadyCustomCall)[]
  readonly refused: readonly RefusedCall[]
}

export function partitionCalls<A extends object = ArgumentsByName>(
  result: Pick<AssemblerResult<A>, 'calls'>,
): PartitionedCalls<A> {
  return {
    ready: result.calls.filter((call) => call.ok),
    refused: result.calls.filter((call) => !call.ok),
  }
}
