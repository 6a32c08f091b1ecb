// The vendors' SDKs see the calls that we see, in streams as their APIs document them. `scripts/sdk-check.mjs` asks them about more.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplayServer, type ReplayServer } from '../../demo/replay-server.mjs'
import { anyTurn, read } from '../laws/support.ts'
import { askSdk, basePath, callsOf, routesFor, type JudgedFormat } from './judges.mjs'

const formats: readonly JudgedFormat[] = ['openai-chat', 'openai-responses', 'anthropic', 'ollama', 'gemini']

/** The same turns in every run. Pieces under paths, arrays and missing counts are not what these SDKs ask for. */
const cases = formats.flatMap((format) => {
  const turn = anyTurn({ format: fc.constant(format), options: { partialArgs: false, array: false, usage: true } })
  return fc.sample(turn, { numRuns: 10, seed: 1 }).map(({ bytes }) => ({ format, body: bytes }))
})

let server: ReplayServer

beforeAll(async () => {
  server = await startReplayServer({ routes: routesFor(cases), chunking: [4096, 61, 7] })
})

afterAll(() => server.close())

describe.each(formats)('the SDK of %s', (format) => {
  it('sees the calls that we see', { timeout: 30_000 }, async () => {
    for (const [n, { format: own, body }] of cases.entries()) {
      if (own !== format) continue
      const ours = callsOf(read([body], { format }).result)
      expect(await askSdk(format, server.url + basePath(n))).toEqual({ calls: ours })
    }
  })
})
