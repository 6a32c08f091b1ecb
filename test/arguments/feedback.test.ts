import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeFailure, type RefusedArguments } from '../../src/arguments/feedback.ts'
import type { FailureCode } from '../../src/model/failures.ts'
import { summarizeParameters } from '../../src/schema/summary.ts'
import { cpuTime } from '../helpers/cost.ts'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    content: { type: 'string' },
    mode: { enum: ['append', 'replace'] },
    edits: { type: 'array', items: { $ref: '#/$defs/edit' } },
  },
  required: ['path', 'content'],
  $defs: {
    edit: { type: 'object', properties: { old: { type: 'string' }, new: { type: 'string' } }, required: ['old'] },
  },
}

const parameters = (most: number): string | undefined => summarizeParameters(schema, most)

/** One refused call for every code, with what such a call has in practice. */
const refused: Record<FailureCode, Omit<RefusedArguments, 'code' | 'name'> & { readonly name?: string }> = {
  truncated: {
    raw: `{"path":"a.rs","content":"${'let x = 1;\\n'.repeat(1900)}`,
    at: { offset: 22825 + 1, line: 1, column: 22827 },
    expected: 'the closing " of a string',
    truncation: { cause: 'output-limit', finishReason: 'length' },
  },
  interrupted: { raw: '{"path":"a.rs","content":""}', truncation: { cause: 'connection', finishReason: null } },
  damaged: { raw: '{"path":"a.rs","content":"b"}' },
  ambiguous: { raw: '{"path":"a.rs"}{"path":' },
  'over-limit': { raw: `{"path":"a.rs","content":"${'€'.repeat(3000)}` },
  'missing-name': { raw: '{"path":"a.rs"}', name: '', tools: ['read', 'write'] },
  'unknown-tool': { raw: '{"path":"a.rs"}', name: 'writeFile', tools: ['read', 'run_tests', 'write_file'] },
  'empty-arguments': { raw: '' },
  'schema-mismatch': {
    raw: '{"path":7,"edits":[{"old":1}]}',
    issues: [
      { path: '/content', message: 'required, but missing (expected string)' },
      { path: '/path', message: 'expected string, got number 7' },
      { path: '/edits/0/old', message: 'expected string, got number 1' },
    ],
  },
  incomplete: {
    raw: '{"path":"a.rs","cont',
    at: { offset: 20, line: 1, column: 21 },
    expected: 'the closing " of a key',
  },
  malformed: {
    raw: '{"path": "a.rs", "content": "say "hi""}',
    at: { offset: 34, line: 1, column: 35 },
    expected: "',' or '}'",
  },
  'no-object': { raw: 'path: a.rs' },
  'not-an-object': { raw: '["a.rs", "text"]', at: { offset: 0, line: 1, column: 1 }, expected: 'an object' },
  'multiple-objects': { raw: '{"path":"a.rs"}\n{"path":"b.rs"}', at: { offset: 16, line: 2, column: 1 } },
  'ambiguous-text': { raw: '{"path":"a.rs"}, "content": "x"', at: { offset: 15, line: 1, column: 16 } },
  'invalid-escape': {
    raw: '{"path":"C:\\Users\\me"}',
    at: { offset: 11, line: 1, column: 12 },
    expected: 'an escape of JSON',
  },
  'control-char': { raw: '{"path":"a\u001b[31m"}', at: { offset: 10, line: 1, column: 11 } },
  'duplicate-key': { raw: '{"path":"a","path":"b"}', at: { offset: 12, line: 1, column: 13 } },
  'forbidden-key': { raw: '{"__proto__":{"admin":true}}', at: { offset: 1, line: 1, column: 2 } },
  'lossy-number': { raw: '{"path":12345678901234567890}', at: { offset: 8, line: 1, column: 9 } },
  'ill-formed-unicode': { raw: '{"path":"\ud83d"}', at: { offset: 9, line: 1, column: 10 } },
  'too-deep': { raw: `{"a":${'['.repeat(400)}`, at: { offset: 132, line: 1, column: 133 } },
  fence: { raw: '```json\n{"path":"a"}\n```', at: { offset: 0, line: 1, column: 1 } },
  'surrounding-text': { raw: 'Here: {"path":"a"}', at: { offset: 0, line: 1, column: 1 } },
  'double-encoding': { raw: '"{\\"path\\":\\"a\\"}"', at: { offset: 0, line: 1, column: 1 } },
  'escaped-object': { raw: '{\\"path\\":\\"a\\"}', at: { offset: 1, line: 1, column: 2 } },
  bom: { raw: '\ufeff{"path":"a"}', at: { offset: 0, line: 1, column: 1 } },
  'unicode-whitespace': { raw: '{\u00a0"path":\u200b"a"}', at: { offset: 1, line: 1, column: 2 } },
  'escaped-whitespace': { raw: '{\\n"path":"a"}', at: { offset: 1, line: 1, column: 2 } },
  'raw-control-chars': { raw: '{"path":"a\nb"}', at: { offset: 10, line: 1, column: 11 } },
  'leading-empty-object': { raw: '{}{"path":"a"}', at: { offset: 0, line: 1, column: 1 } },
  'duplicate-object': { raw: '{"path":"a"}{"path":"a"}', at: { offset: 12, line: 1, column: 13 } },
  'trailing-comma': { raw: '{"path":"a",}', at: { offset: 11, line: 1, column: 12 } },
  'single-quotes': { raw: "{'path':'a'}", at: { offset: 1, line: 1, column: 2 } },
  'unquoted-key': { raw: '{path:"a"}', at: { offset: 1, line: 1, column: 2 } },
  'unquoted-value': { raw: '{"path":a.rs}', at: { offset: 8, line: 1, column: 9 } },
  'python-literals': { raw: '{"path":None}', at: { offset: 8, line: 1, column: 9 } },
  comments: { raw: '{"path":"a" // file\n}', at: { offset: 12, line: 1, column: 13 } },
  'smart-quotes': { raw: '{“path”:“a”}', at: { offset: 1, line: 1, column: 2 } },
  'apostrophe-escape': { raw: '{"path":"it\\\'s"}', at: { offset: 11, line: 1, column: 12 } },
  'extra-closing-brace': { raw: '{"path":"a"}}', at: { offset: 12, line: 1, column: 13 } },
  'close-truncated': { raw: '{"path":"a"', at: { offset: 11, line: 1, column: 12 } },
  'empty-object': { raw: 'null' },
}

describe('the message for a refused call', () => {
  test.each(Object.keys(refused) as FailureCode[])('is the golden text for %s', (code) => {
    const message = describeFailure({ name: 'write_file', parameters, ...refused[code], code })
    expect(message + '\n').toBe(readFileSync(new URL(`golden/${code}.txt`, import.meta.url), 'utf8'))
  })

  test('names the call where several share the turn', () => {
    const message = describeFailure({ name: 'read', id: 'call_2', code: 'no-object', raw: 'x' })
    expect(message).toContain('The call to `read` (call_2) was not run')
  })

  test.each([
    ['output-limit', 'token limit'],
    ['context-window', 'context window'],
    ['content-filter', 'content filter'],
    ['connection', 'stream ended'],
    ['server-error', 'server reported an error'],
    ['aborted', 'stopped from outside'],
    ['unreported', 'No reason was reported'],
  ] as const)('says what cut the call for %s, and no other cause', (cause, words) => {
    const causes = [
      'token limit',
      'context window',
      'content filter',
      'stream ended',
      'server',
      'stopped from outside',
      'No reason',
    ]
    const message = describeFailure({
      name: 'read',
      code: 'truncated',
      raw: '{"a',
      truncation: { cause, finishReason: null },
    })
    expect(message).toContain(words)
    expect(causes.filter((other) => message.includes(other))).toEqual(causes.filter((other) => words.includes(other)))
  })

  test('does not say that nothing came where what came was dropped', () => {
    const message = describeFailure({ name: 'read', code: 'over-limit', raw: '' })
    expect(message).toContain('Nothing of it was kept.')
    expect(message).not.toContain('Received: nothing')
  })

  test('lists five issues of a schema and counts the rest', () => {
    const issues = Array.from({ length: 12 }, (_, index) => ({
      path: `/items/${index}`,
      message: 'expected string, got null',
    }))
    const message = describeFailure({ name: 'read', code: 'schema-mismatch', raw: '{}', issues })
    expect(message.match(/^- "/gm)).toHaveLength(5)
    expect(message).toContain('- and 7 more')
  })

  test('shows the part around the fault, not only the start of a long text', () => {
    const raw = `{"content":"${'a'.repeat(5000)}NEEDLE\\d${'b'.repeat(5000)}"}`
    const message = describeFailure({
      name: 'write',
      code: 'invalid-escape',
      raw,
      at: { offset: raw.indexOf('NEEDLE') + 6, line: 1, column: 1 },
    })
    expect(message).toContain('{"content":"aaa')
    expect(message).toContain('NEEDLE')
    expect(message).not.toContain('b"}')
  })

  test('shows a received text of up to 500 code points whole', () => {
    const raw = `{"a":${'x'.repeat(494)}}`
    expect(describeFailure({ name: 'read', code: 'malformed', raw, parameters })).toContain(`Received: ${raw}\n`)
  })

  test('asks for text, not for JSON, where the call is free text', () => {
    const message = describeFailure({ name: 'shell', kind: 'custom', code: 'truncated', raw: 'ls -' })
    expect(message).not.toContain('JSON')
  })

  test('says that there are no tools where there are none', () => {
    expect(describeFailure({ name: 'x', code: 'unknown-tool', raw: '{}', tools: [] })).toContain('no tools')
  })

  test('asks for no tool that does not exist, whatever else is wrong with the call', () => {
    const cut = { name: 'write_file', code: 'truncated', raw: '{"path":', tools: ['get_weather'] } as const
    expect(describeFailure(cut)).toContain('There is no tool of that name.')
    expect(describeFailure(cut)).toContain('`get_weather`')
    expect(describeFailure(cut)).not.toContain('again with')
    expect(describeFailure({ ...cut, tools: ['get_weather', 'write_file'] })).toContain('Call `write_file` again with')
  })

  test('counts the tools that it has no room to name', () => {
    const tools = Array.from({ length: 200 }, (_, index) => `some_long_tool_name_${index}`)
    const message = describeFailure({ name: 'some_long_tool_name_77x', code: 'unknown-tool', raw: '{}', tools })
    expect(message).toMatch(/exact name: `some_long_tool_name_77`/)
    expect(message).toMatch(/, and \d+ more\./)
  })
})

/** Any string of UTF-16 units, halves of surrogate pairs included, at times long and of one kind. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc
    .tuple(
      fc.constantFrom('a', '\u200b', '😀', '\ud83d', '\ude00', '\u0000', '\n', '"', '€'),
      fc.integer({ min: 0, max: 3000 }),
    )
    .map(([unit, count]) => unit.repeat(count)),
)

const anyRefusal: fc.Arbitrary<RefusedArguments> = fc.record(
  {
    name: anyText,
    id: anyText,
    kind: fc.constantFrom('function' as const, 'custom' as const),
    code: fc.constantFrom(...(Object.keys(refused) as FailureCode[])),
    at: fc.record({ offset: fc.nat(4000), line: fc.nat(100), column: fc.nat(4000) }),
    expected: anyText,
    issues: fc.array(fc.record({ path: anyText, message: anyText }), { maxLength: 12 }),
    truncation: fc.record({
      cause: fc.constantFrom('output-limit' as const, 'connection' as const, 'unreported' as const),
      finishReason: fc.constant(null),
    }),
    raw: anyText,
    parameters: fc
      .record({
        properties: fc.dictionary(anyText, fc.record({ type: fc.constantFrom('string', 'array', 'object') }), {
          maxKeys: 20,
        }),
        required: fc.array(anyText, { maxLength: 3 }),
      })
      .map((any) => (most: number) => summarizeParameters(any, most)),
    tools: fc.array(anyText, { maxLength: 30 }),
  },
  { requiredKeys: ['name', 'code', 'raw'] },
)

describe('whatever the model sent, the message', () => {
  test('has between 20 and 1000 characters, is well-formed, and shows nothing invisible', () => {
    fc.assert(
      fc.property(anyRefusal, (refusal) => {
        const message = describeFailure(refusal)
        expect(message.length).toBeGreaterThanOrEqual(20)
        expect(message.length).toBeLessThanOrEqual(1000)
        expect(message).not.toMatch(/(?![\n\t])[\p{Cs}\p{Cf}\p{Cc}]/u)
      }),
      { numRuns: 600 },
    )
  })

  test('quotes at most 500 code points of it', () => {
    fc.assert(
      fc.property(anyText, fc.option(fc.nat(3000), { nil: undefined }), (raw, offset) => {
        const at = offset === undefined ? {} : { at: { offset, line: 1, column: 1 } }
        const message = describeFailure({ name: 'read', code: 'too-deep', raw, ...at })
        const quotation = /Received[^:]*: ([^]*)\nSend a flatter object/.exec(message)?.[1] ?? ''
        expect(Array.from(quotation).length).toBeLessThanOrEqual(502)
      }),
      { numRuns: 300 },
    )
  })

  test('names the tool', () => {
    fc.assert(
      fc.property(anyRefusal, fc.stringMatching(/^[\w.:-]{1,64}$/), (refusal, name) => {
        expect(describeFailure({ ...refusal, name })).toContain(name)
      }),
      { numRuns: 200 },
    )
  })

  test('is written in linear time', () => {
    const raw = '\u200b😀\ud800"'.repeat(400_000)
    const at = { offset: 900_001, line: 1, column: 9 }
    expect(cpuTime(() => describeFailure({ name: 'read', code: 'malformed', raw, at }))).toBeLessThan(500)
  })
})
