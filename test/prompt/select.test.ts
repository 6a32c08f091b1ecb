import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../../src/model/tools.ts'
import { createToolSelector, selectTools, type SelectOptions } from '../../src/prompt/select.ts'
import { stem, words } from '../../src/prompt/words.ts'
import { messages, tools } from './selection-set.ts'

const parameters = { type: 'object', properties: {} }
const declare = (name: string) => ({ name, parameters })
const wrap = (name: string): ToolDefinition => ({ type: 'function', function: declare(name) })

const size = (given: unknown) => JSON.stringify(given).length
const select = createToolSelector(tools)
const saved = (asked: typeof messages) => {
  const sent = asked.map(([message]) => size(select(message).tools)).reduce((a, b) => a + b)
  return 1 - sent / (size(tools) * asked.length)
}
const reason = (message: string, name: string, keep: readonly string[] = []) =>
  select(message, { keep }).selected.find((one) => one.name === name)?.reason
const names = (message: string, options?: SelectOptions) => select(message, options).selected.map(({ name }) => name)

const stems = (text: string): readonly string[] => words(text).map(stem)

describe('selectTools on the everyday set', () => {
  it('has 13 tools and 40 messages', () => {
    expect([tools.length, messages.length]).toEqual([13, 40])
  })

  it.each(messages.filter(([, ...needed]) => needed.length > 0))('keeps what is needed: %s', (message, ...needed) => {
    expect(names(message)).toEqual(expect.arrayContaining(needed))
  })

  it.each(messages.filter(([, ...needed]) => needed.length === 0))('gives a general question none: %s', (message) => {
    expect(names(message)).toEqual([])
  })

  it('saves at least 70 % of the definitions, over all messages and over those that need a tool', () => {
    expect(saved(messages)).toBeGreaterThan(0.7)
    expect(saved(messages.filter(([, ...needed]) => needed.length > 0))).toBeGreaterThan(0.7)
  })

  it('never drops a tool in use, and does not count it', () => {
    for (const [message, ...needed] of messages) {
      const kept = names(message, { keep: ['git', 'send_email', 'no_such_tool'], max: 3 })
      expect(kept).toEqual(expect.arrayContaining(['git', 'send_email']))
      expect(kept.length).toBeLessThanOrEqual(5)
      if (needed.length === 1) expect(kept).toEqual(expect.arrayContaining(needed))
    }
  })

  it('chooses at most as many as allowed, the best ones', () => {
    expect(names('Translate the text in letter.txt into French', { max: 1 })).toEqual(['translate_text'])
    expect(names('Run the tests', { max: 0 })).toEqual([])
  })

  it('asks as much in common as it is told', () => {
    expect(names("What's the weather in Lisbon?", { score: 100 })).toEqual([])
    expect(names('Is there anything about Lisbon in my location?', { score: 0.1 })).toContain('get_weather')
  })

  it('learns words from the caller', () => {
    expect(names('Ring the bell')).toEqual([])
    const concepts = [{ name: 'bell', words: 'ring command' }]
    expect(selectTools(tools, 'Ring the bell', { concepts }).selected).toMatchObject([{ name: 'run_command' }])
  })

  it('says why each tool is there', () => {
    expect(reason("What's the weather in Lisbon?", 'get_weather')).toBe('"weather" is in its name')
    expect(reason('Do I need an umbrella tomorrow in Oslo?', 'get_weather')).toBe(
      '"umbrella" goes with "weather" in its name',
    )
    expect(reason('Hello', 'git', ['git'])).toBe('in use')
  })

  it('takes no longer than linear for any message', () => {
    for (const unit of ['a-', 'a.', 'a/', './', 'select ', '1 ', 'look ', 'aing', '@a', 'é', 'https://', '#', '9:']) {
      const began = performance.now()
      select(unit.repeat(30_000))
      // Quadratic time would be many times that.
      expect(performance.now() - began, unit).toBeLessThan(3_000)
    }
  })

  it('sorts every tool into chosen and left, in the given order, whatever the message', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...messages.map(([message]) => message))),
        (message) => {
          const { selected, left, tools: picked } = select(message)
          const all = tools.map((tool) => ('name' in tool ? tool.name : ''))
          const chosen = selected.map(({ name }) => name)
          expect(all.filter((name) => chosen.includes(name))).toEqual(chosen)
          expect(all.filter((name) => !chosen.includes(name))).toEqual(left)
          expect(picked).toEqual(tools.filter((tool) => 'name' in tool && chosen.includes(tool.name)))
        },
      ),
    )
  })
})

describe('selectTools keeps the shape of the tools', () => {
  const rain = "What's the weather?"

  it('of a record', () => {
    expect(selectTools({ weather: { parameters }, git: { parameters } }, rain).tools).toEqual({
      weather: { parameters },
    })
  })

  it('of functions', () => {
    expect(selectTools([wrap('git'), wrap('weather')], rain).tools).toEqual([wrap('weather')])
  })

  it("of Gemini's declarations, entry by entry", () => {
    const given = [
      { functionDeclarations: [declare('git'), declare('weather')] },
      { functionDeclarations: [declare('mail')] },
    ]
    expect(selectTools(given, rain).tools).toEqual([{ functionDeclarations: [declare('weather')] }])
  })

  it('and finds a tool by parameters alone', () => {
    const lookup = { name: 'lookup', parameters: { type: 'object', properties: { currency: {}, exchangeRate: {} } } }
    expect(selectTools([lookup], 'What is the exchange rate of this currency?').selected).toHaveLength(1)
  })
})

describe('words', () => {
  it('come out of text and identifiers alike', () => {
    expect(stems('readFile')).toEqual(stems('read_file'))
    expect(stems('Reading files')).toEqual(stems('read-file'))
    expect(words('HTTPServer parseJSON v2')).toEqual(['http', 'server', 'parse', 'json', 'v'])
    expect(words("What's über Café")).toEqual(['whats', 'uber', 'cafe'])
    expect(words('東京の天気')).toEqual(['東京', '京の', 'の天', '天気'])
  })

  it.each([
    ['translate translated translating translates translation translations translator'],
    ['schedule scheduled scheduling schedules'],
    ['run running runs ran runner'],
    ['query queries querying queried'],
    ['write writes writing wrote written writer'],
    ['search searches searching searched'],
    ['meeting meetings meet met'],
  ])('have one stem for all their forms: %s', (forms) => {
    expect(new Set(forms.split(' ').map(stem)).size).toBe(1)
  })

  it('of different meaning keep different stems', () => {
    for (const [a, b] of [
      ['news', 'new'],
      ['bus', 'bu'],
      ['class', 'clas'],
      ['king', 'k'],
      ['red', 'r'],
      ['address', 'addres'],
    ] as const)
      expect(stem(a)).not.toBe(stem(b))
  })
})
