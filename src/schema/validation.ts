// Checks one value against a compiled schema with `@cfworker/json-schema`, within bounds: how long that takes is the model's choice.

import { dereference, validate, type OutputUnit, type Schema, type SchemaDraft } from '@cfworker/json-schema'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { CheckResult } from '../model/compiled.ts'
import { holdsBigIntegers, withExactIntegers } from './big-integers.ts'
import { issuesOf } from './issues.ts'
import type { SchemaLookup } from './references.ts'
import { asksForUniqueItems, dropUniqueItems, listsWithEqualItems, shortened } from './unique-items.ts'
import { copySchema, type SchemaNode } from './vocabulary.ts'

/** The validator compares every two items of a list. Of longer ones that would take too long. */
const mostCompared = 1000

/** A value of more parts than this is only asked for its first errors: finding all of them costs far more than saying no. */
const mostParts = 1000

/** How many references a value may take that is not large enough to earn more. */
const enoughReferences = 20_000

/** A schema whose references lead somewhere. */
export interface ResolvedSchema {
  readonly root: SchemaNode
  readonly lookup: SchemaLookup
}

/** A schema with what is known of it. */
export interface Rules extends ResolvedSchema {
  readonly draft: SchemaDraft
  /** The most checks that one part of a value can take. */
  readonly checks: number
  /** The same schema without `uniqueItems`, where it has that. */
  readonly relaxed: ResolvedSchema | undefined
}

/** The validator writes into the document, so nobody else may hold it. */
export function resolveSchema(root: SchemaNode): ResolvedSchema {
  return { root, lookup: dereference(root) }
}

/** The document without `uniqueItems`; `undefined` where it has none. To be made before the validator has written into it. */
export function relaxedSchema(root: SchemaNode): ResolvedSchema | undefined {
  if (!asksForUniqueItems(root)) return undefined
  const relaxed = copySchema(root)
  dropUniqueItems(relaxed)
  return resolveSchema(relaxed)
}

/** Without `$schema`, and for dialects that are not known, the current draft holds. */
export function draftOf(root: SchemaNode): SchemaDraft {
  const declared = root['$schema']
  const dialect = typeof declared === 'string' ? declared : ''
  if (dialect.includes('draft-04')) return '4'
  if (dialect.includes('draft-06') || dialect.includes('draft-07')) return '7'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}

/** Never throws for a value, and comes to an end soon for any. */
export function checkValue(value: JsonObject, rules: Rules): CheckResult {
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
  return validateAll(exact.value, { ...rules, ...resolveSchema(exact.schema) })
}

/** All errors of the value, or the first ones where it is very large or wrong in very many places. */
function validateAll(value: JsonObject, { root, lookup, draft, checks }: Rules): readonly OutputUnit[] {
  const parts = countParts(value)
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

/** Values, members and items in a value. */
function countParts(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const part of Object.values(value)) count += countParts(part)
  return count
}
