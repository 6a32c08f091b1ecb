// Runs the benches, each in a process of its own so that none compiles its code for another's shapes.
//   npm run bench -- [--quick] [--only throughput,peers] [--json FILE]

import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chart } from './chart.ts'
import { missedBars, printTable, type Suite, type Table } from './suite.ts'

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
else await runAll(wantedNames())

async function runHere(name: string): Promise<void> {
  const module: { readonly suite: Suite } = await import(`./${name}.bench.js`)
  for await (const table of module.suite({ quick: values.quick })) {
    printTable(table)
    process.send?.(table)
  }
}

function wantedNames(): readonly Name[] {
  const wanted = values.only?.split(',') ?? [...names]
  const unknown = wanted.find((name) => !names.some((held) => held === name))
  if (unknown !== undefined) throw new Error(`There is no bench ${unknown}: there are ${names.join(', ')}.`)
  return names.filter((name) => wanted.includes(name))
}

async function runAll(wanted: readonly Name[]): Promise<void> {
  const results: Record<string, readonly Table[]> = {}
  const start = performance.now()
  for (const name of wanted) {
    const before = performance.now()
    results[name] = await runChild(name)
    console.log(`\n${name}: ${seconds(performance.now() - before)}`)
  }
  const output = values.json ?? defaultOutput()
  mkdirSync(dirname(output), { recursive: true })
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, date: new Date().toISOString() }
  writeFileSync(output, `${JSON.stringify({ machine, quick: values.quick, results }, null, 1)}\n`)
  writeFileSync(output.replace(/(\.json)?$/, '.svg'), chart(results))
  console.log(`\nwritten in ${seconds(performance.now() - start)}: ${output}`)
  const missed = Object.values(results).flat().flatMap(missedBars)
  if (missed.length > 0) console.log(`bars missed:\n  ${missed.join('\n  ')}`)
  process.exitCode = missed.length > 0 ? 1 : 0
}

/** Only a whole run is a result to keep. */
function defaultOutput(): string {
  const whole = !values.quick && values.only === undefined
  const path = whole ? '../../bench/results/latest.json' : '../results/last.json'
  return fileURLToPath(new URL(path, import.meta.url))
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function runChild(name: Name): Promise<readonly Table[]> {
  const tables: Table[] = []
  const args = ['--child', name, ...(values.quick ? ['--quick'] : [])]
  const child = fork(fileURLToPath(import.meta.url), args, { execArgv: ['--expose-gc', '--max-old-space-size=8192'] })
  // The messages are the tables that `runHere` sends, and nothing else sends any.
  child.on('message', (table) => tables.push(table as Table))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) =>
      code === 0 ? resolve(tables) : reject(new Error(`the bench ${name} ended with ${code ?? signal}`)),
    )
  })
}
