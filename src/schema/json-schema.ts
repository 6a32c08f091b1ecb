// Compiles plain JSON Schema for `@cfworker/json-schema`, which needs no code generation and so runs everywhere.

import { dereference, validate, type OutputUnit, type Schema, type SchemaDraft } from '@cfworker/json-schema'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { CheckResult, JsonSchema } from '../model/tools.ts'
import { holdsBigIntegers, withExactIntegers } from './big-integers.ts'
import { inspectSchema, type SchemaLookup } from './inspect.ts'
import { issuesOf } from './issues.ts'
import { fromOpenApi, speaksOpenApi } from './openapi.ts'
import { createStringAt } from './string-at.ts'
import { isNode, type SchemaNode } from './vocabulary.ts'

export interface CompiledJsonSchema {
  readonly check: (value: JsonObject) => CheckResult
  /** The schema in the words of JSON Schema: the author's own object, or its translation from another dialect. */
  readonly jsonSchema: JsonSchema
  readonly stringAt: (path: readonly (string | number)[]) => boolean
}

/** Throws a `TypeError` for anything that is no JSON Schema or that can't be checked. The given object is never changed. */
export function compileJsonSchema(given: unknown, openApi: boolean): CompiledJsonSchema {
  if (!isNode(given)) throw new TypeError('it must be a schema: an object, a boolean or a Standard Schema')
  // The validator writes into the schemas that it compiles.
  const root = copySchema(given)
  const translated = openApi || speaksOpenApi(root)
  if (translated) fromOpenApi(root)
  const draft = draftOf(root)
  const lookup: SchemaLookup = dereference(root)
  inspectSchema(root, lookup)
  return {
    check: (value) => {
      const errors = findErrors(root, lookup, draft, value)
      return errors.length === 0 ? { ok: true, value } : { ok: false, issues: issuesOf(errors, root, lookup, value) }
    },
    jsonSchema: translated ? copySchema(root) : given,
    stringAt: createStringAt(root, lookup),
  }
}

function findErrors(
  root: SchemaNode,
  lookup: SchemaLookup,
  draft: SchemaDraft,
  value: JsonObject,
): readonly OutputUnit[] {
  if (!holdsBigIntegers(value)) return validateAll(root, lookup, draft, value)
  const exact = withExactIntegers(copySchema(root), value)
  return validateAll(exact.schema, dereference(exact.schema), draft, exact.value)
}

/** A value of more parts than this is only asked for its first errors: finding all of them costs far more than saying no. */
const mostParts = 1000

/** All errors of the value, or the first ones where it is very large or wrong in very many places. */
function validateAll(
  root: SchemaNode,
  lookup: SchemaLookup,
  draft: SchemaDraft,
  value: JsonObject,
): readonly OutputUnit[] {
  // The lookup was made by the validator itself; its values are schemas.
  const schemas = lookup as Record<string, Schema | boolean>
  const first = validate(value, root, draft, schemas, true)
  if (first.valid || countParts(value, mostParts) >= mostParts) return first.errors
  try {
    return validate(value, root, draft, schemas, false).errors
  } catch (error) {
    // The validator spreads its lists of errors into calls, and very long ones overflow the stack.
    if (error instanceof RangeError) return first.errors
    throw error
  }
}

/** Values, members and items in a value; counting ends at `limit`. */
function countParts(value: JsonValue, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const part of Object.values(value)) {
    if (count >= limit) break
    count += countParts(part, limit - count)
  }
  return count
}

/** Without `$schema`, and for dialects that are not known, the current draft holds. */
function draftOf(root: SchemaNode): SchemaDraft {
  const declared = root['$schema']
  const dialect = typeof declared === 'string' ? declared : ''
  if (dialect.includes('draft-04')) return '4'
  if (dialect.includes('draft-06') || dialect.includes('draft-07')) return '7'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}

/** Schemas are JSON; what isn't (the marks of typebox, functions) has no meaning to a validator. */
function copySchema(schema: SchemaNode): SchemaNode {
  const copy: unknown = JSON.parse(JSON.stringify(schema))
  if (!isNode(copy)) throw new TypeError('it must be a schema: an object, a boolean or a Standard Schema')
  return copy
}
