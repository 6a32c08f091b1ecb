// What a server sends without a mistake comes out as it went in: in every format, however it is written, however it is cut.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAssembler as createCore } from '../../src/core.ts'
import { formats as registered } from '../../src/formats/registry.ts'
import type { AssemblerResult } from '../../src/index.ts'
import { anySizes, anyTurn, cutBy, formats, patient, read, runs, sent, type Sent } from './support.ts'

function expectAsSent(result: AssemblerResult, turn: Sent): void {
  expect(
    result.calls.map(({ name, ...call }) => ({ name, arguments: call.ok ? call.arguments : call.failure })),
  ).toEqual(turn.calls.map((call) => ({ name: call.name, arguments: call.arguments })))
  expect(result.calls.flatMap((call) => (call.ok ? call.repairs : []))).toEqual([])
  // Pieces under paths have no text of their own: the text is written from them.
  const texts = result.calls.map(({ argumentsText }) => argumentsText)
  if (turn.options.partialArgs !== true || turn.format !== 'gemini')
    expect(texts).toEqual(turn.calls.map(({ argumentsText }) => argumentsText))
  expect(result.text).toBe(turn.text)
  expect(result.reasoning).toBe(turn.reasoning)
  expect(result.finish).toMatchObject({ truncated: false, reason: turn.calls.length > 0 ? 'tool-calls' : 'stop' })
  expect([result.warnings, result.errors]).toEqual([[], []])
  expect(result.format).toBe(turn.format)
  expect(result.usage === undefined).toBe(turn.options.usage === false)
}

describe.each(formats)('a turn in %s', (format) => {
  it('comes out as it went in, whatever it says and however it is written and cut', patient, () => {
    fc.assert(
      fc.property(
        anyTurn({ format: fc.constant(format) }),
        anySizes,
        fc.boolean(),
        fc.boolean(),
        (turn, sizes, named, fastPath) => {
          const options = { format: named ? format : ('auto' as const), fastPath }
          expectAsSent(read(cutBy(turn.bytes, sizes), options).result, turn)
        },
      ),
      { numRuns: runs },
    )
  })

  it('comes out of the small door, which knows nothing but this format', () => {
    const value = registered.find(({ name }) => name === format)
    // Its binary framing is not part of that door.
    if (value === undefined || format === 'bedrock') return
    const turn = sent(format, [{ name: 'f', arguments: { a: ['ä', null, { b: -1.5 }] } }], { deltaSize: 3 })
    const assembler = createCore({ format: value })
    assembler.feed(turn.bytes)
    assembler.end()
    expect(assembler.result?.calls).toMatchObject([{ ok: true, arguments: { a: ['ä', null, { b: -1.5 }] } }])
  })
})
