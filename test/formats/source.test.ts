import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sliceAt, type ParsedMessage } from '../../src/formats/source.ts'
import { at } from '../../src/formats/path.ts'

function received(source: string): ParsedMessage {
  return { kind: 'message', frame: 1, value: JSON.parse(source), source }
}

function fed(value: object): ParsedMessage {
  return { kind: 'message', frame: 1, value }
}

type Steps = readonly (string | number)[]

/** Every path into a value, the value's own included. */
function pathsOf(value: unknown, steps: Steps = []): Steps[] {
  if (typeof value !== 'object' || value === null) return [steps]
  return [steps, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...steps, key]))]
}

function valueOf(value: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>((held, key) => (held as Record<string, unknown>)[key], value)
}

const timed = (calls: number): number => {
  const message = received(JSON.stringify({ calls: Array.from({ length: calls }, (_, n) => ({ f: { args: { n } } })) }))
  const began = performance.now()
  const slices = Array.from({ length: calls }, (_, n) => sliceAt(message, at('calls', n, 'f', 'args')))
  const took = performance.now() - began
  expect(slices.every((slice, n) => slice === `{"n":${n}}`)).toBe(true)
  return took
}

describe('sliceAt, of a received message', () => {
  it('finds every value of any JSON, however it is spaced', () => {
    const json = fc
      .tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', '\n '))
      .filter(([value]) => typeof value === 'object' && value !== null)
    fc.assert(
      fc.property(json, ([value, space]) => {
        const message = received(` ${JSON.stringify(value, null, space)}\r\n`)
        for (const path of pathsOf(message.value)) {
          const slice = sliceAt(message, at(...path))
          expect(JSON.parse(slice ?? '')).toEqual(valueOf(message.value, path))
          expect(slice).toBe(slice?.trim())
        }
      }),
    )
  })

  it('keeps digits, spelling and duplicate keys', () => {
    const message = received('{"args":{ "n":12345678901234567890, "x":1.50,"x":"\\u0041" }}')
    expect(sliceAt(message, at('args'))).toBe('{ "n":12345678901234567890, "x":1.50,"x":"\\u0041" }')
  })

  it('takes the last of a duplicate key, as the parse did', () => {
    const message = received('{"a":{"n":1},"a":{"n":2}}')
    expect(sliceAt(message, at('a'))).toBe('{"n":2}')
    expect(sliceAt(message, at('a', 'n'))).toBe('2')
  })

  it('reads escaped keys, and keys that mean something to JavaScript', () => {
    const message = received('{"\\u0061\\"":1,"__proto__":{"b":2},"constructor":3,"":4}')
    expect(sliceAt(message, at('a"'))).toBe('1')
    expect(sliceAt(message, at('__proto__', 'b'))).toBe('2')
    expect(sliceAt(message, at('constructor'))).toBe('3')
    expect(sliceAt(message, at(''))).toBe('4')
  })

  it('is not misled by braces and quotes in strings', () => {
    const message = received('{"a":"}\\"]{,","b":["\\\\",{"c":"[\\\\"}]}')
    expect(sliceAt(message, at('a'))).toBe('"}\\"]{,"')
    expect(sliceAt(message, at('b', 0))).toBe('"\\\\"')
    expect(sliceAt(message, at('b', 1, 'c'))).toBe('"[\\\\"')
  })

  it('has no answer where there is no value', () => {
    const message = received('{"a":[1],"s":"text"}')
    for (const path of [['b'], ['a', 1], ['a', 'x'], ['s', 0], ['toString'], ['a', 'length']]) {
      expect(sliceAt(message, at(...path))).toBeUndefined()
    }
  })

  it('crosses any depth without a stack', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    const message: ParsedMessage = { kind: 'message', frame: 1, value: {}, source: `{"a":${deep},"b":1}` }
    expect(sliceAt(message, at('a'))).toBe(deep)
    expect(sliceAt(message, at('b'))).toBe('1')
  })

  it('stays linear in a line of many calls', () => {
    timed(1000)
    const [small, large] = [timed(2_000), timed(16_000)]
    // Eight times the calls; sixty-four times the time if every call scanned the line again.
    expect(large).toBeLessThan(Math.max(small, 2) * 30)
  })
})

describe('sliceAt, of a message fed as an object', () => {
  it('is the JSON of the value', () => {
    const message = fed({ a: { b: [1, 'x', null] } })
    expect(sliceAt(message, at('a'))).toBe('{"b":[1,"x",null]}')
    expect(sliceAt(message, at('a', 'b', 1))).toBe('"x"')
  })

  it('writes bigints as the integers that they are', () => {
    const message = fed({ a: { n: 12345678901234567890n, list: [1n, undefined], gone: undefined } })
    expect(sliceAt(message, at('a'))).toBe('{"n":12345678901234567890,"list":[1,null]}')
  })

  it('has no answer for what has no JSON', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    let deep: unknown = 1n
    for (let n = 0; n < 200_000; n++) deep = [deep]
    for (const value of [cycle, undefined, () => 1, deep]) expect(sliceAt(fed({ value }), at('value'))).toBeUndefined()
    expect(sliceAt(fed({ a: 1 }), at('toString'))).toBeUndefined()
  })
})
