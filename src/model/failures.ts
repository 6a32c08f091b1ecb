// What can be wrong with a call, and what may be done about it, by name.

/** Repairs that keep every byte of data and have exactly one reading. On by default. */
export type LosslessRepairName =
  /** A code fence or code span around the object. */
  | 'fence'
  /** Prose around the object that can be no part of it. */
  | 'surrounding-text'
  /** The object as a JSON string, at most twice. */
  | 'double-encoding'
  /** The object as the inside of a JSON string, without the quotes around it. */
  | 'escaped-object'
  /** A byte order mark at the start. */
  | 'bom'
  /** White space between tokens that JSON does not have. */
  | 'unicode-whitespace'
  /** `\n`, `\r` or `\t`, as two characters, between tokens. */
  | 'escaped-whitespace'
  /** A bare TAB, LF or CR inside a string value. */
  | 'raw-control-chars'
  /** A placeholder `{}` before the object. */
  | 'leading-empty-object'
  /** The same object once more. */
  | 'duplicate-object'
  /** A key that comes again with the same value. */
  | 'duplicate-key'

/** Repairs with one likely reading. On with `repair: 'lenient'`. */
export type LenientRepairName =
  /** A comma before a closing bracket. */
  | 'trailing-comma'
  /** Strings in apostrophes. */
  | 'single-quotes'
  /** A name without quotes as a key. */
  | 'unquoted-key'
  /** One word without quotes, where the schema says string. */
  | 'unquoted-value'
  /** `True`, `False` and `None`. */
  | 'python-literals'
  /** Comments of JavaScript. */
  | 'comments'
  /** Strings in typographic quotes. */
  | 'smart-quotes'
  /** `\'` in a string. */
  | 'apostrophe-escape'
  /** Closing braces right behind the object. */
  | 'extra-closing-brace'

/** Everything that may be done to arguments, by name. `refine` is the caller's own hook. */
export type RepairName =
  | LosslessRepairName
  | LenientRepairName
  /** The closers of a text that broke off after a whole token. On with `closeTruncated`. */
  | 'close-truncated'
  /** `{}` in the place of arguments that are not there, or, with `emptyObject: 'unparseable'`, that can't be read. */
  | 'empty-object'
  | 'refine'

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
  /** It was cut off, or may have been. `truncation` says by whom. */
  | 'truncated'
  /** It may be whole, but its turn did not end normally: an error, a filter, an abort. */
  | 'interrupted'
  /** An event was lost that may have held a part of it, or its own events contradict each other. */
  | 'damaged'
  /** A piece of the stream could belong to it or to another call. */
  | 'ambiguous'
  /** It crossed one of the `limits`. */
  | 'over-limit'
  /** It never got a name. */
  | 'missing-name'
  // the tool
  /** No tool has its name. */
  | 'unknown-tool'
  /** It came without arguments, and its schema does not take `{}`. */
  | 'empty-arguments'
  /** Its arguments do not fit the schema. `issues` says where. */
  | 'schema-mismatch'
  // the arguments
  | ArgumentsFaultCode

/** What the parser can find wrong with arguments. */
export type ArgumentsFaultCode =
  /** The text ends before its object does. In a stream that is `truncated`. */
  | 'incomplete'
  /** The text is no JSON, in a way that no repair is for. */
  | 'malformed'
  /** There is no JSON in the text. */
  | 'no-object'
  /** The text is JSON, but no object. */
  | 'not-an-object'
  /** Several objects that differ. */
  | 'multiple-objects'
  /** What stands around the object could be a part of it. */
  | 'ambiguous-text'
  /** An escape that JSON does not have. */
  | 'invalid-escape'
  /** A raw control character other than TAB, LF and CR, or one of these in a key. */
  | 'control-char'
  /** A key that comes twice with different values. */
  | 'duplicate-key'
  /** `__proto__`, or `prototype` in `constructor`. */
  | 'forbidden-key'
  /** A number that a double can't hold. */
  | 'lossy-number'
  /** Half a surrogate pair. */
  | 'ill-formed-unicode'
  /** Nested deeper than `maxDepth`. */
  | 'too-deep'
  /** The repair that would have mended the text, and is switched off. */
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
