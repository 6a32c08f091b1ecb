// Tools once they are made ready: what the schema floor makes of a definition, and what every later floor reads.

import type { SchemaIssue } from './failures.ts'
import type { JsonObject } from './json.ts'
import type { ArgumentsPolicy, EmptyObjectPolicy, IntegerPolicy, JsonSchema, RepairTier } from './tools.ts'

/** What a check says of one value. `value` is what the tool gets: a transforming schema's own output. */
export type CheckResult =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] }

/** A tool made ready at creation: its schema compiled and asked about `{}`. */
export interface CompiledTool {
  readonly name: string
  readonly description?: string
  /** The JSON Schema of the arguments, where there is one: for summaries and prompts. */
  readonly jsonSchema?: JsonSchema
  /** Absent where the tool has no schema: then nothing is checked, and the gate for `{}` is closed. */
  readonly check?: (value: JsonObject) => CheckResult | Promise<CheckResult>
  /** Whether the tool's own schema took `{}` when asked. A promise only with an asynchronous schema. */
  readonly acceptsEmpty: boolean | Promise<boolean>
  /** Whether the schema was found to be asynchronous when asked about `{}`. */
  readonly asynchronous: boolean
  /** Whether the schema certainly says string at this path of the arguments. Absent without a JSON Schema. */
  readonly stringAt?: (path: readonly (string | number)[]) => boolean
  readonly policy: ResolvedPolicy
}

/** An `ArgumentsPolicy` with the defaults filled in. */
export interface ResolvedPolicy {
  readonly repair: RepairTier
  readonly closeTruncated: boolean
  readonly emptyObject: EmptyObjectPolicy
  readonly integers: IntegerPolicy
  readonly maxDepth: number
  readonly refine?: NonNullable<ArgumentsPolicy['refine']>
}

/** The compiled tools of a turn, by name. `undefined` in its place means that the caller gave none: nothing to check with. */
export type ToolTable = ReadonlyMap<string, CompiledTool>
