import { describe, expect, it, vi } from 'vitest'
import { AssemblerStream } from '../../src/adapters/web-stream.ts'
import { bytesOf, collect, cutEvery, sse, thinking, tick, weather } from './wire.ts'

const whole = [{ ok: true, arguments: { city: 'Oslo', days: 3 } }]
const half = sse(weather.slice(0, 3), false)

const streamOf = <T>(
  chunks: Iterable<T>,
  end: (controller: ReadableStreamDefaultController<T>) => void = (c) => c.close(),
) => {
  const iterator = chunks[Symbol.iterator]()
  return new ReadableStream<T>({
    pull(controller) {
      const { value, done } = iterator.next()
      if (done === true) end(controller)
      else controller.enqueue(value)
    },
  })
}

describe('AssemblerStream', () => {
  it.each<[string, () => ReadableStream<string | object>]>([
    ['bytes', () => streamOf(cutEvery(bytesOf(sse(weather)), 7))],
    ['text', () => streamOf(cutEvery(sse(weather), 7))],
    ['parsed events', () => streamOf(weather)],
    ['a body without an end marker', () => streamOf([sse(weather, false)])],
  ])('turns %s into events and a result', async (_, source) => {
    const stage = new AssemblerStream()
    const events = await collect(source().pipeThrough(stage))
    expect(events[0]?.type).toBe('tool-call-start')
    expect(events.at(-1)?.type).toBe('finish')
    expect((await stage.result).calls).toMatchObject(whole)
  })

  it('ends as a cut connection where the source errors', async () => {
    const stage = new AssemblerStream()
    const source = streamOf([half], (controller) => controller.error(new Error('socket hang up')))
    const events = await collect(source.pipeThrough(stage))
    expect(events.filter(({ type }) => type === 'error')).toMatchObject([{ error: { code: 'connection' } }])
    expect(events.at(-1)?.type).toBe('finish')
    expect((await stage.result).calls).toMatchObject([{ ok: false, failure: { truncation: { cause: 'connection' } } }])
  })

  it('takes what follows the end marker and ignores it', async () => {
    const stage = new AssemblerStream()
    const events = collect(stage.readable)
    const writer = stage.writable.getWriter()
    for (const chunk of cutEvery(`${sse(weather)}\n\ndata: {"late":1}\n\n`, 11)) await writer.write(chunk)
    await writer.close()
    expect((await events).filter(({ type }) => type === 'finish')).toHaveLength(1)
    expect((await stage.result).warnings).toEqual([])
  })

  it('cancels its source when the reader leaves, and judges the calls', async () => {
    const cancel = vi.fn()
    const stage = new AssemblerStream()
    const source = new ReadableStream({ start: (controller) => controller.enqueue(half), cancel })
    for await (const event of source.pipeThrough(stage)) if (event.type === 'tool-call-delta') break
    expect((await stage.result).calls).toMatchObject([{ ok: false, failure: { truncation: { cause: 'aborted' } } }])
    await tick()
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  it('does not wait for a schema that is still thinking when the reader leaves', async () => {
    const { tools, asked } = thinking()
    const stage = new AssemblerStream({ tools })
    const reader = streamOf(sse(weather).split(/(?<=\n\n)/))
      .pipeThrough(stage)
      .getReader()
    const read = async (): Promise<void> => {
      while (!(await reader.read()).done);
    }
    const reading = read()
    await asked
    await reader.cancel(new Error('enough'))
    await reading
    const { calls, errors } = await stage.result
    expect(calls).toMatchObject([{ ok: false, failure: { code: 'interrupted' } }])
    expect(errors).toMatchObject([{ code: 'aborted' }])
  })

  it('hears of a reader who leaves from inside a hook', async () => {
    const stage = new AssemblerStream({ onFrame: () => void reader.cancel(new Error('enough')) })
    const reader = streamOf([half]).pipeThrough(stage).getReader()
    await reader.read()
    expect((await stage.result).errors).toMatchObject([{ code: 'aborted' }])
  })

  it('reads no faster than its reader', async () => {
    let reads = 0
    const source = streamOf(
      (function* () {
        for (const event of weather) {
          reads++
          yield sse([event], false)
        }
      })(),
    )
    const reader = source.pipeThrough(new AssemblerStream()).getReader()
    await tick()
    const before = reads
    expect(before).toBeLessThanOrEqual(2)
    for (let n = 0; n < 4; n++) await reader.read()
    expect(reads).toBeGreaterThan(before)
  })

  it('errors with what a hook throws, after the events that came before', async () => {
    let frames = 0
    const stage = new AssemblerStream({
      onFrame: () => {
        if (++frames === 4) throw new Error('disk full')
      },
    })
    const types: string[] = []
    const run = (async () => {
      for await (const event of streamOf(weather.map((row) => sse([row], false))).pipeThrough(stage))
        types.push(event.type)
    })()
    await expect(run).rejects.toThrow('disk full')
    expect(types).toContain('tool-call-delta')
    await expect(stage.result).rejects.toThrow('disk full')
  })
})
