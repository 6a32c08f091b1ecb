// What a loop can't do by accident: run, or ask to approve, a call whose arguments are not certain.
import { describe, expectTypeOf, it } from 'vitest'
import { partitionCalls } from '../../src/index.ts'
import type { AssemblerResult, JsonObject, ReadyCall, ReadyCustomCall, RefusedCall } from '../../src/index.ts'

declare const result: AssemblerResult
declare function approve(call: ReadyCall | ReadyCustomCall): boolean

describe('a refused call', () => {
  const { ready, refused } = partitionCalls(result)

  it('has no arguments to show or to run', () => {
    for (const call of refused) {
      expectTypeOf(call).toEqualTypeOf<RefusedCall>()
      expectTypeOf(call).not.toHaveProperty('arguments')
      // @ts-expect-error a refused call can't be approved
      approve(call)
      // @ts-expect-error and has no arguments
      void call.arguments
    }
    for (const call of result.calls) {
      // @ts-expect-error nobody has asked whether it is ok
      approve(call)
      // @ts-expect-error nor whether it has arguments
      void call.arguments
    }
  })

  it('is told apart by ok alone, and a ready one may be approved', () => {
    for (const call of ready) {
      approve(call)
      expectTypeOf(call.arguments).toEqualTypeOf<JsonObject | string>()
    }
    for (const call of result.calls) if (call.ok) approve(call)
  })
})
