// Law: text, reasoning, the calls' `argumentsText` and the raw of every warning add up to what came in. Nothing is dropped without
// an event.
//
// What came in is counted by `envelopes.ts`, from the wires' own documentation. Of a stream that was never damaged all comes out to
// the letter, which is what the round trip proves.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WireFormatName } from '../../src/index.ts'
import { anySpoiling, cargoOf, dataOf, isJson, spoiled, type Cargo, type Spoiling } from './envelopes.ts'
import {
  anyEventDamage,
  anySizes,
  anyTurn,
  cutBy,
  formats,
  joined,
  patient,
  read,
  runs,
  shuffled,
  type EventDamage,
  type Sent,
} from './support.ts'

/** Carriage returns are white space in Ollama's lines and ends of lines elsewhere: they carry nothing. */
const plain = { partialArgs: false, array: false, obfuscation: false }

/** The events as they arrive: some lost, doubled or moved, then some spoiled. */
function arrivals(turn: Sent, moves: readonly EventDamage[], spoilings: readonly Spoiling[]): Uint8Array[] {
  const events = shuffled(turn.events, moves)
  for (const spoiling of spoilings) {
    const at = Math.floor(spoiling.event * events.length)
    const event = events[at]
    if (event !== undefined) events[at] = spoiled(turn.format, event, spoiling)
  }
  return events
}

/** What of the events can be read, and the data of those that can't, up to the first that ends the stream. */
function accountOf(format: WireFormatName, original: readonly Uint8Array[], events: readonly Uint8Array[]) {
  const cargoes: Cargo[] = []
  const unreadable: string[] = []
  for (const event of events) {
    const data = dataOf(format, event)
    const whole =
      format === 'bedrock'
        ? original.some((sent) => Buffer.compare(sent, event) === 0)
        : data === '[DONE]' || isJson(data)
    if (!whole) {
      unreadable.push(data)
      continue
    }
    const cargo = cargoOf(format, data)
    cargoes.push(cargo)
    if (cargo.ends) break
  }
  return { cargoes, unreadable }
}

describe.each(formats)('what came in over %s', (format) => {
  it('comes out in text, reasoning, arguments or the raw of a warning', patient, () => {
    fc.assert(
      fc.property(
        anyTurn({ format: fc.constant(format), options: plain }),
        fc.array(anyEventDamage, { maxLength: 3 }),
        fc.array(anySpoiling, { maxLength: 3 }),
        anySizes,
        fc.boolean(),
        (turn, moves, spoilings, sizes, fastPath) => {
          const events = arrivals(turn, moves, spoilings)
          const { cargoes, unreadable } = accountOf(format, turn.events, events)
          const { result } = read(cutBy(joined(events), sizes), { format, fastPath })
          const raws = result.warnings.map(({ raw }) => raw ?? '')
          for (const data of unreadable) expect(raws).toContain(data.slice(0, 2000))
          const pieces = cargoes.flatMap(({ args }) => args)
          const texts = result.calls.map(({ argumentsText }) => argumentsText)
          // A piece that is long enough to be its own evidence is found where it went.
          for (const piece of pieces)
            expect([...texts, ...raws].some((held) => held.includes(piece.slice(0, 2000)))).toBe(true)
          // That API repeats what it says, so that lost pieces can still come out of a repetition.
          if (format === 'openai-responses') {
            for (const said of cargoes)
              expect(result.text.includes(said.text) && result.reasoning.includes(said.reasoning)).toBe(true)
            return
          }
          expect(result.text).toBe(cargoes.map(({ text }) => text).join(''))
          expect(result.reasoning).toBe(cargoes.map(({ reasoning }) => reasoning).join(''))
          const misplaced = result.warnings
            .filter(({ code }) => code === 'orphan-fragment' || code === 'ambiguous-fragment')
            .reduce((sum, { raw = '' }) => sum + raw.length, 0)
          expect(texts.join('').length + misplaced).toBe(pieces.join('').length)
        },
      ),
      { numRuns: runs },
    )
  })
})
