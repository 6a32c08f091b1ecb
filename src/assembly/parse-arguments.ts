// The arguments of a call from anywhere, without a stream: read, repaired, gated and checked by the same law.

import { concludeArguments } from '../arguments/conclude.ts'
import { describeFailure } from '../arguments/feedback.ts'
import { tryJsonText } from '../arguments/json.ts'
import { readArguments } from '../arguments/read.ts'
import type { ArgumentsOutcome, AuditRecord } from '../model/calls.ts'
import type { Failure } from '../model/failures.ts'
import type { JsonObject } from '../model/json.ts'
import { defaultLimits } from '../model/limits.ts'
import type { Conclusion } from '../model/reading.ts'
import type { CompiledTool } from '../model/compiled.ts'
import type { ArgumentsOf, ArgumentsPolicy, ToolSchema } from '../model/tools.ts'
import { readingPolicy } from '../schema/policy.ts'
import { summarizeParameters } from '../schema/summary.ts'
import { compileTool } from '../schema/tools.ts'
import { auditRecord } from './audit.ts'

/** The same options as for a stream, for one tool. */
export interface ParseArgumentsOptions<
  S extends ToolSchema | undefined = ToolSchema | undefined,
> extends ArgumentsPolicy {
  /** The tool that is called; it is named in messages. */
  readonly toolName: string
  /** Without one nothing is checked, and blank arguments mean `{}`: there is nothing to gate them with. */
  readonly schema?: S
  /** Nesting that is still read. Default 128. */
  readonly maxDepth?: number
  /** Names the call in the message, where several calls share a turn. */
  readonly id?: string
  readonly onAudit?: (record: AuditRecord) => void
}

/** The output of the schema where it has a type, else a JSON object. */
type Parsed<S> = ArgumentsOutcome<[S] extends [ToolSchema] ? ArgumentsOf<S> : JsonObject>

/**
 * Reads arguments as text, or as the value that a kit has parsed already; `undefined` and `null` are blank. Never throws on text,
 * nor on a value that was parsed from JSON. What has no JSON, such as a function or an object that holds itself, is a `TypeError`.
 * So is a broken schema, and an asynchronous one: that takes `parseArgumentsAsync`. What `refine`, a validator or `onAudit` throws
 * comes out as it is.
 */
export function parseArguments<const S extends ToolSchema | undefined = undefined>(
  raw: unknown,
  options: ParseArgumentsOptions<S>,
): Parsed<S> {
  const call = prepare(raw, options)
  const conclusion = call.tool.asynchronous ? undefined : conclude(call)
  if (conclusion === undefined || conclusion instanceof Promise) {
    // Its rejection has nobody to go to once the misuse is reported.
    conclusion?.catch(() => undefined)
    throw new TypeError(`the schema of ${JSON.stringify(options.toolName)} is asynchronous: use parseArgumentsAsync`)
  }
  return finish(call, conclusion)
}

/** `parseArguments` for any schema, asynchronous ones included. Rejects where `parseArguments` throws. */
export async function parseArgumentsAsync<const S extends ToolSchema | undefined = undefined>(
  raw: unknown,
  options: ParseArgumentsOptions<S>,
): Promise<Parsed<S>> {
  const call = prepare(raw, options)
  return finish(call, await conclude(call))
}

interface PreparedCall {
  readonly argumentsText: string
  readonly tool: CompiledTool
  readonly options: ParseArgumentsOptions
}

function prepare(raw: unknown, options: ParseArgumentsOptions): PreparedCall {
  // Callers without types can leave the options out.
  const given: Partial<ParseArgumentsOptions> | undefined = options
  const name = given?.toolName
  if (typeof name !== 'string') throw new TypeError('parseArguments needs the toolName that is called')
  const tool = compileTool(
    {
      name,
      schema: options.schema ?? undefined,
      openApi: false,
      policy: options,
      builtIn: false,
      where: 'parseArguments',
    },
    { policy: {}, maxDepth: options.maxDepth ?? defaultLimits.maxDepth },
  )
  return { argumentsText: textOf(raw), tool, options }
}

function conclude({ argumentsText, tool, options }: PreparedCall): Conclusion | Promise<Conclusion> {
  const reading = readArguments(argumentsText, readingPolicy(tool.policy, tool.stringAt))
  const known = tool.check !== undefined
  return concludeArguments(reading, argumentsText, known ? tool : undefined, {
    name: tool.name,
    id: options.id ?? '',
    known,
    cut: false,
    policy: tool.policy,
  })
}

function finish<S>(call: PreparedCall, conclusion: Conclusion): Parsed<S> {
  const { argumentsText, tool, options } = call
  const { onAudit, id } = options
  const outcome: ArgumentsOutcome = conclusion.ok
    ? { ok: true, arguments: conclusion.value, repairs: conclusion.repairs, argumentsText }
    : { ok: false, failure: failureOf(call, conclusion), argumentsText }
  onAudit?.(
    auditRecord(
      { id: id ?? '', name: tool.name, format: null, raw: argumentsText },
      conclusion.ok ? { ok: true, repairs: conclusion.repairs, repaired: conclusion.repaired } : conclusion,
    ),
  )
  // The schema itself has judged the value: its output is of the type that it declares.
  return outcome as Parsed<S>
}

function failureOf(
  { argumentsText, tool, options }: PreparedCall,
  conclusion: Extract<Conclusion, { ok: false }>,
): Failure {
  const { code, at, expected, issues } = conclusion
  const { jsonSchema } = tool
  const known = {
    code,
    ...(at === undefined ? {} : { at }),
    ...(expected === undefined ? {} : { expected }),
    ...(issues === undefined ? {} : { issues }),
  }
  const message = describeFailure({
    ...known,
    name: tool.name,
    ...(options.id === undefined ? {} : { id: options.id }),
    raw: argumentsText,
    ...(jsonSchema === undefined ? {} : { parameters: (most) => summarizeParameters(jsonSchema, most) }),
  })
  return { ...known, message }
}

/** The text to read. A value that was parsed already is written again, so that one law holds for all. */
function textOf(raw: unknown): string {
  if (raw === undefined || raw === null) return ''
  if (typeof raw === 'string') return raw
  if (typeof raw !== 'object' && typeof raw !== 'number' && typeof raw !== 'boolean') {
    throw new TypeError(`arguments must be text or a JSON value, got ${typeof raw}`)
  }
  const text = tryJsonText(raw)
  if (text === undefined) throw new TypeError('arguments must be text or a JSON value: this one has no JSON')
  return text
}
