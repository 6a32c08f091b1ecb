// What something costs in processor time, which other work on the machine disturbs little, and whether that grows with its input alone.

import { expect } from 'vitest'

type Run = () => unknown

/** The processor time of a run, in milliseconds. */
export function cpuTime(run: Run): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** How many times another thing may cost, and how many milliseconds more: a garbage collection, a compilation. */
export interface Bound {
  readonly times: number
  readonly slack: number
}

interface Comparison {
  /** Milliseconds, the least of all measurements: what disturbs a run only ever adds to it. */
  readonly base: number
  readonly other: number
  readonly within: boolean
}

/** Measures again before it gives up: a neighbour on the machine passes, work that is too much stays. */
function compare(base: Run, other: Run, { times, slack }: Bound, attempts: number): Comparison {
  let least = Infinity
  let most = Infinity
  for (let attempt = 1; ; attempt++) {
    // Twice, since the first run may be slow for its being the first, and a bound that is too wide finds nothing.
    least = Math.min(least, cpuTime(base), cpuTime(base))
    most = Math.min(most, cpuTime(other))
    const within = most <= times * least + slack
    if (within || attempt === attempts) return { base: least, other: most, within }
  }
}

export function expectCost(base: Run, other: Run, bound: Bound): void {
  expect(compare(base, other, bound, 3)).toMatchObject({ within: true })
}

/**
 * How the cost grows if the input is four times as large. Linear work may take six times as long; quadratic work takes sixteen times as
 * long, and is found if it takes more than 4 ms for an input of `size`. `prepare` makes the input, which is not measured.
 */
export function expectLinear(prepare: (size: number) => Run, size: number): void {
  expect(growth(prepare, size, 3)).toMatchObject({ within: true })
}

/** That `expectLinear` would find what this does. For tests of the tests: a bound that nothing can cross holds nothing. */
export function expectCaught(prepare: (size: number) => Run, size: number): void {
  expect(growth(prepare, size, 1)).toMatchObject({ within: false })
}

function growth(prepare: (size: number) => Run, size: number, attempts: number): Comparison {
  return compare(prepare(size), prepare(4 * size), { times: 6, slack: 40 }, attempts)
}

/** What a reader does that is wrong in this respect: it looks at all of the text again for every piece. For tests of the tests. */
export class Rescanner {
  #text = ''

  push(piece: string): void {
    const text = (this.#text += piece)
    let odd = 0
    for (let at = 0; at < text.length; at++) odd ^= text.charCodeAt(at)
    // Read, so that the loop can't be left out.
    if (odd < 0) throw new Error('no such unit')
  }
}
