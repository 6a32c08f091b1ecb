// The shared case set stands beside a checkout of the project and is not part of it. What it says of schemas is for whoever composes
// the whole; here only the reading is judged.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { read } from './reading.ts'
import type { Reading } from '../../src/model/reading.ts'

interface Case {
  readonly id: string
  readonly input?: string
  readonly gen?: Generated
  readonly schema?: { readonly properties?: { readonly [key: string]: { readonly type?: string } } }
  readonly right: { readonly [key: string]: unknown }
}

type Generated =
  | { readonly kind: 'nest'; readonly depth: number; readonly closed: boolean }
  | { readonly kind: 'repeat'; readonly unit: string; readonly n: number }
  | { readonly kind: 'repeat+suffix'; readonly unit: string; readonly n: number; readonly suffix: string }
  | { readonly kind: 'prefix+repeat'; readonly unit: string; readonly n: number; readonly prefix: string }
  | { readonly kind: 'prefixes'; readonly text: string }

const file = new URL('../../../shared/vectors/arguments.json', import.meta.url)
const present = existsSync(file)
const cases: readonly Case[] = present ? (JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }).cases : []

function textsOf(gen: Generated): string[] {
  switch (gen.kind) {
    case 'nest':
      return [`{"a":${'['.repeat(gen.depth - 1)}${gen.closed ? `${']'.repeat(gen.depth - 1)}}` : ''}`]
    case 'repeat':
      return [gen.unit.repeat(gen.n)]
    case 'repeat+suffix':
      return [gen.unit.repeat(gen.n) + gen.suffix]
    case 'prefix+repeat':
      return [gen.prefix + gen.unit.repeat(gen.n)]
    case 'prefixes':
      return Array.from({ length: gen.text.length - 1 }, (_, cut) => gen.text.slice(0, cut + 1))
    default:
      return gen satisfies never
  }
}

function outcomeOf(reading: Reading): string {
  switch (reading.state) {
    case 'object':
      return reading.repairs.length === 0 ? 'ok' : `repaired:${sorted(reading.repairs.map(({ name }) => name))}`
    case 'blank':
      return 'blank'
    case 'cut':
    case 'fault':
      return `rejected:${reading.fault.code}`
    default:
      return reading satisfies never
  }
}

function sorted(names: readonly string[]): string {
  return [...names].sort().join('+')
}

/** The gate decides what becomes of blank arguments. */
function wanted(right: string): string {
  if (right === 'rejected:empty-arguments' || right === 'repaired:empty-object') return 'blank'
  return right.startsWith('repaired:') ? `repaired:${sorted(right.slice('repaired:'.length).split('+'))}` : right
}

describe.runIf(present)('the shared cases', () => {
  it.each(cases.map((each) => [each.id, each] as const))('%s', (_, { input, gen, schema, right }) => {
    for (const mode of ['default', 'lenient', 'close']) {
      const want = right[mode] ?? right['default']
      const value = right[mode === 'default' ? 'value' : `${mode}Value`] ?? right['value']
      for (const text of gen ? textsOf(gen) : [input ?? '']) {
        const reading = read(text, {
          repair: mode === 'lenient' ? 'lenient' : 'lossless',
          closeTruncated: mode === 'close',
          stringAt: ([key]) => schema?.properties?.[String(key)]?.type === 'string',
        })
        if (gen?.kind === 'prefixes') expect(reading.state).not.toBe('object')
        else expect(outcomeOf(reading), mode).toBe(wanted(String(want)))
        if (reading.state === 'object' && value !== undefined) expect(reading.value, mode).toEqual(value)
      }
    }
  })
})
