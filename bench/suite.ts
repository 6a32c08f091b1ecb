// What a bench is: a file that measures one thing and returns tables. `main.ts` runs them.

import type { Row } from './ratio.ts'

export interface Table {
  readonly title: string
  readonly rows: readonly Row[]
  /** Ratios that a row is held to: the name of the row, and the most that it may be. */
  readonly bars?: readonly Bar[]
}

export interface Bar {
  readonly row: string
  readonly atMost: number
}

export interface RunOptions {
  /** Fewer sizes and rounds: the whole suite in under two minutes. */
  readonly quick: boolean
}

export type Suite = (options: RunOptions) => AsyncIterable<Table>

export function printTable({ title, rows, bars = [] }: Table): void {
  const width = Math.max(...rows.map(({ name }) => name.length))
  console.log(`\n${title}`)
  for (const { name, ms, ratio, low, high } of rows) {
    const bar = bars.find((held) => held.row === name)
    const verdict = bar === undefined ? '' : `  bar ${bar.atMost}${ratio <= bar.atMost ? '' : '  MISSED'}`
    console.log(
      `  ${name.padEnd(width)}  ${ms.toFixed(ms < 10 ? 3 : 1).padStart(10)} ms  ${ratio.toFixed(2).padStart(8)} x  [${low.toFixed(2)} … ${high.toFixed(2)}]${verdict}`,
    )
  }
}
