import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadingPolicy } from '../../src/model/reading.ts'
import { excerpt } from '../../src/arguments/excerpt.ts'
import { readArguments, readInFull } from '../../src/arguments/read.ts'
import { createRandom, makePayload } from './corrupt.mjs'
import { lenient, outcome, policyWith, read } from './reading.ts'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Equal down to the order of keys and the sign of zero. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toStrictEqual(expected)
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
}

const jsonValues = [
  '0',
  '-0',
  '1',
  '-1',
  '10',
  '123.456',
  '-0.0',
  '1e5',
  '1E5',
  '1e+5',
  '1e-5',
  '0e1',
  '0.1e-7',
  '1.0E+2',
  '20e1',
  'true',
  'false',
  'null',
  '[]',
  '{}',
  '[ ]',
  '{ }',
  '[1]',
  '[1,2]',
  '[[],{}]',
  '[ 1 , "a" ]',
  '{"b":[{"c":null}]}',
  '""',
  '"a"',
  '"\\""',
  '"\\\\"',
  '"\\/"',
  '"\\b\\f\\n\\r\\t"',
  '"\\u0000"',
  '"\\u00e9\\uD83D\\uDE00"',
  '"é\u2028\u2029"',
  '"\u007f"',
  '"\uFFFE"',
  '"\uFEFF"',
  '"\\\\\\\\"',
  '"\\\\\\""',
  '"a]}{[,:"',
  '"\\u005C"',
  '"\\u0022"',
  '":"',
  '" :"',
  '"\\u2028"',
  '\t1',
  '1\n',
  '\r\n1\r\n',
  ' [ ] ',
  '"\\ud55c"',
  '"\\uDBFF\\uDFFF"',
  '1234567890123456',
  '"1e999"',
  '"12345678901234567890"',
]

const jsonKeys = [
  '""',
  '"a"',
  '"\\u0000"',
  '"a\\"b"',
  '"\\\\"',
  '"é"',
  '"🙂"',
  '":"',
  '"toString"',
  '"1"',
  '"-1"',
  '"constructor"',
  '" "',
]

const brokenValues = [
  '',
  '01',
  '-',
  '-01',
  '+1',
  '1.',
  '.5',
  '1.e5',
  '1e',
  '1e+',
  '1e5.',
  '0x1',
  '1_0',
  '٣',
  '--1',
  '1-',
  '1 2',
  'Infinity',
  '-Infinity',
  'NaN',
  'tru',
  'True!',
  'TRUE',
  'nulll',
  'truefalse',
  'undefined',
  '[',
  ']',
  '[1',
  '1]',
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1 2]',
  '[1:2]',
  '[}',
  '{',
  '}',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{,}',
  '{"a" 1}',
  '{"a",1}',
  '{a:1}',
  "{'a':1}",
  '{1:1}',
  '{"a":1 "b":2}',
  '{"a":1;"b":2}',
  '"',
  '"a',
  'a"',
  '"\\"',
  '"\\x41"',
  '"\\u12"',
  '"\\u123g"',
  '"\\a"',
  "'a'",
  '"\u0000"',
  '"\u001f"',
  '"\\\n"',
  '""""',
  '"a""b"',
  '"a"b',
  '1,',
  ',1',
  '1/**/',
  '//1\n1',
  '#1',
  '\u0000',
  '@',
  '*',
  '(1)',
  '<1>',
  '"a"+"b"',
  '[1}',
  '{"a":1]',
  '1:1',
  '"a":1',
]

describe('what RFC 8259 takes for an object', () => {
  const texts = [
    ...jsonValues.map((value) => `{"k":${value}}`),
    ...jsonKeys.map((key) => `{${key}:1}`),
    '{}',
    ' {} ',
    '\n{\t}\r\n',
    '{"a":1,"b":2}',
    '{ "a" : 1 , "b" : 2 }',
    '{"b":1,"a":2,"1":3,"0":4}',
  ]

  it.each(texts)('is taken, with the value that JSON.parse gives it: %j', (text) => {
    for (const reader of [readArguments, readInFull]) {
      const reading = reader(text, policyWith({ repair: 'none' }))
      expect(reading).toMatchObject({ state: 'object', repairs: [], closed: true })
      if (reading.state === 'object') expectSame(reading.value, JSON.parse(text))
      expect(reading).not.toHaveProperty('repaired')
    }
  })
})

describe('what RFC 8259 does not take', { timeout: 60_000 }, () => {
  it.each(brokenValues)('is refused without repairs: {"k":%s}', (value) => {
    const text = `{"k":${value}}`
    expect(parse(text)).toBeUndefined()
    expect(read(text, { repair: 'none' }).state).not.toBe('object')
    // The default tier repairs nothing inside the value of a member but bare control characters.
    expect(read(text).state).not.toBe('object')
  })

  it('is told apart in every change of one character', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.constantFrom(...'{}[]",:\\ \n01-e.tfn\'/x\u0000\u00a0\ud83d', ''),
        (seed, at, sign) => {
          const payload = makePayload(seed)
          const text = payload.slice(0, at % payload.length) + sign + payload.slice((at % payload.length) + 1)
          const value = parse(text)
          const reading = read(text, { repair: 'none' })
          if (reading.state === 'object') expectSame(reading.value, value)
          else if (isObject(value))
            expect(reading).toMatchObject({ fault: { code: expect.stringMatching(contentFault) } })
        },
      ),
      { numRuns: 1_500 },
    )
  })
})

/** What is refused although the grammar takes it. */
const contentFault = /^(?:duplicate-key|forbidden-key|lossy-number|ill-formed-unicode|too-deep)$/

/** Texts that are JSON or nearly: of the pieces that matter. */
const pieces = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"a"',
      '"b"',
      ':',
      ',',
      '1',
      'true',
      ' ',
      '"',
      '\\',
      '{"a":',
      '}}',
      '{}',
      '`',
      'x',
      "'",
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))

const json = fc.json({ maxDepth: 4 })
const members = fc
  .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }))
  .map((value) => JSON.stringify(value))
const payloads = fc.nat().map((seed) => makePayload(seed))
const texts = fc.oneof(
  payloads,
  members,
  pieces,
  json,
  json.map((text) => `{"k":${text}}`),
  fc.string({ unit: 'binary' }),
)

const policies: fc.Arbitrary<ReadingPolicy> = fc.record({
  repair: fc.constantFrom('lossless', 'lenient', 'none'),
  closeTruncated: fc.boolean(),
  integers: fc.constantFrom('reject', 'bigint'),
  maxDepth: fc.constantFrom(2, 128),
  stringAt: fc.constant((path: readonly (string | number)[]) => path.length % 2 === 1),
})

describe('laws', { timeout: 60_000 }, () => {
  it('the short way and the full pass come to the same', () => {
    fc.assert(
      fc.property(texts, policies, (text, policy) => {
        const short = readArguments(text, policy)
        const full = readInFull(text, policy)
        expect(short).toStrictEqual(full)
        if (short.state === 'object' && full.state === 'object')
          expect(Object.keys(short.value)).toEqual(Object.keys(full.value))
      }),
      { numRuns: 2_000 },
    )
  })

  it('an object in strict JSON is never touched, and has the value that JSON.parse gives', () => {
    fc.assert(
      fc.property(texts, policies, (text, policy) => {
        const value = parse(text)
        const reading = readArguments(text, policy)
        if (!isObject(value) || reading.state !== 'object') return
        if (policy.integers === 'reject') expect(reading.value).toStrictEqual(value)
        expect(reading.repairs.filter(({ name }) => name !== 'duplicate-key')).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it('no proper prefix of an object is an object, or anything but cut or blank', () => {
    fc.assert(
      fc.property(fc.oneof(payloads, members), fc.constantFrom('lossless', 'lenient', 'none'), (text, repair) => {
        if (read(text).state !== 'object') return
        for (let end = 0; end < text.length; end++) {
          const reading = read(text.slice(0, end), { repair })
          if (reading.state !== 'cut' && reading.state !== 'blank')
            expect.fail(`${text.slice(0, end)}: ${JSON.stringify(reading)}`)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('no proper prefix of a wrapped object reads as another object', () => {
    const wrap = fc.constantFrom(
      (text: string) => `\`\`\`json\n${text}`,
      (text: string) => JSON.stringify(text),
      (text: string) => JSON.stringify(JSON.stringify(text)),
      (text: string) => JSON.stringify(text).slice(1, -1),
      (text: string) => `Sure, here: ${text}`,
      (text: string) => `\uFEFF\n${text}`,
    )
    fc.assert(
      fc.property(payloads, wrap, fc.constantFrom('lossless', 'lenient'), (text, wrapped, repair) => {
        const whole = wrapped(text)
        for (let end = 0; end < whole.length; end++) {
          const reading = read(whole.slice(0, end), { repair })
          if (reading.state === 'object') expect.fail(`${whole.slice(0, end)}: ${JSON.stringify(reading)}`)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('a repaired text is strict JSON of the same value, in no need of repair', () => {
    fc.assert(
      fc.property(texts, policies, fc.nat(), (text, policy, seed) => {
        const reading = readArguments(damaged(text, seed), policy)
        if (reading.state !== 'object' || reading.repaired === undefined) return
        expect(reading.repairs.length).toBeGreaterThan(0)
        const again = readArguments(reading.repaired, { ...policy, repair: 'none', closeTruncated: false })
        expect(again).toStrictEqual({ state: 'object', value: reading.value, repairs: [], closed: true })
      }),
      { numRuns: 3_000 },
    )
  })

  it('repairs and faults lie within the text and say what stands there', () => {
    fc.assert(
      fc.property(texts, policies, fc.nat(), (text, policy, seed) => {
        const raw = damaged(text, seed)
        const reading = readArguments(raw, policy)
        if (reading.state === 'object') {
          const names = reading.repairs.map(({ name }) => name)
          expect(new Set(names).size).toBe(names.length)
          for (const { start, end, before } of reading.repairs) {
            expect(excerpt(raw.slice(start, end))).toBe(before)
            expect(end).toBeLessThanOrEqual(raw.length)
          }
        } else if (reading.state !== 'blank') {
          expect(reading.fault.at.offset).toBeGreaterThanOrEqual(0)
          expect(reading.fault.at.offset).toBeLessThanOrEqual(raw.length)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('a text that is refused without repairs is refused by the name of the repair, if there is one', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (text, seed) => {
        const raw = damaged(text, seed)
        const reading = read(raw, lenient)
        if (reading.state !== 'object' || reading.repairs.length === 0) return
        const names = reading.repairs.map(({ name }) => (name === 'apostrophe-escape' ? 'invalid-escape' : name))
        // Under the same schema: whether a bare word is a value is the schema's to say.
        expect(names).toContain(outcome(raw, { ...lenient, repair: 'none' }))
      }),
      { numRuns: 1_000 },
    )
  })
})

const damages: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `so: ${text}.`,
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => text.replaceAll('\\n', '\n'),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll(/"(\w+)"\s*:/g, '$1:'),
  (text) => text.replaceAll(/[}\]]/g, ',$&'),
  (text) => text.replaceAll(',', ', // x\n'),
  (text) => text.replaceAll('true', 'True').replaceAll('null', 'None'),
  (text) => text.replaceAll(': ', ':\u00A0'),
  (text) => text.replace('{', '{"a": 1, "a": 1,'),
  (text) => `{}${text}`,
  (text) => text + text,
  (text) => `${text}}`,
  (text) => text.slice(0, Math.ceil(text.length * 0.7)),
  (text) => text.replaceAll(/"([a-z/]+)"/g, '$1'),
  (text) => text.replaceAll(/"([^"\\]*)"/g, '“$1”'),
  (text) => text.replaceAll("'", "\\'"),
]

/** Up to three kinds of damage, one after the other. */
function damaged(text: string, seed: number): string {
  const random = createRandom(seed)
  let result = text
  for (let count = random.below(4); count > 0; count--) result = random.pick(damages)(result)
  return result
}
