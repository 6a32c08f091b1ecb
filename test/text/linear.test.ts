// What the scanner costs and holds back.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGrammar } from '../../src/text/grammar.ts'
import { parameterKind } from '../../src/text/parameter-types.ts'
import { textFormat, textFormats } from '../../src/text/registry.ts'
import { Scanner } from '../../src/text/scanner.ts'
import { renderCall } from '../../src/text/render.ts'
import { expectCaught, expectLinear, Rescanner } from '../helpers/cost.ts'
import { spans, table } from './support.ts'

const usual = createGrammar({ tools: table, bareJson: 'anywhere' })

/** Scans a text in pieces of `size`. `each` sees every piece, too. */
function scanning(
  textOf: (length: number) => string,
  size: number,
  grammar = usual,
  each?: () => (piece: string) => void,
): (length: number) => () => void {
  return (length) => {
    const text = textOf(length)
    return () => {
      const see = each?.()
      let kept = 0
      const count = (raw: string): void => void (kept += raw.length)
      const scanner = new Scanner(grammar, 0, { text: count, reasoning: count, block: count, delta: () => undefined })
      for (let i = 0; i < text.length; i += size) {
        const piece = text.slice(i, i + size)
        see?.(piece)
        scanner.feed(piece)
      }
      scanner.end(false)
      expect(kept).toBe(text.length)
    }
  }
}

const filled =
  (unit: string) =>
  (length: number): string =>
    unit.repeat(Math.ceil(length / unit.length))

describe('the time for a text grows with its length alone', () => {
  it.each([
    'plain text ',
    '<tool_cal',
    '<tool_call>',
    `<tool_call>${' '.repeat(63)}x`,
    '<tool_call>{"arguments":{',
    '<tool_call>{"name":"f","arguments":[',
    '<tool_call>{"name":"f",]',
    `<tool_call><function=${'a'.repeat(100)}`,
    '<tool_call><function=f><parameter=a></parameter> ',
    '[',
    '[get_weather(x=',
    '[get_weather(x=[',
    '{',
    '{"name":',
    '`',
    '~~~\n',
    '"<tool_call>{',
    '<think><tool_call>{</think>',
    '<|tool_call_begin|>f:0<|tool_call_argument_begin|>{',
    '```json\n{"name":',
    ' \n',
    '\\',
  ])(
    '%j over and over',
    (unit) => {
      for (const size of [1, 1e9]) expectLinear(scanning(filled(unit), size), 10_000)
    },
    30_000,
  )

  it.each(['hermes', 'qwen3-coder', 'glm', 'pythonic', 'gemma4', 'mistral-v11', 'cline'])('of a call in %s', (name) => {
    const format = textFormat(name)
    if (!format) throw new Error(`no format ${name}`)
    const grammar = createGrammar({ formats: [format], tools: table })
    const text = (length: number): string =>
      renderCall(format, { name: 'get_weather', arguments: { city: 'it\'s "x" </a> {\n'.repeat(length / 16) } })
    expectLinear(scanning(text, 4, grammar), 40_000)
  })

  it('which a reader that looks at all of it again for every piece does not hold: it is caught', () => {
    const rescan = (): ((piece: string) => void) => {
      const rescanner = new Rescanner()
      return (piece) => rescanner.push(piece)
    }
    expectCaught(scanning(filled('plain text '), 1, usual, rescan), 5_000)
  })
})

describe('the time for a call grows with its length alone', () => {
  const grammar = createGrammar({ formats: ['qwen3-coder-xml', 'cline'], tools: table, implicitParamClose: true })

  it.each([
    ['parameters, each closed by the next', (n: number) => `<parameter=p${n}>x`],
    ['parameters that come once more', () => '<parameter=p>x'],
    ['parameters whose tag is their name', (n: number) => `<p${n}>x</p${n}>`],
  ])('of %s', (_, parameter) => {
    const text = (count: number): string =>
      `<tool_call><function=f>${Array.from({ length: count }, (__, n) => parameter(n)).join('')}</function></tool_call>`
    expectLinear(scanning(text, 1e9, grammar), 4_000)
  })

  it('of a schema whose alternatives lead to the same ones again and again', () => {
    const depth = 40
    const next = (n: number): object => ({ $ref: `#/$defs/a${n}` })
    const schema = {
      properties: { p: next(0) },
      $defs: Object.fromEntries(
        Array.from({ length: depth }, (_, n) => [
          `a${n}`,
          n + 1 < depth ? { anyOf: [next(n + 1), next(n + 1)] } : { type: 'integer' },
        ]),
      ),
    }
    expect(parameterKind(schema, 'p')).toBe('json')
    expect(parameterKind({ anyOf: [{ $ref: '#' }, { $ref: '#' }], properties: { p: { $ref: '#' } } }, 'p')).toBe('json')
  })
})

describe('what is held back of a text', () => {
  const tagged = textFormats.filter(({ bare }) => bare === undefined)
  const grammar = createGrammar({ formats: tagged, tools: table })
  const literals = grammar.tokens.map(({ literal }) => literal)
  const longest = Math.max(...literals.map(({ length }) => length))
  const start = fc
    .tuple(fc.constantFrom(...literals), fc.nat())
    .map(([literal, n]) => literal.slice(0, n % literal.length))

  it('is shorter than the longest opener, and never white space alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(start, fc.constantFrom(' ', '\n', '\t', 'word', ' \n ')), { maxLength: 12 }),
        (parts) => {
          const text = parts.join('')
          fc.pre(!literals.some((literal) => text.includes(literal)))
          let told = 0
          const count = (raw: string): void => void (told += raw.length)
          const scanner = new Scanner(grammar, 0, {
            text: count,
            reasoning: count,
            block: count,
            delta: () => undefined,
          })
          for (let i = 0; i < text.length; i++) {
            scanner.feed(text.charAt(i))
            const held = text.slice(told, i + 1)
            expect(held.length).toBeLessThan(longest)
            expect(held === '' || held.trim() !== '').toBe(true)
          }
        },
      ),
    )
  })

  it('is nothing of a string that is an argument, but for what may end it', () => {
    const { deltas } = spans(['<tool_call>{"name":"f","arguments":{"a":"', 'x', '\\', 'n', ' ', '<'], {
      formats: ['hermes'],
    })
    expect(deltas.flatMap((delta) => (delta.type === 'call-append' ? [delta.delta] : []))).toEqual([
      '{"a":"',
      'x',
      '\\',
      'n',
      ' ',
      '<',
    ])
  })
})
