// How much work a schema makes of one part of a value. References let a few lines ask for more than any machine can do.

import { referenced, type SchemaLookup } from './references.ts'
import { isNode, subschemas, type SchemaNode } from './vocabulary.ts'

/** How many schemas may judge the same part of a value, counted as often as they are asked. Real unions ask for a few thousand. */
const mostChecks = 20_000

/** How many schemas may lead to each other over the same part of a value. The validator needs the stack for each of them. */
const longestChain = 100

interface Work {
  readonly checks: number
  readonly chain: number
}

/**
 * The most checks that one part of a value can take. Throws a `TypeError` where these have no end, or too late an end: references
 * that lead back to themselves without looking at a part of the value, or that fan out at every step.
 */
export function measureWork(nodes: Iterable<SchemaNode>, lookup: SchemaLookup): number {
  const done = new Map<SchemaNode, Work>()
  let most = 0
  for (const node of nodes) most = Math.max(most, measure(node, lookup, done).checks)
  return most
}

/** Without recursion, because the depth is the author's choice. */
function measure(start: SchemaNode, lookup: SchemaLookup, done: Map<SchemaNode, Work>): Work {
  const begun = new Set<SchemaNode>()
  const waiting = [start]
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    const parts = judgesBeside(node, lookup)
    if (done.has(node) || begun.has(node)) {
      waiting.pop()
      if (!done.has(node)) done.set(node, workOf(node, parts, done))
      begun.delete(node)
      continue
    }
    begun.add(node)
    for (const part of parts) {
      if (begun.has(part))
        throw new TypeError(`it refers to itself without an end, at ${JSON.stringify(part).slice(0, 60)}`)
      waiting.push(part)
    }
  }
  return done.get(start) ?? { checks: 1, chain: 1 }
}

/** All of `parts` are done by now. */
function workOf(node: SchemaNode, parts: readonly SchemaNode[], done: ReadonlyMap<SchemaNode, Work>): Work {
  let checks = 1
  let chain = 1
  for (const part of parts) {
    const work = done.get(part)
    checks += work?.checks ?? 0
    chain = Math.max(chain, 1 + (work?.chain ?? 0))
  }
  const place = (): string => JSON.stringify(node).slice(0, 60)
  if (checks > mostChecks) throw new TypeError(`it asks for more than ${mostChecks} checks of one value, at ${place()}`)
  if (chain > longestChain)
    throw new TypeError(`more than ${longestChain} of its schemas lead to each other, at ${place()}`)
  return { checks, chain }
}

/** The schemas that judge the same value as `node` and that it names itself. */
function judgesBeside(node: SchemaNode, lookup: SchemaLookup): readonly SchemaNode[] {
  const inside = subschemas(node).flatMap(({ sameValue, schema }) => (sameValue ? schema : []))
  return [referenced(node, lookup), ...inside].filter(isNode)
}
