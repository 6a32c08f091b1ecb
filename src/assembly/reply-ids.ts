// The ids that the calls of a turn go out under in replies and history: one rule for both, so that they always meet.

import type { CallIdentity } from '../model/calls.ts'

/** What the rule looks at. */
export type Identified = Pick<CallIdentity, 'id' | 'wireId'>

/**
 * One id a call, in the calls' order, no two alike. A call goes out under its `wireId` if no other call of the turn goes out under
 * it, else under its `id`; of several calls that share a `wireId` the one that has it as `id` keeps it, else the first.
 *
 * A call that loses its `wireId` falls back to an `id` that a third call may be using as `wireId`, so the rule is applied until
 * nothing moves. Each round moves at least one call, and none ever moves back.
 */
export function replyIds(calls: readonly Identified[]): readonly string[] {
  const ids = calls.map((call) => call.wireId ?? call.id)
  for (let moved = true; moved;) {
    moved = false
    const taken = new Set(calls.filter((call, n) => ids[n] === call.id).map((call) => call.id))
    for (const [n, call] of calls.entries()) {
      const id = ids[n] ?? call.id
      if (id === call.id) continue
      if (taken.has(id)) {
        ids[n] = call.id
        moved = true
      }
      taken.add(id)
    }
  }
  return ids
}
