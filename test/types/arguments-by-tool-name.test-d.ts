import type Anthropic from '@anthropic-ai/sdk'
import type { Tool as GeminiTool } from '@google/genai'
import { jsonSchema, tool, zodSchema, type ToolSet } from 'ai'
import { type } from 'arktype'
import type { Tool as OllamaTool } from 'ollama'
import type OpenAI from 'openai'
import * as v from 'valibot'
import { describe, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { parseArguments } from '../../src/assembly/parse-arguments.ts'
import type { ArgumentsByName, ToolCall } from '../../src/model/calls.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { ArgumentsByToolName, Tools } from '../../src/model/tools.ts'

interface Weather {
  city: string
  days: number
}

const zodWeather = z.object({ city: z.string(), days: z.number().default(3) })
const valibotWeather = v.object({ city: v.string(), days: v.optional(v.number(), 3) })
const arktypeWeather = type({ city: 'string', days: 'number' })
const plain = { type: 'object', properties: { city: { type: 'string' } } } as const

/** What an assembler does with its tools: names and schemas are taken as written. */
declare function callsOf<const T extends Tools = Tools>(tools?: T): ToolCall<ArgumentsByToolName<T>>

describe('the arguments of a call that may run', () => {
  test('are the output of the Standard Schema, for a record of tools', () => {
    const call = callsOf({
      by_zod: { parameters: zodWeather },
      by_valibot: { inputSchema: valibotWeather },
      by_arktype: { input_schema: arktypeWeather },
      plain: { parameters: plain },
      bare: { description: 'takes nothing' },
    })
    if (!call.ok || call.kind !== 'function') return
    if (call.name === 'by_zod') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'by_valibot') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'by_arktype') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'plain') expectTypeOf(call.arguments).toEqualTypeOf<JsonObject>()
    if (call.name === 'bare') expectTypeOf(call.arguments).toEqualTypeOf<JsonObject>()
    expectTypeOf(call.name).toEqualTypeOf<'by_zod' | 'by_valibot' | 'by_arktype' | 'plain' | 'bare'>()
  })

  test('are the output of the Standard Schema, in every shape of an array', () => {
    const call = callsOf([
      { name: 'named', description: 'd', parameters: zodWeather },
      { type: 'function', name: 'responses', parameters: valibotWeather, strict: true },
      { type: 'function', function: { name: 'chat', parameters: arktypeWeather } },
      { name: 'anthropic', input_schema: zodWeather },
      { name: 'mcp', inputSchema: zodWeather },
      {
        functionDeclarations: [
          { name: 'gemini', parameters: zodWeather },
          { name: 'other', parametersJsonSchema: plain },
        ],
      },
      { toolSpec: { name: 'bedrock', inputSchema: { json: plain } } },
      { googleSearch: {} },
      { type: 'web_search_preview' },
    ])
    if (!call.ok || call.kind !== 'function') return
    if (call.name === 'named') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'responses') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'chat') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'anthropic') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'mcp') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'gemini') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'other') expectTypeOf(call.arguments).toEqualTypeOf<JsonObject>()
    if (call.name === 'bedrock') expectTypeOf(call.arguments).toEqualTypeOf<JsonObject>()
    expectTypeOf(call.name).toEqualTypeOf<
      'named' | 'responses' | 'chat' | 'anthropic' | 'mcp' | 'gemini' | 'other' | 'bedrock'
    >()
  })

  test('are the output of a transforming schema', () => {
    const call = callsOf({ at: { parameters: z.object({ when: z.string() }).transform(({ when }) => new Date(when)) } })
    if (call.ok && call.kind === 'function') expectTypeOf(call.arguments).toEqualTypeOf<Date>()
  })

  test("come from the AI SDK's tools, lazy ones too", () => {
    const call = callsOf({
      zod: tool({ inputSchema: zodWeather, execute: ({ city }) => city }),
      wrapped: tool({ inputSchema: zodSchema(zodWeather) }),
      plain: tool({ inputSchema: jsonSchema<Weather>(plain) }),
    })
    if (!call.ok || call.kind !== 'function') return
    if (call.name === 'plain') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'wrapped') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
    if (call.name === 'zod') expectTypeOf(call.arguments).toEqualTypeOf<Weather>()
  })

  test('are a JSON object where the names are not known to the compiler', () => {
    expectTypeOf<ArgumentsByToolName<Tools>>().toEqualTypeOf<ArgumentsByName>()
    expectTypeOf<
      ArgumentsByToolName<{ name: string; parameters: typeof zodWeather }[]>
    >().toEqualTypeOf<ArgumentsByName>()
    expectTypeOf<
      ArgumentsByToolName<Record<string, { parameters: typeof zodWeather }>>
    >().toEqualTypeOf<ArgumentsByName>()
    const call = callsOf()
    if (call.ok && call.kind === 'function') {
      expectTypeOf(call.name).toEqualTypeOf<string>()
      expectTypeOf(call.arguments).toEqualTypeOf<JsonObject>()
    }
  })

  test('are text for a free-text call', () => {
    const call = callsOf({ get_weather: { parameters: zodWeather } })
    if (call.ok && call.kind === 'custom') expectTypeOf(call.arguments).toEqualTypeOf<string>()
  })
})

test('a refused call has no arguments', () => {
  const call = callsOf({ get_weather: { parameters: zodWeather } })
  if (call.ok) return
  expectTypeOf(call).not.toHaveProperty('arguments')
  // @ts-expect-error nothing could be run by accident
  void call.arguments
  // @ts-expect-error not before `ok` was asked either
  void callsOf({ get_weather: { parameters: zodWeather } }).arguments
})

test('the tool types of the usual kits are taken as they are', () => {
  expectTypeOf<OpenAI.ChatCompletionTool[]>().toExtend<Tools>()
  expectTypeOf<OpenAI.Responses.Tool[]>().toExtend<Tools>()
  expectTypeOf<Anthropic.ToolUnion[]>().toExtend<Tools>()
  expectTypeOf<GeminiTool[]>().toExtend<Tools>()
  expectTypeOf<OllamaTool[]>().toExtend<Tools>()
  expectTypeOf<ToolSet>().toExtend<Tools>()
})

describe('parseArguments', () => {
  test('gives the output of the schema', () => {
    const outcome = parseArguments('{}', { toolName: 't', schema: zodWeather })
    if (outcome.ok) expectTypeOf(outcome.arguments).toEqualTypeOf<Weather>()
    else expectTypeOf(outcome).not.toHaveProperty('arguments')
  })

  test('gives a JSON object for plain JSON Schema and without a schema', () => {
    const checked = parseArguments('{}', { toolName: 't', schema: plain })
    if (checked.ok) expectTypeOf(checked.arguments).toEqualTypeOf<JsonObject>()
    const unchecked = parseArguments('{}', { toolName: 't' })
    if (unchecked.ok) expectTypeOf(unchecked.arguments).toEqualTypeOf<JsonObject>()
  })
})
