// Compiles plain JSON Schema for `@cfworker/json-schema`, which needs no code generation and so runs everywhere.

import { dereference, validate, type OutputUnit, type Schema, type SchemaDraft } from '@cfworker/json-schema'
import { listOf } from '../arguments/json.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { CheckResult, JsonSchema } from '../model/tools.ts'
import { holdsBigIntegers, withExactIntegers } from './big-integers.ts'
import { inspectSchema } from './inspect.ts'
import { issuesOf } from './issues.ts'
import { fromOpenApi, speaksOpenApi } from './openapi.ts'
import type { SchemaLookup } from './references.ts'
import { createStringAt } from './string-at.ts'
import { asksForUniqueItems, dropUniqueItems, listsWithEqualItems, shortened } from './unique-items.ts'
import { isNode, schemasIn, type SchemaNode } from './vocabulary.ts'

export interface CompiledJsonSchema {
  readonly check: (value: JsonObject) => CheckResult
  /** The schema in the words of JSON Schema: the author's own object, or its translation from another dialect. */
  readonly jsonSchema: JsonSchema
  readonly stringAt: (path: readonly (string | number)[]) => boolean
}

/** Throws a `TypeError` for anything that is no JSON Schema or that can't be checked. The given object is never changed. */
export function compileJsonSchema(given: unknown, openApi: boolean): CompiledJsonSchema {
  if (!isNode(given)) throw new TypeError('it must be a schema: an object, a boolean or a Standard Schema')
  try {
    return compile(given, openApi)
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError('it is nested too deeply', { cause: error })
    throw error
  }
}

function compile(given: SchemaNode, openApi: boolean): CompiledJsonSchema {
  // The validator writes into the schemas that it compiles.
  const root = copySchema(given)
  const translated = openApi || speaksOpenApi(root)
  if (translated) fromOpenApi(root)
  const jsonSchema = translated ? copySchema(root) : given
  nameRecursion(root)
  const withoutUnique = asksForUniqueItems(root) ? copySchema(root) : undefined
  const lookup: SchemaLookup = dereference(root)
  const checks = inspectSchema(root, lookup)
  const rules: Rules = { root, lookup, draft: draftOf(root), checks, relaxed: withoutUnique && relax(withoutUnique) }
  return { check: (value) => check(value, rules), jsonSchema, stringAt: createStringAt(root, lookup) }
}

/** A schema with what is known of it. */
interface Rules {
  readonly root: SchemaNode
  readonly lookup: SchemaLookup
  readonly draft: SchemaDraft
  /** The most checks that one part of a value can take. */
  readonly checks: number
  /** The same schema without `uniqueItems`, where it has that. */
  readonly relaxed: Document | undefined
}

interface Document {
  readonly root: SchemaNode
  readonly lookup: SchemaLookup
}

function relax(root: SchemaNode): Document {
  dropUniqueItems(root)
  return { root, lookup: dereference(root) }
}

/** The validator compares every two items of a list. Of longer ones that would take too long. */
const mostCompared = 1000

function check(value: JsonObject, rules: Rules): CheckResult {
  try {
    return checkBy(rules, value)
  } catch (error) {
    // Whether it fits is not known, so it doesn't: the stack or the patience ended first.
    if (error instanceof RangeError)
      return { ok: false, issues: [{ path: '', message: 'takes too long to be checked' }] }
    throw error
  }
}

function checkBy(rules: Rules, value: JsonObject): CheckResult {
  const { relaxed } = rules
  if (!relaxed) return judge(value, rules)
  const equal = listsWithEqualItems(value)
  if (equal.size === 0) return judge(value, { ...rules, ...relaxed })
  if ([...equal.keys()].every(({ length }) => length <= mostCompared)) return judge(value, rules)
  // All but that keyword first; then that keyword alone, of a value that is short.
  const rest = judge(value, { ...rules, ...relaxed })
  if (!rest.ok) return rest
  const unique = judge(shortened(value, equal, mostCompared), rules, 'uniqueItems')
  return unique.ok ? rest : unique
}

/** With `only`, by one keyword alone. */
function judge(value: JsonObject, rules: Rules, only?: string): CheckResult {
  const errors = findErrors(value, rules).filter(({ keyword }) => only === undefined || keyword === only)
  return errors.length === 0
    ? { ok: true, value }
    : { ok: false, issues: issuesOf(errors, rules.root, rules.lookup, value) }
}

function findErrors(value: JsonObject, rules: Rules): readonly OutputUnit[] {
  if (!holdsBigIntegers(value)) return validateAll(value, rules)
  const exact = withExactIntegers(copySchema(rules.root), value)
  return validateAll(exact.value, { ...rules, root: exact.schema, lookup: dereference(exact.schema) })
}

/** A value of more parts than this is only asked for its first errors: finding all of them costs far more than saying no. */
const mostParts = 1000

/** All errors of the value, or the first ones where it is very large or wrong in very many places. */
function validateAll(value: JsonObject, { root, lookup, draft, checks }: Rules): readonly OutputUnit[] {
  const parts = countParts(value, Infinity)
  const patience = enoughReferences + parts * checks * 10
  const first = validate(value, root, draft, rationed(lookup, patience), true)
  if (first.valid || parts >= mostParts) return first.errors
  try {
    return validate(value, root, draft, rationed(lookup, patience), false).errors
  } catch (error) {
    // The validator spreads its lists of errors into calls, and very long ones overflow the stack.
    if (error instanceof RangeError) return first.errors
    throw error
  }
}

/** How many references a value may take that is not large enough to earn more. */
const enoughReferences = 20_000

/**
 * The lookup for one validation, which it ends after `most` references. Where a schema refers to itself in two places for the same
 * member, every level of a value doubles the work, and only a reference can: without, a schema judges a part of the value once.
 */
function rationed(lookup: SchemaLookup, most: number): Record<string, Schema | boolean> {
  let left = most
  return new Proxy(lookup, {
    get(target, uri) {
      if (left-- <= 0) throw new RangeError('the schema refers to itself too often')
      return Reflect.get(target, uri)
    },
    // The lookup was made by the validator itself; its values are schemas.
  }) as Record<string, Schema | boolean>
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

/** `$recursiveRef` of 2019-09, in words that every draft has. In a document of its own it means the document's root. */
function nameRecursion(root: SchemaNode): void {
  for (const node of schemasIn(root)) {
    if (node['$recursiveRef'] !== '#') continue
    // A copy that nobody else holds.
    const written: { [keyword: string]: unknown } = node
    delete written['$recursiveRef']
    written['allOf'] = [...listOf(node['allOf']), { $ref: '#' }]
  }
}
