// Law: feeding never throws on input, however broken. Misuse is a `TypeError`.

import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  createAssembler,
  readResponse,
  type Assembler,
  type AssemblerOptions,
  type AssemblerResult,
} from '../../src/index.ts'
import { anyByteDamage, anyStream, anyText, bytesOf, cutBy, damaged, formats, patient, runs } from './support.ts'

const anyOptions: fc.Arbitrary<AssemblerOptions> = fc.record(
  {
    format: fc.constantFrom('auto', ...formats),
    partialArguments: fc.boolean(),
    closeTruncated: fc.boolean(),
    repair: fc.constantFrom('lossless', 'lenient', 'none'),
    integers: fc.constantFrom('reject', 'bigint'),
    textCalls: fc.boolean(),
    fastPath: fc.boolean(),
    onFrame: fc.constant(() => undefined),
    onAudit: fc.constant(() => undefined),
    tools: fc.constantFrom([{ name: 'f', parameters: { type: 'object' } }], [{ name: 'g', parameters: {} }]),
    limits: fc.record(
      {
        maxEventBytes: fc.integer({ min: 1, max: 500 }),
        maxArgumentBytes: fc.integer({ min: 1, max: 50 }),
        maxTotalArgumentBytes: fc.integer({ min: 1, max: 80 }),
        maxCalls: fc.integer({ min: 1, max: 3 }),
        maxDepth: fc.integer({ min: 1, max: 8 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['format'] },
)

/** What comes of it, which is never an exception and always a result. */
function outcome(options: AssemblerOptions, feed: (assembler: Assembler) => void): AssemblerResult {
  const assembler = createAssembler(options)
  feed(assembler)
  assembler.end()
  if (assembler.result === undefined) throw new Error('no result after the end')
  return assembler.result
}

/** Values that no JSON holds, and JSON of any sort. */
const anyOddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true, maxDepth: 3 }),
)

const cyclic: { self?: unknown; choices: unknown[] } = { choices: [] }
cyclic.self = cyclic
cyclic.choices.push(cyclic)

/** Words of all the wires, so that random objects get past the first look. */
const words = (
  'choices delta message tool_calls function arguments name id index content error type content_block partial_json output_index ' +
  'item response output done model usage candidates parts functionCall partialArgs jsonPath args contentBlockDelta toolUse input ' +
  'finish_reason reasoning_details sequence_number custom status object text thinking role'
).split(' ')
const types = (
  'content_block_start content_block_delta tool_use input_json_delta message_delta function_call message message-end ' +
  'response.output_item.added response.function_call_arguments.delta response.output_item.done response.completed ' +
  'tool-call-start tool-call-delta tool-plan-delta server_tool_use'
).split(' ')
const { value: anyWireLike } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.constantFrom(...types, '', 'f', '{"a":', 0, 1, -1, null, true, {}, [], 12345678901234567890n),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 6 }),
  ),
}))

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))
const bodies = readdirSync(fixtures).flatMap((folder) =>
  readdirSync(join(fixtures, folder))
    .filter((file) => !file.endsWith('.expected.json'))
    .map((file) => new Uint8Array(readFileSync(join(fixtures, folder, file)))),
)

describe('feeding', () => {
  it('takes any bytes', patient, () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), anyOptions, (chunks, options) => {
        outcome(options, (assembler) => chunks.forEach((chunk) => void assembler.feed(chunk)))
      }),
      { numRuns: runs * 5 },
    )
  })

  it('takes any text, and bytes and text in turn', patient, () => {
    const chunk = fc.oneof(
      anyText,
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\uD83D', '\uDE00', 'data: ', '{"choices":[', '\n\n', 'event: error\n'),
      anyText.map(bytesOf),
    )
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), anyOptions, (chunks, options) => {
        outcome(options, (assembler) => chunks.forEach((held) => void assembler.feed(held)))
      }),
      { numRuns: runs * 5 },
    )
  })

  it('takes any object as an event, whatever is in it', patient, () => {
    const object = fc
      .oneof(anyOddValue, anyWireLike, fc.constant(cyclic))
      .filter((value): value is object => typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    fc.assert(
      fc.property(fc.array(object, { maxLength: 8 }), anyOptions, (values, options) => {
        outcome(options, (assembler) => values.forEach((value) => void assembler.feedEvent(value)))
      }),
      { numRuns: runs * 5 },
    )
  })

  it('takes any JSON as events of a stream, and as a whole body', patient, () => {
    const json = fc
      .oneof(anyWireLike, fc.jsonValue({ maxDepth: 4 }))
      .map((value) =>
        JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? Number(member) : member)),
      )
    fc.assert(
      fc.property(fc.array(json, { maxLength: 6 }), anyOptions, (events, options) => {
        outcome(options, (assembler) => void assembler.feed(events.map((event) => `data: ${event}\n\n`).join('')))
        outcome(options, (assembler) => void assembler.feed(events.map((event) => `${event}\n`).join('')))
        for (const event of events) expect(readResponse(event, options).finish).toBeDefined()
      }),
      { numRuns: runs * 2 },
    )
  })

  it('takes streams that had something happen to them', patient, () => {
    fc.assert(
      fc.property(anyStream(), anyOptions, ({ bytes }, options) => {
        outcome(options, (assembler) => void assembler.feed(bytes))
      }),
      { numRuns: runs * 5 },
    )
  })

  it('takes the fixtures, damaged anywhere', patient, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        fc.array(anyByteDamage, { minLength: 1, maxLength: 5 }),
        anyOptions,
        (body, hits, options) => {
          outcome(options, (assembler) => {
            for (const chunk of cutBy(damaged(body, hits), [100, 7])) assembler.feed(chunk)
          })
        },
      ),
      { numRuns: runs * 10 },
    )
  })
})

describe('misuse is a TypeError', () => {
  const fresh = (): Assembler => createAssembler({ format: 'openai-chat' })
  const misuses: readonly (readonly [string, () => unknown])[] = [
    ['no chunk', () => fresh().feed(undefined as never)],
    ['an object where bytes go', () => fresh().feed({} as never)],
    ['an ArrayBuffer', () => fresh().feed(new ArrayBuffer(1) as never)],
    ['text where an event goes', () => fresh().feedEvent('data: {}' as never)],
    ['bytes where an event goes', () => fresh().feedEvent(new Uint8Array(1))],
    ['no event', () => fresh().feedEvent(null as never)],
    ['an unknown format', () => createAssembler({ format: 'smoke-signals' as never })],
    ['an unknown limit', () => createAssembler({ limits: { maxFragments: 3 } as never })],
    ['a limit below one', () => createAssembler({ limits: { maxCalls: 0 } })],
  ]
  it.each(misuses)('%s', (_, misuse) => {
    expect(misuse).toThrow(TypeError)
  })

  it('feeding after the end, however it ended', () => {
    for (const finish of ['end', 'abort'] as const) {
      const assembler = fresh()
      assembler[finish]()
      expect(() => assembler.feed('data: {}\n\n')).toThrow(TypeError)
      expect(() => assembler.feedEvent({})).toThrow(TypeError)
    }
  })

  it('bytes and events of one response', () => {
    const bytesFirst = fresh()
    bytesFirst.feed('data: {"choices":[]}\n\n')
    expect(() => bytesFirst.feedEvent({ choices: [] })).toThrow(TypeError)
    const eventsFirst = fresh()
    eventsFirst.feedEvent({ choices: [] })
    expect(() => eventsFirst.feed('data: {"choices":[]}\n\n')).toThrow(TypeError)
  })

  it('feeding, ending or aborting from a hook, and nothing is lost by it', () => {
    const attempts = [
      (assembler: Assembler) => assembler.feed('x'),
      (assembler: Assembler) => assembler.end(),
      (assembler: Assembler) => assembler.abort(),
    ]
    for (const attempt of attempts) {
      const assembler: Assembler = createAssembler({ format: 'openai-chat', onFrame: () => void attempt(assembler) })
      const event = 'data: {"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":"stop"}]}\n\n'
      expect(() => assembler.feed(event)).toThrow(TypeError)
      assembler.end()
      expect(assembler.result).toMatchObject({ text: 'hello', finish: { reason: 'stop' } })
    }
  })
})
