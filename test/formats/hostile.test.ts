// No message, however wrong, makes a reader throw, and every delta that it makes of one has the types that the ledger relies on.
import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { formats } from '../../src/formats/registry.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import type { WireFormat, WireMessage } from '../../src/model/formats.ts'
import { collector } from '../helpers/readers.ts'

const root = fileURLToPath(new URL('../../fixtures', import.meta.url))

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** The events of a format's fixtures that are JSON objects on lines of their own. */
function eventsOf(format: WireFormat): Json[] {
  const folder = `${root}/${format.name}`
  return readdirSync(folder)
    .filter((file) => /\.(sse|ndjson)$/.test(file))
    .flatMap((file) => readFileSync(`${folder}/${file}`, 'utf8').split(/\r?\n/))
    .flatMap((line) => parse(line.replace(/^data: ?/, '')))
}

function parse(line: string): Json[] {
  try {
    const value = JSON.parse(line) as Json
    return typeof value === 'object' && value !== null ? [value] : []
  } catch {
    return []
  }
}

/** Every place in a value, outermost first. */
function places(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))]
}

/** A copy with another value in one place, or without that member. */
function changed(value: Json, [step, ...rest]: readonly string[], other: Json | undefined): Json | undefined {
  if (step === undefined) return other
  if (typeof value !== 'object' || value === null) return value
  const copy: { [key: string]: Json } | Json[] = Array.isArray(value) ? [...value] : { ...value }
  const inside = (copy as { [key: string]: Json })[step]
  const next = inside === undefined ? other : changed(inside, rest, other)
  if (next === undefined) Reflect.deleteProperty(copy, step)
  else Object.defineProperty(copy, step, { value: next, enumerable: true, writable: true, configurable: true })
  return copy
}

const oddities: (Json | undefined)[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '__proto__',
  [],
  [[]],
  [null],
  {},
  { type: 'x' },
  { __proto__: 1, text: 5, message: [] },
]

interface Mutation {
  readonly event: number
  readonly place: number
  readonly oddity: number
}

function mutate(events: readonly Json[], { event, place, oddity }: Mutation): Json {
  const original = events[event % events.length] ?? {}
  const all = places(original)
  return changed(original, all[place % all.length] ?? [], oddities[oddity % oddities.length]) ?? {}
}

function toMessage(value: Json, position: number): WireMessage {
  const frame = position + 1
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { kind: 'message', frame, value, source: JSON.stringify(value) }
    : { kind: 'text', frame, data: JSON.stringify(value), terminated: true }
}

const isKey = (key: unknown): boolean => typeof key === 'string' || typeof key === 'number'
const isNullOr = (type: string, value: unknown): boolean => value === null || typeof value === type

function isSound(delta: WireDelta): boolean {
  switch (delta.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return typeof delta.choice === 'number' && typeof delta.delta === 'string'
    case 'call-open':
      return isKey(delta.key) && typeof delta.name === 'string' && isNullOr('string', delta.id)
    case 'call-append':
      return isKey(delta.key) && typeof delta.delta === 'string'
    case 'call-final':
      return isKey(delta.key) && typeof delta.arguments === 'string' && isNullOr('string', delta.name)
    case 'call-fragment':
      return isNullOr('string', delta.id) && isNullOr('string', delta.name) && isNullOr('string', delta.arguments)
    case 'text-final':
      return typeof delta.text === 'string'
    case 'server-call':
      return Object.values(delta.call).every((field) => typeof field === 'string')
    case 'finish':
      return typeof delta.raw === 'string' && delta.raw !== ''
    case 'error':
      return typeof delta.error.code === 'string' && typeof delta.error.message === 'string'
    case 'warning':
    case 'damage':
    case 'stray':
    case 'cut':
    case 'spoilt-open':
      return (delta.warning.raw ?? '').length <= 2000
    case 'call-damage':
      return isKey(delta.key) && (delta.warning.raw ?? '').length <= 2000
    case 'kept-open':
      return isNullOr('number', delta.block)
    case 'kept-close':
      return typeof delta.block === 'number' && isNullOr('object', delta.value)
    case 'sequence':
      return Number.isInteger(delta.number)
    case 'call-close':
    case 'call-reject':
    case 'spoilt-close':
    case 'usage':
    case 'end':
      return true
    default:
      return delta satisfies never
  }
}

/** Stands for what is too deep to be made as a value. */
const deepMark = '@deep@'

const mutation = fc.record({ event: fc.nat(), place: fc.nat(), oddity: fc.nat() })

describe.each(formats.map((format) => [format.name, format] as const))('%s', (_name, format) => {
  const events = eventsOf(format)

  it('survives events with anything anywhere, in any order', () => {
    expect(events.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 30 }), (mutations) => {
        const out = collector<WireDelta>()
        const step = format.reader(out)
        for (const [position, value] of mutations.map((item) => mutate(events, item)).entries()) {
          const message = toMessage(value, position)
          format.detect(message)
          step.push(message)
        }
        step.end()
        expect(out.items.filter((delta) => !isSound(delta))).toEqual([])
        expect(out.ended).toBe(1)
      }),
      { numRuns: 150 },
    )
  })

  it('survives values nested beyond the stack', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const step = format.reader(collector())
    const holders = events.flatMap((event) => places(event).map((place) => changed(event, place, deepMark) ?? {}))
    const stride = Math.ceil(holders.length / 40)
    for (const holder of holders.filter((_, n) => n % stride === 0)) {
      const source = JSON.stringify(holder).replace(JSON.stringify(deepMark), deep)
      const value: unknown = JSON.parse(source)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
      step.push({ kind: 'message', frame: 1, value, source })
    }
    step.end()
  })
})
