// Measures by ratio. Shared machines are noisy, so a number of milliseconds means little; what one thing costs against another
// in the same minute means much. All cases run in turns, in rotated order, on the clock of the process's CPU time. Nothing is
// collected in between on purpose: the first run after a full collection can take twice as long, whoever it is.

import { Bench } from 'tinybench'

export interface Case {
  readonly name: string
  /** Does the work once and returns what shows that it was done: all cases of a comparison must return equal values. */
  readonly run: () => number | string | Promise<number | string>
}

export interface Row {
  readonly name: string
  /** Median CPU time in milliseconds. */
  readonly ms: number
  /** Median over the rounds of this case's time by the baseline's. */
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
  /** Whether cases may return different values. Default false. */
  readonly mayDiffer?: boolean
}

/** CPU time of all threads of this process in milliseconds: work that a collector does elsewhere counts as well. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The first case is the baseline. */
export async function compare(cases: readonly Case[], options: CompareOptions = {}): Promise<readonly Row[]> {
  const { rounds = 7, warmup = 2, mayDiffer = false } = options
  const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  const values = new Map<string, number | string>()
  for (let round = 0; round < warmup + rounds; round++) {
    const rotated = cases.map((_, n) => cases[(n + round) % cases.length]).filter((held) => held !== undefined)
    for (const [name, ms] of await measure(rotated, values)) if (round >= warmup) times.get(name)?.push(ms)
  }
  if (!mayDiffer && new Set(values.values()).size > 1) {
    throw new Error(`The cases did not do the same: ${JSON.stringify(Object.fromEntries(values))}`)
  }
  const baseline = times.get(cases[0]?.name ?? '') ?? []
  return cases.map(({ name }) => rowOf(name, times.get(name) ?? [], baseline))
}

/** One round: each case once, timed by tinybench on the CPU clock. */
async function measure(cases: readonly Case[], values: Map<string, number | string>): Promise<Map<string, number>> {
  const bench = new Bench({ iterations: 1, time: 0, warmup: false, now: cpuTime, throws: true })
  for (const { name, run } of cases) {
    bench.add(name, async () => {
      values.set(name, await run())
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

function rowOf(name: string, times: readonly number[], baseline: readonly number[]): Row {
  const ratios = times.map((ms, round) => ms / (baseline[round] ?? ms))
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
