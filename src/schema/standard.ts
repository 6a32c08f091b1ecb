// Asks validators that bring their own code: Standard Schema (zod, valibot, arktype …) and the AI SDK's schema objects.

import { copyJson, isArray } from '../arguments/json.ts'
import { escapePointer } from '../arguments/pointer.ts'
import type { SchemaIssue } from '../model/failures.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { CheckResult } from '../model/compiled.ts'
import type { AiSchema, StandardIssue, StandardResult, StandardSchema } from '../model/tools.ts'
import { show, valueAt } from './show.ts'

export type Check = (value: JsonObject) => CheckResult | Promise<CheckResult>

/** arktype's schemas are functions. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false
  const standard: unknown = Reflect.get(schema, '~standard')
  return typeof standard === 'object' && standard !== null && typeof Reflect.get(standard, 'validate') === 'function'
}

/** The mark is the AI SDK's own: https://github.com/vercel/ai/blob/main/packages/provider-utils/src/schema.ts */
export function isAiSchema(schema: unknown): schema is AiSchema {
  return typeof schema === 'object' && schema !== null && Reflect.get(schema, Symbol.for('vercel.ai.schema')) === true
}

/** A validator may change or keep what it is given, so each one gets a copy of its own. */
export function standardCheck(schema: StandardSchema): Check {
  return (value) => {
    const result = schema['~standard'].validate(copyJson(value))
    return isThenable(result)
      ? Promise.resolve(result).then((settled) => fromStandard(settled, value))
      : fromStandard(result, value)
  }
}

/** The AI SDK's `validate` answers `{ success, value | error }`, where the error may carry the issues of the library behind it. */
export function aiCheck(validate: (value: unknown) => unknown): Check {
  return (value) => {
    const result = validate(copyJson(value))
    return isThenable(result)
      ? Promise.resolve(result).then((settled) => fromAi(settled, value))
      : fromAi(result, value)
  }
}

/**
 * The JSON Schema of what the tool is called with, where the library can tell. `undefined` where it can't: it is used for
 * summaries and prompts only, and types such as dates have no JSON Schema.
 * Source: https://standardschema.dev/json-schema
 */
export function jsonSchemaOf(schema: StandardSchema): unknown {
  const converter: unknown = Reflect.get(schema['~standard'], 'jsonSchema')
  if (typeof converter !== 'object' || converter === null) return undefined
  const input: unknown = Reflect.get(converter, 'input')
  if (typeof input !== 'function') return undefined
  try {
    return Reflect.apply(input, converter, [{ target: 'draft-2020-12' }]) as unknown
  } catch {
    // The specification lets a converter throw for what it can't express.
    return undefined
  }
}

function fromStandard(result: StandardResult<unknown>, received: JsonObject): CheckResult {
  if (typeof result !== 'object' || result === null) throw new TypeError('a Standard Schema gave no result')
  if (result.issues !== undefined) return refuse(result.issues, received)
  return accept(result.value)
}

function fromAi(result: unknown, received: JsonObject): CheckResult {
  if (typeof result !== 'object' || result === null) throw new TypeError("a schema's validate gave no result")
  if (Reflect.get(result, 'success') === true) return accept(Reflect.get(result, 'value'))
  const error: unknown = Reflect.get(result, 'error')
  return refuse(issuesIn(error) ?? [{ message: messageOf(error) }], received)
}

/** The output of a transforming schema is whatever its author made of it; its type reaches the caller by `ArgumentsOf`. */
function accept(value: unknown): CheckResult {
  return { ok: true, value: value as JsonObject }
}

function refuse(issues: readonly StandardIssue[], received: JsonObject): CheckResult {
  const told = issues.map((issue) => issueOf(issue, received))
  return {
    ok: false,
    issues: told.length > 0 ? told : [{ path: '', message: 'the schema refused it without saying why' }],
  }
}

function issueOf(issue: StandardIssue, received: JsonObject): SchemaIssue {
  const path = (issue.path ?? [])
    .map((step) => `/${escapePointer(String(typeof step === 'object' ? step.key : step))}`)
    .join('')
  const value = valueAt(received, path)
  return { path, message: value === undefined ? issue.message : withReceived(issue.message, value) }
}

/** Libraries name the type that they got, rarely the value. Containers are too long to help. */
function withReceived(message: string, value: JsonValue): string {
  if (typeof value === 'object' || value === undefined) return message
  return `${message} (got ${show(value)})`
}

function issuesIn(error: unknown): readonly StandardIssue[] | undefined {
  for (const holder of [error, read(error, 'cause')]) {
    const issues = isArray(holder) ? holder : read(holder, 'issues')
    if (isArray(issues) && issues.every((issue) => typeof read(issue, 'message') === 'string')) {
      // Paths of zod and Standard Schema alike; `issueOf` reads them with `String`.
      return issues as readonly StandardIssue[]
    }
  }
  return undefined
}

function messageOf(error: unknown): string {
  const message = read(error, 'message')
  return typeof message === 'string' && message !== '' ? message : 'the schema refused it without saying why'
}

function read(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined
}

function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}
