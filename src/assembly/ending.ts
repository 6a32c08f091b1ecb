// How a choice ended, from everything that speaks about it: the server's reasons, its marker, its errors, the connection.

import type { FinishKind } from '../model/deltas.ts'
import type { Finish, FinishReason } from '../model/events.ts'
import type { TruncationCause } from '../model/failures.ts'
import type { SaidReason, Turn, TurnChoice } from './turn.ts'

/** The column of the finalization table that a choice's calls are judged in. */
export type Column = 'clean' | 'unknown' | 'length' | 'filter' | 'broken'

export interface Ending {
  readonly column: Column
  /** What cut the turn, where something did. */
  readonly cause: TruncationCause | null
  /** The reason as the wire said it; with several, the worst. */
  readonly raw: string | null
  readonly evidence: readonly string[]
  /** The reason that it comes to, were there no calls. */
  readonly reason: FinishReason
}

/** The worst comes first: of several reasons it is the one that counts. */
const severity: readonly FinishKind[] = ['error', 'filter', 'context-window', 'length', 'stopped', 'other', 'clean']

function worstOf(reasons: readonly SaidReason[]): SaidReason | undefined {
  let worst: SaidReason | undefined
  for (const said of reasons) {
    if (!worst || severity.indexOf(said.kind) < severity.indexOf(worst.kind)) worst = said
  }
  return worst
}

export function endingOf(turn: Turn, choice: TurnChoice | undefined): Ending {
  const said = worstOf(choice?.reasons ?? [])
  const refused = choice !== undefined && choice.refusal.length > 0
  const evidence = [...new Set((choice?.reasons ?? []).map(({ raw }) => `finish-reason:${raw}`))]
  if (refused) evidence.push('refusal')
  if (turn.ended) evidence.push('end-marker')
  if (turn.failed) evidence.push('error-event')
  if (turn.broken !== null) evidence.push(turn.broken)
  if (turn.cutInEvent) evidence.push('unterminated-event')
  const silent = !said && !turn.ended && !turn.failed
  if (silent) evidence.push('no-end')
  return { ...classify(turn, said, refused, silent), raw: said?.raw ?? null, evidence }
}

function classify(
  turn: Turn,
  said: SaidReason | undefined,
  refused: boolean,
  silent: boolean,
): Pick<Ending, 'column' | 'cause' | 'reason'> {
  if (turn.failed || said?.kind === 'error') return { column: 'broken', cause: 'server-error', reason: 'error' }
  if (turn.broken === 'aborted') return { column: 'broken', cause: 'aborted', reason: 'interrupted' }
  if (turn.broken === 'connection' || turn.cutInEvent || (silent && !refused)) {
    return { column: 'broken', cause: 'connection', reason: 'interrupted' }
  }
  if (refused) return { column: 'filter', cause: 'content-filter', reason: 'content-filter' }
  return said ? classifyReason(said.kind) : { column: 'clean', cause: null, reason: 'stop' }
}

function classifyReason(kind: FinishKind): Pick<Ending, 'column' | 'cause' | 'reason'> {
  switch (kind) {
    case 'clean':
      return { column: 'clean', cause: null, reason: 'stop' }
    case 'other':
      return { column: 'unknown', cause: null, reason: 'other' }
    case 'length':
      return { column: 'length', cause: 'output-limit', reason: 'length' }
    case 'context-window':
      return { column: 'length', cause: 'context-window', reason: 'length' }
    case 'filter':
      return { column: 'filter', cause: 'content-filter', reason: 'content-filter' }
    case 'stopped':
      return { column: 'broken', cause: 'aborted', reason: 'interrupted' }
    case 'error':
      return { column: 'broken', cause: 'server-error', reason: 'error' }
    default:
      return kind satisfies never
  }
}

/** What the calls add to an ending once they have been judged. */
export interface JudgedCalls {
  readonly count: number
  /** Structural witnesses: `open-string`, `open-container`, … of the calls that stop early. */
  readonly open: readonly string[]
  /** Some call misses something. */
  readonly incomplete: boolean
}

export function finishOf(ending: Ending, calls: JudgedCalls, lost: boolean): Finish {
  const clean = ending.column === 'clean' || ending.column === 'unknown'
  return Object.freeze({
    reason: clean && calls.count > 0 ? 'tool-calls' : ending.reason,
    raw: ending.raw,
    truncated: !clean || calls.incomplete || lost,
    evidence: Object.freeze([...new Set([...ending.evidence, ...calls.open])]),
  })
}
