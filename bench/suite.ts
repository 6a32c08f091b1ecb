// What a bench is: a file that measures one thing and returns tables. `main.ts` runs them.

import { Comparison, type Case, type CompareOptions, type Row } from './ratio.ts'

export interface Table {
  readonly title: string
  /** The first row is the baseline. */
  readonly rows: readonly Row[]
  /** What rows are held to. */
  readonly bars?: readonly Bar[]
  /** What `ratio` counts. Default `x`: times the baseline. */
  readonly unit?: string
}

/** What a row is held to: its name, and the most or the least that its ratio may be. */
export type Bar = { readonly row: string } & (
  | { readonly atMost: number; readonly atLeast?: never }
  | { readonly atLeast: number; readonly atMost?: never }
)

export interface RunOptions {
  /** Fewer sizes and rounds: all suites together in under two minutes. */
  readonly quick: boolean
}

export type Suite = (options: RunOptions) => AsyncIterable<Table>

export interface TableOptions extends CompareOptions {
  readonly bars?: readonly Bar[]
}

/** Compares the cases. Where that misses a bar, as many rounds again are measured before it counts: neighbours make noise. */
export async function tableOf(
  title: string,
  cases: readonly Case[],
  { bars = [], ...options }: TableOptions = {},
): Promise<Table> {
  const comparison = new Comparison(cases, options)
  await comparison.measure()
  const table = (): Table => ({ title, rows: comparison.rows(), bars })
  if (missedBars(table()).length > 0) await comparison.measure()
  return table()
}

/** One line for every bar that a row is beyond, or that has no row. */
export function missedBars({ title, rows, bars = [] }: Table): readonly string[] {
  return bars.flatMap((bar) => {
    const found = rows.find(({ name }) => name === bar.row)
    return found && holds(found, bar)
      ? []
      : [`${title}: ${bar.row} is ${found?.ratio.toFixed(2) ?? 'missing'}, bar ${describe(bar)}`]
  })
}

export function printTable({ title, rows, bars = [], unit = 'x' }: Table): void {
  const width = Math.max(...rows.map(({ name }) => name.length))
  console.log(`\n${title}`)
  for (const row of rows) {
    const { name, ms, ratio, low, high } = row
    const time = ms === undefined ? '' : `${ms.toFixed(ms < 10 ? 3 : 1).padStart(10)} ms  `
    const verdicts = bars
      .filter((bar) => bar.row === name)
      .map((bar) => `  bar ${describe(bar)}${holds(row, bar) ? '' : '  MISSED'}`)
    const spread = low === high ? '' : `  [${low.toFixed(2)} … ${high.toFixed(2)}]`
    console.log(`  ${name.padEnd(width)}  ${time}${ratio.toFixed(2).padStart(8)} ${unit}${spread}${verdicts.join('')}`)
  }
}

function holds({ ratio }: Row, { atMost, atLeast }: Bar): boolean {
  return atMost === undefined ? ratio >= atLeast : ratio <= atMost
}

function describe({ atMost, atLeast }: Bar): string {
  return atMost === undefined ? `≥ ${Number(atLeast.toFixed(2))}` : `≤ ${Number(atMost.toFixed(2))}`
}
