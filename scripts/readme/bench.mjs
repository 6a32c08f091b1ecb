/** The results of a run of the benches as tables for the README. */

/** @param {{ machine: { node: string, cpu?: string, cores: number, date: string }, results: Record<string, Table[]> }} run */
export function benchRegion({ machine, results }) {
  const { node, cpu = 'an unnamed processor', cores, date } = machine
  const parts = Object.entries(results).map(([suite, tables]) => suiteTable(suite, tables))
  return [
    `Node ${node.replace(/^v/, '')}, ${cpu}, ${cores} cores, ${date.slice(0, 10)}; ` +
      '[all of it as JSON](bench/results/latest.json).',
    '![The same as a chart](bench/results/latest.svg)',
    ...parts,
  ].join('\n\n')
}

/** The first thing that people ask is shown; what else was measured folds out. */
const shown = 'throughput'

function suiteTable(suite, tables) {
  const rows = tables.flatMap(({ title, rows: held, unit = 'x' }) =>
    held.map(
      (row, n) => `| ${[n === 0 ? cell(title) : '', cell(row.name), time(row), ratio(row, unit)].join(' | ')} |`,
    ),
  )
  const table = [`| ${suite} | | CPU ms | against the first row |`, '| --- | --- | ---: | ---: |', ...rows].join('\n')
  return suite === shown ? table : `<details>\n<summary>${suite}</summary>\n\n${table}\n\n</details>`
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
