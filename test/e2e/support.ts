// A model server on the loopback interface that says what it was told to, and the loop of an agent that talks to it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { assemble, createRetryGuard, nextMessages, partitionCalls } from '../../src/index.ts'
import type {
  AssemblerOptions,
  AssemblerResult,
  JsonObject,
  ReadyCall,
  ReadyCustomCall,
  ReplyFormatName,
  RetryGuard,
  Tools,
} from '../../src/index.ts'
import { encodeStream } from '../../src/testing.ts'
import type { EncodedCall, EncodeOptions } from '../../src/testing.ts'

export type LoopFormat = Extract<ReplyFormatName, 'openai-chat' | 'anthropic' | 'ollama'>

export interface ModelRequest {
  readonly path: string
  readonly body: JsonObject
}

export interface ModelAnswer {
  readonly status?: number
  readonly contentType: string
  readonly body: string | Iterable<Uint8Array>
}

/** What the server says to a request; `n` counts them from 0. */
export type Script = (request: ModelRequest, n: number) => ModelAnswer

export interface ModelServer {
  readonly url: string
  readonly requests: readonly ModelRequest[]
  /** What the script threw: the client only sees a lost connection. */
  readonly failures: readonly unknown[]
}

/** The tool that most loops have. */
export const writeFile = {
  description: 'Writes a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
  },
}

/** Sizes that fit no event, line or character. */
const unevenSizes = [7, 61, 3, 1280, 1, 40, 2190, 12]

/** A server for the running test, closed at its end. What its script threw is the test's failure. */
export async function serve(script: Script): Promise<ModelServer> {
  const { close, ...server } = await startModelServer(script)
  onTestFinished(async () => {
    await close()
    expect(server.failures).toEqual([])
  })
  return server
}

interface RunningServer extends ModelServer {
  readonly close: () => Promise<void>
}

async function startModelServer(script: Script): Promise<RunningServer> {
  const requests: ModelRequest[] = []
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      failures.push(error)
      response.destroy()
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    // Our own loop sent it.
    const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject
    const received: ModelRequest = { path: request.url ?? '', body }
    const n = requests.push(received) - 1
    const { status = 200, contentType, body: said } = script(received, n)
    const bytes = typeof said === 'string' ? Buffer.from(said) : Buffer.concat([...said])
    response.writeHead(status, { 'content-type': contentType })
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = unevenSizes[turn % unevenSizes.length] ?? 1
      response.write(bytes.subarray(at, at + size))
      at += size
      // Written in one turn of the event loop, they would go out as one chunk.
      if (turn % 5 === 0) await new Promise(setImmediate)
    }
    response.end()
  }

  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', ready)
  })
  // Listening on a port, not on a pipe.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    failures,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const paths: Readonly<Record<LoopFormat, string>> = {
  'openai-chat': '/v1/chat/completions',
  anthropic: '/v1/messages',
  ollama: '/api/chat',
}

/** A streamed turn in the format's own envelopes. */
export function says(format: LoopFormat, calls: readonly EncodedCall[], options: EncodeOptions = {}): ModelAnswer {
  const contentType = format === 'ollama' ? 'application/x-ndjson' : 'text/event-stream'
  return { contentType, body: encodeStream(format, calls, options) }
}

/** One answer after the other. A request beyond the last is a failure of the test. */
export function inTurn(answers: readonly ModelAnswer[]): Script {
  return (_request, n) => {
    const next = answers[n]
    if (next === undefined) throw new Error(`The script ends before request ${n + 1}`)
    return next
  }
}

export function post(url: string, body: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

export interface AgentOptions {
  readonly format: LoopFormat
  readonly tools: Tools
  /** Runs a call. It gets ready calls only. */
  readonly run: (call: ReadyCall | ReadyCustomCall) => unknown
  /** Asked before a call is run. */
  readonly approve?: (call: ReadyCall | ReadyCustomCall) => boolean
  readonly onAudit?: AssemblerOptions['onAudit']
  readonly guard?: RetryGuard
}

export interface AgentRun {
  readonly results: readonly AssemblerResult[]
  /** Why the guard stopped the loop; `''` where the model came to an end by itself. */
  readonly stopped: string
}

/** The loop as its users write it: ask, assemble, run what is ready, send everything back, until the model has no more calls. */
export async function runAgent(server: ModelServer, options: AgentOptions): Promise<AgentRun> {
  const { format, tools, run, approve = () => true, onAudit, guard = createRetryGuard() } = options
  const messages: unknown[] = [{ role: 'user', content: 'Save a note.' }]
  const results: AssemblerResult[] = []
  for (;;) {
    const response = await post(server.url + paths[format], { model: 'test-model', stream: true, messages })
    const result = await assemble(response, { format, tools, ...(onAudit && { onAudit }) }).result()
    results.push(result)
    const { stop, reason } = guard.observe(result)
    if (stop) return { results, stopped: reason }
    if (result.calls.length === 0) return { results, stopped: '' }
    const { ready } = partitionCalls(result)
    const outputs = new Map(
      ready.map((call) => [call.id, approve(call) ? run(call) : new Error('The user said no.')] as const),
    )
    messages.push(...nextMessages(result, (call) => outputs.get(call.id), { format }))
  }
}

// ---- what a server finds in a request

export interface SentCall {
  readonly id: unknown
  readonly name: unknown
  /** The object that the arguments are, read from their text where the format sends text. */
  readonly arguments: unknown
}

export interface SentAnswer {
  readonly id: unknown
  readonly text: unknown
}

type Sent = Readonly<Record<string, unknown>>

function messagesOf({ body }: ModelRequest, role: string): readonly Sent[] {
  // What is not of this shape fails the expectation that asked for it.
  return (body['messages'] as unknown as readonly Sent[]).filter((message) => message['role'] === role)
}

function blocksOf(request: ModelRequest, role: string, type: string): readonly Sent[] {
  return messagesOf(request, role).flatMap(({ content }) =>
    Array.isArray(content) ? (content as Sent[]).filter((block) => block['type'] === type) : [],
  )
}

/** The calls in the history of a request. */
export function sentCalls(format: LoopFormat, request: ModelRequest): readonly SentCall[] {
  if (format === 'anthropic')
    return blocksOf(request, 'assistant', 'tool_use').map(({ id, name, input }) => ({ id, name, arguments: input }))
  return messagesOf(request, 'assistant').flatMap((message) =>
    ((message['tool_calls'] ?? []) as readonly Sent[]).map((call) => {
      const { name, arguments: args } = call['function'] as Sent
      return { id: call['id'], name, arguments: typeof args === 'string' ? JSON.parse(args) : args }
    }),
  )
}

/** The answers to calls in the history of a request. */
export function sentAnswers(format: LoopFormat, request: ModelRequest): readonly SentAnswer[] {
  if (format === 'anthropic')
    return blocksOf(request, 'user', 'tool_result').map(({ tool_use_id: id, content }) => ({
      id,
      text: (content as readonly Sent[] | undefined)?.map(({ text }) => text).join(''),
    }))
  return messagesOf(request, 'tool').map(({ tool_call_id: id, content }) => ({ id, text: content }))
}
