// Writes the made parts of the README and of docs/ anew: code from examples/, tables from what the built library does. A test compares them.
import { readFileSync, writeFileSync } from 'node:fs'
import { makeRegions, writeRegions } from './readme/regions.mjs'
import { sizeTable } from './readme/size.mjs'

const pages = ['README.md', 'docs/reference.md'].map((path) => new URL(`../${path}`, import.meta.url))
const doors = ['index', 'core', 'web', 'node', 'text', 'prompt', 'testing', 'ajv']
const modules = await Promise.all(doors.map(async (door) => [door, await import(`../dist/${door}.js`)]))
const regions = { ...makeRegions(Object.fromEntries(modules)), size: await sizeTable() }
for (const page of pages) writeFileSync(page, writeRegions(readFileSync(page, 'utf8'), regions))
