// Runs the property tests under seeds that no run had before.
//   node scripts/explore.mjs [rounds = 5] [part of a test file's path]
// Exit status 1 where a property failed. `PROPERTY_SEED=<seed> npx vitest run <file>` runs that round again.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const rounds = Number(process.argv[2] ?? 5)
const only = process.argv[3] ?? ''

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => join('test', file))
  .filter((file) => file.endsWith('.test.ts') && file.includes(only))
  .filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"))
  .toSorted()
if (files.length === 0) throw new Error(`no property test has '${only}' in its path`)

const failed = []
for (let round = 1; round <= rounds; round++) {
  const seed = randomInt(2 ** 31)
  const run = spawnSync('npx', ['vitest', 'run', '--typecheck.enabled=false', '--reporter=dot', ...files], {
    env: { ...process.env, PROPERTY_SEED: String(seed), NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  console.log(`round ${round} of ${rounds}: seed ${seed}, ${files.length} files, ${run.status === 0 ? 'ok' : 'failed'}`)
  if (run.status === 0) continue
  failed.push(seed)
  console.log(run.stderr || run.stdout)
}
if (failed.length > 0) {
  console.log(`found something: ${failed.map((seed) => `PROPERTY_SEED=${seed}`).join(', ')}`)
  process.exitCode = 1
}
