// Judges one call: may it run, and if not, what is the worst that is known against it? The table of finalization is here and
// nowhere else.

import type { CallReject } from '../model/deltas.ts'
import type { FailureCode, TruncationCause } from '../model/failures.ts'
import type { Conclusion, Fault, OpenEnd, Reading } from '../model/reading.ts'
import type { CompiledTool, ResolvedPolicy, ToolTable } from '../model/compiled.ts'
import { concludeArguments } from '../arguments/conclude.ts'
import { readArguments } from '../arguments/read.ts'
import { readingPolicy } from '../schema/policy.ts'
import type { Ending } from './ending.ts'
import type { LiveCall } from './live-call.ts'
import { structureOf } from './structure.ts'

export interface JudgeContext {
  readonly tools: ToolTable | undefined
  /** For calls of tools that are not known. */
  readonly policy: ResolvedPolicy
}

/** What a call comes to before its identity is put around it. `missing`: something of it never came. */
export type Judgement =
  | { readonly type: 'custom'; readonly text: string }
  | {
      readonly type: 'arguments'
      readonly conclusion: Conclusion | Promise<Conclusion>
      readonly missing: boolean
      readonly open?: OpenEnd
    }
  | {
      readonly type: 'refused'
      readonly code: FailureCode
      readonly cause?: TruncationCause
      readonly fault?: Partial<Omit<Fault, 'code'>>
      readonly missing: boolean
      readonly open?: OpenEnd
    }

type Refusal = Extract<Judgement, { type: 'refused' }>

export function judge(call: LiveCall, ending: Ending, context: JudgeContext): Judgement {
  if (call.taint !== undefined) return { type: 'refused', code: call.taint, missing: true }
  const tool = context.tools?.get(call.name)
  const own = call.cut ? atLimit(ending) : ending
  return call.kind === 'custom' ? judgeText(call, own, context) : judgeArguments(call, own, tool, context)
}

/** A call that the wire itself calls incomplete has met a limit of its own, though the turn went on and ended well. */
function atLimit(ending: Ending): Ending {
  return ending.column === 'clean' || ending.column === 'unknown' ? { ...ending, column: 'length' } : ending
}

/** Free text has no structure to witness that it is whole, so only the endings speak. */
function judgeText(call: LiveCall, ending: Ending, context: JudgeContext): Judgement {
  switch (ending.column) {
    case 'clean':
    case 'unknown':
      break
    case 'length':
      if (call.cut || !call.closed) return cut(ending)
      break
    case 'filter':
      return interrupted(ending)
    case 'broken':
      return cut(ending)
    default:
      return ending.column satisfies never
  }
  return refusedByName(call, context) ?? { type: 'custom', text: call.text.toString() }
}

function judgeArguments(
  call: LiveCall,
  ending: Ending,
  tool: CompiledTool | undefined,
  context: JudgeContext,
): Judgement {
  const policy = tool?.policy ?? context.policy
  const raw = call.text.toString()
  const reading = read(raw, policy, tool, false)
  const streamSays = call.reject ? rejected(call.reject, ending) : judgeByStream(call, reading, ending)
  if (streamSays === undefined) {
    // At the output limit, text that can't be read may be the beginning of what could have been.
    const cutOff = reading.state === 'fault' && ending.column === 'length'
    return concludeBy(reading, { raw, call, tool, context, cutOff, missing: false })
  }
  const closed = closeIfAllowed(streamSays, raw, reading, policy, tool)
  const open = openOf(reading)
  return closed
    ? concludeBy(closed, { raw, call, tool, context, cutOff: true, missing: true, ...(open && { open }) })
    : streamSays
}

function read(raw: string, policy: ResolvedPolicy, tool: CompiledTool | undefined, closeTruncated: boolean): Reading {
  return readArguments(raw, readingPolicy({ ...policy, closeTruncated }, tool?.stringAt))
}

/** The rows and columns of the table. Nothing means that the stream has nothing against the call. */
function judgeByStream(call: LiveCall, reading: Reading, ending: Ending): Refusal | undefined {
  switch (ending.column) {
    case 'clean':
      return reading.state === 'cut' ? cut(ending, reading) : undefined
    case 'unknown':
      if (reading.state === 'blank') return cut(ending)
      return reading.state === 'cut' ? cut(ending, reading) : undefined
    case 'length':
      if (reading.state === 'cut') return cut(ending, reading)
      return couldMissAnything(call, reading) ? cut(ending) : undefined
    case 'filter':
      if (reading.state === 'cut') return cut(ending, reading)
      return reading.state === 'blank' ? cut(ending) : interrupted(ending)
    case 'broken':
      if (reading.state === 'cut') return cut(ending, reading)
      return isWholeAsSent(call, reading) ? interrupted(ending) : cut(ending)
    default:
      return ending.column satisfies never
  }
}

/** At the output limit: could more have followed? After an object that was closed outside strings, nothing could. */
function couldMissAnything(call: LiveCall, reading: Reading): boolean {
  switch (reading.state) {
    case 'object':
      return mayGrow(call, reading) || (reading.repairs.length > 0 && !reading.closed)
    case 'blank':
      return true
    case 'cut':
      return true
    case 'fault':
      return structureOf(call.text.toString()).isOpen
    default:
      return reading satisfies never
  }
}

/** In a broken stream: did the call, at least, arrive as one object that needs no repair, or as text that no longer is one? */
function isWholeAsSent(call: LiveCall, reading: Reading): boolean {
  switch (reading.state) {
    case 'object':
      return reading.repairs.length === 0 && !mayGrow(call, reading)
    case 'fault':
      return !structureOf(call.text.toString()).isOpen
    case 'blank':
    case 'cut':
      return false
    default:
      return reading satisfies never
  }
}

/**
 * Servers open a call with `{}` and send its arguments after, so `{}` from fragments may be all that arrived of them. An object that
 * the wire sends as a value always closes, so of a call that is cut it shows what there was so far.
 */
function mayGrow(call: LiveCall, reading: Extract<Reading, { state: 'object' }>): boolean {
  return call.form === 'fragments' ? Object.keys(reading.value).length === 0 : call.form === 'object' && call.cut
}

function rejected(reject: CallReject, ending: Ending): Refusal {
  if (reject.code === 'truncated') return cut(ending)
  if (ending.column === 'filter' || ending.column === 'broken') return interrupted(ending)
  const fault = reject.expected === undefined ? {} : { fault: { expected: reject.expected } }
  return { type: 'refused', code: reject.code, missing: false, ...fault }
}

function cut(ending: Ending, reading?: Extract<Reading, { state: 'cut' }>): Refusal {
  const structure = reading && { open: reading.open, fault: reading.fault }
  return { type: 'refused', code: 'truncated', cause: ending.cause ?? 'unreported', missing: true, ...structure }
}

function interrupted(ending: Ending): Refusal {
  return { type: 'refused', code: 'interrupted', missing: true, ...(ending.cause && { cause: ending.cause }) }
}

/** `closeTruncated` is for text that the output limit cut, said or unsaid; never where somebody or something broke it off. */
function closeIfAllowed(
  refusal: Refusal,
  raw: string,
  reading: Reading,
  policy: ResolvedPolicy,
  tool: CompiledTool | undefined,
): Reading | undefined {
  const byLimit = refusal.cause === 'unreported' || refusal.cause === 'output-limit'
  if (!policy.closeTruncated || !byLimit || reading.state !== 'cut') return undefined
  const closed = read(raw, policy, tool, true)
  return closed.state === 'object' ? closed : undefined
}

function openOf(reading: Reading): OpenEnd | undefined {
  return reading.state === 'cut' ? reading.open : undefined
}

function refusedByName(call: LiveCall, context: JudgeContext): Refusal | undefined {
  if (call.name === '') return { type: 'refused', code: 'missing-name', missing: false }
  if (context.tools && !context.tools.has(call.name)) return { type: 'refused', code: 'unknown-tool', missing: false }
  return undefined
}

interface ConclusionInput {
  readonly raw: string
  readonly call: LiveCall
  readonly tool: CompiledTool | undefined
  readonly context: JudgeContext
  /** Nothing may stand in for what may not have come. */
  readonly cutOff: boolean
  readonly missing: boolean
  readonly open?: OpenEnd
}

function concludeBy(reading: Reading, { raw, call, tool, context, cutOff, missing, open }: ConclusionInput): Judgement {
  const refusal = refusedByName(call, context)
  if (refusal) return refusal
  const conclusion = concludeArguments(reading, raw, tool, {
    known: context.tools !== undefined,
    name: call.name,
    id: call.id ?? '',
    cut: cutOff,
    policy: context.policy,
  })
  return { type: 'arguments', conclusion, missing, ...(open && { open }) }
}
