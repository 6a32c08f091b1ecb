// Finds the output of a call among outputs given in any of the usual ways.

import { isArray } from '../arguments/json.ts'
import type { ArgumentsByName, ReadyCall, ReadyCustomCall } from '../model/calls.ts'
import type { FinishedCall } from './calls.ts'

/** What the tools returned: by the call's `id`, by a function of the call, or in the order of the calls. See `nextMessages`. */
export type ToolOutputs<A extends object = ArgumentsByName> =
  | ((call: ReadyCall<A> | ReadyCustomCall) => unknown)
  | ReadonlyMap<string, unknown>
  | readonly unknown[]
  | { readonly [id: string]: unknown }

/** The same without the types: whatever finds the output of any call. */
export type AnyOutputs =
  | ((call: never) => unknown)
  | ReadonlyMap<string, unknown>
  | readonly unknown[]
  | { readonly [id: string]: unknown }

/**
 * The output of each of these calls; of a refused one `undefined`, as there is none.
 * @throws TypeError where a ready call has none: at once for a list of another length, else when asked for that call.
 */
export function outputsOf(calls: readonly FinishedCall[], outputs: AnyOutputs): (call: FinishedCall) => unknown {
  const find = finder(calls, outputs)
  return (call) => (call.ok ? find(call) : undefined)
}

function finder(calls: readonly FinishedCall[], outputs: AnyOutputs): (call: FinishedCall) => unknown {
  // The caller's function takes the ready calls of the caller's own result, and gets no others.
  if (typeof outputs === 'function') return outputs as (call: FinishedCall) => unknown
  if (isArray(outputs)) return inOrder(calls, outputs)
  const byId = outputs instanceof Map ? outputs : new Map(Object.entries(outputs))
  return (call) => {
    if (!byId.has(call.id)) throw new TypeError(`There is no output for ${describeCall(call)}`)
    return byId.get(call.id)
  }
}

function inOrder(calls: readonly FinishedCall[], outputs: readonly unknown[]): (call: FinishedCall) => unknown {
  const ready = calls.filter((call) => call.ok)
  const order = outputs.length === calls.length ? calls : ready
  const missing = order[outputs.length]
  if (missing !== undefined) throw new TypeError(`There is no output for ${describeCall(missing)}`)
  if (outputs.length > order.length) {
    throw new TypeError(`There are ${outputs.length} outputs for ${calls.length} calls, ${ready.length} of them ready`)
  }
  const places = new Map(order.map((call, n) => [call.id, n]))
  return (call) => outputs[places.get(call.id) ?? -1]
}

/** A call as an error names it. */
export function describeCall({ name, id }: Pick<FinishedCall, 'name' | 'id'>): string {
  return `the call to ${JSON.stringify(name)} (${id})`
}
