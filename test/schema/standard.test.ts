import { jsonSchema, zodSchema } from 'ai'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { CheckResult } from '../../src/model/compiled.ts'
import { compileSchema } from '../../src/schema/check.ts'

function issuesOf(result: CheckResult | Promise<CheckResult> | undefined): unknown {
  return result === undefined || result instanceof Promise || result.ok ? result : result.issues
}

describe('a Standard Schema', () => {
  test.each([
    ['zod', z.object({ path: z.string(), edits: z.array(z.object({ 'a/b': z.number() })) })],
    ['valibot', v.object({ path: v.string(), edits: v.array(v.object({ 'a/b': v.number() })) })],
    ['arktype', type({ path: 'string', edits: type({ 'a/b': 'number' }).array() })],
  ])('of %s is asked itself, and its paths become JSON Pointers', (_library, schema) => {
    const compiled = compileSchema(schema)
    expect(compiled).toMatchObject({ acceptsEmpty: false, asynchronous: false })
    expect(compiled.check({ path: 'x', edits: [] })).toEqual({ ok: true, value: { path: 'x', edits: [] } })
    const issues = issuesOf(compiled.check({ path: 'x', edits: [{ 'a/b': 'wrong' }] }))
    expect(issues).toMatchObject([
      { path: '/edits/0/a~1b', message: expect.stringMatching(/number.*\(got string "wrong"\)/) as string },
    ])
  })

  test.each([
    ['zod', z.object({ path: z.string(), n: z.number().default(3) })],
    ['arktype', type({ path: 'string', n: 'number = 3' })],
  ])('of %s tells its JSON Schema, that of the input', (_library, schema) => {
    const compiled = compileSchema(schema)
    expect(compiled.jsonSchema).toMatchObject({ type: 'object', required: ['path'] })
    expect(compiled.stringAt?.(['path'])).toBe(true)
    expect(compiled.stringAt?.(['n'])).toBe(false)
  })

  test('without a JSON Schema is checked all the same', () => {
    const dates = compileSchema(z.object({ when: z.date() }))
    expect(dates).not.toHaveProperty('jsonSchema')
    expect(dates.check({ when: 'x' })).toMatchObject({ ok: false })
    expect(compileSchema(v.object({}))).toMatchObject({ acceptsEmpty: true })
  })

  test('gives the tool what it made of the value', () => {
    const schema = z.object({ n: z.string().transform(Number) }).transform(({ n }) => ({ twice: n * 2 }))
    expect(compileSchema(schema).check({ n: '21' })).toEqual({ ok: true, value: { twice: 42 } })
  })

  test('gets a copy that it may change', () => {
    const greedy = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: (value: unknown) => ({ value: Object.assign(value as object, { changed: true }) }),
      },
    }
    const given = { a: { b: [1] } }
    expect(compileSchema(greedy).check(given)).toEqual({ ok: true, value: { a: { b: [1] }, changed: true } })
    expect(given).toEqual({ a: { b: [1] } })
  })

  test('that throws at creation leaves the gate closed; what it throws later comes out', () => {
    const thrower = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: () => {
          throw new Error('database is down')
        },
      },
    }
    const compiled = compileSchema(thrower)
    expect(compiled.acceptsEmpty).toBe(false)
    expect(() => compiled.check({ a: 1 })).toThrow('database is down')
  })

  test('that refuses without a reason is still a refusal', () => {
    const silent = { '~standard': { version: 1 as const, vendor: 'test', validate: () => ({ issues: [] }) } }
    expect(issuesOf(compileSchema(silent).check({}))).toEqual([{ path: '', message: expect.any(String) as string }])
  })
})

describe('an asynchronous schema', () => {
  const known = z
    .object({ id: z.string().optional() })
    .refine(({ id }) => Promise.resolve(id !== 'unknown'), 'no such id')

  test('is told by its answer for {}', async () => {
    const compiled = compileSchema(known)
    expect(compiled.asynchronous).toBe(true)
    expect(await compiled.acceptsEmpty).toBe(true)
    expect(await compiled.check({ id: 'a' })).toEqual({ ok: true, value: { id: 'a' } })
    expect(await compiled.check({ id: 'unknown' })).toMatchObject({ ok: false, issues: [{ message: 'no such id' }] })
  })

  test('that rejects for {} leaves the gate closed; what it rejects with later comes out', async () => {
    const compiled = compileSchema({
      '~standard': { version: 1 as const, vendor: 'test', validate: () => Promise.reject(new Error('timeout')) },
    })
    expect(await compiled.acceptsEmpty).toBe(false)
    await expect(compiled.check({})).rejects.toThrow('timeout')
  })
})

describe("the AI SDK's schema", () => {
  test('without a validator is checked as JSON Schema', () => {
    const compiled = compileSchema(
      jsonSchema({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }),
    )
    expect(compiled).toMatchObject({ acceptsEmpty: false, asynchronous: false })
    expect(issuesOf(compiled.check({ a: 1 }))).toEqual([{ path: '/a', message: 'expected string, got number 1' }])
  })

  test('with a validator is asked, and its errors are read', async () => {
    const compiled = compileSchema(zodSchema(z.object({ a: z.array(z.string()) })))
    expect(compiled).toMatchObject({ asynchronous: true, jsonSchema: { type: 'object' } })
    expect(await compiled.acceptsEmpty).toBe(false)
    expect(await compiled.check({ a: ['x', 1] })).toMatchObject({ ok: false, issues: [{ path: '/a/1' }] })
    expect(await compiled.check({ a: ['x'] })).toEqual({ ok: true, value: { a: ['x'] } })
  })

  test('with a validator of its own says what that says', () => {
    const compiled = compileSchema(
      jsonSchema({ type: 'object' }, { validate: () => ({ success: false, error: new Error('only on Sundays') }) }),
    )
    expect(issuesOf(compiled.check({}))).toEqual([{ path: '', message: 'only on Sundays' }])
  })
})
