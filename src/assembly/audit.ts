// The record of what became of one call's arguments, for whoever keeps a log of it.

import type { AuditRecord } from '../model/calls.ts'
import type { FailureCode, Repair } from '../model/failures.ts'

/** What a call came to: what was done to its arguments and the text that was parsed in the end, or why it was refused. */
export type AuditedOutcome =
  | { readonly ok: true; readonly repairs: readonly Repair[]; readonly repaired: string | undefined }
  | { readonly ok: false; readonly code: FailureCode }

export function auditRecord(
  call: Pick<AuditRecord, 'id' | 'name' | 'format' | 'raw'>,
  outcome: AuditedOutcome,
): AuditRecord {
  const { id, name, format, raw } = call
  if (!outcome.ok) return Object.freeze({ id, name, format, ok: false, raw, repairs: noRepairs, code: outcome.code })
  const { repairs, repaired } = outcome
  return Object.freeze({ id, name, format, ok: true, raw, ...(repaired !== undefined && { repaired }), repairs })
}

export const noRepairs: readonly [] = Object.freeze([])
