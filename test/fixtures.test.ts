// Every fixture means the same however its bytes are cut, whether its format is named or told from the stream.
//
// `fixtures/<format>/<case>.<sse|ndjson|json|eventstream>` is a body as it comes off the wire, invented for this project;
// `<case>.expected.json` says what must come of it. Of a call and of the finish only what is written there is compared.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createAssembler } from '../src/index.ts'
import type { AssemblerEvent, AssemblerOptions, AssemblerResult, ToolCall, WireFormatName } from '../src/index.ts'

interface ExpectedCall {
  readonly name: string
  readonly ok: boolean
  readonly arguments?: unknown
  readonly code?: string
  readonly repairs?: readonly string[]
  readonly [field: string]: unknown
}

interface Expected {
  readonly format: WireFormatName
  readonly about: string
  readonly options?: AssemblerOptions
  readonly calls: readonly ExpectedCall[]
  readonly serverCalls?: readonly object[]
  readonly text?: string
  readonly reasoning?: string
  readonly refusal?: string
  readonly finish: object
  readonly usage?: object
  readonly warnings: readonly string[]
  readonly errors: number
  /** Whether `auto` can't tell the format, because the body holds nothing but an error. */
  readonly unknown?: true
}

interface Fixture {
  readonly name: string
  readonly bytes: Uint8Array
  readonly expected: Expected
}

const root = fileURLToPath(new URL('../fixtures', import.meta.url))
const formats = readdirSync(root)

function fixturesIn(folder: string): Fixture[] {
  return readdirSync(folder)
    .filter((file) => !file.endsWith('.expected.json'))
    .map((file) => {
      const name = basename(file, extname(file))
      // The shape is this project's own; a file that breaks it fails its case.
      const expected = JSON.parse(readFileSync(join(folder, `${name}.expected.json`), 'utf8')) as Expected
      return { name, bytes: readFileSync(join(folder, file)), expected }
    })
}

type Chunks = Iterable<Uint8Array | string>

/** Into how many places a body is cut in two; a body of fewer bytes at every one of them. */
const cuts = 40

function* everyChunking(bytes: Uint8Array): Generator<readonly [string, Chunks]> {
  yield ['whole', [bytes]]
  yield ['byte by byte', pieces(bytes, () => 1)]
  for (const seed of [1, 2]) yield [`at random, seed ${seed}`, pieces(bytes, randomLengths(seed))]
  yield ['from one buffer, reused', reusedBuffer(bytes)]
  const text = asText(bytes)
  if (text !== undefined) yield ['as text', textPieces(text)]
  for (let cut = 1; cut < bytes.length; cut += Math.ceil(bytes.length / cuts)) {
    yield [`in two at byte ${cut}`, [bytes.subarray(0, cut), bytes.subarray(cut)]]
  }
}

function* pieces(bytes: Uint8Array, nextLength: () => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const length = nextLength()
    yield bytes.subarray(at, at + length)
    at += length
  }
}

/** Lengths from 0 to 200, most of them short. */
function randomLengths(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const share = state / 2 ** 32
    return Math.floor(share ** 4 * 200)
  }
}

/** Each chunk stands in the same memory, which is overwritten once it has been fed. */
function* reusedBuffer(bytes: Uint8Array): Generator<Uint8Array> {
  const buffer = new Uint8Array(31)
  for (let at = 0; at < bytes.length; at += buffer.length) {
    const part = bytes.subarray(at, at + buffer.length)
    buffer.set(part)
    yield buffer.subarray(0, part.length)
    buffer.fill(0x7b)
  }
}

/** Cut between UTF-16 units, inside surrogate pairs too. */
function* textPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 3) yield text.slice(at, at + 3)
}

function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function read(chunks: Chunks, options: AssemblerOptions): AssemblerResult {
  const assembler = createAssembler(options)
  const events: AssemblerEvent[] = []
  for (const chunk of chunks) events.push(...assembler.feed(chunk))
  events.push(...assembler.end())
  const { result } = assembler
  if (result === undefined) throw new Error('no result after the end')
  const [said, promised] = [account(events), account(eventsOf(result))]
  // The quick comparison decides; the slow one says what differs.
  if (!isDeepStrictEqual(said, promised)) expect(said).toEqual(promised)
  return result
}

/** What a list of events adds up to, wherever its deltas were split. */
function account(events: readonly AssemblerEvent[]): object {
  const texts: Record<string, string> = {}
  const rest: string[] = []
  const add = (key: string, delta: string): void => {
    texts[key] = (texts[key] ?? '') + delta
  }
  for (const event of events) {
    if ('delta' in event)
      add(event.type === 'tool-call-delta' ? `call ${event.index}` : `${event.type} ${event.choice}`, event.delta)
    else rest.push(event.type === 'tool-call-end' ? `end of call ${event.call.index}` : event.type)
  }
  return { texts, last: rest.at(-1), rest: [...rest].sort() }
}

/** The events that a result promises. */
function eventsOf(result: AssemblerResult): AssemblerEvent[] {
  const { calls, choices, warnings, errors, finish } = result
  const parts: AssemblerEvent[] = []
  for (const { choice, text, reasoning, refusal } of choices) {
    if (text !== '') parts.push({ type: 'text-delta', choice, delta: text })
    if (reasoning !== '') parts.push({ type: 'reasoning-delta', choice, delta: reasoning })
    if (refusal !== '') parts.push({ type: 'refusal-delta', choice, delta: refusal })
  }
  for (const call of calls) {
    const { choice, index, id, name, argumentsText: delta } = call
    parts.push({ type: 'tool-call-start', choice, index, id, name })
    if (delta !== '') parts.push({ type: 'tool-call-delta', choice, index, id, delta })
    parts.push({ type: 'tool-call-end', call })
  }
  for (const warning of warnings) parts.push({ type: 'warning', warning })
  for (const error of errors) parts.push({ type: 'error', error })
  return [...parts, { type: 'finish', finish }]
}

/** The call as the expectation has it: only the fields that are written there. */
function view(call: ToolCall, wanted: ExpectedCall): object {
  const seen: Record<string, unknown> = { ...call }
  if (!call.ok) seen['code'] = call.failure.code
  else seen['repairs'] = call.repairs.map(({ name }) => name)
  return Object.fromEntries(Object.keys(wanted).map((field) => [field, seen[field]]))
}

function check(result: AssemblerResult, expected: Expected): void {
  const seen = result.calls.map((call, n) => view(call, expected.calls[n] ?? { name: '', ok: true }))
  expect(seen).toEqual(expected.calls)
  expect(result.finish).toMatchObject(expected.finish)
  expect(result.warnings.map(({ code }) => code)).toEqual(expected.warnings)
  expect(result.errors).toHaveLength(expected.errors)
  for (const field of ['text', 'reasoning', 'refusal'] as const) {
    expect([field, result[field]]).toEqual([field, expected[field] ?? result[field]])
  }
  if (expected.usage !== undefined) expect(result.usage).toMatchObject(expected.usage)
  if (expected.serverCalls !== undefined) expect(result.serverCalls).toMatchObject(expected.serverCalls)
}

/** What may not depend on the cut: everything but the places where deltas were split, which a result does not show. */
function comparable(result: AssemblerResult): string {
  return JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

function parsed(json: string): unknown {
  return JSON.parse(json)
}

describe.each(formats)('fixtures of %s', (folder) => {
  it.each(fixturesIn(join(root, folder)).map((fixture) => [fixture.name, fixture] as const))(
    '%s',
    (_, { bytes, expected }) => {
      const { format } = expected
      expect(format).toBe(folder)
      for (const named of [true, false]) {
        const options = { ...expected.options, format: named ? format : ('auto' as const) }
        const whole = read([bytes], options)
        check(whole, expected)
        expect(whole.format).toBe(!named && expected.unknown ? 'unknown' : format)
        const wanted = comparable(whole)
        for (const [cut, chunks] of everyChunking(bytes)) {
          const got = comparable(read(chunks, options))
          if (got !== wanted) expect({ cut, named, got: parsed(got) }).toEqual({ cut, named, got: parsed(wanted) })
        }
      }
    },
  )
})
