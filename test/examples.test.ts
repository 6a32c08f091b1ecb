// Runs the code of the README: over loopback HTTP, from a child process, from a socket that pushes.
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startReplayServer, type ReplayServer } from '../demo/replay-server.mjs'
import { answer } from '../examples/agent-loop.ts'
import { forecast } from '../examples/arguments.ts'
import { measure } from '../examples/benchmark.ts'
import { createLineAssembler } from '../examples/custom-format.ts'
import { readChild, readSocket } from '../examples/custom-transport.ts'
import { ask } from '../examples/fetch.ts'
import { preview } from '../examples/live-arguments.ts'
import { scan } from '../examples/scan-text.ts'
import { logRun, replayRun, showWeb } from '../examples/streams.ts'
import { ask as askInText } from '../examples/text-calls.ts'
import { startScriptedModel } from '../scripts/scripted-model.mjs'
import type { AssemblerEvent } from '../src/index.ts'
import { encodeStream } from '../src/testing.ts'

const fixtures = new URL('../fixtures/', import.meta.url)
const weather = (text: string): Iterable<Uint8Array> =>
  encodeStream('openai-chat', [{ name: 'get_weather', arguments: text }])
const file = { path: 'a.txt', content: 'Grüße, 🌧️\n'.repeat(20) }

let server: ReplayServer
let printed = ''

beforeAll(async () => {
  const bytes = (pieces: Iterable<Uint8Array>): Uint8Array => Buffer.concat([...pieces])
  server = await startReplayServer({
    fixtures,
    routes: {
      '/weather': {
        body: bytes(
          encodeStream('openai-chat', [{ name: 'get_weather', arguments: { city: 'Oslo' } }], { text: 'Hi.' }),
        ),
      },
      '/half': { body: bytes(encodeStream('anthropic', [{ name: 'get_weather', arguments: '{"city":"Os' }])) },
      '/write': { body: bytes(encodeStream('openai-responses', [{ name: 'write_file', arguments: file }])) },
      '/cut': {
        body: bytes(
          encodeStream('openai-responses', [{ name: 'write_file', arguments: file }], { cutAfterBytes: 3000 }),
        ),
      },
      '/text': {
        body: bytes(
          encodeStream('openai-chat', [], {
            text: 'So:\n<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>',
          }),
        ),
      },
    },
  })
})

afterAll(() => server.close())

beforeEach(() => {
  printed = ''
  const keep = (piece: unknown): boolean => {
    printed += String(piece)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  for (const method of ['log', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation(
      (...parts: unknown[]) =>
        void keep(`${parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ')}\n`),
    )
  }
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('wrapping a fetch stream', () => {
  it('prints text, then the call that may run', async () => {
    expect(await ask(`${server.url}/weather`, {})).toMatchObject({ reason: 'tool-calls', truncated: false })
    expect(printed).toBe('Hi.get_weather begins\nrun get_weather with {"city":"Oslo"}\n')
  })

  it('prints what the model is told of half a call', async () => {
    expect(await ask(`${server.url}/half`, {})).toMatchObject({ truncated: true })
    expect(printed).toContain(
      'do not run get_weather; tell the model:\nThe call to `get_weather` was not run: it was cut off',
    )
  })

  it('rejects for a failed response', async () => {
    await expect(ask(`${server.url}/nowhere`, {})).rejects.toThrow('HTTP 404')
  })
})

describe('feeding chunks', () => {
  /** The part of a WebSocket that the example uses. */
  class FakeSocket extends EventTarget {
    binaryType = 'blob'
  }

  it.each([
    ['bytes', (part: Uint8Array) => part.slice().buffer],
    ['text', (part: Uint8Array) => Buffer.from(part).toString()],
  ])('takes what a socket pushes, as %s', (_, dataOf) => {
    const socket = new FakeSocket()
    const events: AssemblerEvent[] = []
    // The example asks for a whole WebSocket, which Node 20 does not have.
    readSocket(socket as unknown as WebSocket, (event) => void events.push(event))
    const body = weather('{"city":"Oslo"}')
    for (const part of body) socket.dispatchEvent(new MessageEvent('message', { data: dataOf(part) }))
    socket.dispatchEvent(new Event('close'))
    expect(socket.binaryType).toBe('arraybuffer')
    expect(events.find(({ type }) => type === 'tool-call-end')).toMatchObject({
      call: { ok: true, arguments: { city: 'Oslo' } },
    })
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1)
  })

  it('ends with refused calls where the socket closes too early', () => {
    const socket = new FakeSocket()
    const events: AssemblerEvent[] = []
    readSocket(socket as unknown as WebSocket, (event) => void events.push(event))
    const body = encodeStream('openai-chat', [{ name: 'get_weather', arguments: { city: 'Oslo' } }], {
      deltaSize: 4,
      chunkSize: 'event',
    })
    for (const part of [...body].slice(0, 4)) {
      socket.dispatchEvent(new MessageEvent('message', { data: part.slice().buffer }))
    }
    socket.dispatchEvent(new Event('close'))
    expect(events.at(-2)).toMatchObject({
      call: { ok: false, failure: { code: 'truncated', truncation: { cause: 'connection' } } },
    })
  })

  it('reads a child process', async () => {
    const path = fileURLToPath(new URL('ollama/calls-on-one-line.ndjson', fixtures))
    const script = `require('node:fs').createReadStream(${JSON.stringify(path)}, { highWaterMark: 7 }).pipe(process.stdout)`
    const { format, calls } = await readChild(process.execPath, ['-e', script])
    expect(format).toBe('ollama')
    expect(calls.map(({ ok }) => ok)).toEqual([true, true])
  })
})

describe('measuring', () => {
  it('gives a rate for every size of chunk', async () => {
    const rates = await measure(20_000, 2)
    expect(Object.keys(rates)).toEqual([64, 1024, 16384].map((size) => `chunks of ${size} bytes, MiB/s`))
    for (const rate of Object.values(rates)) expect(rate).toBeGreaterThan(0)
  })
})

describe('the other uses', () => {
  it('reads arguments from anywhere', () => {
    expect(forecast('```json\n{"city":"Oslo"}\n```')).toBe('Oslo: rain for 1 day(s)')
    expect(printed).toContain('repaired: fence')
    expect(forecast({ city: 'Oslo', days: 2 })).toBe('Oslo: rain for 2 day(s)')
    expect(forecast('{"city":5}')).toContain('its arguments do not fit its parameters')
  })

  it('runs an agent until the model answers, refused calls included', async () => {
    const model = await startScriptedModel([
      weather('{"town":"Oslo"}'),
      weather('{"city":"Oslo"}'),
      encodeStream('openai-chat', [], { text: 'Clear.' }),
    ])
    expect(await answer(model.url, 'How is the weather?').finally(() => model.close())).toBe('Clear.')
    const { messages = [] } = model.requests.at(-1) ?? {}
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool'])
    expect(messages[2]?.content).toContain('was not run')
    expect(messages[4]?.content).toBe('{"city":"Oslo","sky":"clear"}')
  })

  it('takes no half answer for the end', async () => {
    const model = await startScriptedModel([encodeStream('openai-chat', [], { text: 'Cle', finishReason: 'length' })])
    await expect(answer(model.url, 'How?').finally(() => model.close())).rejects.toThrow('finish-reason:length')
  })

  it('stops an agent whose model repeats a failing call', async () => {
    const model = await startScriptedModel([1, 2, 3, 4].map(() => weather('{"town":"Oslo"}')))
    await expect(answer(model.url, 'How is the weather?').finally(() => model.close())).rejects.toThrow('in 3 turns')
    expect(model.requests).toHaveLength(3)
  })

  it('offers tools in the prompt and reads calls from the text', async () => {
    const messages = await askInText(`${server.url}/text`, 'any', 'How is the weather?')
    expect(messages.map((message) => JSON.stringify(message))).toEqual([
      expect.stringContaining('get_weather'),
      expect.stringContaining('How is the weather?'),
      expect.stringMatching(/^\{"role":"assistant".*Oslo/),
      expect.stringMatching(/^\{"role":"user".*clear/),
    ])
  })

  it('scans a text', () => {
    expect(scan(['Look: <tool_', 'call>{"name":"look","arguments":{}}</tool_call>'])).toMatchObject({
      text: 'Look: ',
      calls: [{ name: 'look', ok: true, arguments: {} }],
    })
    expect(printed).toBe('Look: ')
  })

  it('reads a wire of its own', () => {
    const feed = (...lines: string[]): AssemblerEvent[] => {
      const assembler = createLineAssembler()
      return [...lines.flatMap((line) => assembler.feed(`${line}\n`)), ...assembler.end()]
    }
    const [open, add] = ['{"open":"1","tool":"look"}', '{"add":"1","json":"{}"}']
    expect(feed('{"say":"Hi"}', open, add, '{"done":"complete"}').at(-2)).toMatchObject({
      call: { ok: true, arguments: {} },
    })
    expect(feed(open, '{"ad', add, '{"done":"complete"}').at(-2)).toMatchObject({
      call: { failure: { code: 'damaged' } },
    })
    expect(feed(open, '{"add":"1","json":"{\\"a\\":"}', '{"done":"cut"}').at(-2)).toMatchObject({
      call: { failure: { code: 'truncated', truncation: { cause: 'output-limit' } } },
    })
  })

  it('goes through web streams, Node streams and files', async () => {
    const seen: AssemblerEvent[] = []
    const { body } = await fetch(`${server.url}/openai-chat/one-call.sse`)
    if (!body) throw new Error('the fixture has no body')
    await showWeb(body, (event) => void seen.push(event))
    const folder = mkdtempSync(join(tmpdir(), 'examples-'))
    try {
      const path = join(folder, 'run.ndjson')
      const source = createReadStream(new URL('openai-chat/one-call.sse', fixtures), { highWaterMark: 11 })
      const { calls } = await logRun(source, path)
      const logged: AssemblerEvent[] = []
      await replayRun(path, (event) => void logged.push(event))
      expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(logged.length)
      expect(logged.at(-2)).toEqual({ type: 'tool-call-end', call: calls[0] })
      expect(seen.at(-2)).toEqual(logged.at(-2))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('shows a string while it is written, and says afterwards whether it may be used', async () => {
    let shown = ''
    expect(await preview(await fetch(`${server.url}/write`), (piece) => (shown += piece))).toBe(true)
    expect(shown).toBe(file.content)
    let half = ''
    expect(await preview(await fetch(`${server.url}/cut`), (piece) => (half += piece))).toBe(false)
    expect(half).not.toBe('')
    expect(file.content.startsWith(half)).toBe(true)
  })
})
