// Puts the results of the last whole run of the benches (npm run bench) into the README.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { benchRegion } from './readme/bench.mjs'
import { writeRegions } from './readme/regions.mjs'

const results = new URL('../bench/results/latest.json', import.meta.url)
const readme = new URL('../README.md', import.meta.url)
if (!existsSync(results)) {
  console.log('There are no results yet: npm run bench')
} else {
  const bench = benchRegion(JSON.parse(readFileSync(results, 'utf8')))
  writeFileSync(readme, writeRegions(readFileSync(readme, 'utf8'), { bench }))
}
