// The small parts that the scanner is made of.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAutomaton } from '../../src/text/automaton.ts'
import { escapeJson } from '../../src/text/escape.ts'
import { createMarkdown, isCode, readMarkdown } from '../../src/text/markdown.ts'
import { textFormat } from '../../src/text/registry.ts'
import { renderResponse } from '../../src/text/render.ts'
import { readPattern } from '../../src/text/template-pattern.ts'
import { pieces, sizes } from './support.ts'

describe('the automaton', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 })

  it('finds at every place the longest literal that ends there, as a naive search does', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd') }),
        (literals, text) => {
          const automaton = createAutomaton(literals, '')
          let state = 0
          for (let i = 0; i < text.length; i++) {
            state = automaton.step(state, text.charCodeAt(i))
            const ending = literals
              .filter((literal) => text.slice(0, i + 1).endsWith(literal))
              .sort((a, b) => b.length - a.length)
            expect(literals[automaton.found(state)]).toBe(ending[0])
            const begun = literals.flatMap((literal) => [...literal].map((_, n) => literal.slice(0, n + 1)))
            const depth = Math.max(
              0,
              ...begun.filter((start) => text.slice(0, i + 1).endsWith(start)).map(({ length }) => length),
            )
            expect(automaton.depth(state)).toBe(depth)
          }
        },
      ),
    )
  })

  it('skips to where a literal may begin', () => {
    const automaton = createAutomaton(['<a', 'é'], '{')
    expect(['xx<y', 'xé', '{', 'none'].map((text) => automaton.skip(text, 0))).toEqual([2, 1, 0, 4])
  })
})

describe('Markdown', () => {
  it('tells code the same however the text is cut', () => {
    const unit = fc.constantFrom('`', '``', '```', '~~~', '\n', ' ', 'x', '    ')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), sizes, (parts, cuts) => {
        const text = parts.join('')
        const whole = createMarkdown()
        readMarkdown(whole, text)
        const cut = createMarkdown()
        for (const piece of pieces(text, cuts)) readMarkdown(cut, piece)
        expect(cut).toEqual(whole)
      }),
    )
  })

  it.each<[string, boolean]>([
    ['', false],
    ['```\nx', true],
    ['```js\nx\n```\n', false],
    ['```js\nx\n``` \n', false],
    ['````\n```\n', true],
    ['   ```\nx', true],
    ['    ```\nx', false],
    ['a ```b', true],
    ['a ```b``` c', false],
    ['~~~\n```\n', true],
    ['~~~\n~~~\n', false],
    ['a ~~~ b', false],
    ['`x', true],
    ['`x` y', false],
    ['``x` y', true],
    ['`x\ny', false],
  ])('%j leaves code open: %s', (text, expected) => {
    const state = createMarkdown()
    readMarkdown(state, text)
    expect(isCode(state)).toBe(expected)
  })
})

describe('the inside of a JSON string', () => {
  it('parses back to the text, also when it is written in pieces that cut a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), sizes, (text, cuts) => {
        const written = pieces(text, cuts).map(escapeJson).join('')
        expect(JSON.parse(`"${written}"`)).toBe(text)
      }),
    )
  })
})

describe('the result of a tool', () => {
  it('is written in the enclosure of the format, or plain where the format has none', () => {
    const written = (name: string): string => {
      const format = textFormat(name)
      return format ? renderResponse(format, 'sunny') : ''
    }
    expect(written('hermes')).toBe('<tool_response>\nsunny\n</tool_response>')
    expect(written('functools')).toBe('sunny')
  })
})

describe('the pattern of a template', () => {
  it.each<[string, unknown]>([
    ['<a>\\s*<b=(?P<name>\\w+)>', ['<a>', ' ', '<b=', 'name', '>']],
    ['\\[X\\]\\n(?<k>.*?)\\.', ['[X]\n', 'k', '.']],
    ['a.*?b', ['a', '*', 'b']],
    ['a(b|c)', undefined],
    ['a?', undefined],
    ['^a', undefined],
    ['\\d', undefined],
    ['[ab]', undefined],
  ])('%s', (pattern, expected) => {
    const shown = readPattern(pattern)?.map((piece) =>
      piece.type === 'literal'
        ? piece.text
        : piece.type === 'capture'
          ? piece.name
          : piece.type === 'space'
            ? ' '
            : '*',
    )
    expect(shown).toEqual(expected)
  })
})
