// The text of some arguments → what it says. Pure, synchronous, linear; nothing that comes in makes it throw.

import type { Repair, RepairName } from '../model/failures.ts'
import type { Fault, Reading, ReadingPolicy } from '../model/reading.ts'
import { type LayerReading, type Surroundings, readLayer } from './layer-reader.ts'
import { excerpt } from './excerpt.ts'
import { type Layer, rawOffset } from './layer.ts'
import { type Mark, type Span, allows, applyEdits, widen } from './notes.ts'
import { positionAt } from './position.ts'
import { readStrict } from './strict.ts'

/** How often a string may turn out to hold the arguments. Beyond that, something upstream encodes in a loop. */
const mostLayers = 2

export function readArguments(raw: string, policy: ReadingPolicy): Reading {
  const value = readStrict(raw, policy)
  return value ? { state: 'object', value, repairs: [], closed: true } : readInFull(raw, policy)
}

/**
 * Without the short way for text that has nothing wrong. The outcome is the same: the comparison of the two in the tests is what
 * proves the short way.
 */
export function readInFull(raw: string, policy: ReadingPolicy): Reading {
  return new Unwrapping(raw, policy).read()
}

type ObjectReading = Extract<LayerReading, { type: 'object' }>
type SyntaxRepairName = Parameters<typeof allows>[1]

class Unwrapping {
  readonly #raw: string
  readonly #policy: ReadingPolicy
  /** In the raw text, outermost first. A repair that several layers need has one stretch. */
  readonly #repairs = new Map<RepairName, Span>()
  /** The first repair outside the object that is switched off. */
  #refused: Fault | undefined

  constructor(raw: string, policy: ReadingPolicy) {
    this.#raw = raw
    this.#policy = policy
  }

  read(): Reading {
    let layer: Layer = { text: this.#raw }
    let isEscaped = false
    for (let layers = 0; ; layers++) {
      const reading = readLayer(layer, this.#policy)
      if (isEscaped && (reading.type === 'object' || reading.type === 'encoded'))
        this.#add(layer, 'escaped-object', reading)
      switch (reading.type) {
        case 'blank':
          return { state: 'blank' }
        case 'fault':
          return { state: 'fault', fault: this.#place(layer, reading.fault) }
        case 'cut':
          return { state: 'cut', fault: this.#place(layer, reading.fault), open: reading.open }
        case 'object':
          return this.#object(layer, reading)
        case 'encoded': {
          const { by, start, surroundings, notes } = reading
          if (layers === mostLayers) return { state: 'fault', fault: this.#place(layer, tooManyLayers(start)) }
          this.#addAround(layer, surroundings)
          isEscaped = by === 'escaped-object'
          // No quote ends an escaped object, so it is as long as what turns out to be in it.
          this.#addOuter(layer, by, { start, end: isEscaped ? start : reading.end })
          this.#addInside(layer, notes.repairs)
          layer = reading.inside
          break
        }
        default:
          return reading satisfies never
      }
    }
  }

  #object(layer: Layer, reading: ObjectReading): Reading {
    const { value, start, end, wasCut, notes, fault, surroundings } = reading
    this.#addAround(layer, surroundings)
    this.#addInside(layer, notes.repairs)
    if (wasCut) this.#repairs.set('close-truncated', { start: this.#raw.length, end: this.#raw.length })
    if (this.#refused) return { state: 'fault', fault: this.#refused }
    const extra = surroundings.get('extra-closing-brace')
    const mark = fault ?? (extra && this.#extraBrace(extra)) ?? notes.finding
    if (mark) return { state: 'fault', fault: this.#place(layer, mark) }
    const closed = !wasCut && layer.source === undefined
    if (this.#repairs.size === 0) return { state: 'object', value, repairs: [], closed }
    const repairs = [...this.#repairs].map(([name, span]) => this.#repair(name, span))
    return { state: 'object', value, repairs, repaired: applyEdits(layer.text, start, end, notes.edits), closed }
  }

  #extraBrace({ start }: Span): Mark | undefined {
    if (allows(this.#policy.repair, 'extra-closing-brace')) return undefined
    return { code: 'extra-closing-brace', offset: start, expected: 'nothing after the closing }' }
  }

  #addAround(layer: Layer, surroundings: Surroundings): void {
    for (const [name, span] of outermostFirst(surroundings)) {
      if (name === 'extra-closing-brace') this.#add(layer, name, span)
      else this.#addOuter(layer, name, span)
    }
  }

  #addOuter(layer: Layer, name: SyntaxRepairName, span: Span): void {
    this.#add(layer, name, span)
    if (allows(this.#policy.repair, name)) return
    this.#refused ??= this.#place(layer, {
      code: name,
      offset: span.start,
      expected: 'one JSON object and nothing else',
    })
  }

  #addInside(layer: Layer, repairs: ReadonlyMap<RepairName, Span>): void {
    for (const [name, span] of outermostFirst(repairs)) this.#add(layer, name, span)
  }

  #add(layer: Layer, name: RepairName, span: Span): void {
    const start = rawOffset(layer, span.start)
    const end = rawOffset(layer, span.end)
    this.#repairs.set(name, widen(this.#repairs.get(name), start, end))
  }

  #repair(name: RepairName, { start, end }: Span): Repair {
    return { name, start, end, before: excerpt(this.#raw.slice(start, end)) }
  }

  #place(layer: Layer, { code, offset, expected }: Mark): Fault {
    return { code, at: positionAt(this.#raw, rawOffset(layer, offset)), expected }
  }
}

/** What begins earlier, or else ends later, is around the rest. */
function outermostFirst<Name>(spans: ReadonlyMap<Name, Span>): [Name, Span][] {
  return [...spans].sort(([, a], [, b]) => a.start - b.start || b.end - a.end)
}

function tooManyLayers(offset: number): Mark {
  return { code: 'not-an-object', offset, expected: 'an object, not a string that holds one' }
}
