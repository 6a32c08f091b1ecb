import { describe, expect, it } from 'vitest'
import type { RepairName } from '../../src/model/failures.ts'
import { lenient, outcome, read, valueOf } from './reading.ts'

const plainValue = { path: 'a.rs', n: 1 }
const plainText = '{"path": "a.rs", "n": 1}'

/** Reads the text, and checks the one repair with its span and what the repaired text says. */
function expectRepair(
  text: string,
  name: RepairName,
  before: string,
  value: unknown,
  start: number = text.indexOf(before),
): void {
  const reading = read(text)
  expect(reading).toMatchObject({
    state: 'object',
    value,
    repairs: [{ name, start, end: start + before.length, before }],
  })
  if (reading.state !== 'object') return
  expect(reading.repaired === undefined ? undefined : JSON.parse(reading.repaired)).toEqual(value)
}

describe('fence', () => {
  it.each([
    ['```json\n', '\n```'],
    ['```json ', ' ```'],
    ['```', '```'],
    ['~~~\n', '\n~~~'],
    ['`', '`'],
    ['``', '``'],
    ['```tool_code title="x"\n', '\n```'],
    ['````json\n', '\n````'],
  ])('takes %j and %j away', (open, close) => {
    expectRepair(`${open}${plainText}${close}`, 'fence', `${open}${plainText}${close}`, plainValue)
  })

  it('does with one half of the fence', () => {
    expectRepair(`\`\`\`json\n${plainText}`, 'fence', '```json\n', plainValue)
    expectRepair(`${plainText}\n\`\`\``, 'fence', '```', plainValue)
  })

  it('leaves a fence inside a string alone', () => {
    expect(outcome('{"content":"# T\\n```json\\n{\\"x\\":1}\\n```\\n"}')).toBe('ok')
    expect(valueOf('```json\n{"content":"```js\\n1\\n```"}\n```')).toEqual({ content: '```js\n1\n```' })
  })

  it('is not mined for an object when it is inside a broken one', () => {
    expect(outcome('{path: "```json\n{"a":1}\n```"}')).toBe('unquoted-key')
    expect(outcome('{path: "```json\n{"a":1}\n```"}', lenient)).toBe('malformed')
  })

  it('marks its object off from closed braces in the prose before it', () => {
    expect(outcome(`Use {curly} and {b{c}} syntax:\n\`\`\`json\n${plainText}\n\`\`\``)).toBe('surrounding-text+fence')
    expect(outcome(`Use {"a", x} syntax:\n\`\`\`json\n${plainText}\n\`\`\``)).toBe('ambiguous-text')
    expect(outcome(`Use {curly syntax:\n\`\`\`json\n${plainText}\n\`\`\``)).not.toContain('fence')
  })

  it('does not hold two different objects', () => {
    expect(outcome('```json\n{"a":1}\n```\n```json\n{"a":2}\n```')).toBe('multiple-objects')
    expect(outcome('```json\n{"a":1}\n```\n```json\n{"a":1}\n```')).toBe('fence+duplicate-object')
  })

  it('without an object is no object, and one that has only begun is cut', () => {
    expect(outcome('```json\n```')).toBe('no-object')
    expect(outcome('```json\n[1]\n```')).toBe('not-an-object')
    expect(outcome('```js')).toBe('cut: incomplete, open-container')
    expect(outcome('```json\n')).toBe('cut: incomplete, open-container')
  })

  it('that closes before its object does means that the object is cut', () => {
    expect(outcome('```json\n{"a": 1\n```')).toBe('cut: incomplete, open-container')
    expect(outcome('```json\n{"a": 1\n```', { closeTruncated: true })).toBe('cut: incomplete, open-container')
    expect(outcome('{"a": 1\n```\nmore')).toBe('malformed')
  })
})

describe('surrounding-text', () => {
  it.each([
    ['Let me read the file: ', ''],
    ['', ' hope that helps'],
    ['I\'ll "open" it: ', ''],
    ['<think>use path</think>', ''],
    ['', '<|im_end|>'],
    ['<arguments>\n', '\n</arguments>'],
    ["'", "'"],
    ['"', '"'],
    ['null', ''],
    ['', '""'],
    ['[TOOL_CALLS] ', ''],
    ['🔧 ', ' ✅'],
    ['read(', ')'],
  ])('leaves out %j and %j', (before, after) => {
    const reading = read(before + plainText + after)
    expect(reading).toMatchObject({
      state: 'object',
      value: plainValue,
      repairs: [{ name: 'surrounding-text' }],
      repaired: plainText,
    })
  })

  it('has a span from the first to the last of it', () => {
    expectRepair(`  Sure: ${plainText} `, 'surrounding-text', 'Sure:', plainValue)
    expectRepair(`Sure: ${plainText} ok.\n`, 'surrounding-text', `Sure: ${plainText} ok.`, plainValue)
  })

  it.each([
    ['a brace group before', `Use {curly} braces: ${plainText}`],
    ['a brace group behind', `${plainText} where {path} is relative`],
    ['an opening brace', `${plainText} then open {`],
    ['a closing brace', `} ${plainText}`],
    ['a quoted key before', '"filter": {"a": 1}'],
    ['a quoted key behind', '{"path": "a.rs"}, "n": 5'],
    ['a key in single quotes', "{'a': 1}, 'n' : 5"],
    ['nothing but a comma', '{"path": "a.rs"}, '],
    ['nothing but a colon', ': {"path": "a.rs"}'],
    ['two JSON strings', '"{\\"a\\":1}""{\\"a\\":1}"'],
  ])('is no prose with %s', (_, text) => {
    expect(outcome(text, lenient)).toMatch(/^(?:cut: )?ambiguous-text/)
  })

  it.each([
    ['Here: [{"path": "a"}]'],
    ['[{"path": "a"}, {"path": "b"}]'],
    ['[{"path": "a"}, '],
    ['<![CDATA[{"a": 1}]]>'],
    ['{"a": 1}]'],
  ])('does not take the object out of an array: %s', (text) => expect(outcome(text)).toBe('not-an-object'))

  it('takes no string out of prose', () => {
    expect(outcome('Call it with "{\\"path\\": \\"a\\"}"')).toBe('malformed')
  })

  it('never falls back to an inner object', () => {
    expect(outcome('Let me: {"filter": {"a": 1}')).toBe('cut: incomplete, open-container')
  })
})

describe('double-encoding', () => {
  it('unwraps a string up to two times', () => {
    const once = JSON.stringify(plainText)
    const twice = JSON.stringify(once)
    expectRepair(` ${once}\n`, 'double-encoding', once, plainValue)
    expectRepair(twice, 'double-encoding', twice, plainValue)
    expect(outcome(JSON.stringify(twice))).toBe('not-an-object')
  })

  it('says where things are in the raw text', () => {
    const text = JSON.stringify('{"a":"é\\"x", "\\u0062": nope}')
    const fault = { code: 'unquoted-value', at: { offset: text.indexOf('nope') } }
    expect(read(text)).toMatchObject({ state: 'fault', fault })
  })

  it.each([['"[1,2]"'], ['"src/main.rs"'], ['""'], ['"null"'], ['" "'], ['"{"'], ['"{\\"a\\": 1"']])(
    'gives %s no other reading',
    (text) => {
      expect(outcome(text)).toMatch(/^not-an-object|^cut: incomplete/)
    },
  )

  it('breaks off with its string', () => {
    expect(outcome('"{\\"path\\": \\"src/ma')).toBe('cut: incomplete, open-string')
    expect(outcome('"{\\"path\\": \\')).toBe('cut: incomplete, open-escape')
    expect(outcome('"{\\"path\\": \\"src/ma', { closeTruncated: true })).toBe('cut: incomplete, open-string')
    expect(outcome('"{\\"path\\": \\"src/ma"', { closeTruncated: true })).toBe('cut: incomplete, open-string')
  })

  it('closes no object outside strings', () => {
    expect(read(JSON.stringify(plainText))).toMatchObject({ closed: false })
    expect(read(`\`\`\`\n${plainText}\n\`\`\``)).toMatchObject({ closed: true })
  })
})

describe('escaped-object', () => {
  it('undoes the escaping of an object that lost its outer quotes', () => {
    const escaped = JSON.stringify('{"path":"a","content":"say \\"hi\\"\\n"}').slice(1, -1)
    expectRepair(escaped, 'escaped-object', escaped, { path: 'a', content: 'say "hi"\n' })
    expectRepair('{\n  \\"n\\": 1\n}', 'escaped-object', '{\n  \\"n\\": 1\n}', { n: 1 })
    expectRepair('{\\n\\"n\\": 1\\n} ', 'escaped-object', '{\\n\\"n\\": 1\\n}', { n: 1 })
    expect(outcome('```json\n{\\"n\\": 1}\n```')).toBe('fence+escaped-object')
  })

  it('refuses mixed levels of escaping', () => {
    expect(outcome('{\\"cmd\\": \\"echo "hi"\\"}')).toBe('malformed')
    expect(outcome('{"query": \\"foo\\"}')).toBe('unquoted-value')
    expect(outcome('{\\"a\\": \\"\\q\\"}')).toBe('invalid-escape')
  })

  it('is cut where it breaks off', () => {
    expect(outcome('{\\"path\\": \\"a')).toBe('cut: incomplete, open-string')
    expect(outcome('{\\"path\\')).toBe('cut: incomplete, open-escape')
    expect(outcome('{\\')).toBe('cut: incomplete, open-escape')
  })
})

describe('white space', () => {
  it('bom: before everything', () => {
    expectRepair(`\uFEFF${plainText}`, 'bom', '\uFEFF', plainValue)
  })

  it('unicode-whitespace: around and between tokens', () => {
    expectRepair('{"a":\u00A01}', 'unicode-whitespace', '\u00A0', { a: 1 })
    expectRepair('{"a":\v1}', 'unicode-whitespace', '\v', { a: 1 })
    expectRepair('\u200B{"a":1}\u200B', 'unicode-whitespace', '\u200B{"a":1}\u200B', { a: 1 })
    expect(outcome('{"a\u200C":"\u00A0"}')).toBe('ok')
  })

  it('escaped-whitespace: outside strings only', () => {
    expectRepair('{"v": \\n[1, 2]}', 'escaped-whitespace', '\\n', { v: [1, 2] })
    expectRepair('{\\n\\t"a": 1}\\n', 'escaped-whitespace', '\\n\\t"a": 1}\\n', { a: 1 })
    expect(outcome('{"v": \\x1}')).toBe('unquoted-value')
    expect(outcome('{"v" \\q: 1}')).toBe('malformed')
  })
})

describe('raw-control-chars', () => {
  it('keeps TAB, LF and CR in values', () => {
    expectRepair('{"a": "x\ny"}', 'raw-control-chars', '\n', { a: 'x\ny' })
    expectRepair('{"a": "x\r\n\ty"}', 'raw-control-chars', '\r\n\t', { a: 'x\r\n\ty' })
    expect(read('{"a": "x\ny"}')).toMatchObject({ repaired: '{"a": "x\\ny"}' })
  })

  it('keeps no others, and none in keys', () => {
    expect(outcome('{"a": "\u001B[31m"}', lenient)).toBe('control-char')
    expect(outcome('{"pa\nth": 1}', lenient)).toBe('control-char')
    expect(outcome('{"pa\tth": 1}', lenient)).toBe('control-char')
  })

  it('never hides a missing quote', () => {
    expect(outcome('{"a": "x,\n"b": "y"}', lenient)).toBe('malformed')
  })
})

describe('leading-empty-object', () => {
  it('drops placeholders before the arguments', () => {
    expectRepair('{}{"a":1}', 'leading-empty-object', '{}', { a: 1 })
    expectRepair('{ }\n{}{"a":1}', 'leading-empty-object', '{ }\n{}', { a: 1 })
  })

  it('drops none behind them, and none apart from them', () => {
    expect(outcome('{"a":1}{}')).toBe('multiple-objects')
    expect(outcome('{} or rather {"a":1}')).toBe('multiple-objects')
  })

  it('is still cut where the arguments are', () => {
    expect(outcome('{}{"a":')).toBe('cut: incomplete, open-container')
  })
})

describe('duplicate-object', () => {
  it('takes the same object, sent again, once', () => {
    expectRepair('{"a":1,"b":2} {"b":2,"a":1.0}', 'duplicate-object', '{"b":2,"a":1.0}', { a: 1, b: 2 })
    expectRepair('{}{}', 'duplicate-object', '{}', {}, 2)
    expect(outcome('{}{"a":1}{"a":1}')).toBe('leading-empty-object+duplicate-object')
  })

  it('takes no two different ones', () => {
    expect(outcome('{"a":1}{"a":2}')).toBe('multiple-objects')
    expect(outcome('{"a":1}, {"a":2}')).toBe('multiple-objects')
    expect(outcome('{"a":1}{"a":1,"b":2}')).toBe('multiple-objects')
    expect(outcome('{"a":9007199254740992}{"a":9007199254740993}')).toBe('multiple-objects')
  })

  it('takes no list of two, and none with a broken second', () => {
    expect(outcome('{"a":1}, {"a":1}')).toBe('ambiguous-text')
    expect(outcome('{"a":1}{a:1}')).toBe('unquoted-key')
    expect(outcome('{"a":1}{a 1}')).toBe('ambiguous-text')
    expect(outcome('{"a":1}{"a":1')).toBe('cut: ambiguous-text, open-number')
  })
})

describe('duplicate-key', () => {
  it('drops a member that says the same again', () => {
    expectRepair('{"a": "x", "b": 2, "a": "x"}', 'duplicate-key', '"a": "x"', { a: 'x', b: 2 }, 19)
    expectRepair('{"n": 1, "n": 1.0}', 'duplicate-key', '"n": 1.0', { n: 1 })
    expectRepair('{"a": "x", "\\u0061": "x"}', 'duplicate-key', '"\\u0061": "x"', { a: 'x' })
    expectRepair('{"o": {"k": {"x": 1, "y": []}, "k": {"y": [], "x": 1}}}', 'duplicate-key', '"k": {"y": [], "x": 1}', {
      o: { k: { x: 1, y: [] } },
    })
  })

  it('drops what was repaired in it, too', () => {
    const reading = read('{"a": "x\ny", "b": 1 ,\u00A0"a": "x\ny", "c": [{"d": 1, "d": 1}], "c": [{"d": 1}]}')
    expect(reading).toMatchObject({ repaired: '{"a": "x\\ny", "b": 1 , "c": [{"d": 1}]}' })
  })

  it.each([
    ['{"a": 1, "a": 2}'],
    ['{"a": 1, "\\u0061": 2}'],
    ['{"a": 0, "a": -0}'],
    ['{"a": "1", "a": 1}'],
    ['{"a": {"x": 1}, "a": {"x": 1, "y": 2}}'],
    ['{"a": [1, 2], "a": [2, 1]}'],
    ['{"a": {}, "a": []}'],
    ['{"a": null, "a": {}}'],
  ])('refuses a member that says something else: %s', (text) => expect(outcome(text, lenient)).toBe('duplicate-key'))
})

describe('lenient', () => {
  it.each<[RepairName, string, string, unknown]>([
    ['trailing-comma', '{"a": 1,}', ',', { a: 1 }],
    ['trailing-comma', '{"a": [1 , ]}', ', '.trim(), { a: [1] }],
    ['single-quotes', "{'a': 1}", "'a'", { a: 1 }],
    ['single-quotes', `{"a": '<b c="d">'}`, `'<b c="d">'`, { a: '<b c="d">' }],
    ['single-quotes', `{"a": 'it\\'s'}`, `'it\\'s'`, { a: "it's" }],
    ['smart-quotes', '{"a": “x”}', '“x”', { a: 'x' }],
    ['smart-quotes', '{‘a’: 1}', '‘a’', { a: 1 }],
    ['unquoted-key', '{a_b: 1}', 'a_b', { a_b: 1 }],
    ['unquoted-key', '{größe: 1}', 'größe', { größe: 1 }],
    ['unquoted-value', '{"a": src/main.rs}', 'src/main.rs', { a: 'src/main.rs' }],
    ['unquoted-value', '{"a": [./x.ts , 1]}', './x.ts', { a: ['./x.ts', 1] }],
    ['python-literals', '{"a": None}', 'None', { a: null }],
    ['comments', '{/* x */ "a": 1}', '/* x */', { a: 1 }],
    ['comments', '{"a": 1 // "b": 2\n}', '// "b": 2', { a: 1 }],
    ['apostrophe-escape', `{"a": "it\\'s"}`, "\\'", { a: "it's" }],
    ['extra-closing-brace', '{"a": 1} }', '}', { a: 1 }],
  ])('%s: %s', (name, text, before, value) => {
    const reading = read(text, lenient)
    expect(reading).toMatchObject({ state: 'object', value, repairs: [{ name, before }] })
    if (reading.state !== 'object') return
    expect(JSON.parse(reading.repaired ?? '')).toEqual(value)
    const [repair] = reading.repairs
    expect(text.slice(repair?.start, repair?.end)).toBe(before)
    expect(outcome(text)).toBe(name === 'apostrophe-escape' ? 'invalid-escape' : name)
  })

  it.each([
    ['an elided member', '{"a": 1,, "b": 2}', 'malformed'],
    ['a leading comma', '{, "a": 1}', 'malformed'],
    ['only a comma', '{,}', 'malformed'],
    ['a missing comma', '{"a": 1 "b": 2}', 'malformed'],
    ['an apostrophe in single quotes', "{'a': 'it's'}", 'malformed'],
    ['quotes of two kinds', '{"a": “x"}', 'malformed'],
    ['a backtick string', '{"a": `x`}', 'malformed'],
    ['a numeric key', '{1: 2}', 'malformed'],
    ['half a key', '{path": 1}', 'malformed'],
    ['a word with spaces', '{"a": hello world}', 'unquoted-value'],
    ['a backslash', '{"a": C:\\new}', 'unquoted-value'],
    ['a colon', '{"a": http://x}', 'unquoted-value'],
    ['a call', '{"a": ObjectId("x")}', 'unquoted-value'],
    ['half a string', '{"a": x"}', 'unquoted-value'],
    ['a comment in a word', '{"a": x//y}', 'unquoted-value'],
    ['half a pair in a word', '{"a": x\ud83d}', 'unquoted-value'],
    ['a word of another language', '{"a": undefined}', 'malformed'],
    ['another spelling', '{"a": TRUE}', 'malformed'],
    ['a placeholder', '{"a": <x>}', 'malformed'],
    ['an ellipsis', '{"a": [1, ...]}', 'malformed'],
    ['a hash comment', '{"a": 1 # x\n}', 'malformed'],
    ['another invalid escape', '{"a": "\\_"}', 'invalid-escape'],
    ['an opening brace too many', '{{"a": 1}}', 'malformed'],
    ['a brace apart from the object', '{"a": 1} x }', 'ambiguous-text'],
  ])('does not guess at %s', (_, text, code) => {
    expect(outcome(text, lenient)).toBe(code)
  })

  it('quotes a bare word only where the schema says string', () => {
    const stringAt = (path: readonly (string | number)[]): boolean => path.join('.') === 'edits.1.old'
    expect(outcome('{"edits": [1, {"old": x}]}', { repair: 'lenient', stringAt })).toBe('unquoted-value')
    expect(read('{"edits": [1, {"old": x}]}', { repair: 'lenient', stringAt })).toMatchObject({ state: 'object' })
    expect(read('{"edits": [1, {"new": x}]}', { repair: 'lenient', stringAt })).toMatchObject({ state: 'fault' })
    expect(read('{"a": x}', { repair: 'lenient' })).toMatchObject({ fault: { code: 'unquoted-value' } })
  })
})

describe('close-truncated', () => {
  const closing = { closeTruncated: true }

  it.each([
    ['{"path": "src/ma', { path: 'src/ma' }, 'open-string'],
    ['{"a": "x", "b": "y"', { a: 'x', b: 'y' }, 'open-container'],
    ['{"a": [true', { a: [true] }, 'open-container'],
    ['{"a": [{"b": "x", "c": ""}, {"b": "z', { a: [{ b: 'x', c: '' }, { b: 'z' }] }, 'open-string'],
    ['{"a": {"b": 1} ', { a: { b: 1 } }, 'open-container'],
  ])('closes %s', (text, value, open) => {
    expect(outcome(text)).toBe(`cut: incomplete, ${open}`)
    const repairs = [{ name: 'close-truncated', start: text.length, end: text.length, before: '' }]
    const reading = read(text, closing)
    expect(reading).toMatchObject({ state: 'object', value, repairs, closed: false })
    expect(reading.state === 'object' && JSON.parse(reading.repaired ?? '')).toEqual(value)
  })

  it.each([
    ['a key', '{"a": 1, "b'],
    ['a finished key', '{"a": 1, "b"'],
    ['a colon', '{"a": 1, "b":'],
    ['a comma', '{"a": 1,'],
    ['a bracket that just opened', '{"a": ['],
    ['nothing but the first brace', '{'],
    ['a number', '{"a": 12'],
    ['a minus', '{"a": -'],
    ['a fraction', '{"a": 1.'],
    ['an exponent', '{"a": 1e+'],
    ['a literal', '{"a": tru'],
    ['an escape', '{"a": "x\\'],
    ['a Unicode escape', '{"a": "\\u00'],
    ['half a pair', '{"a": "\\ud83d'],
    ['half a pair, and half of the other half', '{"a": "\\ud83d\\ude'],
    ['half a bare pair', '{"a": "\ud83d'],
    ['a comment', '{"a": 1 /* x'],
    ['a string that ran over the end of its fence', '```json\n{"a": "x\n```'],
  ])('closes nothing after %s', (_, text) => {
    expect(outcome(text, { ...closing, ...lenient })).toMatch(/^cut: incomplete/)
  })

  it('goes together with other repairs, outermost first', () => {
    expect(outcome('Sure: ```json\n{"a": "x\ny', closing)).toBe(
      'surrounding-text+fence+raw-control-chars+close-truncated',
    )
    expect(outcome("{'a': ['x", { ...closing, ...lenient })).toBe('single-quotes+close-truncated')
    expect(outcome("{'a': ['x", closing)).toBe('cut: single-quotes, open-string')
  })

  it('closes no text that has something else against it', () => {
    expect(outcome('{"a": 1, "a": 2, "b": "x', closing)).toBe('cut: duplicate-key, open-string')
    expect(outcome('{"a": "\u0000", "b": "x', closing)).toBe('cut: control-char, open-string')
  })
})

describe('none', () => {
  it.each([
    [`\`\`\`\n${plainText}\n\`\`\``, 'fence'],
    [`x ${plainText}`, 'surrounding-text'],
    [JSON.stringify(plainText), 'double-encoding'],
    ['{\\"a\\": 1}', 'escaped-object'],
    [`\uFEFF${plainText}`, 'bom'],
    ['{"a":\u00A01}', 'unicode-whitespace'],
    ['{"a":\\n1}', 'escaped-whitespace'],
    ['{"a":"\n"}', 'raw-control-chars'],
    ['{}{"a":1}', 'leading-empty-object'],
    ['{"a":1}{"a":1}', 'duplicate-object'],
    ['{"a":1,"a":1}', 'duplicate-key'],
    ['{"a":1}}', 'extra-closing-brace'],
    ['```\n{"a":"\n"}\n```', 'fence'],
  ])('refuses %j by the name of its repair', (text, code) => {
    expect(outcome(text, { repair: 'none' })).toBe(code)
  })
})

describe('several repairs', () => {
  it('are named from the outside in, each once, with spans in the raw text', () => {
    const inner = '{"a": "x\ty\tz", "n": 1,\u00A0"n": 1}'
    const fenced = `\`\`\`json\n${JSON.stringify(inner)}\n\`\`\``
    const names = ['fence', 'double-encoding', 'raw-control-chars', 'unicode-whitespace', 'duplicate-key']
    const again = read(fenced)
    expect(again).toMatchObject({
      state: 'object',
      value: { a: 'x\ty\tz', n: 1 },
      repairs: names.map((name) => ({ name })),
    })
    if (again.state !== 'object') return
    expect(again.repairs.map(({ before }) => before)).toEqual([
      fenced,
      JSON.stringify(inner),
      '\\ty\\t',
      '\u00A0',
      '\\"n\\": 1',
    ])
    expect(again.repaired).toBe('{"a": "x\\ty\\tz", "n": 1}')
  })

  it('keep the digits and the order of the input', () => {
    const text = '{b: 1.50, \'a\': 1e2, "c": [0.10,],}'
    expect(read(text, lenient)).toMatchObject({ repaired: '{"b": 1.50, "a": 1e2, "c": [0.10]}' })
  })

  it('keep at most 2,000 characters of what stood there, and no half of a pair', () => {
    const reading = read(`x${'🙂'.repeat(2_000)} ${plainText}`)
    expect(reading.state === 'object' && reading.repairs[0]?.before.length).toBe(1_999)
  })
})
