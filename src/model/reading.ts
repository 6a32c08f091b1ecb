// What the text of some arguments says, before and after the schema was asked.

import type { ArgumentsFaultCode, Position, Repair, SchemaIssue } from './failures.ts'
import type { JsonObject } from './json.ts'
import type { ResolvedPolicy } from './compiled.ts'

/** What the parser says of the text of some arguments, before any schema or stream has its say. */
export type Reading =
  | {
      readonly state: 'object'
      readonly value: JsonObject
      readonly repairs: readonly Repair[]
      /** The strict JSON text that `value` was parsed from; absent where nothing was repaired. Numbers keep their digits. */
      readonly repaired?: string
      /** Whether an object was closed outside strings: without that, something could be missing at the end of a repaired text. */
      readonly closed: boolean
    }
  /** Nothing, white space, or the literal `null`. */
  | { readonly state: 'blank' }
  /** The text stops before the object is complete: every proper prefix of a valid object reads so. */
  | { readonly state: 'cut'; readonly fault: Fault; readonly open: OpenEnd }
  | { readonly state: 'fault'; readonly fault: Fault }

/** What the text broke off in. The structural witness of truncation, named as in `finish.evidence`. */
export type OpenEnd = 'open-string' | 'open-escape' | 'open-number' | 'open-literal' | 'open-container'

/** Something wrong at a place. */
export interface Fault {
  readonly code: ArgumentsFaultCode
  readonly at: Position
  readonly expected?: string
}

/** The policy that a text is read under. */
export interface ReadingPolicy extends Omit<ResolvedPolicy, 'refine' | 'emptyObject'> {
  /** Whether the tool's schema says string at this path; where it can't tell, false. Decides `unquoted-value`. */
  readonly stringAt?: (path: readonly (string | number)[]) => boolean
}

/** What becomes of a reading once the gate, the caller's hook and the schema have been asked. */
export type Conclusion =
  | { readonly ok: true; readonly value: JsonObject; readonly repairs: readonly Repair[]; readonly repaired?: string }
  | {
      readonly ok: false
      readonly code: ArgumentsFaultCode | 'empty-arguments' | 'schema-mismatch'
      readonly at?: Position
      readonly expected?: string
      readonly issues?: readonly SchemaIssue[]
    }
