import { describe, expect, it } from 'vitest'
import { createAssembler } from '../../src/assembly/create.ts'
import type { AssemblerEvent } from '../../src/model/events.ts'

const body =
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n'

/** Feeds the body and returns what came out, by return or after a throw. */
function feedAll(options: Parameters<typeof createAssembler>[0]): {
  thrown: unknown
  events: AssemblerEvent[]
  ok: boolean
} {
  const assembler = createAssembler({ format: 'openai-chat', ...options })
  const events: AssemblerEvent[] = []
  let thrown: unknown
  try {
    events.push(...assembler.feed(body))
  } catch (error) {
    thrown = error
  }
  events.push(...assembler.end())
  return { thrown, events, ok: assembler.result?.calls[0]?.ok ?? false }
}

describe('a hook that throws', () => {
  const boom = (): never => {
    throw new RangeError('boom')
  }

  it('comes out of the feed, and costs no event', () => {
    for (const options of [{ onFrame: boom }, { onAudit: boom }]) {
      const { thrown, events, ok } = feedAll(options)
      expect(thrown).toEqual(new RangeError('boom'))
      expect(events.at(-1)?.type).toBe('finish')
      expect(events.filter((event) => event.type === 'tool-call-end')).toHaveLength(1)
      expect(ok).toBe(true)
    }
  })

  it('refuses the call whose arguments it was to check', () => {
    const throwing = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) => (Object.keys(Object(value)).length === 0 && calls++ > 0 ? boom() : { value }),
      },
    } as const
    let calls = 0
    const { thrown, ok, events } = feedAll({ tools: [{ name: 'f', parameters: throwing }] })
    expect(thrown).toEqual(new RangeError('boom'))
    expect(ok).toBe(false)
    expect(events.at(-1)?.type).toBe('finish')
    expect(feedAll({ refine: boom }).ok).toBe(false)
  })

  it('comes out together with others that say something else', () => {
    const { thrown } = feedAll({
      onFrame: boom,
      onAudit: () => {
        throw new RangeError('bang')
      },
    })
    expect(thrown).toBeInstanceOf(AggregateError)
  })
})

describe('a hook that feeds', () => {
  it('is told not to, and costs no event', () => {
    for (const misuse of [
      (held: ReturnType<typeof createAssembler>) => held.feed('x'),
      (held: ReturnType<typeof createAssembler>) => held.end(),
      (held: ReturnType<typeof createAssembler>) => held.abort(),
    ]) {
      const assembler: ReturnType<typeof createAssembler> = createAssembler({ onFrame: () => void misuse(assembler) })
      expect(() => assembler.feed(body)).toThrow(TypeError)
      expect(assembler.end().at(-1)?.type).toBe('finish')
      expect(assembler.result?.calls[0]?.ok).toBe(true)
    }
  })
})
