import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/model/frames.ts'
import { json } from '../../src/framing/json.ts'
import { contextOf, cuts, digest, Sink, through } from './harness.ts'

const framesOf = (chunks: Iterable<string>, limit?: number): Frame[] => through(json(contextOf(limit)), chunks)
const read = (...chunks: string[]): string[] => digest(framesOf(chunks))

const space = fc.constantFrom('', ' ', '\n', '\r\n  ', '\t')
const array = fc
  .array(fc.tuple(fc.jsonValue(), fc.constantFrom(undefined, 2), space, space), { maxLength: 6 })
  .map((elements) => ({
    values: elements.map(([value]) => value),
    text: `[${elements.map(([value, indent, before, after]) => before + JSON.stringify(value, null, indent) + after).join(',')}]`,
  }))
const messy = fc
  .array(fc.oneof(fc.constantFrom('{', '}', '[', ']', ',', '"', '\\', ' ', '\n', ':'), fc.string({ maxLength: 3 })), {
    maxLength: 24,
  })
  .map((parts) => parts.join(''))

/** What may not vanish. */
const left = (text: string): string => text.replace(/[\s,[\]]/g, '')

describe('json', () => {
  it('makes a frame of each element of an array, at any cut', () => {
    fc.assert(
      fc.property(
        array.chain(({ values, text }) => fc.tuple(fc.constant(values), cuts(text))),
        ([values, chunks]) => {
          const frames = framesOf(chunks)
          expect(frames.every((frame) => frame.kind === 'event' && frame.terminated)).toBe(true)
          expect(frames.map((frame) => JSON.parse(frame.data))).toEqual(JSON.parse(JSON.stringify(values)))
        },
      ),
      { numRuns: 400 },
    )
  })

  it('makes one frame of an object, however it is laid out', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), space, (value, around) => {
        const text = JSON.stringify(value, null, 2)
        expect(read(around + text + around)).toEqual([text])
      }),
    )
  })

  it('makes the same frames of anything wherever it is cut', () => {
    fc.assert(
      fc.property(
        messy.chain((text) => fc.tuple(fc.constant(text), cuts(text), fc.constantFrom(2, 6, 1e9))),
        ([text, chunks, limit]) => {
          const whole = framesOf([text], limit)
          expect(framesOf(chunks, limit)).toEqual(whole)
          expect(framesOf(text.split(''), limit)).toEqual(whole)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it('loses nothing but white space, commas and the brackets of the array', () => {
    fc.assert(
      fc.property(messy, (text) => {
        expect(
          left(
            framesOf([text])
              .map((frame) => frame.data)
              .join(''),
          ),
        ).toBe(left(text))
      }),
      { numRuns: 400 },
    )
  })

  it('hands an element on with the chunk that completes it', () => {
    const sink = new Sink<Frame>()
    const step = json(contextOf())(sink)
    step.push('[{"a":"]}"}')
    expect(digest(sink.items)).toEqual(['{"a":"]}"}'])
    step.push('\n,\r\n{"b":[{}]')
    expect(sink.items).toHaveLength(1)
    step.push('}')
    expect(digest(sink.items)).toEqual(['{"a":"]}"}', '{"b":[{}]}'])
    step.push('\n]\n')
    step.end()
    expect(sink.items).toHaveLength(2)
  })

  it('marks an element that the body breaks off in', () => {
    expect(read('[{"a":1},{"b":"\\')).toEqual(['{"a":1}', '{"b":"\\ (cut)'])
    expect(read('{"a":{"b":1}')).toEqual(['{"a":{"b":1} (cut)'])
    expect(read('[{"a":1},')).toEqual(['{"a":1}'])
  })

  it('is not misled by brackets and quotes inside strings', () => {
    const values = [{ a: '}],"{[' }, { b: '\\"' }, { c: '\\\\' }]
    expect(read(JSON.stringify(values))).toEqual(values.map((value) => JSON.stringify(value)))
  })

  it('hands on values that are no objects, and text that is no value', () => {
    expect(read('[1, "a,b", null ,[2]]')).toEqual(['1', '"a,b"', 'null', '[2]'])
    expect(read('[{"a":1}] trailing words\n{"b":2}{"c":3}')).toEqual([
      '{"a":1}',
      'trailing words',
      '{"b":2}',
      '{"c":3}',
    ])
  })

  it('drops an element over the limit, once, and reads on behind it', () => {
    const text = '[{"a":"é}23"},{"b":1}]'
    for (const chunks of [[text], text.split('')]) {
      expect(digest(framesOf(chunks, 8))).toEqual(['over-limit: {"a":"é', '{"b":1}'])
    }
  })
})
