import { describe, expectTypeOf, it } from 'vitest'
import type { AssemblerEvent, AssemblerResult, JsonObject } from '../../src/index.ts'

interface Known {
  readonly look: { readonly at: string }
  readonly list: JsonObject
}

describe('a result with tools known by name', () => {
  it('can be passed on as one of any tools', () => {
    expectTypeOf<AssemblerResult<Known>>().toExtend<AssemblerResult>()
    expectTypeOf<AssemblerEvent<Known>>().toExtend<AssemblerEvent>()
  })

  it('is no result of other tools', () => {
    expectTypeOf<AssemblerResult<Known>>().not.toExtend<AssemblerResult<{ readonly look: { readonly at: number } }>>()
    expectTypeOf<AssemblerResult>().not.toExtend<AssemblerResult<Known>>()
  })
})
