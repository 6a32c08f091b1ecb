import { jsonSchema, tool, zodSchema } from 'ai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { ToolTable } from '../../src/model/compiled.ts'
import type { Tools } from '../../src/model/tools.ts'
import { compileTools } from '../../src/schema/tools.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

function compile(tools: unknown, policy = {}): ToolTable {
  // Many of these are what callers without types pass.
  const table = compileTools(tools as Tools, { policy, maxDepth: 128 })
  if (table === undefined) throw new Error('tools were given')
  return table
}

const broken = (parameters: unknown): unknown => [{ name: 'read', parameters }]

const verdicts = async (table: ToolTable, name: string): Promise<readonly unknown[]> => {
  const check = table.get(name)?.check
  return [(await check?.({ path: 'a' }))?.ok, (await check?.({}))?.ok]
}

describe('tool definitions are taken in the shape of', () => {
  test.each<[string, unknown]>([
    ['a record', { read: { description: 'Reads', parameters: schema } }],
    ['a list with parameters', [{ name: 'read', description: 'Reads', parameters: schema }]],
    ['MCP', [{ name: 'read', description: 'Reads', inputSchema: schema, annotations: { readOnlyHint: true } }]],
    ['Anthropic', [{ name: 'read', description: 'Reads', input_schema: schema, cache_control: { type: 'ephemeral' } }]],
    ['Chat Completions', [{ type: 'function', function: { name: 'read', description: 'Reads', parameters: schema } }]],
    ['Responses', [{ type: 'function', name: 'read', description: 'Reads', parameters: schema, strict: true }]],
    [
      'a namespace of Responses',
      [
        {
          type: 'namespace',
          name: 'fs',
          tools: [{ type: 'function', name: 'read', description: 'Reads', parameters: schema }],
        },
      ],
    ],
    ['Gemini', [{ functionDeclarations: [{ name: 'read', description: 'Reads', parametersJsonSchema: schema }] }]],
    ['Gemini in snake case', [{ function_declarations: [{ name: 'read', description: 'Reads', parameters: schema }] }]],
    [
      "Gemini's own dialect",
      [
        {
          functionDeclarations: [
            {
              name: 'read',
              description: 'Reads',
              parameters: { type: 'OBJECT', properties: { path: { type: 'STRING' } }, required: ['path'] },
            },
          ],
        },
      ],
    ],
    ['Bedrock', [{ toolSpec: { name: 'read', description: 'Reads', inputSchema: { json: schema } } }]],
    ['the AI SDK with zod', { read: tool({ description: 'Reads', inputSchema: z.object({ path: z.string() }) }) }],
    [
      'the AI SDK with JSON Schema',
      { read: tool({ description: 'Reads', inputSchema: jsonSchema(schema as object) }) },
    ],
    [
      'the AI SDK with its own wrapper',
      { read: tool({ description: 'Reads', inputSchema: zodSchema(z.object({ path: z.string() })) }) },
    ],
    ['the AI SDK, lazily', { read: { description: 'Reads', inputSchema: () => jsonSchema(schema as object) } }],
  ])('%s', async (_shape, tools) => {
    const table = compile(tools)
    expect([...table.keys()]).toEqual(['read'])
    expect(table.get('read')?.description).toBe('Reads')
    expect(table.get('read')?.jsonSchema).toMatchObject({ type: 'object', properties: { path: { type: 'string' } } })
    expect(await verdicts(table, 'read')).toEqual([true, false])
    expect(await table.get('read')?.acceptsEmpty).toBe(false)
  })

  test("a provider's own tools: those that make calls are known by their type, those that don't are passed over", () => {
    const table = compile([
      { type: 'local_shell' },
      { type: 'mcp', server_label: 'a' },
      { type: 'mcp', server_label: 'b' },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'custom', custom: { name: 'grammar' } },
      { googleSearch: {} },
      { cachePoint: { type: 'default' } },
    ])
    expect([...table.keys()]).toEqual(['local_shell', 'mcp', 'bash', 'grammar'])
    expect(table.get('bash')).not.toHaveProperty('check')
  })

  test('no tools at all: there is nothing to check with', () => {
    expect(compileTools(undefined, { policy: {}, maxDepth: 1 })).toBeUndefined()
    expect(compile([]).size).toBe(0)
  })
})

describe('creation fails by name for', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'a reference to nothing',
      broken({ type: 'object', properties: { a: { $ref: '#/$defs/missing' } } }),
      /read.*#\/\$defs\/missing/,
    ],
    ['a reference to elsewhere', broken({ $ref: 'https://example.com/schema.json' }), /read.*example\.com/],
    [
      'a reference to itself',
      broken({ $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] } }, $ref: '#/$defs/a' }),
      /read.*without an end/,
    ],
    ['an unknown type', broken({ type: 'object', properties: { a: { type: 'text' } } }), /read.*\/properties\/a\/type/],
    ['a pattern that is none', broken({ type: 'object', properties: { a: { pattern: '[' } } }), /read.*pattern/],
    ['a keyword of the wrong shape', broken({ type: 'object', required: 'a' }), /read.*required/],
    ['a subschema that is none', broken({ type: 'object', properties: { a: 'string' } }), /read.*\/properties\/a/],
    ['properties without an object around them', broken({ path: { type: 'string' } }), /read.*no keyword/],
    ['a record of zod schemas', broken({ path: z.string() }), /read.*z\.object/],
    [
      'a dynamic reference',
      broken({ type: 'object', properties: { a: { $dynamicRef: '#x' } } }),
      /read.*\$dynamicRef.*ajvSchema/,
    ],
    ['text in the place of a schema', broken('object'), /read.*must be a schema/],
    ['an array in the place of a schema', broken([]), /read.*must be a schema/],
    ['a schema that is not JSON', broken(Object.assign({ type: 'object' }, { default: 1n })), /read/],
    [
      'a JSON Schema that is still loading',
      broken(jsonSchema(Promise.resolve({}) as unknown as object)),
      /read.*promise/,
    ],
    ['two schemas', [{ name: 'read', parameters: schema, inputSchema: {} }], /read.*several schemas/],
    [
      'a second tool of the same name',
      [{ name: 'read' }, { type: 'function', function: { name: 'read' } }],
      /tools\[1\].*read/,
    ],
    ['a tool without a name', [{ parameters: schema }], /tools\[0\] has no name/],
    ['a function without a name', [{ type: 'function', function: { parameters: schema } }], /tools\[0\] has no name/],
    [
      'a declaration without a name',
      [{ functionDeclarations: [{ parameters: schema }] }],
      /functionDeclarations\[0\] has no name/,
    ],
    ['a schema in the place of a definition', { read: schema }, /tools\.read is a schema/],
    ['a zod schema in the place of a definition', { read: z.object({}) }, /tools\.read is a schema/],
    ['a name in the place of a definition', ['read'], /tools\[0\]/],
    ['something that is no list of tools', 'read', /tools must be/],
    ['a policy that does not exist', [{ name: 'read', repair: 'loose' }], /read.*repair/],
    ['a hook that is no function', [{ name: 'read', refine: 'x' }], /read.*refine/],
  ])('%s', (_what, tools, words) => {
    expect(() => compile(tools)).toThrow(TypeError)
    expect(() => compile(tools)).toThrow(words)
  })

  test('a limit of depth that is no number', () => {
    expect(() => compileTools([{ name: 'a' }], { policy: {}, maxDepth: Number.NaN })).toThrow(/maxDepth/)
  })
})

describe('the policy of a tool', () => {
  test('is the safest where nobody says otherwise', () => {
    expect(compile([{ name: 'a' }]).get('a')?.policy).toEqual({
      repair: 'lossless',
      closeTruncated: false,
      emptyObject: 'absent',
      integers: 'reject',
      maxDepth: 128,
    })
  })

  test('is its own before the one for all', () => {
    const tools = [
      { name: 'own', closeTruncated: true },
      { type: 'function', repair: 'none', function: { name: 'around' } },
      { type: 'function', repair: 'none', function: { name: 'inside', repair: 'lenient' } },
    ]
    const table = compile(tools, { closeTruncated: false, emptyObject: 'never', repair: 'lossless' })
    expect(table.get('own')?.policy).toMatchObject({ closeTruncated: true, emptyObject: 'never', repair: 'lossless' })
    expect(table.get('around')?.policy.repair).toBe('none')
    expect(table.get('inside')?.policy.repair).toBe('lenient')
  })
})

test('a schema that contains itself is broken, not endless', () => {
  const circular: Record<string, unknown> = { type: 'object' }
  circular['properties'] = { self: circular }
  expect(() => compile(broken(circular))).toThrow(/read.*broken/)
})

test('schemas are left as they were, frozen ones too', () => {
  const frozen = Object.freeze({ type: 'object', properties: Object.freeze({ a: Object.freeze({ type: 'string' }) }) })
  expect(compile([{ name: 'read', parameters: frozen }]).get('read')?.acceptsEmpty).toBe(true)
  const own = { type: 'object', properties: { a: { type: 'string' } } }
  compile([{ name: 'read', parameters: own }])
  expect(Object.getOwnPropertyNames(own)).toEqual(['type', 'properties'])
})

test('every schema is asked about {} once, at creation', () => {
  const asked: unknown[] = []
  const counting = {
    '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => (asked.push(value), { value }) },
  }
  compile([{ name: 'read', parameters: counting }])
  expect(asked).toEqual([{}])
})
