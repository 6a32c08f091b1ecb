// Lets a validator that knows only doubles judge integers that a double can't hold.
//
// All that JSON Schema asks of a number is its order, its equality and what it is a multiple of. So each number beyond ±2^53, in
// the value and in the schema alike, is replaced by another double beyond ±2^53 that keeps its rank among them: every comparison
// comes out as it would on the exact values. Only `multipleOf` looks at more than the rank; it is answered here.

import { isArray, listOf } from '../arguments/json.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { schemasIn, type SchemaNode } from './vocabulary.ts'

const edge = 2 ** 53

export function holdsBigIntegers(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  return (isArray(value) ? value : Object.values(value)).some(holdsBigIntegers)
}

/** Takes a copy of the schema that may be changed. Gives both back with stand-ins in the place of what is too big. */
export function withExactIntegers(
  schema: SchemaNode,
  value: JsonObject,
): { readonly schema: SchemaNode; readonly value: JsonObject } {
  const inValue = new Set<bigint>()
  collect(value, inValue)
  const all = new Set(inValue)
  collect(schema, all)
  const standIns = rank(all)
  answerMultiples(schema, inValue)
  return {
    // Replacing numbers by numbers keeps the shape.
    schema: replace(schema, standIns) as SchemaNode,
    value: replace(value, standIns) as JsonObject,
  }
}

/** The exact integer, if a value is a number that needs a stand-in. */
function hugeInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value > -edge && value < edge ? undefined : value
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) >= edge ? BigInt(value) : undefined
}

function collect(value: unknown, into: Set<bigint>): void {
  const huge = hugeInteger(value)
  if (huge !== undefined) into.add(huge)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) collect(item, into)
}

/** Doubles from ±2^53 outwards in steps of 2, where every step is a double of its own. */
function rank(integers: ReadonlySet<bigint>): ReadonlyMap<bigint, number> {
  const all = [...integers]
  const negatives = all.filter((integer) => integer < 0n).sort((left, right) => (left < right ? 1 : -1))
  const positives = all.filter((integer) => integer > 0n).sort((left, right) => (left < right ? -1 : 1))
  return new Map([
    ...negatives.map((integer, index): [bigint, number] => [integer, -edge - 2 * index]),
    ...positives.map((integer, index): [bigint, number] => [integer, edge + 2 * index]),
  ])
}

function replace(value: unknown, standIns: ReadonlyMap<bigint, number>): unknown {
  const huge = hugeInteger(value)
  if (huge !== undefined) return standIns.get(huge)
  if (typeof value === 'bigint') return Number(value)
  if (isArray(value)) return value.map((item) => replace(item, standIns))
  if (typeof value !== 'object' || value === null) return value
  // `fromEntries` defines own properties, `__proto__` included.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item, standIns)]))
}

/** Replaces each `multipleOf` by the list of the huge integers that are multiples, beside the rule for all smaller numbers. */
function answerMultiples(schema: SchemaNode, integers: ReadonlySet<bigint>): void {
  for (const node of schemasIn(schema)) answerMultiple(node, integers)
}

/** The schema is a copy that was given away to be changed. */
function answerMultiple(node: { [keyword: string]: unknown }, integers: ReadonlySet<bigint>): void {
  const divisor = node['multipleOf']
  if (typeof divisor !== 'number') return
  const multiples = [...integers].filter((integer) => isMultiple(integer, divisor))
  const safe = Number.MAX_SAFE_INTEGER
  const rule = {
    anyOf: [{ not: { type: 'number' } }, { enum: multiples }, { minimum: -safe, maximum: safe, multipleOf: divisor }],
  }
  delete node['multipleOf']
  node['allOf'] = [...listOf(node['allOf']), rule]
}

/** In exact decimal arithmetic, as the divisor is written. */
function isMultiple(integer: bigint, divisor: number): boolean {
  if (!Number.isFinite(divisor) || divisor <= 0) return false
  const [mantissa = '', exponent = '0'] = String(divisor).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = BigInt(whole + fraction)
  const power = Number(exponent) - fraction.length
  return power >= 0
    ? integer % (digits * 10n ** BigInt(power)) === 0n
    : (integer * 10n ** BigInt(-power)) % digits === 0n
}
