// Lets an Ajv that the user already has judge arguments, in the place of the built-in validator.

import { copyJson } from '../arguments/json.ts'
import { unescapePointer } from '../arguments/pointer.ts'
import type { JsonObject } from '../model/json.ts'
import type { JsonSchema, StandardIssue, StandardSchema } from '../model/tools.ts'

/** The part of an Ajv instance that is used, so that Ajv is no dependency. Source: https://ajv.js.org/api.html */
export interface AjvLike {
  compile(schema: object | boolean): AjvValidate
}

/** A compiled Ajv schema. With `$async: true` it returns a promise, which rejects with the errors. */
export interface AjvValidate {
  (value: unknown): unknown
  errors?: readonly AjvErrorLike[] | null
}

/** One error as Ajv reports it. */
export interface AjvErrorLike {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string | undefined
  readonly params?: object
}

/** A Standard Schema that also knows its JSON Schema, for summaries and prompts. */
export interface AjvStandardSchema<T> extends StandardSchema<T, T> {
  readonly '~standard': StandardSchema<T, T>['~standard'] & {
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema }
  }
}

/**
 * Use it wherever a schema is taken: `{ name, parameters: ajvSchema(ajv, schema) }`. Compiles at once, so a broken schema throws
 * Ajv's own error here.
 *
 * Make the instance with `new Ajv2020({ ownProperties: true, allErrors: true })`: without `ownProperties` a required `toString`
 * counts as present. Leave `useDefaults` and `coerceTypes` off: defaults would open the gate for `{}` of tools that require
 * something, and coercion would make up values that the model did not send. Ajv compiles by code generation, which some runtimes
 * (Workers, pages with a strict content policy) forbid; it knows no `bigint`, so with `integers: 'bigint'` it refuses such numbers.
 */
export function ajvSchema<T = JsonObject>(ajv: AjvLike, schema: JsonSchema): AjvStandardSchema<T> {
  const validate = ajv.compile(schema)
  const describe = (): JsonSchema => schema
  return {
    '~standard': {
      version: 1,
      vendor: 'ajv',
      jsonSchema: { input: describe, output: describe },
      validate: (value) => {
        // Ajv may write into what it judges. The value comes from JSON, so the copy is one.
        const own = copyJson(value as JsonObject)
        const valid = validate(own)
        // What Ajv has accepted is of the type that the schema describes.
        const accepted = { value: own as T }
        if (valid instanceof Promise) return valid.then(() => accepted, refuse)
        return valid === true ? accepted : { issues: issuesOf(validate.errors) }
      },
    },
  }
}

/** An asynchronous schema rejects with the errors; anything else that it rejects with is a failure of the validator. */
function refuse(error: unknown): { readonly issues: readonly StandardIssue[] } {
  const errors: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'errors') : undefined
  if (!Array.isArray(errors)) throw error
  return { issues: issuesOf(errors as readonly AjvErrorLike[]) }
}

function issuesOf(errors: readonly AjvErrorLike[] | null | undefined): readonly StandardIssue[] {
  return (errors ?? []).map((error) => ({ message: messageOf(error), path: pathOf(error) }))
}

function pathOf({ instancePath, params }: AjvErrorLike): readonly string[] {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  const member = named(params, 'missingProperty') ?? named(params, 'additionalProperty')
  return member === undefined ? path : [...path, member]
}

function messageOf({ keyword, message, params }: AjvErrorLike): string {
  if (keyword === 'required') return 'required, but missing'
  if (keyword === 'additionalProperties') return 'is not a known parameter'
  const allowed: unknown = params === undefined ? undefined : Reflect.get(params, 'allowedValues')
  const text = message ?? `does not fit ${JSON.stringify(keyword)}`
  return Array.isArray(allowed) ? `${text}: ${JSON.stringify(allowed)}` : text
}

function named(params: object | undefined, key: string): string | undefined {
  const value: unknown = params === undefined ? undefined : Reflect.get(params, key)
  return typeof value === 'string' ? value : undefined
}
