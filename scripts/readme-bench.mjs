// Puts the results of the last run of the benches (npm run bench) into the README and docs/benchmarks.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { benchPage, benchRegion } from './readme/bench.mjs'
import { writeRegions } from './readme/regions.mjs'

const results = new URL('../bench/results/latest.json', import.meta.url)
if (!existsSync(results)) {
  console.log('There are no results yet: npm run bench')
} else {
  const run = JSON.parse(readFileSync(results, 'utf8'))
  const regions = { bench: benchRegion(run), 'bench-all': benchPage(run) }
  for (const path of ['README.md', 'docs/benchmarks.md']) {
    const page = new URL(`../${path}`, import.meta.url)
    writeFileSync(page, writeRegions(readFileSync(page, 'utf8'), regions))
  }
}
