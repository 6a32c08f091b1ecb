// Measures by ratio. Shared machines are noisy, so a number of milliseconds means little; what one thing costs against another
// in the same minute means much. All cases run in turns, in an order that changes, on the clock of the process's CPU time. Nothing
// is collected in between on purpose: the first run after a full collection can take twice as long, whoever it is.

import { Bench } from 'tinybench'

export type Value = number | string

/** What a run returns that has measured its own time, in CPU milliseconds: for work in another process. */
export interface Timed {
  readonly value: Value
  readonly ms: number
}

export interface Case {
  readonly name: string
  /** Does the work once and returns what shows that it was done: all cases of a comparison must return equal values. */
  readonly run: () => Value | Timed | Promise<Value | Timed>
  /** For what is too slow to repeat: runs a single time, in the last round, and its ratio is to the baseline's median. */
  readonly once?: boolean
}

export interface Row {
  readonly name: string
  /** Median CPU time in milliseconds; absent where no time was measured. */
  readonly ms?: number
  /** Median over the rounds of this case's time by the baseline's; in a table of another unit, the value. */
  readonly ratio: number
  /** The middle half of those ratios. */
  readonly low: number
  readonly high: number
}

export interface CompareOptions {
  /** Rounds that count. Default 7. */
  readonly rounds?: number
  /** Rounds before them, for the compilers. Default 2. */
  readonly warmup?: number
  /** CPU milliseconds that a case gets at least in a round before them. Default 100. */
  readonly warmupTime?: number
  /** Whether cases may return different values. Default false. */
  readonly mayDiffer?: boolean
}

/** Milliseconds that a case gets in a round at least: what takes less runs several times. */
const roundTime = 20

/** CPU time of all threads of this process in milliseconds: work that a collector does elsewhere counts as well. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The first case is the baseline. */
export async function compare(cases: readonly Case[], options: CompareOptions = {}): Promise<readonly Row[]> {
  const comparison = new Comparison(cases, options)
  await comparison.measure()
  return comparison.rows()
}

/** A comparison that can be measured again: the rows then stand on all rounds that counted. */
export class Comparison {
  readonly #cases: readonly Case[]
  readonly #rounds: number
  readonly #warmup: number
  readonly #warmupTime: number
  readonly #mayDiffer: boolean
  /** A map a round that counted: milliseconds by the name of the case. */
  readonly #times: ReadonlyMap<string, number>[] = []
  /** What each case returned last. */
  readonly #values = new Map<string, Value>()
  /** Rounds run so far, those before the count included: they turn the order. */
  #turn = 0

  constructor(cases: readonly Case[], options: CompareOptions) {
    const { rounds = 7, warmup = 2, warmupTime = 100, mayDiffer = false } = options
    this.#cases = cases
    this.#rounds = rounds
    this.#warmup = warmup
    this.#warmupTime = warmupTime
    this.#mayDiffer = mayDiffer
  }

  async measure(): Promise<void> {
    const first = this.#turn === 0
    const repeated = this.#cases.filter(({ once }) => once !== true)
    if (first) for (let round = 0; round < this.#warmup; round++) await this.#round(repeated, this.#warmupTime)
    for (let round = 1; round <= this.#rounds; round++) {
      this.#times.push(await this.#round(first && round === this.#rounds ? this.#cases : repeated, roundTime))
    }
    if (!this.#mayDiffer && new Set(this.#values.values()).size > 1) {
      throw new Error(`The cases did not do the same: ${JSON.stringify(Object.fromEntries(this.#values))}`)
    }
  }

  rows(): readonly Row[] {
    const baseline = this.#cases[0]?.name ?? ''
    return this.#cases.map(({ name }) => rowOf(name, baseline, this.#times))
  }

  /** Each case, timed by tinybench on the CPU clock: once, and again until it has used so much time. */
  async #round(cases: readonly Case[], time: number): Promise<Map<string, number>> {
    const bench = new Bench({ iterations: 1, time, warmup: false, now: cpuTime, throws: true })
    for (const { name, run } of reordered(cases, this.#turn++)) {
      bench.add(name, async () => {
        const result = await run()
        if (typeof result !== 'object') {
          this.#values.set(name, result)
          return undefined
        }
        this.#values.set(name, result.value)
        return { overriddenDuration: result.ms }
      })
    }
    const times = new Map<string, number>()
    for (const task of bench.tasks) {
      const { result } = await task.run()
      if (result.state !== 'completed') throw new Error(`${task.name} did not run to its end (${result.state})`)
      times.set(task.name, result.latency.mean)
    }
    return times
  }
}

/** Every case comes first at times, and runs behind one neighbour in one round and behind the other in the next. */
function reordered<T>(items: readonly T[], turn: number): readonly T[] {
  const start = turn % items.length
  const rotated = [...items.slice(start), ...items.slice(0, start)]
  if (turn % 2 === 1) rotated.reverse()
  return rotated
}

function rowOf(name: string, baseline: string, rounds: readonly ReadonlyMap<string, number>[]): Row {
  const times: number[] = []
  const ratios: number[] = []
  for (const round of rounds) {
    const ms = round.get(name)
    if (ms === undefined) continue
    times.push(ms)
    ratios.push(ms / (round.get(baseline) ?? Number.NaN))
  }
  // One round's baseline is too short a run to judge a single long one by.
  if (ratios.length === 1 && rounds.length > 1) {
    const baselines = rounds.map((round) => round.get(baseline) ?? Number.NaN)
    ratios[0] = quantile(times, 0.5) / quantile(baselines, 0.5)
  }
  return {
    name,
    ms: quantile(times, 0.5),
    ratio: quantile(ratios, 0.5),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
  }
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}
