// What a block and the readers of its arguments say to each other: the calls that were found, and why it can't go on.

import type { ArgumentsFaultCode } from '../model/failures.ts'
import type { JsonObject } from '../model/json.ts'

/** Why a block is no call as it stands. */
export interface BlockFault {
  readonly code: ArgumentsFaultCode
  /** What would have been right, in words. */
  readonly expected: string
}

/** Where a reader puts what it reads. One block, any number of calls, one after the other. */
export interface CallPort {
  /** Whether a call of that name may be opened here. Asked where the name is not in the block's head. */
  mayOpen(name: string): boolean
  /** Opens the next call. What is appended afterwards is its arguments. */
  open(name: string, id: string | null, extra?: JsonObject): void
  append(delta: string): void
  /** The call's id, where it came after its name. */
  identify(id: string): void
  /** The call that is open can't run. Its siblings may. */
  refuse(fault: BlockFault): void
  /** Something odd in the block that is not part of any call. */
  remark(message: string, raw: string): void
}

/**
 * What every reader keeps. It takes a text from an index on and returns the index up to which it took it; the rest comes again with the
 * next piece. It returns early when it is done or finds a fault, and says so here.
 */
export interface ReaderState {
  status: 'reading' | 'done' | 'fault'
  /** Set with the status `fault`. */
  fault?: BlockFault
}

export function fail(state: ReaderState, expected: string, code: ArgumentsFaultCode = 'malformed'): void {
  state.status = 'fault'
  state.fault = { code, expected }
}
