// Law: no call that misses a byte is ok.
//
// What can be proven depends on what the wire gives away. Proven here, for every format unless said otherwise:
// - Whatever breaks off, at any byte, before its end makes no call ok that is not to the letter the one that was sent.
// - Neither does a stream in which anything can't be read: a spoiled event, or bytes that were lost, put in or overwritten such that some
//   event is unreadable wherever one is missing.
// - On wires that number their events or repeat what they said (Responses), that check every message (Bedrock, for its bytes), or that send
//   a call in one event (Ollama, Gemini), neither does one from which whole events are missing, or where they come twice or out of order.
// - On the others neither does such a stream if an event holds all of a call's arguments and the tool's schema takes no `{}`.
// A byte lost from inside a character shows in the bytes alone: `formats/spoilt.test.ts` proves that it is seen.
//
// What no reader can know: an event that vanished without a trace from the middle of a string, on a wire that neither numbers nor
// repeats. The last test shows that such a thing is what it takes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AssemblerResult, JsonObject, Tools, WireFormatName } from '../../src/index.ts'
import type { EncodeOptions } from '../../src/testing.ts'
import { anySpoiling, dataOf, eventsIn, showsItsHoles, spoiled, type Spoiling } from './envelopes.ts'
import {
  bytesOf,
  anyShare,
  anyArguments,
  anyByteDamage,
  anyEventDamage,
  anySizes,
  anyTurn,
  cutBy,
  damaged,
  formats,
  isOneOf,
  joined,
  patient,
  read,
  runs,
  sent,
  show,
  shuffled,
  type Sent,
} from './support.ts'

function expectNoOther(result: AssemblerResult, turn: Sent): void {
  const others = result.calls.filter((call) => call.ok && !isOneOf(call, turn.calls))
  expect(others).toEqual([])
}

/** The events with some of them spoiled. Where an event is hit twice, the second hit replaces the first. */
function withSpoiled(
  events: readonly Uint8Array[],
  spoilings: readonly Spoiling[],
  format: WireFormatName,
): readonly Uint8Array[] {
  const hit = new Map(spoilings.map((spoiling) => [Math.floor(spoiling.event * events.length), spoiling]))
  return events.map((event, at) => {
    const spoiling = hit.get(at)
    return spoiling === undefined ? event : spoiled(format, event, spoiling)
  })
}

/** Events end in a blank line, and lines in LF, so that a simple reader can say what has become of them. */
const plain = { lineEnding: '\n', array: false, partialArgs: false, obfuscation: false } as const

const filled: fc.Arbitrary<JsonObject> = anyArguments.filter((args) => Object.keys(args).length > 0)

/** Mostly one long text: whatever is lost from its middle leaves valid JSON. */
const longText: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.nat(), fc.string({ minLength: 20, maxLength: 60 }))
  .map(([id, text]) => ({ id, text }))

/** Turns in which most events are such a piece of text. */
function fragileTurn(format: WireFormatName, options: EncodeOptions): fc.Arbitrary<Sent> {
  const args = fc.oneof({ weight: 3, arbitrary: longText }, { weight: 1, arbitrary: anyArguments })
  return fc.integer({ min: 1, max: 8 }).chain((deltaSize) =>
    anyTurn({
      format: fc.constant(format),
      args,
      minCalls: 1,
      maxCalls: 2,
      options: { deltaSize, text: '', reasoning: '', ...options },
    }),
  )
}

/** Tools that take anything but nothing. */
function toolsOf(turn: Sent): Tools {
  return turn.calls.map(({ name }) => ({ name, parameters: { type: 'object', minProperties: 1 } }))
}

/** No two tools of one name. */
const distinct = (turn: Sent): boolean => new Set(turn.calls.map(({ name }) => name)).size === turn.calls.length

describe.each(formats)('%s', (format) => {
  it('makes no other call ok however the stream breaks off', patient, () => {
    fc.assert(
      fc.property(
        anyTurn({ format: fc.constant(format), maxCalls: 2, minCalls: 1 }),
        fc.boolean(),
        (turn, fastPath) => {
          const { bytes } = turn
          const step = Math.max(1, Math.floor(bytes.length / 60))
          for (let cut = 0; cut < bytes.length; cut += step) {
            const { result } = read([bytes.subarray(0, cut)], { format, fastPath })
            expectNoOther(result, turn)
            // Nothing has said yet that the turn is over.
            if (result.finish.raw === null && !result.finish.evidence.includes('end-marker'))
              expect([cut, result.finish.truncated, result.calls.filter((call) => call.ok)]).toEqual([cut, true, []])
          }
        },
      ),
      { numRuns: Math.ceil(runs / 4) },
    )
  })

  it('makes no other call ok where events can’t be read', patient, () => {
    fc.assert(
      fc.property(
        fragileTurn(format, { array: false }),
        fc.array(anySpoiling, { minLength: 1, maxLength: 3 }),
        anySizes,
        fc.boolean(),
        (turn, spoilings, sizes, fastPath) => {
          const events = withSpoiled(turn.events, spoilings, format)
          const { result } = read(cutBy(joined(events), sizes), { format, fastPath })
          expectNoOther(result, turn)
        },
      ),
      { numRuns: runs },
    )
  })

  it('makes no other call ok where bytes were lost, put in or overwritten, if that shows', patient, () => {
    fc.assert(
      fc.property(
        fragileTurn(format, plain),
        fc.array(anyByteDamage, { minLength: 1, maxLength: 2 }),
        anySizes,
        fc.boolean(),
        (turn, hits, sizes, fastPath) => {
          const arrived = damaged(turn.bytes, hits)
          if (format !== 'bedrock') {
            const original = turn.events.map((event) => dataOf(format, event))
            fc.pre(showsItsHoles(original, eventsIn(format, show(arrived))))
          }
          const { result } = read(cutBy(arrived, sizes), { format, fastPath })
          expectNoOther(result, turn)
        },
      ),
      { numRuns: runs * 2 },
    )
  })
})

describe.each(['openai-responses', 'ollama', 'gemini'] as const)('%s, which gives away what is missing', (format) => {
  it('makes no other call ok where events are missing, double, out of order or unreadable', patient, () => {
    fc.assert(
      fc.property(
        fragileTurn(format, { array: false, partialArgs: false }),
        fc.array(anyEventDamage, { minLength: 1, maxLength: 5 }),
        fc.array(anySpoiling, { maxLength: 1 }),
        fc.boolean(),
        (turn, moves, spoilings, fastPath) => {
          const events = withSpoiled(shuffled(turn.events, moves), spoilings, format)
          expectNoOther(read(events, { format, fastPath }).result, turn)
        },
      ),
      { numRuns: runs * 3 },
    )
  })
})

describe.each(['openai-chat', 'anthropic', 'cohere', 'bedrock', 'gemini'] as const)(
  '%s with all of a call’s arguments in one event',
  (format) => {
    it('makes no other call ok where events are missing, double, out of order or unreadable', patient, () => {
      const shape = { format: fc.constant(format), args: filled, minCalls: 1 }
      fc.assert(
        fc.property(
          anyTurn({ ...shape, options: { deltaSize: 1e6, array: false, partialArgs: false } }).filter(distinct),
          fc.array(anyEventDamage, { minLength: 1, maxLength: 5 }),
          fc.array(anySpoiling, { maxLength: 1 }),
          fc.boolean(),
          (turn, moves, spoilings, fastPath) => {
            const events = withSpoiled(shuffled(turn.events, moves), spoilings, format)
            expectNoOther(read(events, { format, fastPath, tools: toolsOf(turn) }).result, turn)
          },
        ),
        { numRuns: runs * 3 },
      )
    })
  },
)

/** The events without anything that repeats what the deltas said, numbered anew. */
function withoutRepetitions(turn: Sent): Uint8Array[] {
  return turn.events
    .filter((event) => !/"type":"response\.[a-z_.]+\.done"/.test(show(event)))
    .map((event, n) => {
      const { type, response, ...rest } = JSON.parse(dataOf(turn.format, event)) as { type: string; response?: object }
      const value = { type, ...rest, ...(response && { response: { ...response, output: [] } }), sequence_number: n }
      return bytesOf(`event: ${type}\ndata: ${JSON.stringify(value)}\n\n`)
    })
}

describe('a wire that numbers its events, in a stream that repeats nothing', () => {
  const turns = fragileTurn('openai-responses', { interleave: false }).map(withoutRepetitions)

  it('makes its calls ok if none is missing', patient, () => {
    fc.assert(
      fc.property(turns, (events) => {
        expect(read(events, { format: 'openai-responses' }).result.calls.map(({ ok }) => ok)).not.toContain(false)
      }),
      { numRuns: runs },
    )
  })

  it('makes no call ok that was open where one is missing', patient, () => {
    fc.assert(
      fc.property(turns, anyShare, fc.boolean(), (events, share, fastPath) => {
        const deltas = events.flatMap((event, n) => (show(event).includes('arguments.delta') ? [n] : []))
        const lost = deltas[Math.floor(share * deltas.length)]
        fc.pre(lost !== undefined)
        const place = Number(/"output_index":(\d+)/.exec(show(events[lost ?? 0] ?? new Uint8Array()))?.[1])
        const { calls } = read(
          events.filter((_, n) => n !== lost),
          { format: 'openai-responses', fastPath },
        ).result
        expect(calls.find(({ wireIndex }) => wireIndex === place)).toMatchObject({
          ok: false,
          failure: { code: 'damaged' },
        })
      }),
      { numRuns: runs },
    )
  })
})

describe('a delta that vanished without a trace from the middle of a string', () => {
  const lossy = (format: Sent['format']): AssemblerResult => {
    const turn = sent(format, [{ name: 'f', arguments: { text: 'one two three' } }], { deltaSize: 4 })
    const kept = turn.events.filter((event) => !(show(event).includes('delta') && show(event).includes(' two"')))
    expect(kept).toHaveLength(turn.events.length - 1)
    return read(kept, { format }).result
  }

  it('shows where the wire numbers its events and repeats what they said', () => {
    expect(lossy('openai-responses').calls).toMatchObject([{ ok: false, failure: { code: 'damaged' } }])
  })

  it.each(['openai-chat', 'anthropic', 'cohere', 'bedrock'] as const)('can’t show in %s', (format) => {
    expect(lossy(format).calls).toMatchObject([{ ok: true, arguments: { text: 'one three' } }])
  })
})
