// Input made to be slow. Anything that is not linear takes minutes here, so the bound can be far above what any machine needs.
import { describe, expect, it } from 'vitest'
import { extractJson } from '../../src/arguments/extract-json.ts'
import { cpuTime } from '../helpers/cost.ts'
import { read } from './reading.ts'

const size = 1 << 18
const mostSeconds = 2

const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length))

const hostile: Readonly<Record<string, string>> = {
  backslashes: `{"a":"${fill('\\')}`,
  'escaped quotes': `{"a":"${fill('\\"')}`,
  'opening braces': fill('{'),
  'opening brackets': `{"a":${fill('[')}`,
  quotes: fill('"'),
  'quotes as a value': `{"a":${fill('"')}`,
  'placeholders before arguments': `${fill('{}')}{"a":1}`,
  'placeholders apart': `${fill('{} ')}{"a":1}`,
  'placeholders in a list': fill(',{}'),
  'one object over and over': fill('{"a":1}'),
  'one member over and over': `{"a":1${fill(',"a":1')}}`,
  'closing braces': `{"a":1}${fill('}')}`,
  backticks: fill('`'),
  'fence openings': fill('```json\n'),
  tildes: `${fill('~')}\n{"a":1}`,
  'white space': `${fill(' ')}x`,
  'line breaks in a string': `{"a":"${fill('\n')}"}`,
  'escaped line breaks': fill('\\n'),
  'escaped line breaks in an object': `{${fill('\\n')}`,
  'no-break spaces': `${fill('\u00A0')}{}`,
  'quotes and spaces': `${fill('" ')}{`,
  'quoted keys in prose': `${fill('x "y" : ')}{"a":1}`,
  'brace groups before a fence': `${fill('a {x} ')}\n\`\`\`json\n{"a":1}\n\`\`\``,
  comments: `{${fill('/**/')}`,
  'comment starts': `{${fill('/*')}`,
  'a trail of commas': `{"a":[${fill('1,')}`,
  'a long number': `{"a":${fill('9')}}`,
  'a long fraction': `{"a":0.${fill('0')}1}`,
  'lone surrogates': `{"a":"${fill('\ud800')}"}`,
  'escaped pairs': `{"a":"${fill('\\ud83d\\ude00')}"}`,
  'an escaped object': `{\\"a\\":\\"${fill('x\\\\n')}\\"}`,
  'an encoded string': JSON.stringify(JSON.stringify({ a: fill('x\n"') })),
  'unquoted words': `{${fill('a:b,')}`,
  'single quotes': `{${fill("'a':'b',")}`,
  'typeset quotes': `{${fill('“a”:“b”,')}`,
  'keys that nest': fill('{"a":'),
  'strings that open objects': fill('{"x {'),
}

describe.each(Object.entries(hostile))('a quarter of a megabyte of %s', { timeout: 60_000 }, (_, text) => {
  it.each(['lossless', 'lenient'] as const)('is read in linear time, %s', (repair) => {
    const spent = cpuTime(() => read(text, { repair, closeTruncated: true, stringAt: () => true }))
    expect(spent).toBeLessThan(mostSeconds * 1_000)
  })

  it('is searched for JSON in linear time', () => {
    expect(cpuTime(() => extractJson(text))).toBeLessThan(mostSeconds * 1_000)
  })
})

it('nested as deep as the policy allows is read without recursion', () => {
  const depth = 100_000
  const text = `{"a":${'[1,'.repeat(depth)}0${']'.repeat(depth)}}`
  expect(read(`x ${text}`, { maxDepth: depth + 1 })).toMatchObject({ state: 'object' })
  expect(read(text.slice(0, depth * 3), { maxDepth: depth + 1 })).toMatchObject({ state: 'cut' })
  expect(read(text, { maxDepth: depth })).toMatchObject({ state: 'fault', fault: { code: 'too-deep' } })
})
