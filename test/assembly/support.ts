// Feeds wire deltas straight to the ledger and the verdict: what they decide does not depend on any wire.

import type { AuditRecord, ToolCall } from '../../src/model/calls.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import type { AssemblerEvent, AssemblerResult } from '../../src/model/events.ts'
import { defaultLimits, type Limits } from '../../src/model/limits.ts'
import type { ArgumentsPolicy, Tools } from '../../src/model/tools.ts'
import { resolvePolicy } from '../../src/schema/policy.ts'
import { compileTools } from '../../src/schema/tools.ts'
import { Hooks } from '../../src/assembly/hooks.ts'
import { Ledger } from '../../src/assembly/ledger.ts'
import type { BreakNotice } from '../../src/assembly/turn.ts'
import { Verdict } from '../../src/assembly/verdict.ts'

export interface BookOptions extends ArgumentsPolicy {
  readonly tools?: Tools
  readonly limits?: Partial<Limits>
  readonly partialArguments?: boolean
}

export interface Booked {
  readonly events: readonly AssemblerEvent[]
  readonly result: AssemblerResult
  readonly audit: readonly AuditRecord[]
}

export function book(deltas: readonly (WireDelta | BreakNotice)[], options: BookOptions = {}): Booked {
  const limits = { ...defaultLimits, ...options.limits }
  const tools = compileTools(options.tools, { policy: options, maxDepth: limits.maxDepth })
  const events: AssemblerEvent[] = []
  const audit: AuditRecord[] = []
  const verdict = new Verdict(
    {
      tools,
      policy: resolvePolicy([options], limits.maxDepth, 'options'),
      hooks: new Hooks(),
      mayWait: false,
      onAudit: (record) => void audit.push(record),
      formatName: () => 'test',
    },
    { push: (event) => void events.push(event), end: () => undefined },
  )
  const ledger = new Ledger({ tools, limits, partialArguments: options.partialArguments ?? false }, verdict)
  for (const delta of deltas) ledger.push(delta)
  ledger.end()
  if (!verdict.result) throw new Error('the turn was not judged')
  return { events, result: verdict.result, audit }
}

type Fragment = Extract<WireDelta, { type: 'call-fragment' }>

/** A Chat Completions fragment with no evidence but what is given. */
export function fragment(parts: Partial<Fragment>): Fragment {
  return { type: 'call-fragment', choice: 0, index: null, id: null, name: null, arguments: null, ...parts }
}

export const clean: WireDelta = { type: 'finish', choice: 0, raw: 'tool_calls', kind: 'clean' }

/** What became of a call, in one word or value. */
export function fate(call: ToolCall | undefined): unknown {
  if (!call) return undefined
  return call.ok ? call.arguments : call.failure.code
}

export function fates(result: AssemblerResult): readonly unknown[] {
  return result.calls.map((call) => [call.name, fate(call)])
}
