import { describe, expect, it } from 'vitest'
import { argumentsPiece, wholeArguments } from '../../src/formats/deltas.ts'
import { at } from '../../src/formats/path.ts'

const cycle: { self?: unknown } = {}
cycle.self = cycle
const read = (value: unknown) => ({
  piece: argumentsPiece(value, at('value'), { kind: 'message', frame: 1, value: { value } }),
  whole: wholeArguments(value, at('value'), { kind: 'message', frame: 1, value: { value } }),
})

describe('arguments as they were sent', () => {
  it.each([['{"a"'], [' ']])('are the text %j, a piece or whole', (text) => {
    expect(read(text)).toEqual({ piece: { delta: text }, whole: { delta: text } })
  })

  it.each([
    [{ a: 1 }, '{"a":1}'],
    [[1], '[1]'],
  ])('are the source of the object %j', (value, source) => {
    const sent = { delta: source, object: true }
    expect(read(value)).toEqual({ piece: sent, whole: sent })
  })

  it.each([[null], [undefined]])('are none for %j', (value) => {
    expect(read(value)).toEqual({ piece: undefined, whole: null })
  })

  it('are a piece without text that says nothing of the whole', () => {
    expect(read('')).toEqual({ piece: { delta: '' }, whole: null })
  })

  it.each([[5], [false]])('are no piece, but may be the whole: %j', (value) => {
    expect(read(value)).toEqual({ piece: null, whole: { delta: String(value), object: true } })
  })

  it('are not none where a fed value has no JSON', () => {
    expect(read(cycle)).toEqual({ piece: null, whole: { delta: '[a value without JSON]', object: true } })
  })
})
