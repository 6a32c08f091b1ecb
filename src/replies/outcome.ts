// What became of a call, as far as its answer goes.

import type { FinishedCall } from './calls.ts'
import { describeCall } from './outputs.ts'

export interface Outcome {
  /** What the tool returned, or the text that says why the call failed. */
  readonly output: unknown
  readonly isError: boolean
}

/**
 * A refused call failed, whatever `given` is: nothing was run. An `Error` is a failed run, unless `isError` says otherwise.
 * @throws TypeError for a promise: whoever forgot to await one would answer with `{}`.
 */
export function outcomeOf(call: FinishedCall, given: unknown, isError?: boolean): Outcome {
  if (!call.ok) return { output: call.failure.message, isError: true }
  if (isPromise(given)) throw new TypeError(`The output of ${describeCall(call)} is a promise: await it first`)
  if (given instanceof Error)
    return { output: given.message === '' ? given.name : given.message, isError: isError ?? true }
  return { output: given, isError: isError ?? false }
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
