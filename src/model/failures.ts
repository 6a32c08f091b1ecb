// What can be wrong with a call, and what may be done about it, by name.

/** Repairs that keep every byte of data and have exactly one reading. On by default. */
export type LosslessRepairName =
  | 'fence'
  | 'surrounding-text'
  | 'double-encoding'
  | 'escaped-object'
  | 'bom'
  | 'unicode-whitespace'
  | 'escaped-whitespace'
  | 'raw-control-chars'
  | 'leading-empty-object'
  | 'duplicate-object'
  | 'duplicate-key'

/** Repairs with one likely reading. On with `repair: 'lenient'`. */
export type LenientRepairName =
  | 'trailing-comma'
  | 'single-quotes'
  | 'unquoted-key'
  | 'unquoted-value'
  | 'python-literals'
  | 'comments'
  | 'smart-quotes'
  | 'apostrophe-escape'
  | 'extra-closing-brace'

/** Everything that may be done to arguments, by name. `refine` is the caller's own hook. */
export type RepairName = LosslessRepairName | LenientRepairName | 'close-truncated' | 'empty-object' | 'refine'

/** One thing that was done to the arguments on the way to their value. */
export interface Repair {
  readonly name: RepairName
  /** Span in `argumentsText`, UTF-16 offsets, end exclusive. */
  readonly start: number
  readonly end: number
  /** What stood in that span, at most 2,000 characters. */
  readonly before: string
}

/** Why a call must not run. What a named repair would have fixed carries that repair's name. */
export type FailureCode =
  // the stream
  | 'truncated'
  | 'interrupted'
  | 'damaged'
  | 'ambiguous'
  | 'over-limit'
  | 'missing-name'
  // the tool
  | 'unknown-tool'
  | 'empty-arguments'
  | 'schema-mismatch'
  // the arguments
  | ArgumentsFaultCode

/** What the parser can find wrong with arguments. */
export type ArgumentsFaultCode =
  | 'incomplete'
  | 'malformed'
  | 'no-object'
  | 'not-an-object'
  | 'multiple-objects'
  | 'ambiguous-text'
  | 'invalid-escape'
  | 'control-char'
  | 'duplicate-key'
  | 'forbidden-key'
  | 'lossy-number'
  | 'ill-formed-unicode'
  | 'too-deep'
  | Exclude<RepairName, 'refine'>

/** What cut a turn or a call short, as far as it is known. `unreported`: only the structure shows it. */
export type TruncationCause =
  | 'output-limit'
  | 'context-window'
  | 'content-filter'
  | 'connection'
  | 'server-error'
  | 'aborted'
  | 'unreported'

/** A place in `argumentsText`. */
export interface Position {
  /** UTF-16 offset from 0. */
  readonly offset: number
  /** From 1. */
  readonly line: number
  /** From 1, in code points. */
  readonly column: number
}

/** One complaint of a schema. */
export interface SchemaIssue {
  /** JSON Pointer (RFC 6901) into the arguments; `''` is the whole object. */
  readonly path: string
  readonly message: string
}

/** Why a call was refused, for code (`code`), for people and for the model (`message`, the whole text that answers the call). */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly at?: Position
  /** What would have been right at `at`, in words. */
  readonly expected?: string
  readonly issues?: readonly SchemaIssue[]
  readonly truncation?: { readonly cause: TruncationCause; readonly finishReason: string | null }
}
