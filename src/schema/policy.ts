// Fills in how a tool's arguments are read, and refuses a policy that means nothing.

import type { ReadingPolicy } from '../model/reading.ts'
import type { CompiledTool, ResolvedPolicy } from '../model/compiled.ts'
import type { ArgumentsPolicy } from '../model/tools.ts'

const choices = {
  repair: ['lossless', 'lenient', 'none'],
  emptyObject: ['absent', 'unparseable', 'never'],
  integers: ['reject', 'bigint'],
  closeTruncated: [true, false],
} as const

/** What holds where nobody said otherwise. */
const safest = { repair: 'lossless', closeTruncated: false, emptyObject: 'absent', integers: 'reject' } as const

/**
 * The first policy that says something decides, field by field; the last word is the safest. Throws a `TypeError` for a value that
 * is none of the choices. `where` names the options or the tool in it.
 */
export function resolvePolicy(policies: readonly ArgumentsPolicy[], maxDepth: number, where: string): ResolvedPolicy {
  for (const policy of policies) checkPolicy(policy, where)
  if (!Number.isInteger(maxDepth) || maxDepth < 1) {
    throw new TypeError(`${where}: maxDepth must be a positive integer, got ${String(maxDepth)}`)
  }
  const first = <Key extends keyof ArgumentsPolicy>(key: Key): ArgumentsPolicy[Key] | undefined =>
    policies.find((policy) => policy[key] !== undefined)?.[key]
  const refine = first('refine')
  return {
    repair: first('repair') ?? safest.repair,
    closeTruncated: first('closeTruncated') ?? safest.closeTruncated,
    emptyObject: first('emptyObject') ?? safest.emptyObject,
    integers: first('integers') ?? safest.integers,
    maxDepth,
    ...(refine === undefined ? {} : { refine }),
  }
}

/** What the parser has to know to read by a policy. */
export function readingPolicy(
  { repair, closeTruncated, integers, maxDepth }: ResolvedPolicy,
  stringAt: CompiledTool['stringAt'],
): ReadingPolicy {
  return { repair, closeTruncated, integers, maxDepth, ...(stringAt === undefined ? {} : { stringAt }) }
}

function checkPolicy(policy: ArgumentsPolicy, where: string): void {
  for (const key of ['repair', 'emptyObject', 'integers', 'closeTruncated'] as const) {
    const value = policy[key]
    const allowed: readonly unknown[] = choices[key]
    if (value === undefined || allowed.includes(value)) continue
    const words = allowed.map((choice) => JSON.stringify(choice)).join(', ')
    throw new TypeError(`${where}: ${key} must be one of ${words}, got ${String(value)}`)
  }
  if (policy.refine !== undefined && typeof policy.refine !== 'function') {
    throw new TypeError(`${where}: refine must be a function, got ${typeof policy.refine}`)
  }
}
