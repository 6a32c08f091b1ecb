// Blocks that must go back as they came. The reader knows where they begin and end and what they hold beside their text; the text
// itself is the reasoning that is said in between, and never kept here: the fast path lets its deltas pass the reader by.

import type { CallKey, WireDelta } from '../model/deltas.ts'
import type { JsonObject } from '../model/json.ts'
import type { Step } from '../model/stage.ts'

/** The blocks of one message that are open, by the wire's index. */
export interface Keeping<Held> {
  readonly open: Map<CallKey, Kept<Held>>
  /** Blocks so far. Numbers them. */
  count: number
  /** Whose the reasoning is, as the ledger was told last. */
  speaker: number | null
}

export interface Kept<Held> {
  readonly number: number
  readonly held: Held
}

/** A block at its end; `null` where nothing of it can go back. */
export interface KeptEnd {
  readonly value: JsonObject
  readonly textAt?: readonly string[]
}

export function newKeeping<Held>(): Keeping<Held> {
  return { open: new Map(), count: 0, speaker: null }
}

/** Starts a block. What was open under its index must have been ended. */
export function startKept<Held>(keeping: Keeping<Held>, key: CallKey, held: Held, next: Step<WireDelta>): void {
  keeping.open.set(key, { number: keeping.count++, held })
  giveWord(keeping, key, next)
}

/** Says whose reasoning comes next, unless it is that block's already: so deltas of one block in a row read alike. */
export function giveWord<Held>(keeping: Keeping<Held>, key: CallKey, next: Step<WireDelta>): void {
  const speaker = keeping.open.get(key)?.number ?? null
  if (speaker === keeping.speaker) return
  keeping.speaker = speaker
  next.push({ type: 'kept-open', block: speaker })
}

export function endKept<Held>(
  keeping: Keeping<Held>,
  key: CallKey,
  endOf: (held: Held) => KeptEnd | null,
  next: Step<WireDelta>,
): void {
  const kept = keeping.open.get(key)
  if (kept === undefined) return
  keeping.open.delete(key)
  if (keeping.speaker === kept.number) keeping.speaker = null
  next.push({ type: 'kept-close', block: kept.number, ...(endOf(kept.held) ?? { value: null }) })
}
