// Tools in the shapes that people have them in.

import type { ArgumentsByName, CallIdentity } from './calls.ts'
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

/** A JSON Schema whose type is an interface of a library (typebox, `@google/genai`): it has no index signature. */
export interface JsonSchemaInterface {
  readonly $ref?: unknown
  readonly type?: unknown
  readonly properties?: unknown
  readonly required?: unknown
  readonly anyOf?: unknown
  readonly description?: unknown
}

/**
 * What the AI SDK's `jsonSchema()` and `zodSchema()` make, by structure.
 * Source: https://ai-sdk.dev/docs/reference/ai-sdk-core/json-schema
 */
export interface AiSchema<Output = unknown> {
  readonly _type: Output
  readonly jsonSchema: unknown
  readonly validate?: unknown
}

/** What checks the arguments of a tool. A function is the AI SDK's lazy schema, asked once. */
export type ToolSchema =
  | StandardSchema
  | AiSchema
  | JsonSchema
  | JsonSchemaInterface
  | boolean
  | (() => StandardSchema | AiSchema)

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

/** A tool with its name: the shape of Anthropic, the Responses API, MCP, and of one Gemini declaration. */
export interface NamedTool extends ToolBody {
  readonly name: string
  readonly description?: string | undefined
}

/** One tool in any of the shapes that people already have. What holds for this tool alone may stand beside the name or around it. */
export type ToolDefinition =
  | NamedTool
  /** Chat Completions, Ollama, Cohere. */
  | (ArgumentsPolicy & { readonly type?: string | undefined; readonly function: NamedTool })
  /** Chat Completions, free text. */
  | { readonly type: 'custom'; readonly custom: { readonly name: string; readonly description?: string | undefined } }
  /** Gemini: declarations, and the server's own tools beside them. */
  | (GeminiServerTools & { readonly functionDeclarations?: readonly GeminiDeclaration[] | undefined })
  /** Bedrock Converse: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Tool.html */
  | (ArgumentsPolicy & { readonly toolSpec: BedrockSpec })
  | { readonly cachePoint: object }
  | { readonly systemTool: object }
  /** A tool that the provider defines and names by its type alone, such as `{ type: 'local_shell' }`. */
  | { readonly type: string }

/** One function of Gemini's `functionDeclarations`. */
export interface GeminiDeclaration extends ToolBody {
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** Tools that run at Gemini's server. They make no calls. Source: https://ai.google.dev/api/caching#Tool */
export interface GeminiServerTools {
  readonly googleSearch?: object | undefined
  readonly googleSearchRetrieval?: object | undefined
  readonly codeExecution?: object | undefined
  readonly urlContext?: object | undefined
  readonly googleMaps?: object | undefined
  readonly fileSearch?: object | undefined
  readonly computerUse?: object | undefined
  readonly retrieval?: object | undefined
  readonly enterpriseWebSearch?: object | undefined
}

/** The inside of Bedrock's `toolSpec`. */
export interface BedrockSpec extends ArgumentsPolicy {
  readonly name: string | undefined
  readonly description?: string | undefined
  readonly inputSchema?: { readonly json?: unknown } | undefined
}

/** The schema of a tool under whichever key its API uses, and what holds for this tool alone. */
export interface ToolBody extends ArgumentsPolicy {
  /** OpenAI, Ollama, Gemini, Cohere. */
  readonly parameters?: ToolSchema | null | undefined
  /** MCP, the AI SDK. */
  readonly inputSchema?: ToolSchema | undefined
  /** Anthropic. */
  readonly input_schema?: ToolSchema | undefined
  /** Gemini's plain JSON Schema. */
  readonly parametersJsonSchema?: unknown
}

/** The tools of a turn: an array of definitions, or a record by name. */
export type Tools =
  | readonly ToolDefinition[]
  | { readonly [name: string]: ToolBody & { readonly description?: string | undefined } }

/** The type that a schema gives its tool; a plain JSON Schema has none that TypeScript could read. */
export type ArgumentsOf<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : JsonObject
  : Schema extends AiSchema<infer Output>
    ? unknown extends Output
      ? JsonObject
      : Output
    : Schema extends () => infer Lazy
      ? ArgumentsOf<Lazy>
      : JsonObject

/** The schema of a definition, whichever key it stands under. */
type SchemaOf<Body> = Body extends { readonly parameters: infer Schema }
  ? Schema
  : Body extends { readonly inputSchema: infer Schema }
    ? Schema
    : Body extends { readonly input_schema: infer Schema }
      ? Schema
      : Body extends { readonly parametersJsonSchema: infer Schema }
        ? Schema
        : undefined

/** The part of a definition that holds name and schema. */
type CoreOf<Definition> = Definition extends { readonly function: infer Core }
  ? Core
  : Definition extends { readonly functionDeclarations: readonly (infer Core)[] }
    ? Core
    : Definition extends { readonly toolSpec: { readonly name: infer Name } }
      ? { readonly name: Name }
      : Definition

/**
 * The arguments of every tool by its name, for `ToolCall`. Names that are literal types (a record, an `as const` or a
 * const-generic array) keep the type of their Standard Schema; where names are just strings, only `JsonObject` is known.
 */
export type ArgumentsByToolName<T extends Tools> = Tools extends T
  ? ArgumentsByName
  : T extends readonly (infer Definition)[]
    ? OnlyLiteralNames<{
        readonly [
          Core in CoreOf<Definition> as Core extends { readonly name: infer Name extends string } ? Name : never
        ]: ArgumentsOf<SchemaOf<Core>>
      }>
    : OnlyLiteralNames<{ readonly [Name in keyof T & string]: ArgumentsOf<SchemaOf<T[Name]>> }>

type OnlyLiteralNames<A> = string extends keyof A ? ArgumentsByName : A
