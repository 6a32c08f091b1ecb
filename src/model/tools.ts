import type { CallIdentity } from './calls.ts'
import type { RepairName, SchemaIssue } from './failures.ts'
import type { JsonObject } from './json.ts'

/**
 * A validator as zod, valibot, arktype and others ship it. Types only, copied as its authors invite to.
 * Source: https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A JSON Schema as an object, draft 2020-12 unless its `$schema` says otherwise. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** What checks the arguments of a tool. */
export type ToolSchema = StandardSchema | JsonSchema | boolean

/** How far repairs may go. See `RepairName`. */
export type RepairTier = 'lossless' | 'lenient' | 'none'

/** When `{}` may stand in for what is not there: for absent arguments, also for unparseable ones, or never. Always asked of the schema. */
export type EmptyObjectPolicy = 'absent' | 'unparseable' | 'never'

/** What to do with an integer that a double can't hold. */
export type IntegerPolicy = 'reject' | 'bigint'

/** How the arguments of a call are read: for all tools in the options, and per tool. */
export interface ArgumentsPolicy {
  readonly repair?: RepairTier
  readonly closeTruncated?: boolean
  readonly emptyObject?: EmptyObjectPolicy
  readonly integers?: IntegerPolicy
  /** A domain fix between repair and schema, such as a field in the wrong place. Recorded as the repair `refine` when it returns another object. */
  readonly refine?: (args: JsonObject, call: Pick<CallIdentity, 'name' | 'id'>) => JsonObject
}

/** One tool in any of the shapes that people already have. */
export type ToolDefinition =
  | ({ readonly name: string; readonly description?: string } & ToolBody)
  /** Chat Completions. */
  | { readonly type: 'function'; readonly function: { readonly name: string; readonly description?: string } & ToolBody }
  /** Gemini. */
  | { readonly functionDeclarations: readonly ({ readonly name: string; readonly description?: string } & ToolBody)[] }

/** The schema of a tool under whichever key its API uses, and what holds for this tool alone. */
export interface ToolBody extends ArgumentsPolicy {
  /** OpenAI, Ollama, Gemini, Cohere. */
  readonly parameters?: ToolSchema | undefined
  /** MCP, the AI SDK, Bedrock's `inputSchema: { json }`. */
  readonly inputSchema?: ToolSchema | undefined
  /** Anthropic. */
  readonly input_schema?: ToolSchema | undefined
  /** Gemini's plain JSON Schema. */
  readonly parametersJsonSchema?: ToolSchema | undefined
}

/** The tools of a turn: an array of definitions, or a record by name. */
export type Tools = readonly ToolDefinition[] | { readonly [name: string]: { readonly description?: string } & ToolBody }

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

/** A repair's name without those that only a caller's own hook makes. */
export type BuiltInRepairName = Exclude<RepairName, 'refine'>
