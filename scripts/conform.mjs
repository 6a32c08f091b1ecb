// Runs the shared case sets against dist/. They stand beside a checkout of the project, not in it (they hold third-party
// recordings), so where they are absent this says so and succeeds.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tool = fileURLToPath(new URL('../../shared/tools/conform.mjs', import.meta.url))
if (!existsSync(tool)) {
  console.log('conform: no shared case sets beside this checkout; nothing was run')
} else {
  const run = spawnSync(process.execPath, [tool, '--lib', root, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = run.status ?? 1
}
