// Turns the flat error list of the JSON Schema validator into complaints that say what was expected and what came.

import { listOf } from '../arguments/json.ts'
import { escapePointer, unescapePointer } from '../arguments/pointer.ts'
import type { SchemaIssue } from '../model/failures.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { expectationOf, type Expectation } from './expectations.ts'
import type { SchemaLookup } from './references.ts'
import { pointerOf, resolvePlace, type ValidatorError } from './locations.ts'
import { show, valueAt } from './show.ts'
import { isNode, type SchemaNode } from './vocabulary.ts'

/** Says only that something inside it failed; what failed follows in the list. */
const containers: ReadonlySet<string> = new Set(
  (
    '$ref allOf if properties patternProperties additionalProperties unevaluatedProperties propertyNames ' +
    'items prefixItems additionalItems unevaluatedItems dependentSchemas'
  ).split(' '),
)

const mostAlternatives = 3
const mostExpectations = 8

/** One complaint, still in parts, so that those of several alternatives can be joined. */
interface Complaint extends Expectation {
  readonly path: string
  /** What stands there; `undefined` where the complaint is that nothing does. */
  readonly received: JsonValue | undefined
}

/** The complaints about `value`, each once, in the order of the schema. */
export function issuesOf(
  errors: readonly ValidatorError[],
  root: SchemaNode,
  lookup: SchemaLookup,
  value: JsonObject,
): readonly SchemaIssue[] {
  const told = new Map<string, SchemaIssue>()
  for (const complaint of new ErrorList(errors, root, lookup, value).complaints(0, errors.length)) {
    const issue = { path: complaint.path, message: messageOf(complaint) }
    told.set(`${issue.path}\n${issue.message}`, issue)
  }
  return [...told.values()]
}

function messageOf({ expected, rule, received }: Complaint): string {
  if (expected === undefined) return rule
  return received === undefined ? `expected ${expected}` : `expected ${expected}, got ${show(received)}`
}

/**
 * The list as the validator writes it: an error of a keyword that holds schemas, then the errors inside it. Locations of keywords
 * follow the evaluation, through references.
 */
class ErrorList {
  readonly #errors: readonly ValidatorError[]
  readonly #root: SchemaNode
  readonly #lookup: SchemaLookup
  readonly #value: JsonObject
  /** The members that an object lacks and that are still to be told, by place: the validator names them in its text only. */
  readonly #missing = new Map<string, Iterator<string>>()

  constructor(errors: readonly ValidatorError[], root: SchemaNode, lookup: SchemaLookup, value: JsonObject) {
    this.#errors = errors
    this.#root = root
    this.#lookup = lookup
    this.#value = value
  }

  complaints(from: number, to: number): readonly Complaint[] {
    const found: Complaint[] = []
    for (let at = from; at < to;) {
      const error = this.#errors[at]
      if (error === undefined) break
      if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
        const end = this.#endOf(at, to)
        for (const complaint of this.#alternatives(error, at + 1, end)) found.push(complaint)
        at = end
        continue
      }
      const complaint = this.#complaint(error, at)
      if (complaint !== undefined) found.push(complaint)
      at++
    }
    return found
  }

  #complaint(error: ValidatorError, at: number): Complaint | undefined {
    if (containers.has(error.keyword)) return undefined
    const path = pointerOf(error.instanceLocation)
    // The validator gives no schema location for a schema that is `false`.
    if (error.keyword === 'false')
      return { path, ...forbidden(this.#errors[at - 1]), received: valueAt(this.#value, path) }
    const place = resolvePlace(error.keywordLocation, this.#root, this.#lookup)
    if (place === undefined) return { path, ...unexplained }
    // What single items lack says nothing: one of them had to fit, not all.
    if (place.inContains) return undefined
    // `dependencies` holds schemas or names; schemas have their own errors.
    if (
      error.keyword === 'dependencies' &&
      this.#errors[at + 1]?.keywordLocation.startsWith(`${error.keywordLocation}/`)
    )
      return undefined
    if (error.keyword === 'required') return this.#missingMember(error, path, place.node)
    if (place.inPropertyNames) {
      const key = unescapePointer(path.slice(path.lastIndexOf('/') + 1))
      const { expected, rule } = expectationOf(error.keyword, place.node, error.error)
      return {
        path,
        rule: `the name is not allowed: ${expected === undefined ? rule : `expected ${expected}, got ${show(key)}`}`,
        received: key,
      }
    }
    return { path, ...expectationOf(error.keyword, place.node, error.error), received: valueAt(this.#value, path) }
  }

  /** Errors of one `required` come in its order, one for each member that is not there. */
  #missingMember(error: ValidatorError, path: string, node: SchemaNode): Complaint {
    const place = `${error.keywordLocation}\n${error.instanceLocation}`
    const missing = this.#missing.get(place) ?? missingNames(node['required'], valueAt(this.#value, path))
    this.#missing.set(place, missing)
    const next = missing.next()
    const name = next.done === true ? '' : next.value
    const properties = node['properties']
    const member = isNode(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    const expected =
      isNode(member) && member['type'] !== undefined ? expectationOf('type', member, '').expected : undefined
    return {
      path: `${path}/${escapePointer(name)}`,
      rule: `required, but missing${expected === undefined ? '' : ` (expected ${expected})`}`,
      received: undefined,
    }
  }

  /** Where the errors inside the alternatives of the error at `at` end. */
  #endOf(at: number, to: number): number {
    const prefix = `${this.#errors[at]?.keywordLocation ?? ''}/`
    let end = at + 1
    while (end < to) {
      const error = this.#errors[end]
      // A schema that is `false` belongs to the error before it.
      if (error === undefined || !(error.keyword === 'false' || error.keywordLocation.startsWith(prefix))) break
      end++
    }
    return end
  }

  /** Of alternatives that were all refused, what would be right instead; of several that fit where one must, that they do. */
  #alternatives(error: ValidatorError, from: number, to: number): readonly Complaint[] {
    const path = pointerOf(error.instanceLocation)
    const place = resolvePlace(error.keywordLocation, this.#root, this.#lookup)
    if (place === undefined) return [{ path, ...unexplained }]
    if (place.inContains) return []
    const branches = this.#branches(`${error.keywordLocation}/`, from, to)
    const declared = place.node['oneOf']
    const fitting = Array.isArray(declared) ? declared.filter((schema) => schema !== false).length - branches.length : 0
    if (error.keyword === 'oneOf' && fitting > 0) {
      return [{ path, rule: `fits ${fitting} alternatives of the schema, must fit exactly one`, received: undefined }]
    }
    const meant = likeliest(branches, path)
    const [only] = meant
    if (only !== undefined && meant.length === 1) return only
    if (meant.length === 0) return [{ path, ...forbidden(undefined), received: undefined }]
    const joined = joinExpectations(meant)
    if (joined !== undefined) return [joined]
    const listed = meant.slice(0, mostAlternatives).map((branch, index) => `(${index + 1}) ${describe(branch, path)}`)
    const more = meant.length > mostAlternatives ? ' …' : ''
    return [
      { path, rule: `fits none of ${meant.length} alternatives: ${listed.join(' ')}${more}`, received: undefined },
    ]
  }

  /** The complaints of each alternative. One that is `false` has none of its own. */
  #branches(prefix: string, from: number, to: number): readonly (readonly Complaint[])[] {
    const branches: (readonly Complaint[])[] = []
    for (let start = from; start < to;) {
      const index = this.#alternativeAt(start, prefix)
      let end = start + 1
      while (end < to && (this.#alternativeAt(end, prefix) ?? index) === index) end++
      if (index !== undefined) branches.push(this.complaints(start, end))
      start = end
    }
    return branches
  }

  /** Which alternative an error belongs to; `undefined` for a schema that is `false`: to that of the error before it. */
  #alternativeAt(at: number, prefix: string): string | undefined {
    const location = this.#errors[at]?.keywordLocation ?? ''
    return location.startsWith(prefix) ? location.slice(prefix.length).split('/', 1)[0] : undefined
  }
}

const unexplained = { rule: 'does not fit the schema', received: undefined } as const

function missingNames(required: unknown, holder: JsonValue | undefined): Iterator<string> {
  const names = listOf(required).map(String)
  return names.filter((name) => isNode(holder) && !Object.hasOwn(holder, name))[Symbol.iterator]()
}

/** Drops alternatives that the value was plainly not meant for: another type altogether, or another value of a fixed member. */
function likeliest(branches: readonly (readonly Complaint[])[], path: string): readonly (readonly Complaint[])[] {
  const ofType = keepIfAny(
    branches,
    (branch) => !branch.some((complaint) => complaint.path === path && complaint.kind === 'type'),
  )
  return keepIfAny(ofType, (branch) => !branch.some((complaint) => complaint.kind === 'fixed'))
}

function keepIfAny<T>(items: readonly T[], test: (item: T) => boolean): readonly T[] {
  const kept = items.filter(test)
  return kept.length > 0 ? kept : items
}

/** One complaint for all, where each alternative only expects something else at the same place. */
function joinExpectations(branches: readonly (readonly Complaint[])[]): Complaint | undefined {
  const [first] = branches[0] ?? []
  if (first === undefined) return undefined
  const expected = new Set<string>()
  for (const branch of branches) {
    const [complaint] = branch
    if (branch.length !== 1 || complaint?.expected === undefined || complaint.path !== first.path) return undefined
    expected.add(complaint.expected)
  }
  const shown = [...expected].slice(0, mostExpectations)
  const more = expected.size > shown.length ? ` or ${expected.size - shown.length} more` : ''
  return { ...first, expected: shown.join(' or ') + more }
}

function describe(branch: readonly Complaint[], path: string): string {
  return branch
    .slice(0, 2)
    .map((complaint) => {
      const place = complaint.path.startsWith(path) ? complaint.path.slice(path.length) : complaint.path
      return `${place === '' ? '' : `${place} `}${messageOf(complaint)}`
    })
    .join(', ')
}

/** What a schema that is `false` forbids, by the keyword that holds it. */
function forbidden(holder: ValidatorError | undefined): Expectation {
  const keyword = holder?.keyword ?? ''
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return { rule: 'is not a known parameter' }
  if (keyword === 'items' || keyword === 'additionalItems' || keyword === 'unevaluatedItems')
    return { rule: 'is one item too many' }
  return { rule: 'no value is allowed here' }
}
