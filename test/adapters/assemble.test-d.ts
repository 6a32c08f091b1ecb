import { expectTypeOf, test } from 'vitest'
import { Readable } from 'node:stream'
import { assemble } from '../../src/adapters/assemble.ts'
import { createAssemblerTransform } from '../../src/adapters/node-stream.ts'
import { AssemblerStream } from '../../src/adapters/web-stream.ts'
import type { AssemblerEvent, AssemblerResult } from '../../src/model/events.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { StandardSchema } from '../../src/model/tools.ts'

declare const weather: StandardSchema<{ city: string }>
declare const sdkStream: AsyncIterable<{ readonly id: string }>

test('every kind of source is taken', () => {
  void assemble(new Response())
  void assemble(new ReadableStream<Uint8Array>())
  void assemble(Readable.from([]))
  void assemble(sdkStream)
  void assemble({ stream: sdkStream })
  void assemble([new Uint8Array(), 'text', {}])
  void assemble(new Blob())
  // @ts-expect-error a promise has to be awaited first
  void assemble(fetch('http://host'))
})

test('arguments have the type of their schema', async () => {
  const options = { tools: { weather: { parameters: weather }, other: {} } } as const
  const stream = assemble('', options)
  for (const call of (await stream.result()).calls) {
    if (!call.ok || call.kind === 'custom') continue
    if (call.name === 'weather') expectTypeOf(call.arguments).toEqualTypeOf<{ city: string }>()
    if (call.name === 'other') expectTypeOf(call.arguments).toEqualTypeOf<JsonObject>()
  }
  const stage = new AssemblerStream(options)
  type ByName = { readonly weather: { city: string }; readonly other: JsonObject }
  expectTypeOf(stage.readable).toEqualTypeOf<ReadableStream<AssemblerEvent<ByName>>>()
  expectTypeOf(createAssemblerTransform(options).result).toEqualTypeOf<Promise<AssemblerResult<ByName>>>()
})

test('a stream is a web transform', () => {
  expectTypeOf<AssemblerStream>().toExtend<TransformStream<string | object, AssemblerEvent>>()
  void new Response().body?.pipeThrough(new AssemblerStream())
})
