// Counts what became of calls, from the audit records alone, so that one meter can listen to any number of streams.

import type { AuditRecord } from '../model/calls.ts'
import type { FailureCode, RepairName } from '../model/failures.ts'

/** Plain JSON. A name that was never seen is absent, not 0. */
export interface MeterCounts {
  /** Every call that was judged. */
  readonly calls: number
  readonly ok: number
  readonly failed: number
  /** Calls that are ok after at least one repair. */
  readonly repaired: number
  /** Calls in which a repair was made, by its name: a repair that was made twice in one call counts once. */
  readonly repairs: Readonly<Partial<Record<RepairName, number>>>
  readonly failures: Readonly<Partial<Record<FailureCode, number>>>
}

export interface MeterSnapshot extends MeterCounts {
  readonly tools: Readonly<Record<string, MeterCounts>>
  /** By wire format; `none` for arguments that were read without a stream. */
  readonly formats: Readonly<Record<string, MeterCounts>>
}

export interface Meter {
  /** Give it to `onAudit`. It is bound, so it can be handed over as it is. */
  readonly onAudit: (record: AuditRecord) => void
  /** The counts so far; it does not change afterwards. */
  snapshot(): MeterSnapshot
  reset(): void
}

export function createMeter(): Meter {
  let all = new Tally()
  let tools = new Map<string, Tally>()
  let formats = new Map<string, Tally>()
  const reset = (): void => {
    all = new Tally()
    tools = new Map()
    formats = new Map()
  }
  return {
    onAudit: (record) => {
      all.count(record)
      tallyFor(tools, record.name).count(record)
      tallyFor(formats, record.format ?? 'none').count(record)
    },
    snapshot: () => ({ ...all.counts(), tools: countsOf(tools), formats: countsOf(formats) }),
    reset,
  }
}

class Tally {
  #calls = 0
  #ok = 0
  #repaired = 0
  readonly #repairs = new Map<RepairName, number>()
  readonly #failures = new Map<FailureCode, number>()

  count(record: AuditRecord): void {
    this.#calls++
    if (record.ok) this.#ok++
    if (record.ok && record.repairs.length > 0) this.#repaired++
    for (const name of new Set(record.repairs.map((repair) => repair.name))) add(this.#repairs, name)
    if (record.code !== undefined) add(this.#failures, record.code)
  }

  counts(): MeterCounts {
    return {
      calls: this.#calls,
      ok: this.#ok,
      failed: this.#calls - this.#ok,
      repaired: this.#repaired,
      repairs: Object.fromEntries(this.#repairs),
      failures: Object.fromEntries(this.#failures),
    }
  }
}

function tallyFor(tallies: Map<string, Tally>, key: string): Tally {
  const known = tallies.get(key)
  if (known !== undefined) return known
  const tally = new Tally()
  tallies.set(key, tally)
  return tally
}

/** `fromEntries` defines own properties, so a tool may be called `__proto__`. */
function countsOf(tallies: ReadonlyMap<string, Tally>): Readonly<Record<string, MeterCounts>> {
  return Object.fromEntries([...tallies].map(([key, tally]) => [key, tally.counts()]))
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
