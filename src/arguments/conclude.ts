// Turns a reading into the last word on some arguments: gate, the caller's hook, schema, in this order.

import type { Repair } from '../model/failures.ts'
import type { JsonObject } from '../model/json.ts'
import type { Conclusion, Reading } from '../model/reading.ts'
import type { CheckResult, CompiledTool, ResolvedPolicy } from '../model/compiled.ts'
import { excerpt } from './excerpt.ts'
import { emptyObjectRepair, gateOf, mayAskGate } from './gate.ts'
import { copyJson, isObject, isSameJson, writeJson } from './json.ts'

/** What is known of the call around its arguments. */
export interface ConclusionContext {
  readonly name: string
  readonly id: string
  /** Whether tools were given at all. Without them there is nothing to gate with, and blank means `{}`. */
  readonly known: boolean
  /** Whether something of the call is missing: then nothing may stand in for what did not arrive. */
  readonly cut: boolean
  /** What holds for a call whose tool is not in the table. */
  readonly policy: Pick<ResolvedPolicy, 'emptyObject' | 'refine'>
}

/**
 * A promise only where the tool's schema is asynchronous. What the hook or a validator throws is thrown on: it is the caller's code,
 * and an answer to the model would hide it. `refine` and validators get copies, so `reading` stays as it was.
 */
export function concludeArguments(
  reading: Reading,
  raw: string,
  tool: CompiledTool | undefined,
  context: ConclusionContext,
): Conclusion | Promise<Conclusion> {
  const policy = tool?.policy ?? context.policy
  const finish = (candidate: Candidate): Conclusion | Promise<Conclusion> =>
    judge(refine(candidate, raw, policy.refine, context), tool)

  if (reading.state === 'object') return finish(reading)
  if (reading.state === 'blank' && !context.known && mayAskGate(reading, policy.emptyObject, context.cut)) {
    return finish({ value: {}, repairs: [] })
  }
  if (!mayAskGate(reading, policy.emptyObject, context.cut)) return refusalOf(reading)
  return settle(gateOf(tool), (open) =>
    open ? finish({ value: {}, repairs: [emptyObjectRepair(raw)], repaired: '{}' }) : refusalOf(reading),
  )
}

/** Arguments on their way to the schema. */
interface Candidate {
  readonly value: JsonObject
  readonly repairs: readonly Repair[]
  readonly repaired?: string
}

/** What the reading itself has to say against its arguments. */
function refusalOf(reading: Exclude<Reading, { state: 'object' }>): Conclusion {
  if (reading.state === 'blank') return { ok: false, code: 'empty-arguments' }
  const { code, at, expected } = reading.fault
  return { ok: false, code, at, ...(expected === undefined ? {} : { expected }) }
}

function refine(
  candidate: Candidate,
  raw: string,
  hook: ResolvedPolicy['refine'],
  { name, id }: ConclusionContext,
): Candidate {
  if (hook === undefined) return candidate
  const given = copyJson(candidate.value)
  // The hook may come from code without types.
  const refined: unknown = hook(given, { name, id })
  if (!isObject(refined) || typeof refined['then'] === 'function') {
    throw new TypeError(`refine must return an object of arguments (for ${JSON.stringify(name)}), and not a promise`)
  }
  if (refined === given && isSameJson(given, candidate.value)) return candidate
  const record: Repair = { name: 'refine', start: 0, end: raw.length, before: excerpt(raw) }
  return { value: refined, repairs: [...candidate.repairs, record], repaired: writeJson(refined) }
}

function judge(candidate: Candidate, tool: CompiledTool | undefined): Conclusion | Promise<Conclusion> {
  const { value, repairs, repaired } = candidate
  const checked: CheckResult | Promise<CheckResult> =
    tool?.check === undefined ? { ok: true, value } : tool.check(value)
  return settle(checked, (result): Conclusion => {
    if (!result.ok) return { ok: false, code: 'schema-mismatch', issues: result.issues }
    return { ok: true, value: result.value, repairs, ...(repaired === undefined ? {} : { repaired }) }
  })
}

/** Goes on at once where there is nothing to wait for. */
function settle<In, Out>(value: In | Promise<In>, next: (value: In) => Out | Promise<Out>): Out | Promise<Out> {
  return value instanceof Promise ? value.then(next) : next(value)
}
