// What holds for every format and any text.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chosenFormats, textFormats } from '../../src/text/registry.ts'
import { createGrammar } from '../../src/text/grammar.ts'
import { renderCall, renderCalls } from '../../src/text/render.ts'
import type { TextFormat } from '../../src/text/row.ts'
import { call, eachFormat, pieces, resultOf, sizes, spans, table, tools } from './support.ts'

/** Everything that a format's texts are made of, and much that only looks like it. */
function fragmentsOf(format: TextFormat): readonly string[] {
  const own = [
    ...(format.section?.open ?? []),
    ...(format.section?.close ?? []),
    ...(format.call?.open ?? []),
    ...(format.call?.close ?? []),
    ...(format.stops ?? []),
    ...(format.thinking ?? []).flat(),
    ...format.shapes.flatMap((shape) =>
      shape.kind === 'tagged'
        ? [shape.key.open, shape.key.close, shape.value.open ?? '', shape.value.close.replace('{key}', 'city')]
        : shape.kind === 'dict'
          ? [shape.open, shape.quote]
          : [],
    ),
    renderCall(format, { name: 'get_weather', arguments: { city: 'Oslo', days: 2 } }),
    renderCalls(format, [
      { name: 'get_weather_now', arguments: {} },
      { name: 'unknown', arguments: {} },
    ]),
  ].map((literal) => literal.replace('{name}', 'get_weather'))
  const common = '{ } [ ] ( ) " \' , : ; = \\ ` ``` < > \n'.split(' ')
  return [
    ...own,
    ...own.map((literal) => literal.slice(0, -1)),
    ...common,
    ' ',
    'get_weather',
    'get_weather(',
    'unknown(',
    '"name": "get_weather", ',
    '"arguments": {',
    '{"name": "get_weather", "arguments": {"city": "Oslo"}}',
    '{"name": "unknown", "arguments": {}}',
    'city',
    'text',
    '```json\n',
    '<div>',
    '</city>',
    'é🙂',
  ].filter((fragment) => fragment !== '')
}

const noise = (format: TextFormat): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...fragmentsOf(format)), { maxLength: 12 }).map((parts) => parts.join(''))

describe.each(eachFormat)('%s', (_, format) => {
  const options = { formats: [format], tools }

  it('every character of any text comes out once, in order', () => {
    fc.assert(
      fc.property(noise(format), sizes, fc.boolean(), fc.boolean(), (text, cuts, cut, startInReasoning) => {
        const { all, deltas } = spans(pieces(text, cuts), { ...options, tools: table, startInReasoning }, cut)
        expect(all).toBe(text)
        const open = new Set(deltas.flatMap((delta) => (delta.type === 'call-open' ? [delta.key] : [])))
        const over = deltas.flatMap((delta) =>
          delta.type === 'call-close' || delta.type === 'call-reject' ? [delta.key] : [],
        )
        expect(new Set(over)).toEqual(open)
      }),
      { numRuns: 15 },
    )
  })

  it('the result of any text does not depend on where it is cut', () => {
    fc.assert(
      fc.property(
        noise(format),
        sizes,
        fc.boolean(),
        fc.constantFrom('refuse', 'text'),
        (text, cuts, cut, unknownTool) => {
          const asked = { ...options, unknownTool }
          const whole = resultOf(text, asked, { cut })
          expect(resultOf(pieces(text, cuts), asked, { cut })).toEqual(whole)
          expect(resultOf(text.split(''), asked, { cut })).toEqual(whole)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('reads back what is written from its row', () => {
    fc.assert(
      fc.property(call, call, sizes, (first, second, cuts) => {
        const written = renderCalls(format, [first, second])
        fc.pre(isWritable(format, [first, second]))
        const { calls, text, warnings } = resultOf(pieces(written, cuts), options)
        expect({ calls: calls.map((found) => [found.name, found.ok && found.arguments]), warnings }).toEqual({
          calls: [first, second].map(({ name, arguments: args }) => [name, args]),
          warnings: [],
        })
        expect(text.trim()).toBe('')
      }),
      { numRuns: 15 },
    )
  })

  it('no proper prefix of a call or two has a call that may run with other arguments', () => {
    const sent = [
      { name: 'get_weather', arguments: { city: 'Å "b"', days: 12, list: [1, { a: 'x' }] } },
      { name: 'get_weather_now', arguments: { city: 'y' } },
    ]
    const written = renderCalls(format, sent)
    for (let length = 0; length < written.length; length++) {
      for (const cut of [false, true]) {
        const { calls } = resultOf(written.slice(0, length), options, { cut })
        const ok = calls.flatMap((found) => (found.ok ? [{ name: found.name, arguments: found.arguments }] : []))
        expect(ok).toEqual(sent.slice(0, ok.length))
      }
    }
  })
})

describe('what could be data behind the arguments of a call', () => {
  const sent = { name: 'get_weather', arguments: { city: 'Oslo', days: 2 } }
  const asJson = [
    ', "list": [1]}',
    '{"list": [1]}',
    '}{"list": [1]}',
    ' {"list": ',
    '\n"list": [1]',
    ', "list"',
    '; "list": 1',
  ]
  const asPython = [', list=[1])', ', list=[1])]', ', list = 1']

  /** A call with something put before what closes it, or behind it where nothing does. */
  function follow(format: TextFormat, residue: string): string {
    const written = renderCall(format, sent)
    const stop = format.stops?.find((literal) => written.endsWith(literal)) ?? ''
    const close = (format.call?.close[0] ?? format.section?.close[0] ?? stop).replace('{name}', sent.name)
    const end = close === '' ? written.trimEnd().length : written.lastIndexOf(close)
    return written.slice(0, end) + residue + written.slice(end)
  }

  it.each(eachFormat)('is never left out of one that may run, in %s', (_, format) => {
    const kind = format.shapes[0]?.kind
    const residues = kind === 'python' ? asPython : asJson.filter((residue) => !format.bare || !/^\s/.test(residue))
    fc.assert(
      fc.property(fc.constantFrom(...residues), fc.boolean(), sizes, (residue, cut, cuts) => {
        const text = follow(format, residue)
        const { calls } = resultOf(pieces(text, cuts), { formats: [format], tools }, { cut })
        expect(calls.filter(({ ok }) => ok)).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it('is a parameter behind the end of a tagged call as well', () => {
    const sectioned = textFormats.filter(
      ({ section, call: one, shapes }) => section && one && shapes[0]?.kind === 'tagged',
    )
    expect(sectioned.length).toBeGreaterThan(4)
    for (const format of sectioned) {
      const [shape] = format.shapes
      const close = format.call?.close[0] ?? ''
      if (shape?.kind !== 'tagged') continue
      for (const between of ['', '\n', ' words ']) {
        const written = renderCall(format, sent)
        const end = written.lastIndexOf(close) + close.length
        const text = `${written.slice(0, end)}${between}${shape.key.open}${written.slice(end)}`
        expect([format.name, resultOf(text, { formats: [format], tools }).calls.map(({ ok }) => ok)]).toEqual([
          format.name,
          [false],
        ])
      }
    }
  })

  it('is not what white space, prose or the next call is', () => {
    const oneCall = '{"name": "get_weather", "arguments": {"city": "x"}}'
    for (const [text, rest] of [
      [`<tool_call>${oneCall} (that is [it], I'd say)</tool_call> after`, " (that is [it], I'd say) after"],
      [`<tool_call>${oneCall} and "so on"`, ' and "so on"'],
      ['[TOOL_CALLS]get_weather[ARGS]{"city": "x"}, and {so} on', ', and {so} on'],
      [`${oneCall} {braces}`, ' {braces}'],
    ] as const) {
      for (const chunks of [[text], text.split('')]) {
        const result = resultOf(chunks, { tools })
        expect([result.calls.map(({ ok }) => ok), result.text]).toEqual([[true], rest])
      }
    }
  })
})

/** Texts whose arguments hold no markup of the format where it can't be escaped. */
function isWritable(format: TextFormat, calls: readonly { arguments: object }[]): boolean {
  const shape = format.shapes[0]
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : []
  const all = calls.flatMap(({ arguments: args }) => texts(args))
  if (shape?.kind === 'dict') return all.every((text) => !text.includes(shape.quote))
  // Without a close tag of its own around a value, white space at its ends is layout.
  return shape?.kind === 'tagged' && shape.trim === 'all' ? all.every((text) => text.trim() === text) : true
}

describe('all formats together', () => {
  const options = { formats: textFormats, tools }

  it('every character of any text comes out once, in order, however it is cut', () => {
    const fragments = [...new Set(textFormats.flatMap(fragmentsOf))]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 20 }), sizes, (parts, cuts) => {
        const text = parts.join('')
        expect(spans(pieces(text, cuts), { ...options, tools: table }).all).toBe(text)
        expect(resultOf(pieces(text, cuts), options)).toEqual(resultOf(text, options))
      }),
      { numRuns: 100 },
    )
  })

  it('does not throw on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(spans([text], { tools: table }).all).toBe(text)
      }),
    )
  })

  it('tells the usual formats apart', () => {
    for (const format of chosenFormats({ tools: table })) {
      const sent = { name: 'get_weather', arguments: { city: 'Oslo', days: 3 } }
      const { calls } = resultOf(renderCall(format, sent), { tools })
      expect([format.name, calls.map((found) => [found.name, found.ok && found.arguments])]).toEqual([
        format.name,
        [['get_weather', sent.arguments]],
      ])
    }
  })
})

it('no format has an opener or a token that begins with white space, which would be held back', () => {
  const grammar = createGrammar({ formats: textFormats, tools: table, strayClose: 'drop' })
  expect(grammar.tokens.filter(({ literal }) => /^\s/.test(literal))).toEqual([])
})
