// Compiles bench/ and runs it on dist/: what is measured is what ships.
import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(new URL('../.cache/bench', import.meta.url), { recursive: true, force: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.bench.json'], {
  cwd: root,
  stdio: 'inherit',
})
const run = spawnSync(process.execPath, ['.cache/bench/main.js', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = run.status ?? 1
