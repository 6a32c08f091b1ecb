// What the scanner costs and holds back. Times are ratios within one run and far from what a quadratic scanner would need, so a busy
// machine does not break them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGrammar } from '../../src/text/grammar.ts'
import { parameterKind } from '../../src/text/parameter-types.ts'
import { textFormat, textFormats } from '../../src/text/registry.ts'
import { Scanner } from '../../src/text/scanner.ts'
import { renderCall } from '../../src/text/render.ts'
import { spans, table } from './support.ts'

const usual = createGrammar({ tools: table, bareJson: 'anywhere' })

/** The least processor time of two runs, in milliseconds. */
function timeOf(text: string, size: number, grammar = usual): number {
  const once = (): number => {
    let kept = 0
    const count = (raw: string): void => void (kept += raw.length)
    const before = process.cpuUsage()
    const scanner = new Scanner(grammar, 0, { text: count, reasoning: count, block: count, delta: () => undefined })
    for (let i = 0; i < text.length; i += size) scanner.feed(text.slice(i, i + size))
    scanner.end(false)
    const { user, system } = process.cpuUsage(before)
    expect(kept).toBe(text.length)
    return (user + system) / 1_000
  }
  return Math.min(once(), once())
}

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
      for (const size of [1, 1e9]) {
        const small = unit.repeat(Math.ceil(5_000 / unit.length))
        const ratio = timeOf(unit.repeat(Math.ceil(40_000 / unit.length)), size) / Math.max(timeOf(small, size), 5)
        expect(ratio).toBeLessThan(32)
      }
    },
    30_000,
  )

  it.each(['hermes', 'qwen3-coder', 'glm', 'pythonic', 'gemma4', 'mistral-v11', 'cline'])('of a call in %s', (name) => {
    const format = textFormat(name)
    if (!format) throw new Error(`no format ${name}`)
    const grammar = createGrammar({ formats: [format], tools: table })
    const text = (length: number): string =>
      renderCall(format, { name: 'get_weather', arguments: { city: 'it\'s "x" </a> {\n'.repeat(length / 16) } })
    const ratio = timeOf(text(160_000), 4, grammar) / Math.max(timeOf(text(20_000), 4, grammar), 5)
    expect(ratio).toBeLessThan(32)
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
    const ratio = timeOf(text(16_000), 1e9, grammar) / Math.max(timeOf(text(2_000), 1e9, grammar), 5)
    expect(ratio).toBeLessThan(32)
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
