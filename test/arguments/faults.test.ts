import { describe, expect, it } from 'vitest'
import type { ArgumentsFaultCode } from '../../src/model/failures.ts'
import { lenient, outcome, read, valueOf } from './reading.ts'

describe('the place of a fault', () => {
  // `¦` marks where the fault is.
  it.each<[ArgumentsFaultCode, string, string, number, number]>([
    ['malformed', '{"a" ¦= 1}', 'a colon after the key', 1, 6],
    ['malformed', '{"a": 1 ¦"b": 2}', 'a comma or }', 1, 9],
    ['malformed', '{"a": [1 ¦2]}', 'a comma or ]', 1, 10],
    ['malformed', '{"a": [1¦}}', 'a comma or ]', 1, 9],
    ['malformed', '{¦, "a": 1}', 'a key in double quotes or }', 1, 2],
    ['malformed', '{"a": 1,¦, "b": 2}', 'a key in double quotes', 1, 9],
    ['malformed', '{"a": ¦}', 'a value', 1, 7],
    ['malformed', '{"a": 0¦07}', 'a comma or }', 1, 8],
    ['malformed', '{"a": 5¦.}', 'a comma or }', 1, 8],
    ['malformed', '{"a": -¦x}', 'a digit', 1, 8],
    ['malformed', '{\r\n  "🙂": "é",\n  "b" ¦]\r}', 'a colon after the key', 3, 7],
    ['invalid-escape', '{"a": "x¦\\d"}', 'one of the escapes', 1, 9],
    ['invalid-escape', '{"a": "x¦\\u12g4"}', 'one of the escapes', 1, 9],
    ['invalid-escape', '{"a": "x¦\\\ny"}', 'one of the escapes', 1, 9],
    ['control-char', '{"a": "🙂¦\u0007"}', 'control characters written as escapes', 1, 9],
    ['single-quotes', "{¦'a': 1}", 'straight double quotes', 1, 2],
    ['unquoted-key', '{\n¦a: 1}', 'a key in double quotes', 2, 1],
    ['unquoted-value', '{"a": ¦src/x.ts}', 'a string in double quotes', 1, 7],
    ['python-literals', '{"a": ¦True}', 'true, as JSON spells it', 1, 7],
    ['trailing-comma', '{"a": 1¦, }', 'a key in double quotes', 1, 8],
    ['duplicate-key', '{"a": 1, ¦"a": 2}', 'each key only once', 1, 10],
    ['forbidden-key', '{"a": {¦"__proto__": 1}}', 'a key that names no prototype', 1, 8],
    ['lossy-number', '{"a": ¦9007199254740993}', 'a number that a 64-bit double can hold', 1, 7],
    ['ill-formed-unicode', '{"a": "x¦\\ud83d"}', 'both halves of a surrogate pair', 1, 9],
    ['ill-formed-unicode', '{"a": "x¦\udc00"}', 'both halves of a surrogate pair', 1, 9],
    ['no-object', '  ¦none needed', 'a JSON object', 1, 3],
    ['not-an-object', '\n¦[1]', 'an object', 2, 1],
    ['not-an-object', 'see ¦[{"a": 1}]', 'an object that is in no array', 1, 5],
    ['multiple-objects', '{"a": 1}\n¦{"a": 2}', 'only one object', 2, 1],
    ['ambiguous-text', '¦"a": {"b": 1}', 'nothing around the object', 1, 1],
    ['extra-closing-brace', '{"a": 1}¦}', 'nothing after the closing }', 1, 9],
  ])('%s at the mark in %j', (code, marked, expected, line, column) => {
    const offset = marked.indexOf('¦')
    const reading = read(marked.replace('¦', ''))
    // The quote before the colon is what the residue points at, whose partner stands before it.
    const at = code === 'ambiguous-text' ? {} : { at: { offset, line, column } }
    expect(reading).toMatchObject({ state: 'fault', fault: { code, ...at } })
    expect(reading.state === 'fault' && reading.fault.expected).toContain(expected)
  })

  it('of a text that breaks off is its end', () => {
    const text = '{"a": "x\n🙂'
    const fault = { code: 'incomplete', at: { offset: text.length, line: 2, column: 2 }, expected: 'the closing "' }
    expect(read(text)).toEqual({ state: 'cut', open: 'open-string', fault })
  })

  it('counts a lone CR as a line, and half of a pair as a column', () => {
    expect(read('{"a":\r"\ud800", x}', lenient)).toMatchObject({ fault: { at: { line: 2, column: 7 } } })
    expect(read('{"a":\r\n"\ud800", x}', lenient)).toMatchObject({ fault: { at: { line: 2, column: 7 } } })
  })
})

describe('what is reported', () => {
  it('is the syntax, before the content', () => {
    expect(outcome('{"a": 1, "a": 2, "b": }')).toBe('malformed')
    expect(outcome('{"a": 12345678901234567890, "b": "\\q"}')).toBe('invalid-escape')
  })

  it('is the first of several faults', () => {
    expect(outcome('{"a": "\\q", b: 1}')).toBe('invalid-escape')
    expect(outcome('{a: 1, "b": "\\q" x}')).toBe('unquoted-key')
    expect(outcome('{"a": 1, "a": 2, "__proto__": 3}')).toBe('duplicate-key')
  })

  it('is a switched-off repair by its name, even where the text also breaks off', () => {
    expect(outcome("{'a': 'x")).toBe('cut: single-quotes, open-string')
    expect(outcome('{"a": 1, // x')).toBe('cut: comments, open-container')
  })
})

describe('texts that break off', () => {
  it.each([
    ['{', 'open-container'],
    ['{"a', 'open-string'],
    ['{"a"', 'open-container'],
    ['{"a":', 'open-container'],
    ['{"a": "x\\', 'open-escape'],
    ['{"a": "x\\u12', 'open-escape'],
    ['{"a": "\\ud83d', 'open-escape'],
    ['{"a": "\ud83d', 'open-escape'],
    ['{"a": 1', 'open-number'],
    ['{"a": 1.', 'open-number'],
    ['{"a": 1e-', 'open-number'],
    ['{"a": -', 'open-number'],
    ['{"a": fal', 'open-literal'],
    ['{"a": true', 'open-container'],
    ['{"a": [1, ', 'open-container'],
    ['"{', 'open-string'],
    ['"{\\', 'open-escape'],
    ['Sure: {"a": [', 'open-container'],
  ])('%s is an %s', (text, open) => expect(outcome(text)).toBe(`cut: incomplete, ${open}`))
})

describe('blank', () => {
  it.each([[''], [' \n\t '], ['null'], [' null\n'], ['\uFEFF'], ['\u00A0\u200B'], ['\uFEFFnull ']])('is %j', (text) => {
    expect(outcome(text)).toBe('blank')
    expect(outcome(text, { repair: 'none' })).toBe('blank')
  })

  it.each([['"null"'], ['None'], ['undefined'], ['[object Object]'], ['nul'], ['\\n'], ['true'], ['0']])(
    'is not %j',
    (text) => {
      expect(outcome(text)).toMatch(/^no/)
    },
  )
})

describe('keys that could reach a prototype', () => {
  it.each([
    ['{"__proto__": 1}'],
    ['{"a": [{"\\u005f_proto__": 1}]}'],
    ['{"constructor": {"prototype": {}}}'],
    ['{"a": {"constructor": {"x": 1, "prototype": 1}}}'],
  ])('are refused: %s', (text) => expect(outcome(text)).toBe('forbidden-key'))

  it.each([
    ['{"constructor": "x"}'],
    ['{"prototype": 1}'],
    ['{"constructor": [{"prototype": 1}]}'],
    ['{"constructor": {"a": {"prototype": 1}}}'],
    ['{"a": "__proto__"}'],
    ['{"a": ["prototype", "constructor"]}'],
  ])('are not confused with others: %s', (text) => expect(outcome(text)).toBe('ok'))

  it('never set one, even in a text that is refused', () => {
    read('{"__proto__": {"polluted": true}, "a": "\\ud83d\\ude00"}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('take the place of no inherited member', () => {
    expect(valueOf('{"toString": 1, "hasOwnProperty": 2, "valueOf": "\\ud83d\\ude00"}')).toEqual(
      JSON.parse('{"toString": 1, "hasOwnProperty": 2, "valueOf": "😀"}'),
    )
  })
})

describe('numbers', () => {
  it.each([
    ['12345678901234567890'],
    ['9007199254740993'],
    ['-9007199254740993'],
    ['9007199254740993.0'],
    ['900719925474099300e-2'],
    ['1e999'],
    ['-1e999'],
    ['1e-999'],
    [`${'9'.repeat(400)}.5`],
    [`0.${'0'.repeat(400)}1`],
    [`0.${'0'.repeat(400)}10`],
  ])('that a double cannot hold are refused: %s', (literal) => {
    expect(outcome(`{"n": ${literal}}`)).toBe('lossy-number')
    expect(outcome(`{"n": [${literal} ]}`)).toBe('lossy-number')
  })

  it.each([
    ['9007199254740992'],
    ['12345678901234567000'],
    ['3.141592653589793238462643'],
    ['1e21'],
    ['1E+2'],
    ['5e-324'],
    ['1.7976931348623157e308'],
    ['0e999'],
    ['0.000'],
    ['-0'],
    ['-0.0e-5'],
    ['123456789012345.67890'],
    ['100000000000000000000000'],
    [`0.${'0'.repeat(20)}1`],
  ])('that round as everywhere are kept: %s', (literal) => {
    expect(valueOf(`{"n": ${literal}}`)).toEqual({ n: Number(literal) })
  })

  it('become bigint where that is asked for, and only those that have to', () => {
    const text = '{"id": 12345678901234567890, "n": [-9007199254740993, 9007199254740992, 1]}'
    const value = { id: 12345678901234567890n, n: [-9007199254740993n, 9007199254740992, 1] }
    expect(valueOf(text, { integers: 'bigint' })).toEqual(value)
    expect(outcome('{"n": 1e999}', { integers: 'bigint' })).toBe('lossy-number')
    expect(outcome('{"n": 9007199254740993.0}', { integers: 'bigint' })).toBe('lossy-number')
    expect(outcome(`{"n": ${'9'.repeat(5_000)}}`, { integers: 'bigint' })).toBe('lossy-number')
    expect(outcome('{"n": 9007199254740993, "n": 9007199254740993}', { integers: 'bigint' })).toBe('duplicate-key')
    expect(outcome('{"n": 9007199254740993, "n": 9007199254740995}', { integers: 'bigint' })).toBe('duplicate-key')
  })
})

describe('Unicode', () => {
  it.each([
    ['{"a": "\\ud83d"}'],
    ['{"a": "\\ud83dx"}'],
    ['{"a": "\\ud83d\\n"}'],
    ['{"a": "\\ud83d\\ud83d\\ude00"}'],
    ['{"a": "\\ude00\\ud83d"}'],
    ['{"a": "\ud83d"}'],
    ['{"a": "x\ude00y"}'],
    ['{"a": "\\ud83d\ude00"}'],
    ['{"a": "\ud83d\\ude00"}'],
    ['{"\\ud83d": 1}'],
    ['{"\udc00": 1}'],
  ])('has no half pairs: %j', (text) => expect(outcome(text)).toBe('ill-formed-unicode'))

  it('has whole pairs, bare or escaped', () => {
    expect(valueOf('{"a": "\\ud83d\\ude00", "😀": "\\\\ud83d", "b": "\\uD55C"}')).toEqual({
      a: '😀',
      '😀': '\\ud83d',
      b: '한',
    })
  })
})

describe('depth', () => {
  const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

  it('is limited by the policy', () => {
    expect(outcome(nested(128))).toBe('ok')
    expect(outcome(nested(129))).toBe('too-deep')
    expect(outcome(nested(3), { maxDepth: 2 })).toBe('too-deep')
    expect(outcome('{"a":[[1],[2],[3],{"b":{}}]}', { maxDepth: 4 })).toBe('ok')
    expect(outcome('x {"a":[[1],[2],[3],{"b":{}}]}', { maxDepth: 4 })).toBe('surrounding-text')
  })

  it('counts before anything that comes later', () => {
    const text = `{"a":${'['.repeat(200)}`
    expect(read(text)).toMatchObject({ state: 'fault', fault: { code: 'too-deep', at: { offset: 132 } } })
  })

  it('may be raised far beyond what recursion could follow', () => {
    const text = nested(50_000)
    expect(outcome(text, { maxDepth: 100_000 })).toBe('ok')
    expect(outcome(`{"k":1,"k":1,${text.slice(1, -1)},${text.slice(1)}`, { maxDepth: 100_000 })).toBe('duplicate-key')
    expect(outcome(text.slice(0, -1), { maxDepth: 100_000, closeTruncated: true })).toBe('close-truncated')
  })
})
