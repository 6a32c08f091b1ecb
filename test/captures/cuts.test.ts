// Recorded streams, broken off. The recordings stand beside a checkout, in ../shared: where they are absent, only the judge is tested.
// This is a sample that is quick; `scripts/cuts.mjs` breaks off at many more places.
import { describe, expect, it } from 'vitest'
import { createAssembler } from '../../src/index.ts'
import type { AssemblerResult } from '../../src/index.ts'
import { encodeStream } from '../../src/testing.ts'
import { cutsOf, findViolations, hasRecordings, readRecordings, type CreateAssembler, type Recording } from './cuts.mjs'

describe.runIf(hasRecordings)('recorded streams that break off', () => {
  const recordings = hasRecordings ? readRecordings() : []

  it('are truncated, and make no call ok that is another in the whole stream', { timeout: 60_000 }, () => {
    let okCalls = 0
    for (const recording of recordings) {
      const found = findViolations(createAssembler, recording, cutsOf(recording.bytes.length, 8_000, 8))
      expect(found.violations).toEqual([])
      okCalls += found.okCalls
    }
    // Without any, the sample would have seen nothing but streams without an end.
    expect(okCalls).toBeGreaterThan(100)
  })
})

/** An assembler whose result somebody has tampered with. */
function liar(lie: (result: AssemblerResult) => AssemblerResult): CreateAssembler {
  return (options) => {
    const assembler = createAssembler(options)
    return {
      feed: (chunk) => assembler.feed(chunk),
      end: () => assembler.end(),
      get result() {
        return assembler.result && lie(assembler.result)
      },
    }
  }
}

describe('the judge of broken-off streams', () => {
  const [bytes = new Uint8Array()] = encodeStream('openai-chat', [{ name: 'f', arguments: { a: 1, b: 'two' } }], {
    usage: false,
  })
  const recording: Recording = { file: 'made', format: 'openai-chat', bytes: Buffer.from(bytes) }
  const places = cutsOf(bytes.length, Infinity, 1)
  const judge = (create: CreateAssembler): readonly string[] =>
    findViolations(
      create,
      recording,
      places.filter((_, n) => n % 7 === 0),
    ).violations

  it('has nothing to say against what is right', () => {
    expect(places).toHaveLength(bytes.length)
    expect(judge(createAssembler)).toEqual([])
  })

  it('sees arguments that are not those of the whole stream', () => {
    const early = liar((result) => ({
      ...result,
      calls: result.calls.map((call) => {
        if (call.ok) return call
        const { failure: _, ...identity } = call
        return { ...identity, ok: true, kind: 'function', arguments: { a: 1 }, repairs: [] }
      }),
    }))
    expect(judge(early)[0]).toMatch(/an ok call "f" with/)
  })

  it('sees a cut that goes unsaid', () => {
    const silent = liar((result) => ({ ...result, finish: { ...result.finish, truncated: false } }))
    expect(judge(silent)[0]).toMatch(/before its end/)
  })

  it('sees what the whole stream does not have', () => {
    const chatty = liar((result) => (result.finish.raw === null ? { ...result, text: 'made up' } : result))
    expect(judge(chatty)[0]).toMatch(/text is not how the whole begins/)
  })
})
