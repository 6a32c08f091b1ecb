import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, type IncomingMessage } from 'node:http'
import { startReplayServer, type ReplayServer, type Visit } from '../../demo/replay-server.mjs'
import { assemble } from '../../src/adapters/assemble.ts'
import { HttpError } from '../../src/adapters/http-error.ts'
import { AssemblerStream } from '../../src/adapters/web-stream.ts'
import { callEvents, collect, sse, tick, weather } from './wire.ts'

const long = sse(callEvents('write', ['{"text":"', ...Array.from({ length: 4000 }, (_, n) => `line ${n} `), '"}']))
const half = Math.floor(sse(weather).length / 2)
let server: ReplayServer

beforeAll(async () => {
  server = await startReplayServer({
    routes: {
      '/whole': { body: sse(weather) },
      '/held-open': { body: sse(weather), cut: { after: 1e6, how: 'stall' } },
      '/dropped': { body: sse(weather), cut: { after: half, how: 'drop' } },
      '/stalled': { body: sse(weather), cut: { after: half, how: 'stall' } },
      '/error': {
        body: sse(weather),
        cut: { after: half, how: 'error', event: 'data: {"error":{"message":"overloaded"}}\n\n' },
      },
      '/long': { body: long, chunking: [4096], delay: 1 },
      '/no-tools': {
        status: 400,
        contentType: 'application/json',
        body: '{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}',
      },
      '/huge-error': { status: 500, contentType: 'text/plain', body: 'x'.repeat(1_000_000), chunking: [8192] },
      '/broken-error': { status: 503, contentType: 'text/plain', body: 'half a mess', cut: { after: 6, how: 'drop' } },
      '/stalled-error': { status: 503, body: 'wait', cut: { after: 2, how: 'stall' } },
    },
  })
})

afterAll(() => server.close())

function lastVisit(path: string): Visit | undefined {
  const visits = server.visits.filter((visit) => visit.path === path)
  return visits[visits.length - 1]
}

describe('assemble over HTTP', () => {
  it('reads a fetch response', async () => {
    const result = await assemble(await fetch(`${server.url}/whole`)).result()
    expect(result.calls).toMatchObject([{ ok: true, arguments: { city: 'Oslo', days: 3 } }])
    expect(result.finish).toMatchObject({ reason: 'tool-calls', truncated: false })
    expect(await lastVisit('/whole')?.ended).toBe('complete')
  })

  it("reads the response of Node's own client", async () => {
    const response = await new Promise<IncomingMessage>((resolve) => get(`${server.url}/whole`, resolve))
    expect((await assemble(response).result()).calls).toMatchObject([{ ok: true }])
  })

  it('lets go of a connection that the server holds open after the end marker', async () => {
    const events = await collect(assemble(await fetch(`${server.url}/held-open`)))
    expect(events.at(-1)?.type).toBe('finish')
    expect(await lastVisit('/held-open')?.ended).toBe('cut')
  })

  it('reports a dropped connection and runs nothing of it', async () => {
    const stream = assemble(await fetch(`${server.url}/dropped`))
    const events = await collect(stream)
    expect(events.filter(({ type }) => type === 'error')).toMatchObject([{ error: { code: 'connection' } }])
    expect((await stream.result()).calls).toMatchObject([
      { ok: false, failure: { truncation: { cause: 'connection' } } },
    ])
  })

  it('reports an error that the server sends in mid-stream', async () => {
    const { errors, calls, finish } = await assemble(await fetch(`${server.url}/error`)).result()
    expect(errors).toMatchObject([{ message: 'overloaded' }])
    expect(calls.every((call) => !call.ok)).toBe(true)
    expect(finish.reason).toBe('error')
  })

  it('ends a stalled response when the signal aborts, and the server sees it go', async () => {
    const controller = new AbortController()
    const stream = assemble(await fetch(`${server.url}/stalled`), { signal: controller.signal })
    const events = collect(stream)
    await tick(30)
    controller.abort()
    expect((await events).at(-1)).toMatchObject({ type: 'finish', finish: { reason: 'interrupted' } })
    expect(await lastVisit('/stalled')?.ended).toBe('cut')
  })

  it('ends likewise when the signal is the one that fetch has', async () => {
    const controller = new AbortController()
    const stream = assemble(await fetch(`${server.url}/stalled`, { signal: controller.signal }), controller)
    setTimeout(() => controller.abort(), 20)
    expect((await stream.result()).errors).toMatchObject([{ code: 'aborted' }])
  })

  it('tells the server when the loop is left early', async () => {
    for await (const event of assemble(await fetch(`${server.url}/long`))) if (event.type === 'tool-call-delta') break
    expect(await lastVisit('/long')?.ended).toBe('cut')
  })
})

describe('AssemblerStream over HTTP', () => {
  it.each([
    ['/whole', 'tool-calls', true],
    ['/dropped', 'interrupted', false],
  ])('reads the body of %s', async (path, reason, ok) => {
    const stage = new AssemblerStream()
    const { body } = await fetch(server.url + path)
    const events = await collect(body?.pipeThrough(stage) ?? stage.readable)
    expect(events.at(-1)).toMatchObject({ type: 'finish', finish: { reason } })
    expect((await stage.result).calls).toMatchObject([{ ok }])
  })
})

describe('a response that is not 2xx', () => {
  it('rejects on the first event and on the result, with what the server said and what helps', async () => {
    const stream = assemble(await fetch(`${server.url}/no-tools`))
    const first = stream[Symbol.asyncIterator]().next()
    const error: unknown = await first.catch((thrown: unknown) => thrown)
    expect(HttpError.is(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'HttpError',
      status: 400,
      url: `${server.url}/no-tools`,
      serverMessage: 'registry.ollama.ai/library/gemma:2b does not support tools',
      hint: expect.stringContaining('takes no tools') as string,
    })
    await expect(stream.result()).rejects.toBe(error)
  })

  it('rejects where only the result is asked for', async () => {
    await expect(assemble(await fetch(`${server.url}/no-tools`)).result()).rejects.toMatchObject({ status: 400 })
  })

  it('reads only the start of a long body', async () => {
    const error: unknown = await assemble(await fetch(`${server.url}/huge-error`))
      .result()
      .catch((thrown: unknown) => thrown)
    if (!HttpError.is(error)) throw new Error('no HttpError', { cause: error })
    expect(error.body).toHaveLength(65_536)
    expect(error.message.length).toBeLessThan(1000)
    expect(await lastVisit('/huge-error')?.ended).toBe('cut')
  })

  it('reports what there is of a body that breaks off', async () => {
    await expect(assemble(await fetch(`${server.url}/broken-error`)).result()).rejects.toMatchObject({
      status: 503,
      serverMessage: 'half a',
    })
  })

  it('gives up a body that stalls when the signal aborts', async () => {
    const controller = new AbortController()
    const stream = assemble(await fetch(`${server.url}/stalled-error`), controller)
    setTimeout(() => controller.abort(), 20)
    expect((await collect(stream)).map(({ type }) => type)).toEqual(['error', 'finish'])
    expect(await lastVisit('/stalled-error')?.ended).toBe('cut')
  })
})
