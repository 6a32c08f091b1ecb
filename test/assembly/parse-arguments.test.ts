import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createMeter } from '../../src/arguments/meter.ts'
import { parseArguments, parseArgumentsAsync, type ParseArgumentsOptions } from '../../src/assembly/parse-arguments.ts'
import type { AuditRecord } from '../../src/model/calls.ts'

const schema = { type: 'object', properties: { path: { type: 'string' }, id: { type: 'integer' } }, required: ['path'] }
const options = { toolName: 'read', schema }

describe('raw arguments', () => {
  test('are read, repaired and checked', () => {
    expect(parseArguments('```json\n{"path":"a"}\n```', options)).toMatchObject({
      ok: true,
      arguments: { path: 'a' },
      repairs: [{ name: 'fence' }],
      argumentsText: '```json\n{"path":"a"}\n```',
    })
    expect(parseArguments('{"path":1}', options)).toMatchObject({
      ok: false,
      failure: { code: 'schema-mismatch', issues: [{ path: '/path', message: 'expected string, got number 1' }] },
      argumentsText: '{"path":1}',
    })
  })

  test('may be values that were parsed already', () => {
    expect(parseArguments({ path: 'a' }, options)).toMatchObject({ ok: true, argumentsText: '{"path":"a"}' })
    expect(parseArguments(['a'], options)).toMatchObject({ ok: false, failure: { code: 'not-an-object' } })
    expect(parseArguments(7, options)).toMatchObject({ ok: false })
    const big = parseArguments({ path: 'a', id: 12345678901234567890n }, { ...options, integers: 'bigint' })
    expect(big).toMatchObject({
      ok: true,
      arguments: { path: 'a', id: 12345678901234567890n },
      argumentsText: '{"path":"a","id":12345678901234567890}',
    })
  })

  test('that are absent are blank', () => {
    for (const raw of [undefined, null, '', ' \n', 'null']) {
      expect(parseArguments(raw, options)).toMatchObject({ ok: false, failure: { code: 'empty-arguments' } })
      expect(parseArguments(raw, { toolName: 'read', schema: { type: 'object' } })).toMatchObject({
        ok: true,
        arguments: {},
        repairs: [{ name: 'empty-object' }],
      })
      expect(parseArguments(raw, { toolName: 'read' })).toEqual({
        ok: true,
        arguments: {},
        repairs: [],
        argumentsText: raw ?? '',
      })
      expect(parseArguments(raw, { toolName: 'read', emptyObject: 'never' })).toMatchObject({ ok: false })
      expect(parseArguments(raw, { toolName: 'read', schema: true, emptyObject: 'never' })).toMatchObject({ ok: false })
    }
  })

  test('that can not be parsed are {} by opt-in and only if the schema takes it', () => {
    const lastResort = { emptyObject: 'unparseable' } as const
    expect(parseArguments('None', { toolName: 'read', schema: { type: 'object' }, ...lastResort })).toMatchObject({
      ok: true,
      arguments: {},
      repairs: [{ name: 'empty-object', start: 0, end: 4, before: 'None' }],
    })
    expect(parseArguments('None', { ...options, ...lastResort })).toMatchObject({
      ok: false,
      failure: { code: 'no-object' },
    })
    expect(parseArguments('None', { toolName: 'read', ...lastResort })).toMatchObject({ ok: false })
    const cut = parseArguments('{"filter":"*.tm', { toolName: 'read', schema: { type: 'object' }, ...lastResort })
    expect(cut).toMatchObject({ ok: false, failure: { code: 'incomplete' } })
  })

  test('are refused below the depth that was asked for', () => {
    expect(parseArguments('{"a":[[1]]}', { toolName: 'read', maxDepth: 2 })).toMatchObject({
      failure: { code: 'too-deep' },
    })
    expect(parseArguments('{"a":[[1]]}', { toolName: 'read', maxDepth: 3 })).toMatchObject({ ok: true })
  })

  test('go through the hook of the caller, without a schema too', () => {
    const outcome = parseArguments('{"a":1}', {
      toolName: 'read',
      refine: (args, call) => ({ ...args, by: call.name }),
    })
    expect(outcome).toMatchObject({
      ok: true,
      arguments: { a: 1, by: 'read' },
      repairs: [{ name: 'refine' }],
    })
  })

  test('reach the tool as the schema made them', () => {
    const transforming = z.object({ path: z.string().transform((path) => path.split('/')) })
    expect(parseArguments('{"path":"a/b"}', { toolName: 'read', schema: transforming })).toMatchObject({
      ok: true,
      arguments: { path: ['a', 'b'] },
    })
  })

  test('are audited once, with what was done or why not', () => {
    const records: AuditRecord[] = []
    const onAudit = (record: AuditRecord): void => void records.push(record)
    parseArguments('Here: {"path":"a"}', { ...options, onAudit, id: 'call_7' })
    parseArguments('{"path"', { ...options, onAudit })
    expect(records).toMatchObject([
      {
        id: 'call_7',
        name: 'read',
        format: null,
        ok: true,
        raw: 'Here: {"path":"a"}',
        repaired: '{"path":"a"}',
        repairs: [{ name: 'surrounding-text' }],
      },
      { id: '', name: 'read', format: null, ok: false, raw: '{"path"', repairs: [], code: 'incomplete' },
    ])
    expect(records[1]).not.toHaveProperty('repaired')
  })

  test('are counted by a meter', () => {
    const meter = createMeter()
    parseArguments('{"path":"a"}', { ...options, onAudit: meter.onAudit })
    parseArguments('', { ...options, onAudit: meter.onAudit })
    expect(meter.snapshot()).toMatchObject({
      calls: 2,
      ok: 1,
      failures: { 'empty-arguments': 1 },
      formats: { none: { calls: 2 } },
    })
  })
})

describe('misuse is a TypeError', () => {
  test('for options that name no tool', () => {
    expect(() => parseArguments('{}', undefined as unknown as ParseArgumentsOptions<undefined>)).toThrow(/toolName/)
  })

  test('for a broken schema, by the name of the tool', () => {
    expect(() => parseArguments('{}', { toolName: 'read', schema: { type: 'objekt' } })).toThrow(/"read".*type/)
  })

  test('for what is no JSON value', () => {
    expect(() => parseArguments(() => 1, options)).toThrow(TypeError)
  })

  test('for a value that has no JSON, whatever keeps it from having one', async () => {
    const loop: Record<string, unknown> = { path: 'a' }
    loop['self'] = { loop }
    const deep = Array.from({ length: 1e5 }).reduce<object>((inner) => ({ inner }), {})
    const failing = {
      toJSON: () => {
        throw new RangeError('not now')
      },
    }
    const refusal = new TypeError('arguments must be text or a JSON value: this one has no JSON')
    for (const raw of [loop, { big: 1n, loop }, deep, failing, { toJSON: () => undefined }]) {
      expect(() => parseArguments(raw, options)).toThrow(refusal)
      await expect(parseArgumentsAsync(raw, options)).rejects.toThrow(refusal)
    }
  })

  test('for an asynchronous schema, known at once or only with the value', async () => {
    const atOnce = z.object({}).refine(() => Promise.resolve(true))
    expect(() => parseArguments('{}', { toolName: 'read', schema: atOnce })).toThrow(/parseArgumentsAsync/)
    const later = z.object({ id: z.string().refine((id) => Promise.resolve(id === 'a'), 'no such id') })
    expect(() => parseArguments('{"id":"a"}', { toolName: 'read', schema: later })).toThrow(/parseArgumentsAsync/)
    const rejecting = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: () => Promise.reject(new Error('database is down')),
      },
    }
    expect(() => parseArguments('{"id":"a"}', { toolName: 'read', schema: rejecting })).toThrow(/parseArgumentsAsync/)
    expect(await parseArgumentsAsync('{"id":"a"}', { toolName: 'read', schema: later })).toMatchObject({ ok: true })
    expect(await parseArgumentsAsync('{"id":"b"}', { toolName: 'read', schema: later })).toMatchObject({
      ok: false,
      failure: { code: 'schema-mismatch', issues: [{ path: '/id', message: 'no such id (got string "b")' }] },
    })
    await expect(parseArgumentsAsync('{"id":"a"}', { toolName: 'read', schema: rejecting })).rejects.toThrow(
      'database is down',
    )
    await expect(parseArgumentsAsync('{}', { toolName: 'read', schema: { type: 'x' } })).rejects.toThrow(TypeError)
  })
})

describe('laws', () => {
  const anyRaw = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.string({
      unit: fc.constantFrom('{', '}', '"', ':', ',', '[', ']', '\\', 'a', '1', ' ', '\n', 'null', '`', '😀', '\ud83d'),
    }),
  )

  test('the gate stays closed where the schema itself says no to {}', () => {
    const schemas = fc.constantFrom(
      schema,
      { type: 'object', minProperties: 1 },
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      z.object({ path: z.string() }),
      false,
    )
    const policies = fc.record({
      repair: fc.constantFrom('lossless' as const, 'lenient' as const, 'none' as const),
      closeTruncated: fc.boolean(),
      emptyObject: fc.constantFrom('absent' as const, 'unparseable' as const, 'never' as const),
    })
    fc.assert(
      fc.property(anyRaw, schemas, policies, (raw, closed, policy) => {
        const outcome = parseArguments(raw, { toolName: 'read', schema: closed, ...policy })
        if (outcome.ok) expect(Object.keys(outcome.arguments)).not.toHaveLength(0)
      }),
      { numRuns: 500 },
    )
  })

  test('reading the repaired text again needs no repair and gives the same', () => {
    fc.assert(
      fc.property(anyRaw, (raw) => {
        let repaired: string | undefined
        const outcome = parseArguments(raw, { toolName: 'read', onAudit: (record) => (repaired = record.repaired) })
        if (!outcome.ok || repaired === undefined) return
        expect(parseArguments(repaired, { toolName: 'read' })).toMatchObject({
          ok: true,
          arguments: outcome.arguments,
          repairs: [],
        })
      }),
      { numRuns: 500 },
    )
  })

  test('every message keeps its limits', () => {
    fc.assert(
      fc.property(anyRaw, (raw) => {
        const outcome = parseArguments(raw, options)
        if (outcome.ok) return
        expect(outcome.failure.message.length).toBeGreaterThanOrEqual(20)
        expect(outcome.failure.message.length).toBeLessThanOrEqual(1000)
        expect(outcome.failure.message).toContain('read')
      }),
      { numRuns: 500 },
    )
  })
})

/** Cases that are kept beside a checkout and are no part of it. Without them there is nothing to run here. */
const cases = new URL('../../../shared/vectors/arguments.json', import.meta.url)

describe.runIf(existsSync(cases))('the shared cases', () => {
  interface Case {
    readonly id: string
    readonly input?: string
    readonly schema: object
    readonly right: Readonly<Record<string, unknown>>
  }
  const all = existsSync(cases)
    ? (JSON.parse(readFileSync(cases, 'utf8')) as { readonly cases: readonly Case[] }).cases
    : []
  const modes = { default: {}, lenient: { repair: 'lenient' }, close: { closeTruncated: true } } as const

  test.each(all.filter((entry) => entry.input !== undefined))('$id', ({ input, schema: given, right }) => {
    for (const mode of ['default', 'lenient', 'close'] as const) {
      const outcome = parseArguments(input, { toolName: 'tool', schema: given, ...modes[mode] })
      const wanted = String(right[mode] ?? right['default'])
      // A repaired value may be one that the schema of the case refuses; only the reading is under test here.
      if (!outcome.ok && outcome.failure.code === 'schema-mismatch' && !wanted.startsWith('rejected')) continue
      const names = outcome.ok ? [...new Set(outcome.repairs.map((repair) => repair.name))].sort().join('+') : ''
      const got = outcome.ok ? (names === '' ? 'ok' : `repaired:${names}`) : `rejected:${outcome.failure.code}`
      expect(got).toBe(
        wanted.replace(/^repaired:(.*)$/, (_, list: string) => `repaired:${list.split('+').sort().join('+')}`),
      )
      const value = right[mode === 'default' ? 'value' : `${mode}Value`] ?? right['value']
      if (outcome.ok && value !== undefined) expect(outcome.arguments).toEqual(value)
    }
  })
})
