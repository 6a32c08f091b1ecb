import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SmallMap } from '../../src/assembly/small-map.ts'

interface Entry {
  readonly n: number
}

const act = fc.record({
  type: fc.constantFrom('set', 'delete'),
  // The number and its text are two keys.
  key: fc.constantFrom<(number | string)[]>(0, 1, '0', '1', ''),
})

describe('a map that holds its first entry apart', () => {
  it('is a Map in what it finds and in its order, whatever is set and deleted', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const map = new Map<number | string, Entry>()
        const small = new SmallMap<number | string, Entry>()
        for (const [n, { type, key }] of acts.entries()) {
          for (const held of [map, small]) {
            if (type === 'set') held.set(key, { n })
            else held.delete(key)
          }
          expect(small.get(key)).toEqual(map.get(key))
          expect(small.values()).toEqual([...map.values()])
        }
      }),
    )
  })
})
