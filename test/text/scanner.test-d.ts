// The types of a text scanner: what its tools say of the arguments.

import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { createTextScanner } from '../../src/assembly/text-scanner.ts'
import type { JsonObject } from '../../src/model/json.ts'

test('the arguments of a call in text are typed by its tool', () => {
  const scanner = createTextScanner({ tools: { get_weather: { inputSchema: z.object({ city: z.string() }) } } })
  for (const call of scanner.result?.calls ?? []) {
    if (!call.ok) expectTypeOf(call).not.toHaveProperty('arguments')
    else if (call.kind === 'function') expectTypeOf(call.arguments).toEqualTypeOf<{ city: string }>()
  }
  for (const event of scanner.feed('')) {
    if (event.type === 'tool-call-end' && event.call.ok && event.call.kind === 'function') {
      expectTypeOf(event.call.name).toEqualTypeOf<'get_weather'>()
    }
  }
})

test('without tools they are JSON', () => {
  for (const call of createTextScanner().result?.calls ?? []) {
    if (call.ok && call.kind === 'function') expectTypeOf(call.arguments).toEqualTypeOf<JsonObject>()
  }
})

test('options that do not exist are refused', () => {
  // @ts-expect-error -- there is no such policy value
  createTextScanner({ bareJson: 'sometimes' })
})
