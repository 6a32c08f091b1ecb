// What the history holds as the arguments of a call: what the model wrote, in a form that every server takes.

import { jsonText } from '../arguments/json.ts'
import { readArguments } from '../arguments/read.ts'
import type { Repair } from '../model/failures.ts'
import type { JsonObject } from '../model/json.ts'
import type { Reading } from '../model/reading.ts'
import type { RepairTier } from '../model/tools.ts'
import type { FinishedCall } from './calls.ts'
import type { WireObject } from './messages.ts'
import { wellFormed, wireObject } from './json.ts'

/** The arguments of one call as the history holds them: the same object as text and as a value. */
export interface Replay {
  /** A JSON object. Numbers keep their digits and keys their order. */
  readonly text: string
  /** What `text` says. Integers that a double can't hold are `bigint`. */
  readonly value: JsonObject
}

/**
 * A ready call is replayed as the model wrote it: the raw text where that was valid, the repaired text where it was repaired. A refused
 * one as `{}`: servers parse the history, and a single malformed call in it makes them refuse every later request.
 *
 * A call holds the raw text and the names of the repairs, not the repaired text. Reading the raw text again, as far as those
 * names allow, finds it, for calls that were stored and restored too. Where the reading comes to anything else (a caller's own `refine`
 * changed the object), the arguments that the tool got are written out.
 *
 * Free text has no place in formats that know only objects; there it is the member `input`.
 */
export function replay(call: FinishedCall): Replay {
  if (!call.ok) return call.kind === 'custom' ? written({ input: wellFormed(call.argumentsText) }) : empty()
  if (call.kind === 'custom') return written({ input: wellFormed(call.arguments) })
  const { argumentsText, repairs } = call
  if (repairs.some((repair) => repair.name === 'empty-object')) return empty()
  for (const tier of tiers) {
    const reading = readAgain(argumentsText, repairs, tier, call.arguments)
    if (reading.state === 'blank') return empty()
    if (reading.state !== 'object' || !sameRepairs(reading.repairs, repairs)) continue
    return { text: reading.repaired ?? argumentsText, value: reading.value }
  }
  return written(call.arguments)
}

/** Text that needs no lenient repair is read without the means for one, as it was the first time. */
const tiers: readonly RepairTier[] = ['lossless', 'lenient']

function readAgain(text: string, repairs: readonly Repair[], repair: RepairTier, value: unknown): Reading {
  return readArguments(text, {
    repair,
    closeTruncated: repairs.some(({ name }) => name === 'close-truncated'),
    // A double can't hold it, but it was let through once, and the text keeps its digits.
    integers: 'bigint',
    // The text got under the caller's limit already.
    maxDepth: Number.MAX_SAFE_INTEGER,
    stringAt: (path) => typeof at(value, path) === 'string',
  })
}

/** Where the schema said string, there is a string now. */
function at(value: unknown, path: readonly (string | number)[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    // Arrays are reached by number, objects by name; both are own properties, and any other key finds nothing.
    here = Object.hasOwn(here, key) ? (here as { readonly [key: string | number]: unknown })[key] : undefined
  }
  return here
}

/** Whether the same was done. Where exactly is no matter: it is the same text. */
function sameRepairs(a: readonly Repair[], b: readonly Repair[]): boolean {
  const names = new Set(a.map(({ name }) => name))
  return names.size === new Set(b.map(({ name }) => name)).size && b.every(({ name }) => names.has(name))
}

function written(value: unknown): Replay {
  const text = jsonText(value)
  // Whatever a schema or a hook made of the arguments, its JSON is read back, so that text and value are the same.
  const reading = text === undefined ? undefined : readAgain(text, [], 'none', undefined)
  return text !== undefined && reading?.state === 'object' ? { text, value: reading.value } : empty()
}

function empty(): Replay {
  return { text: '{}', value: {} }
}

/** The same for formats that carry an object, which is the caller's to keep. */
export function replayObject(call: FinishedCall): WireObject {
  return wireObject(replay(call).value)
}
