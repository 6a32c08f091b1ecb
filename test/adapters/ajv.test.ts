import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { ajvSchema } from '../../src/adapters/ajv.ts'
import { parseArguments, parseArgumentsAsync } from '../../src/assembly/parse-arguments.ts'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    mode: { enum: ['a', 'b'] },
    deep: { type: 'array', items: { type: 'number' } },
  },
  required: ['path'],
  additionalProperties: false,
}

describe('a schema by Ajv', () => {
  const ajv = new Ajv2020({ ownProperties: true, allErrors: true })
  const options = { toolName: 'read', schema: ajvSchema(ajv, schema) }

  test('judges the arguments', () => {
    expect(parseArguments('{"path":"a"}', options)).toMatchObject({ ok: true, arguments: { path: 'a' } })
    expect(parseArguments('{"mode":"c","deep":[1,"x"],"x/y":1}', options)).toMatchObject({
      ok: false,
      failure: {
        code: 'schema-mismatch',
        issues: [
          { path: '/path', message: 'required, but missing' },
          { path: '/x~1y', message: 'is not a known parameter (got number 1)' },
          { path: '/mode', message: 'must be equal to one of the allowed values: ["a","b"] (got string "c")' },
          { path: '/deep/1', message: 'must be number (got string "x")' },
        ],
      },
    })
  })

  test('closes the gate, and describes the parameters in the message', () => {
    const outcome = parseArguments('', options)
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'empty-arguments' } })
    if (!outcome.ok) expect(outcome.failure.message).toContain('"path": string (required)')
  })

  test('does not take an inherited name for a required one', () => {
    const required = ajvSchema(ajv, { type: 'object', required: ['toString'] })
    expect(parseArguments('', { toolName: 'read', schema: required })).toMatchObject({ ok: false })
  })

  test('does not write into the evidence', () => {
    const filling = new Ajv2020({ useDefaults: true })
    const filled = ajvSchema(filling, { type: 'object', properties: { n: { type: 'number', default: 3 } } })
    expect(parseArguments('{}', { toolName: 'read', schema: filled })).toMatchObject({
      ok: true,
      arguments: { n: 3 },
      argumentsText: '{}',
    })
  })

  test('that is asynchronous needs the asynchronous call', async () => {
    const asynchronous = new Ajv2020()
    asynchronous.addKeyword({
      keyword: 'known',
      async: true,
      type: 'string',
      validate: (_: unknown, id: string) => Promise.resolve(id === 'a'),
    })
    const known = ajvSchema(asynchronous, {
      $async: true,
      type: 'object',
      properties: { id: { type: 'string', known: true } },
    })
    expect(() => parseArguments('{"id":"a"}', { toolName: 'read', schema: known })).toThrow(/parseArgumentsAsync/)
    expect(await parseArgumentsAsync('{"id":"a"}', { toolName: 'read', schema: known })).toMatchObject({ ok: true })
    expect(await parseArgumentsAsync('{"id":"b"}', { toolName: 'read', schema: known })).toMatchObject({
      ok: false,
      failure: { code: 'schema-mismatch', issues: [{ path: '/id' }] },
    })
  })

  test('that is broken throws when it is made', () => {
    expect(() => ajvSchema(ajv, { type: 'objekt' })).toThrow()
  })
})
