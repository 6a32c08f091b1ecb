import { describe, expect, test } from 'vitest'
import { concludeArguments, type ConclusionContext } from '../../src/arguments/conclude.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Reading } from '../../src/model/reading.ts'
import type { CheckResult, CompiledTool, ResolvedPolicy } from '../../src/model/compiled.ts'

const at = { offset: 3, line: 1, column: 4 }
const blank: Reading = { state: 'blank' }
const malformed: Reading = { state: 'fault', fault: { code: 'malformed', at, expected: 'a colon' } }
const read = (value: JsonObject): Reading => ({ state: 'object', value, repairs: [], closed: true })
const repaired: Reading = {
  state: 'object',
  value: { a: 1 },
  repairs: [{ name: 'fence', start: 0, end: 11, before: '```{"a":1}```' }],
  repaired: '{"a":1}',
  closed: true,
}
const context: ConclusionContext = {
  name: 'tool',
  id: 'call_0',
  known: true,
  cut: false,
  policy: { emptyObject: 'absent' },
}
const none = { ...context, known: false }

/** A tool whose schema says no to whatever lacks `needs`. */
function toolOf(policy: Partial<ResolvedPolicy> = {}, needs: string = ''): CompiledTool {
  const check = (value: JsonObject): CheckResult =>
    needs === '' || Object.hasOwn(value, needs)
      ? { ok: true, value }
      : { ok: false, issues: [{ path: `/${needs}`, message: 'required, but missing' }] }
  return {
    name: 'tool',
    check,
    acceptsEmpty: check({}).ok,
    asynchronous: false,
    policy: {
      repair: 'lossless',
      closeTruncated: false,
      emptyObject: 'absent',
      integers: 'reject',
      maxDepth: 128,
      ...policy,
    },
  }
}

const rename = (args: JsonObject, call: object): JsonObject => ({ path: args['a'] ?? 0, call: JSON.stringify(call) })
const overwrite = (args: JsonObject): JsonObject => Object.assign(args, { a: 2n })
const acceptLater = (value: JsonObject): Promise<CheckResult> => Promise.resolve({ ok: true, value })
const failing = (): never => {
  throw new Error('down')
}

describe('blank arguments', () => {
  test('are {} without a record where there are no tools to gate them with', () => {
    expect(concludeArguments(blank, '', undefined, none)).toEqual({ ok: true, value: {}, repairs: [] })
  })

  test('are {} with a record where the schema takes it', () => {
    expect(concludeArguments(blank, ' null', toolOf(), context)).toEqual({
      ok: true,
      value: {},
      repairs: [{ name: 'empty-object', start: 0, end: 5, before: ' null' }],
      repaired: '{}',
    })
  })

  test.each<[string, CompiledTool | undefined, ConclusionContext]>([
    ['the schema asks for something', toolOf({}, 'path'), context],
    ['the tool has no schema', (({ check: _, ...rest }) => rest)(toolOf()), context],
    ['the tool is not known', undefined, context],
    ['the policy is never', toolOf({ emptyObject: 'never' }), context],
    ['the policy for all is never, and there are no tools', undefined, { ...none, policy: { emptyObject: 'never' } }],
    ['the call was cut', toolOf(), { ...context, cut: true }],
    ['the call was cut, and there are no tools', undefined, { ...none, cut: true }],
  ])('are refused where %s', (_why, tool, given) => {
    expect(concludeArguments(blank, '', tool, given)).toEqual({ ok: false, code: 'empty-arguments' })
  })
})

describe('arguments that can not be parsed', () => {
  test('are refused with what the parser found', () => {
    const refusal = { ok: false, code: 'malformed', at, expected: 'a colon' }
    expect(concludeArguments(malformed, 'x', toolOf(), context)).toEqual(refusal)
    expect(concludeArguments(malformed, 'x', toolOf({ emptyObject: 'unparseable' }, 'path'), context)).toEqual(refusal)
    expect(
      concludeArguments(malformed, 'x', toolOf({ emptyObject: 'unparseable' }), { ...context, cut: true }),
    ).toEqual(refusal)
    const unknown = { ...none, policy: { emptyObject: 'unparseable' as const } }
    expect(concludeArguments(malformed, 'x', undefined, unknown)).toEqual(refusal)
  })

  test('are {} by opt-in where the schema takes it, with what was dropped', () => {
    const raw = 'x'.repeat(1999) + '😀'.repeat(10)
    expect(concludeArguments(malformed, raw, toolOf({ emptyObject: 'unparseable' }), context)).toEqual({
      ok: true,
      value: {},
      repairs: [{ name: 'empty-object', start: 0, end: raw.length, before: 'x'.repeat(1999) }],
      repaired: '{}',
    })
  })
})

describe('the hook', () => {
  test('sees the arguments after repair and before the schema, and is recorded', () => {
    expect(concludeArguments(repaired, '```{"a":1}```', toolOf({ refine: rename }, 'path'), context)).toEqual({
      ok: true,
      value: { path: 1, call: '{"name":"tool","id":"call_0"}' },
      repairs: [
        { name: 'fence', start: 0, end: 11, before: '```{"a":1}```' },
        { name: 'refine', start: 0, end: 13, before: '```{"a":1}```' },
      ],
      repaired: '{"path":1,"call":"{\\"name\\":\\"tool\\",\\"id\\":\\"call_0\\"}"}',
    })
  })

  test('that returns what it was given is not recorded', () => {
    expect(concludeArguments(read({ a: 1 }), '{"a":1}', toolOf({ refine: (args) => args }), context)).toEqual({
      ok: true,
      value: { a: 1 },
      repairs: [],
    })
  })

  test('that changes what it was given is recorded, and the reading stays as it was', () => {
    const reading = read({ a: { b: 1 }, promise: 'x' })
    const conclusion = concludeArguments(reading, '{"a":{"b":1}}', toolOf({ refine: overwrite }), context)
    expect(conclusion).toMatchObject({
      ok: true,
      value: { a: 2n, promise: 'x' },
      repairs: [{ name: 'refine' }],
      repaired: '{"a":2,"promise":"x"}',
    })
    expect(reading).toEqual(read({ a: { b: 1 }, promise: 'x' }))
  })

  test('runs without tools too', () => {
    const policy = { emptyObject: 'absent' as const, refine: () => ({ b: 2 }) }
    expect(concludeArguments(read({ a: 1 }), '{"a":1}', undefined, { ...none, policy })).toMatchObject({
      value: { b: 2 },
    })
  })

  test('does not run for arguments that are refused already', () => {
    expect(concludeArguments(malformed, 'x', toolOf({ refine: failing }), context)).toMatchObject({
      ok: false,
      code: 'malformed',
    })
  })

  test.each([
    ['an array', []],
    ['null', null],
    ['a promise', Promise.resolve({})],
    ['nothing', undefined],
  ])('that returns %s is misused', (_what, result) => {
    // Code without types can return anything.
    const refine = (): JsonObject => result as unknown as JsonObject
    expect(() => concludeArguments(read({}), '{}', toolOf({ refine }), context)).toThrow(TypeError)
  })

  test('that throws throws out of here', () => {
    expect(() => concludeArguments(read({}), '{}', toolOf({ refine: failing }), context)).toThrow('down')
  })
})

describe('the schema', () => {
  test('has the last word', () => {
    expect(concludeArguments(repaired, '```{"a":1}```', toolOf({}, 'path'), context)).toEqual({
      ok: false,
      code: 'schema-mismatch',
      issues: [{ path: '/path', message: 'required, but missing' }],
    })
  })

  test('gives its own output', () => {
    const tool = { ...toolOf(), check: (): CheckResult => ({ ok: true, value: { made: true } }) }
    expect(concludeArguments(read({ a: 1 }), '{"a":1}', tool, context)).toMatchObject({
      value: { made: true },
      repairs: [],
    })
  })

  test('that is asynchronous is waited for, its gate too', async () => {
    const open = { ...toolOf(), check: acceptLater, acceptsEmpty: Promise.resolve(true), asynchronous: true }
    const closed = { ...open, acceptsEmpty: Promise.resolve(false) }
    expect(await concludeArguments(read({ a: 1 }), '{"a":1}', open, context)).toMatchObject({
      ok: true,
      value: { a: 1 },
    })
    expect(await concludeArguments(blank, '', open, context)).toMatchObject({
      ok: true,
      repairs: [{ name: 'empty-object' }],
    })
    expect(await concludeArguments(blank, '', closed, context)).toEqual({ ok: false, code: 'empty-arguments' })
  })

  test('that throws throws out of here, at once or later', async () => {
    const throwing = {
      ...toolOf(),
      check: failing,
    }
    expect(() => concludeArguments(read({}), '{}', throwing, context)).toThrow('down')
    const rejecting = { ...toolOf(), check: () => Promise.reject(new Error('down')) }
    await expect(concludeArguments(read({}), '{}', rejecting, context)).rejects.toThrow('down')
  })
})
