// Runs the benches, each in a process of its own so that none compiles its code for another's shapes.
//   npm run bench -- [--quick] [--only throughput,peers] [--json FILE]

import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chart } from './chart.ts'
import { printTable, type Suite, type Table } from './suite.ts'

const names = ['throughput', 'framing', 'arguments', 'text', 'partial', 'memory', 'concurrency', 'peers'] as const
type Name = (typeof names)[number]

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    child: { type: 'string' },
  },
})

if (values.child !== undefined) await runHere(values.child)
else await runAll()

async function runHere(name: string): Promise<void> {
  const module: { readonly suite: Suite } = await import(`./${name}.bench.js`)
  for await (const table of module.suite({ quick: values.quick })) {
    printTable(table)
    process.send?.(table)
  }
}

async function runAll(): Promise<void> {
  const wanted = values.only?.split(',') ?? names
  const results: Record<string, Table[]> = {}
  for (const name of names.filter((held) => wanted.includes(held))) results[name] = await runChild(name)
  const missed = Object.values(results).flat().flatMap(missedBars)
  const output = values.json ?? fileURLToPath(new URL('../../bench/results/latest.json', import.meta.url))
  mkdirSync(dirname(output), { recursive: true })
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, date: new Date().toISOString() }
  writeFileSync(output, `${JSON.stringify({ machine, quick: values.quick, results }, null, 1)}\n`)
  writeFileSync(output.replace(/\.json$/, '.svg'), chart(Object.values(results).flat()))
  console.log(`\nwritten: ${output}`)
  if (missed.length > 0) console.log(`bars missed:\n  ${missed.join('\n  ')}`)
  process.exitCode = missed.length > 0 ? 1 : 0
}

function missedBars({ title, rows, bars = [] }: Table): readonly string[] {
  return bars.flatMap(({ row, atMost }) => {
    const found = rows.find(({ name }) => name === row)
    return found && found.ratio <= atMost
      ? []
      : [`${title}: ${row} is ${found?.ratio.toFixed(2) ?? 'missing'}, bar ${atMost}`]
  })
}

function runChild(name: Name): Promise<Table[]> {
  const tables: Table[] = []
  const args = ['--child', name, ...(values.quick ? ['--quick'] : [])]
  const child = fork(fileURLToPath(import.meta.url), args, { execArgv: ['--expose-gc', '--max-old-space-size=8192'] })
  // The messages are the tables that `runHere` sends, and nothing else sends any.
  child.on('message', (table) => tables.push(table as Table))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve(tables) : reject(new Error(`the bench ${name} ended with ${code}`)),
    )
  })
}
