import { Readable } from 'node:stream'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import fc from 'fast-check'
import ndjson from 'ndjson'
import { describe, expect, it, vi } from 'vitest'
import { assemble } from '../../src/adapters/assemble.ts'
import type { AssemblySource } from '../../src/adapters/sources.ts'
import { createAssembler } from '../../src/assembly/create.ts'
import { bytesOf, collect, cutEvery, never, sse, tick, weather } from './wire.ts'

const wholeCall = { name: 'weather', ok: true, arguments: { city: 'Oslo', days: 3 } }

/** A source that counts what is asked of it. */
function watched(chunks: readonly (string | Uint8Array | object)[], end: () => Promise<IteratorResult<string>> = done) {
  let at = 0
  const seen = { reads: 0, returned: 0 }
  const source = {
    [Symbol.asyncIterator]: () => ({
      next() {
        seen.reads++
        const value = chunks[at++]
        return value === undefined ? end() : Promise.resolve({ value, done: false as const })
      },
      return() {
        seen.returned++
        return done()
      },
    }),
  }
  return { source, seen }
}

const done = (): Promise<{ value: undefined; done: true }> => Promise.resolve({ value: undefined, done: true })

/** As an SDK hands out its chunk objects. */
async function* sdkStream() {
  yield* weather
}

describe('assemble, iterated', () => {
  it('gives the events of the push interface, whatever the source and its cuts', async () => {
    const text = sse(weather)
    const expected = joined(pushed(text))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom('text', 'bytes', 'web', 'node'),
        async (size, kind) => {
          const cuts = [...cutEvery(bytesOf(text), size)]
          const sources = {
            text: () => cutEvery(text, size),
            bytes: () => cuts,
            web: () => new Response(Readable.toWeb(Readable.from(cuts)) as ReadableStream),
            node: () => Readable.from(cuts),
          }
          expect(joined(await collect(assemble(sources[kind]())))).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('takes parsed events: from an SDK, from ndjson.parse(), from an array', async () => {
    const rows = weather.map((event) => `${JSON.stringify(event)}\n`)
    for (const source of [sdkStream(), Readable.from(rows).pipe(ndjson.parse()), weather]) {
      const result = await assemble(source).result()
      expect(result.calls).toMatchObject([wholeCall])
      expect(result.finish.reason).toBe('tool-calls')
    }
  })

  it('reads the next chunk when the events of the last one have been taken', async () => {
    const { source, seen } = watched(weather.map((event) => sse([event], false)))
    const events = assemble(source)[Symbol.asyncIterator]()
    await tick()
    expect(seen.reads).toBe(0)
    expect((await events.next()).value).toMatchObject({ type: 'tool-call-start' })
    await tick()
    // The start came with the chunk after the first one, since a name is settled when arguments come.
    const before = seen.reads
    await tick()
    expect(seen.reads).toBe(before)
    await events.next()
    expect(seen.reads).toBe(before)
    await events.next()
    expect(seen.reads).toBe(before + 1)
  })

  it('answers several calls of next() in order', async () => {
    const events = assemble([sse(weather)])[Symbol.asyncIterator]()
    const first = await Promise.all([events.next(), events.next(), events.next()])
    expect(first.map(({ value }) => value?.type)).toEqual(['tool-call-start', 'tool-call-delta', 'tool-call-delta'])
  })

  it('ends with finish at the end marker, and cancels what is left of the source', async () => {
    const { source, seen } = watched([sse(weather), 'data: {"choices":[]}\n\n'])
    const events = await collect(assemble(source))
    expect(events.at(-1)?.type).toBe('finish')
    expect(seen).toEqual({ reads: 1, returned: 1 })
  })

  it('does not cancel a source that has ended by itself', async () => {
    const { source, seen } = watched([sse(weather, false)])
    await collect(assemble(source))
    expect(seen.returned).toBe(0)
  })

  it('refuses a second iteration', async () => {
    const stream = assemble([sse(weather)])
    await collect(stream)
    expect(() => stream[Symbol.asyncIterator]()).toThrow(/iterated already/)
  })

  it('refuses nonsense at once', () => {
    // @ts-expect-error a number is no source
    expect(() => assemble(7)).toThrow(TypeError)
    // @ts-expect-error no such format
    expect(() => assemble([], { format: 'morse' })).toThrow(TypeError)
  })

  it('rejects for a chunk that is none, and cancels the source', async () => {
    const { source, seen } = watched([sse(weather.slice(0, 2), false), 7 as unknown as string])
    const stream = assemble(source)
    const events: unknown[] = []
    await expect(
      (async () => {
        for await (const event of stream) events.push(event)
      })(),
    ).rejects.toThrow(/the source gave number/)
    expect(events).not.toHaveLength(0)
    expect(seen.returned).toBe(1)
    await expect(stream.result()).rejects.toThrow(TypeError)
  })
})

describe('a source that breaks off', () => {
  const half = sse(weather.slice(0, 3), false)

  it.each<[string, () => AssemblySource]>([
    ['rejects', () => watched([half], () => Promise.reject(new Error('socket hang up'))).source],
    [
      'throws from an async next()',
      () => ({
        [Symbol.asyncIterator]: () => {
          let first = true
          return {
            next() {
              if (!first) throw new Error('socket hang up')
              first = false
              return Promise.resolve({ value: half, done: false })
            },
          }
        },
      }),
    ],
    [
      'throws from a sync generator',
      function* () {
        yield half
        throw new Error('socket hang up')
      },
    ],
    [
      'errors a web stream',
      () =>
        new ReadableStream<string>(
          {
            start: (controller) => controller.enqueue(half),
            pull: (controller) => controller.error(new Error('socket hang up')),
          },
          { highWaterMark: 0 },
        ),
    ],
    [
      'destroys a Node stream',
      () =>
        Readable.from(
          (async function* () {
            yield half
            throw new Error('socket hang up')
          })(),
        ),
    ],
  ])('is one connection error, judged calls and a normal end: it %s', async (_, source) => {
    const stream = assemble(source())
    const events = await collect(stream)
    expect(events.filter(({ type }) => type === 'error')).toMatchObject([
      { error: { code: 'connection', message: expect.stringContaining('socket hang up') as string } },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'finish', finish: { reason: 'interrupted', truncated: true } })
    const { calls } = await stream.result()
    expect(calls).toMatchObject([{ ok: false, failure: { code: 'truncated', truncation: { cause: 'connection' } } }])
  })

  it('is a connection error also where opening it throws', async () => {
    const source = {
      [Symbol.asyncIterator]() {
        throw new Error('no such stream')
      },
    }
    const result = await assemble(source).result()
    expect(result.errors).toMatchObject([{ code: 'connection' }])
  })
})

describe('giving up', () => {
  const half = sse(weather.slice(0, 3), false)

  it('ends a stalled stream promptly when the signal aborts: error, judged calls, finish, a normal end', async () => {
    const { source, seen } = watched([half], never)
    const controller = new AbortController()
    const stream = assemble(source, { signal: controller.signal })
    const events = collect(stream)
    await tick(5)
    controller.abort(new Error('too slow'))
    const types = (await events).map((event) => (event.type === 'error' ? event.error.code : event.type))
    expect(types.slice(-3)).toEqual(['aborted', 'tool-call-end', 'finish'])
    expect(seen.returned).toBe(1)
    const result = await stream.result()
    expect(result.calls).toMatchObject([{ ok: false, failure: { truncation: { cause: 'aborted' } } }])
    expect(result.errors).toMatchObject([{ code: 'aborted', message: expect.stringContaining('too slow') as string }])
  })

  it('reads nothing where the signal has aborted before', async () => {
    const { source, seen } = watched([sse(weather)])
    const stream = assemble(source, { signal: AbortSignal.abort() })
    expect((await collect(stream)).map(({ type }) => type)).toEqual(['error', 'finish'])
    expect(seen.reads).toBe(0)
  })

  it('cancels the source at once and keeps the events for whoever comes later', async () => {
    const cancel = vi.fn()
    const controller = new AbortController()
    const stream = assemble(new ReadableStream({ cancel }), { signal: controller.signal })
    controller.abort('enough')
    await tick()
    expect(cancel).toHaveBeenCalledExactlyOnceWith('enough')
    expect((await collect(stream)).map(({ type }) => type)).toEqual(['error', 'finish'])
    expect((await stream.result()).finish.reason).toBe('interrupted')
  })

  it('changes nothing after the turn is complete', async () => {
    const controller = new AbortController()
    const stream = assemble([sse(weather)], { signal: controller.signal })
    await collect(stream)
    controller.abort()
    expect((await stream.result()).calls).toMatchObject([wholeCall])
  })

  it('follows an abort that a hook asks for, once the feed is over', async () => {
    const controller = new AbortController()
    const { source, seen } = watched(weather.map((event) => sse([event], false)))
    let frames = 0
    const stream = assemble(source, {
      signal: controller.signal,
      onFrame: () => void (++frames === 3 && controller.abort()),
    })
    const result = await stream.result()
    expect(result.errors).toMatchObject([{ code: 'aborted' }])
    expect(seen).toEqual({ reads: 3, returned: 1 })
  })

  it('cancels the source as soon as that feed is over, although nobody asks for more', async () => {
    const controller = new AbortController()
    const { source, seen } = watched([sse(weather.slice(0, 3), false)], never)
    const stream = assemble(source, { signal: controller.signal, onFrame: () => controller.abort() })
    await stream[Symbol.asyncIterator]().next()
    expect(seen).toEqual({ reads: 1, returned: 1 })
  })

  it('lets go of the signal at the end', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    await collect(assemble([sse(weather)], { signal }))
    expect(removed.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      added.mock.calls.map(([type, listener]) => [type, listener]),
    )
  })

  it('cancels the source once when the loop is left early, and judges the calls as aborted', async () => {
    const { source, seen } = watched([half], never)
    const stream = assemble(source)
    for await (const event of stream) if (event.type === 'tool-call-delta') break
    expect(seen.returned).toBe(1)
    const result = await stream.result()
    expect(result.calls).toMatchObject([
      { ok: false, failure: { code: 'truncated', truncation: { cause: 'aborted' } } },
    ])
    expect(result.errors).toMatchObject([{ code: 'aborted' }])
  })

  it('cancels the source of a loop that was left before its first event', async () => {
    const { source, seen } = watched([half])
    const stream = assemble(source)
    await stream[Symbol.asyncIterator]().return?.()
    expect((await stream.result()).errors).toMatchObject([{ code: 'aborted' }])
    expect(seen.reads).toBe(0)
  })
})

describe('the result', () => {
  it('reads by itself', async () => {
    expect((await assemble(sse(weather)).result()).calls).toMatchObject([wholeCall])
  })

  it('is the same before, during and after the iteration', async () => {
    const stream = assemble(cutEvery(sse(weather), 20))
    const before = stream.result()
    const types: string[] = []
    for await (const event of stream) {
      types.push(event.type)
      // Waiting inside the loop must not wait for the loop.
      if (types.length === 1) expect((await stream.result()).calls).toMatchObject([wholeCall])
    }
    expect(types.at(0)).toBe('tool-call-start')
    expect(types.at(-1)).toBe('finish')
    expect(await before).toBe(await stream.result())
  })

  it('refuses an iteration that would miss events, rather than show a part', async () => {
    const stream = assemble(cutEvery(sse(weather), 20))
    await stream.result()
    expect(() => stream[Symbol.asyncIterator]()).toThrow(/Events have gone by/)
  })
})

describe("the caller's own code", () => {
  it('is heard by the iteration and the result when a hook throws, after the events that came before', async () => {
    const { source, seen } = watched([sse(weather.slice(0, 2), false), sse(weather.slice(2, 4), false)])
    let frames = 0
    const stream = assemble(source, {
      onFrame: () => {
        if (++frames === 3) throw new Error('disk full')
      },
    })
    const deltas: string[] = []
    const run = (async () => {
      for await (const event of stream) if (event.type === 'tool-call-delta') deltas.push(event.delta)
    })()
    await expect(run).rejects.toThrow('disk full')
    // The chunk whose first frame made the hook throw has had its say.
    expect(deltas.join('')).toBe('{"city":"Oslo","days":3}')
    expect(seen.returned).toBe(1)
    await expect(stream.result()).rejects.toThrow('disk full')
  })

  it('may take its time: an asynchronous schema is waited for', async () => {
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: async (value: unknown) => {
          await turnOfLoop()
          return { value }
        },
      },
    }
    const stream = assemble(sse(weather), { tools: { weather: { parameters: schema } } })
    const events = await collect(stream)
    expect(events.at(-2)).toMatchObject({ type: 'tool-call-end', call: { ok: true } })
    expect((await stream.result()).calls).toMatchObject([wholeCall])
  })

  describe('that is still waited for', () => {
    /** A schema that answers when it is told to. */
    const held = () => {
      let answer: (result: { value: unknown } | Promise<never>) => void = () => undefined
      const answered = new Promise<{ value: unknown }>((resolve) => (answer = resolve))
      const parameters = {
        '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => isAsked(value, answered) },
      }
      return { tools: { weather: { parameters } }, answer }
    }
    /** Asked about `{}` when it is compiled; that it answers at once. */
    const isAsked = (value: unknown, answered: Promise<{ value: unknown }>) =>
      Object.keys(value as object).length === 0 ? Promise.resolve({ value }) : answered

    it('does not hold up an abort', async () => {
      const { tools, answer } = held()
      const controller = new AbortController()
      const stream = assemble(sse(weather), { tools, signal: controller.signal })
      const events = collect(stream)
      for (let turns = 0; turns < 20; turns++) await turnOfLoop()
      controller.abort(new Error('enough'))
      const seen = await events
      expect(seen.slice(-3)).toMatchObject([
        { type: 'error', error: { code: 'aborted' } },
        {
          type: 'tool-call-end',
          call: { ok: false, failure: { code: 'interrupted', truncation: { cause: 'aborted' } } },
        },
        { type: 'finish', finish: { reason: 'interrupted', truncated: true } },
      ])
      expect(joined(seen).filter(({ type }) => type === 'tool-call-delta')).toMatchObject([
        { delta: '{"city":"Oslo","days":3}' },
      ])
      const result = await stream.result()
      expect(result.errors).toMatchObject([{ code: 'aborted' }])
      answer({ value: {} })
      await turnOfLoop()
      expect(await stream.result()).toBe(result)
    })

    it('does not hold up a reader who leaves, and what it throws later is nobody’s', async () => {
      const { tools, answer } = held()
      const stream = assemble(sse(weather).split(/(?<=\n\n)/), { tools })
      const iterator = stream[Symbol.asyncIterator]()
      await iterator.next()
      const result = stream.result()
      for (let turns = 0; turns < 20; turns++) await turnOfLoop()
      await iterator.return?.()
      expect((await result).calls).toMatchObject([{ ok: false, failure: { code: 'interrupted' } }])
      answer(Promise.reject(new Error('too late')))
      await turnOfLoop()
      expect((await stream.result()).calls).toMatchObject([{ ok: false }])
    })
  })
})

function pushed(text: string) {
  const assembler = createAssembler()
  return [...assembler.feed(text), ...assembler.end()]
}

/** Events with neighbouring deltas of one call made one: where the deltas are cut is the source's business. */
function joined(events: readonly { type: string; delta?: string; index?: number }[]) {
  const result: { type: string; delta?: string; index?: number }[] = []
  for (const event of events) {
    const last = result.at(-1)
    if (last && event.type === 'tool-call-delta' && last.type === event.type && last.index === event.index) {
      result[result.length - 1] = { ...last, delta: `${last.delta}${event.delta}` }
    } else result.push(event)
  }
  return result
}
