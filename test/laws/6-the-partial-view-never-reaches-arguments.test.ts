// Law: the partial view never reaches `arguments`. Final arguments come from one strict parse of the whole text.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAssembler, parseArguments, type AssemblerEvent, type AssemblerOptions } from '../../src/index.ts'
import { anySizes, anyStream, cutBy, formats, patient, runs } from './support.ts'

/** Spoils everything that can be spoiled about a live value: once, since one spoiled member is enough to be found. */
function vandalise(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.values(value)) vandalise(member)
  // A frozen one is safe by itself.
  if (Object.isFrozen(value) || Object.hasOwn(value, 'spoiled')) return
  if (Array.isArray(value)) value.push('more')
  Reflect.set(value, 'spoiled', true)
}

/** Feeds with somebody looking at every live value, and at every change, who leaves nothing as it was. */
function readAndSpoil(chunks: Iterable<Uint8Array>, options: AssemblerOptions) {
  const assembler = createAssembler({ ...options, partialArguments: true })
  const ids = new Set<string>()
  const look = (events: readonly AssemblerEvent[]): void => {
    for (const event of events) {
      if (event.type !== 'tool-call-delta') continue
      ids.add(event.id)
      vandalise(event.changes)
      vandalise(assembler.partialArguments(event.id))
    }
  }
  for (const chunk of chunks) look(assembler.feed(chunk))
  look(assembler.end())
  for (const id of ids) vandalise(assembler.partialArguments(id))
  return assembler.result
}

describe.each(formats)('final arguments of %s', (format) => {
  it('are what a strict parse of the whole text gives, whatever became of the live value', patient, () => {
    fc.assert(
      fc.property(
        anyStream({ format: fc.constant(format), minCalls: 1 }),
        anySizes,
        fc.constantFrom('none', 'lossless', 'lenient'),
        ({ bytes }, sizes, repair) => {
          const result = readAndSpoil(cutBy(bytes, sizes), { format, repair })
          for (const call of result?.calls ?? []) {
            if (!call.ok) continue
            const again = parseArguments(call.argumentsText, { toolName: call.name, repair })
            expect(again).toMatchObject({ ok: true })
            expect(call.arguments).toEqual(again.ok && again.arguments)
            // Without repairs the platform's own parser is the judge.
            if (repair !== 'none' || call.argumentsText.trim() === '' || call.argumentsText.trim() === 'null') continue
            expect(call.arguments).toEqual(JSON.parse(call.argumentsText))
          }
        },
      ),
      { numRuns: runs },
    )
  })
})
