// Payloads in every damage that the wire and the models do to them: what is accepted must be what was sent.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lossyDamage, withoutAnswer, reversibleDamage, type Corruption, corrupt } from './corrupt.mjs'
import { read } from './reading.ts'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeCase({ kind, text, arrived }: Corruption, got: unknown): string {
  return `${kind}\n  sent    ${text}\n  arrived ${arrived}\n  read as ${JSON.stringify(got)}`
}

const runs = 5_000

describe('damage that can be undone', { timeout: 60_000 }, () => {
  it('gives the original back or is refused, never another object, and comes back nine times out of ten', () => {
    let recovered = 0
    let total = 0
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const corruption = corrupt(seed, reversibleDamage)
        const reading = read(corruption.arrived)
        total++
        if (reading.state !== 'object') return
        recovered++
        if (!isDeepStrictEqual(reading.value, corruption.original)) expect.fail(describeCase(corruption, reading.value))
      }),
      { numRuns: runs },
    )
    expect(recovered / total).toBeGreaterThanOrEqual(0.9)
  })

  it.each(Object.keys(reversibleDamage))('%s: comes back', (kind) => {
    const damage = reversibleDamage[kind]
    for (let seed = 1; seed <= 200; seed++) {
      const corruption = corrupt(seed, damage ? { [kind]: damage } : {})
      const reading = read(corruption.arrived)
      const got = reading.state === 'object' ? reading.value : reading
      if (!isDeepStrictEqual(got, corruption.original)) expect.fail(describeCase(corruption, got))
    }
  })
})

describe('damage that loses or adds something', { timeout: 60_000 }, () => {
  it('is accepted only where what arrived is itself JSON that says so', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const corruption = corrupt(seed, lossyDamage)
        const reading = read(corruption.arrived)
        if (reading.state !== 'object') return
        const says = [parse(corruption.arrived), ...(withoutAnswer.has(corruption.kind) ? [] : [corruption.original])]
        if (!says.some((value) => isDeepStrictEqual(reading.value, value)))
          expect.fail(describeCase(corruption, reading.value))
      }),
      { numRuns: runs },
    )
  })

  it.each(['cut off', 'cut off in a fence', 'cut off, encoded'])('%s: is cut or blank, whatever is on', (kind) => {
    const damage = lossyDamage[kind]
    for (let seed = 1; seed <= 400; seed++) {
      const corruption = corrupt(seed, damage ? { [kind]: damage } : {})
      const reading = read(corruption.arrived, { repair: seed % 2 === 0 ? 'lenient' : 'lossless' })
      if (reading.state !== 'cut' && reading.state !== 'blank') expect.fail(describeCase(corruption, reading))
    }
  })
})
