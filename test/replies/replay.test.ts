import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/arguments/read.ts'
import type { ReadingPolicy } from '../../src/model/reading.ts'
import { replay, replayObject } from '../../src/replies/replay.ts'
import { custom, ready, refused } from './turns.ts'

const policy: ReadingPolicy = { repair: 'lossless', closeTruncated: false, integers: 'reject', maxDepth: 128 }

/** A call with these arguments as the assembler would have judged them under `over`. */
function judged(text: string, over: Partial<ReadingPolicy> = {}) {
  const reading = readArguments(text, { ...policy, ...over })
  if (reading.state !== 'object') throw new Error(`${text} reads as ${reading.state}`)
  return ready(text, { arguments: reading.value, repairs: reading.repairs })
}

describe('replay', () => {
  it('keeps the raw text of valid arguments to the letter', () => {
    const text = ' { "b" : 1.50, "a":"\\u0041\\/" }\n'
    expect(replay(judged(text))).toEqual({ text, value: { b: 1.5, a: 'A/' } })
  })

  it('keeps the digits of integers that a double can not hold', () => {
    const text = '{"id":12345678901234567890}'
    expect(replay(judged(text, { integers: 'bigint' }))).toEqual({ text, value: { id: 12345678901234567890n } })
  })

  it('holds what the model wrote, not what a schema made of it', () => {
    const call = ready('{"n":"1"}', { arguments: { n: 1, limit: 10 } })
    expect(replay(call).text).toBe('{"n":"1"}')
  })

  const repaired: readonly [string, string, Partial<ReadingPolicy>?][] = [
    ['```json\n{"b":1.0,"a":2}\n```', '{"b":1.0,"a":2}'],
    ['{}{"b":1}', '{"b":1}'],
    ['{"b":1}{"b":1}', '{"b":1}'],
    ['"{\\"b\\":1.0}"', '{"b":1.0}'],
    ['{"b":1.0,}', '{"b":1.0}', { repair: 'lenient' }],
    ["{'b':True}", '{"b":true}', { repair: 'lenient' }],
    ['{"b":[1,{"c":"x', '{"b":[1,{"c":"x"}]}', { closeTruncated: true }],
    ['{"b":main.rs}', '{"b":"main.rs"}', { repair: 'lenient', stringAt: () => true }],
  ]
  it.each(repaired)('of the repaired text %j keeps the rest as it was', (text, want, over) => {
    expect(replay(judged(text, over)).text).toBe(want)
  })

  it('writes out the object where a hook of the caller changed it', () => {
    const before = '{"wrong":12345678901234567890}'
    const call = ready(before, {
      arguments: { right: 12345678901234567890n },
      repairs: [{ name: 'refine', start: 0, end: before.length, before }],
    })
    expect(replay(call)).toEqual({ text: '{"right":12345678901234567890}', value: { right: 12345678901234567890n } })
  })

  it('is an empty object for absent, replaced and refused arguments', () => {
    const empty = { text: '{}', value: {} }
    const dropped = { name: 'empty-object' as const, start: 0, end: 3, before: '{"a' }
    for (const text of ['', ' \n', 'null']) expect(replay(ready(text, { arguments: {} }))).toEqual(empty)
    expect(replay(ready('{"a', { arguments: {}, repairs: [dropped] }))).toEqual(empty)
    for (const text of ['', '{"a', '[1]', '{"a":1}']) expect(replay(refused(text))).toEqual(empty)
  })

  it('wraps free text for formats that know only objects', () => {
    expect(replay(custom('x "y"'))).toEqual({ text: '{"input":"x \\"y\\""}', value: { input: 'x "y"' } })
    expect(replay(refused('half', { kind: 'custom' })).value).toEqual({ input: 'half' })
  })

  it('is the same for a call that was stored and restored', () => {
    const call = judged('```\n{"a":[1.0]}\n```')
    const restored = JSON.parse(JSON.stringify(call)) as typeof call
    expect(replay(restored)).toEqual(replay(call))
  })

  it('shares nothing with the call', () => {
    const call = judged('{"a":{"b":1}}')
    const value = replayObject(call)
    value['a'] = null
    expect(call.arguments['a']).toEqual({ b: 1 })
  })
})
