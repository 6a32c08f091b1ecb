// Content blocks of Anthropic's Messages API that are neither text nor a call for the caller, put together as the API wants
// them back.
// Source: https://platform.claude.com/docs/en/api/messages

import type { JsonObject, JsonValue } from '../model/json.ts'
import { record, type Fields } from './fields.ts'
import type { KeptEnd } from './kept.ts'

/** A block so far, by field. */
export type HeldBlock = Map<string, JsonValue>

export function anthropicBlock(block: Fields): HeldBlock {
  // Parsed JSON, or what an SDK took for it: nothing here looks deeper.
  return new Map(Object.entries(block)) as HeldBlock
}

/**
 * A delta names the field that it adds to: `signature_delta` has a `signature`, `compaction_delta` a `content`. Text goes behind what
 * is there, anything else takes its place.
 */
export function growBlock(held: HeldBlock, delta: Fields): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'type') continue
    const before = held.get(name)
    // As above.
    const added = value as JsonValue
    held.set(name, typeof before === 'string' && typeof added === 'string' ? before + added : added)
  }
}

/** The block at its end. `input` is the text of the arguments where the provider runs a call; the API takes them back only whole. */
export function wholeBlock(held: HeldBlock, input: string | null): KeptEnd | null {
  const value: JsonObject = Object.fromEntries(held)
  if (held.get('type') === 'thinking') return { value, textAt: ['thinking'] }
  if (input === null || input === '') return { value }
  const parsed = parseObject(input)
  return parsed === null ? null : { value: { ...value, input: parsed } }
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    // What JSON.parse returns is JSON by definition; only its declared type says less.
    return record(value) as JsonObject | null
  } catch {
    // The stream was cut inside it, or the model wrote no JSON.
    return null
  }
}
