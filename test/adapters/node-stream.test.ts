import { createConnection, createServer, type AddressInfo } from 'node:net'
import { PassThrough, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import ndjson from 'ndjson'
import { describe, expect, it } from 'vitest'
import { createAssemblerTransform } from '../../src/adapters/node-stream.ts'
import type { AssemblerEvent } from '../../src/model/events.ts'
import { bytesOf, collect, cutEvery, never, sse, thinking, weather } from './wire.ts'

const whole = [{ ok: true, arguments: { city: 'Oslo', days: 3 } }]

async function* broken() {
  yield sse(weather.slice(0, 3), false)
  throw new Error('socket hang up')
}

async function* stalled() {
  yield sse(weather.slice(0, 3), false)
  await never()
}

const validate = async (value: unknown) => {
  await Promise.resolve()
  return { value }
}

describe('createAssemblerTransform', () => {
  it.each<[string, () => Readable]>([
    ['bytes', () => Readable.from([...cutEvery(bytesOf(sse(weather)), 7)])],
    ['text', () => Readable.from([...cutEvery(sse(weather), 7)])],
    ['parsed events', () => Readable.from(weather)],
    [
      'rows of ndjson.parse()',
      () => Readable.from(weather.map((row) => `${JSON.stringify(row)}\n`)).pipe(ndjson.parse()),
    ],
  ])('turns %s into events and a result', async (_, source) => {
    const stage = createAssemblerTransform()
    const events: AssemblerEvent[] = []
    await pipeline(
      source(),
      stage,
      new Writable({
        objectMode: true,
        write: (event: AssemblerEvent, _encoding, next) => next(void events.push(event)),
      }),
    )
    expect(events[0]?.type).toBe('tool-call-start')
    expect(events.at(-1)?.type).toBe('finish')
    expect((await stage.result).calls).toMatchObject(whole)
  })

  it('reads from a socket', async () => {
    const server = createServer((socket) => socket.end(sse(weather)))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    // A server that listens on a port has an address of this kind.
    const { port } = server.address() as AddressInfo
    const stage = createAssemblerTransform()
    createConnection(port, '127.0.0.1').pipe(stage)
    expect((await collect(stage)).at(-1)?.type).toBe('finish')
    server.close()
  })

  it('ends at the end marker although its source stays open, and ignores what follows', async () => {
    const source = new PassThrough()
    const stage = createAssemblerTransform()
    source.pipe(stage)
    source.write(`${sse(weather)}\n\ndata: {"late":1}\n\n`)
    expect((await collect(stage)).filter(({ type }) => type === 'finish')).toHaveLength(1)
    source.write('data: more\n\n')
    expect((await stage.result).calls).toMatchObject(whole)
    source.destroy()
  })

  it('judges the calls in its result when its source breaks off', async () => {
    const stage = createAssemblerTransform()
    const sink = new Writable({ objectMode: true, write: (_event, _encoding, next) => next() })
    await expect(pipeline(Readable.from(broken()), stage, sink)).rejects.toThrow('socket hang up')
    const { errors, calls } = await stage.result
    expect(errors).toMatchObject([{ code: 'connection' }])
    expect(calls).toMatchObject([{ ok: false, failure: { truncation: { cause: 'connection' } } }])
  })

  it('judges the calls in its result when it is destroyed', async () => {
    const stage = createAssemblerTransform()
    Readable.from(stalled()).pipe(stage)
    for await (const event of stage) if (event.type === 'tool-call-delta') break
    expect(stage.destroyed).toBe(true)
    expect((await stage.result).calls).toMatchObject([{ ok: false, failure: { truncation: { cause: 'aborted' } } }])
  })

  it('errors with what a hook throws', async () => {
    const stage = createAssemblerTransform({
      onAudit: () => {
        throw new Error('disk full')
      },
    })
    Readable.from([sse(weather)]).pipe(stage)
    await expect(collect(stage)).rejects.toThrow('disk full')
    await expect(stage.result).rejects.toThrow('disk full')
  })

  it('refuses a chunk that is none', async () => {
    const stage = createAssemblerTransform()
    Readable.from([7]).pipe(stage)
    await expect(collect(stage)).rejects.toThrow(/bytes, text or one parsed wire event/)
  })

  it('waits for an asynchronous schema', async () => {
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate } }
    const stage = createAssemblerTransform({ tools: { weather: { parameters: schema } } })
    Readable.from([sse(weather)]).pipe(stage)
    expect((await collect(stage)).at(-2)).toMatchObject({ type: 'tool-call-end', call: { ok: true } })
  })

  it.each([undefined, new Error('reset')])(
    'does not wait for one that is still thinking when it is destroyed: %s',
    async (error) => {
      const { tools, asked } = thinking()
      const stage = createAssemblerTransform({ tools })
      stage.on('error', () => undefined)
      stage.resume()
      stage.write(sse(weather))
      await asked
      stage.destroy(error)
      const { calls, errors } = await stage.result
      expect(calls).toMatchObject([{ ok: false, failure: { code: 'interrupted' } }])
      expect(errors).toMatchObject([{ code: error ? 'connection' : 'aborted' }])
    },
  )
})
