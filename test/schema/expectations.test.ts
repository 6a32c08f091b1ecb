import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../src/index.ts'

describe('keys that an object has by nature', () => {
  const names = ['toString', 'valueOf', 'toJSON', 'hasOwnProperty', 'constructor', 'length']
  const schemas = (name: string): object[] => [
    { dependentRequired: { [name]: ['b'] } },
    { dependencies: { [name]: ['b'] } },
    { dependentSchemas: { [name]: { required: ['b'] } } },
    { properties: { [name]: { type: 'string' } } },
    { required: ['b'] },
    { not: { required: [name] } },
    { additionalProperties: false },
    { propertyNames: { maxLength: 1 } },
  ]

  it.each(names)('are members like any other: %s', (name) => {
    for (const schema of schemas(name)) {
      const outcome = parseArguments(`{"${name}":1}`, { toolName: 'tool', schema: { type: 'object', ...schema } })
      expect([schema, outcome]).toMatchObject([schema, { ok: false, failure: { code: 'schema-mismatch' } }])
    }
  })
})
