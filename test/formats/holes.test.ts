// The promise that the fast path is built on: messages that are equal but for a format's holes read to deltas that are equal but for
// the fragment and the sequence number, and leave the reader as if only one of them had come.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { formats } from '../../src/formats/registry.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import type { Hole, WireFormat } from '../../src/model/formats.ts'
import { collector, messages } from '../helpers/readers.ts'

const root = fileURLToPath(new URL('../../fixtures', import.meta.url))

function streamsOf(format: WireFormat): [file: string, data: string[]][] {
  const folder = `${root}/${format.name}`
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sse'))
    .map((file) => {
      const lines = readFileSync(`${folder}/${file}`, 'utf8').split(/\r?\n/)
      return [file, lines.filter((line) => line.startsWith('data:')).map((line) => line.replace(/^data: ?/, ''))]
    })
}

const stranger = 'another fragment "\n'

function isAppend(delta: WireDelta): boolean {
  return ['text', 'reasoning', 'refusal', 'call-append', 'call-fragment'].includes(delta.type)
}

/** The deltas of an event that only appends, or nothing for any other. */
function appending(deltas: readonly WireDelta[]): WireDelta | undefined {
  const [first, second] = deltas
  const appended = first?.type === 'sequence' ? second : first
  const only = deltas.length === (first?.type === 'sequence' ? 2 : 1)
  return only && appended !== undefined && isAppend(appended) ? appended : undefined
}

function fragmentOf(delta: WireDelta): string | null {
  if (delta.type === 'call-fragment') return delta.arguments
  return 'delta' in delta ? delta.delta : null
}

function withFragment(delta: WireDelta, fragment: string): object {
  return delta.type === 'call-fragment' ? { ...delta, arguments: fragment } : { ...delta, delta: fragment }
}

/** The event with other values in its holes; `undefined` where it has no hole that holds `fragment`. */
function refill(data: string, holes: readonly Hole[], fragment: string): string | undefined {
  const value: unknown = JSON.parse(data)
  let found = false
  for (const { path, role } of holes) {
    const last = path.at(-1) ?? ''
    const parent = path.slice(0, -1).reduce<unknown>((inside, step) => Object(inside)[step], value)
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) continue
    const held: unknown = Reflect.get(parent, last)
    if (role === 'fragment') {
      if (held !== fragment) continue
      found = true
      Reflect.set(parent, last, stranger)
    } else if (typeof held === 'number') Reflect.set(parent, last, 4711)
    else if (typeof held === 'string') Reflect.set(parent, last, 'p'.repeat(7))
  }
  return found ? JSON.stringify(value) : undefined
}

const withHoles = formats.filter(({ holes }) => holes !== undefined)

describe.each(withHoles.map((format) => [format.name, format] as const))('%s', (_name, format) => {
  const holes = format.holes ?? []

  it('reads events that differ in their holes alike, and learns nothing from the second', () => {
    let refilled = 0
    for (const [file, stream] of streamsOf(format)) {
      const plain = collector<WireDelta>()
      const doubled = collector<WireDelta>()
      const plainStep = format.reader(plain)
      const doubledStep = format.reader(doubled)
      for (const message of messages(...stream)) {
        const before = plain.items.length
        plainStep.push(message)
        doubledStep.push(message)
        const deltas = plain.items.slice(before)
        const appended = appending(deltas)
        const other =
          message.kind === 'message' && appended !== undefined
            ? refill(message.source ?? '', holes, fragmentOf(appended) ?? '')
            : undefined
        if (appended === undefined || other === undefined) continue
        refilled++
        const length = doubled.items.length
        for (const again of messages(other)) doubledStep.push(again)
        const learned = doubled.items.splice(length)
        expect([file, learned]).toEqual([
          file,
          [...(deltas.length === 2 ? [{ type: 'sequence', number: 4711 }] : []), withFragment(appended, stranger)],
        ])
      }
      plainStep.end()
      doubledStep.end()
      expect([file, doubled.items]).toEqual([file, plain.items])
    }
    expect(refilled).toBeGreaterThan(5)
  })
})
