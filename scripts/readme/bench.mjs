// The results of a run of the benches as tables: what people ask first for the README, the rest for a page of its own.

/** Suites that stand in the README. */
const first = ['throughput', 'peers']

/** @param {{ machine: { node: string, cpu?: string, cores: number, date: string }, results: Record<string, Table[]> }} run */
export function benchRegion({ machine, results }) {
  const tables = first.flatMap((suite) => (results[suite] ? suiteTable(suite, results[suite]) : []))
  return [machineLine(machine), '![The same as a chart](bench/results/latest.svg)', ...tables].join('\n\n')
}

/** The same for `docs/benchmarks.md`. */
export function benchPage({ machine, results }) {
  const rest = Object.entries(results).filter(([suite]) => !first.includes(suite))
  return [
    machineLine(machine),
    ...rest.map(([suite, tables]) => `## ${heading(suite)}\n\n${suiteTable(suite, tables)}`),
  ].join('\n\n')
}

function machineLine({ node, cpu = 'an unnamed processor', cores, date }) {
  return `Node ${node.replace(/^v/, '')}, ${cpu}, ${cores} cores, ${date.slice(0, 10)}.`
}

function heading(suite) {
  return suite.charAt(0).toUpperCase() + suite.slice(1)
}

function suiteTable(suite, tables) {
  const rows = tables.flatMap(({ title, rows: held, unit = 'x' }) =>
    held.map(
      (row, n) => `| ${[n === 0 ? cell(title) : '', cell(row.name), time(row), ratio(row, unit)].join(' | ')} |`,
    ),
  )
  return [`| ${suite} | | CPU ms | against the first row |`, '| --- | --- | ---: | ---: |', ...rows].join('\n')
}

function time({ ms }) {
  return ms === undefined ? '' : ms.toFixed(ms < 10 ? 2 : 0)
}

function ratio({ ratio: held, low, high }, unit) {
  const sign = unit === 'x' ? '×' : unit
  return `${held.toFixed(2)} ${sign}${low === high ? '' : ` [${low.toFixed(2)} … ${high.toFixed(2)}]`}`
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}
