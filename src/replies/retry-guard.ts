// Notices a model that makes the same failing call over and over: telling it again won't help.

import type { RefusedCall } from '../model/calls.ts'
import type { FailureCode } from '../model/failures.ts'
import type { FinishedCall, FinishedTurn } from './calls.ts'

export interface RetryGuardOptions {
  /** How many turns the same failure may come up in before the guard says stop. Default 3. */
  readonly max?: number
}

/** A call that failed again exactly as before: the same tool, code and argument text. */
export interface RepeatedFailure {
  readonly name: string
  readonly code: FailureCode
  /** In how many turns by now, this one included. */
  readonly turns: number
  readonly call: RefusedCall
}

export interface RetryVerdict {
  /** Whether to stop the loop and tell a person. */
  readonly stop: boolean
  /** Why, in words for a log or a person; `''` where the loop may go on. */
  readonly reason: string
  /** The failures that reached the limit. */
  readonly repeated: readonly RepeatedFailure[]
}

export interface RetryGuard {
  /** Takes note of a turn, once each, and says whether the loop should go on. */
  observe(result: Pick<FinishedTurn, 'calls'>): RetryVerdict
}

/**
 * Counts, per tool, in how many turns in a row that used the tool the same failure came up. Another argument text is another try and
 * starts anew; a turn that doesn't use the tool changes nothing. Several equal calls in one turn count once: the model had not been
 * told yet.
 *
 * It knows calls that were refused, not tools that ran and failed, nor calls that run well and lead nowhere.
 *
 * @throws RangeError where `max` is no whole number from 1.
 */
export function createRetryGuard({ max = 3 }: RetryGuardOptions = {}): RetryGuard {
  if (!Number.isInteger(max) || max < 1) throw new RangeError(`max is a whole number from 1, not ${max}`)
  // By tool: the failures of the last turn that used it, by what makes two of them the same.
  const last = new Map<string, ReadonlyMap<string, RepeatedFailure>>()
  return {
    observe({ calls }) {
      const repeated: RepeatedFailure[] = []
      for (const [name, ofTool] of byName(calls)) {
        const now = count(ofTool, last.get(name))
        last.set(name, now)
        repeated.push(...[...now.values()].filter(({ turns }) => turns >= max))
      }
      return { stop: repeated.length > 0, reason: repeated.map(describe).join(' '), repeated }
    },
  }
}

function byName(calls: readonly FinishedCall[]): ReadonlyMap<string, readonly FinishedCall[]> {
  const groups = new Map<string, FinishedCall[]>()
  for (const call of calls) {
    const group = groups.get(call.name)
    if (group === undefined) groups.set(call.name, [call])
    else group.push(call)
  }
  return groups
}

function count(
  calls: readonly FinishedCall[],
  before: ReadonlyMap<string, RepeatedFailure> | undefined,
): ReadonlyMap<string, RepeatedFailure> {
  const now = new Map<string, RepeatedFailure>()
  for (const call of calls) {
    if (call.ok) continue
    const { code } = call.failure
    const key = `${code} ${call.argumentsText}`
    now.set(key, { name: call.name, code, turns: (before?.get(key)?.turns ?? 0) + 1, call })
  }
  return now
}

function describe({ name, code, turns }: RepeatedFailure): string {
  return `The call to ${JSON.stringify(name)} failed with the same arguments and the same code (${code}) in ${turns} turns.`
}
