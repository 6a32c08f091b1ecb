// Law: one `tool-call-end` for every `tool-call-start`; the deltas between them, joined, are `argumentsText`; the last event is
// `finish`, exactly once, whatever happens. And the result says what the events said.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAssembler, type AssemblerEvent, type AssemblerResult, type Assembler } from '../../src/index.ts'
import { anySizes, anyStream, cutBy, formats, patient, read, runs, type Read } from './support.ts'

function eventsOf<T extends AssemblerEvent['type']>(
  events: readonly AssemblerEvent[],
  type: T,
): Extract<AssemblerEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AssemblerEvent, { type: T }> => event.type === type)
}

function expectWellFormed({ events, result }: Read): void {
  const starts = eventsOf(events, 'tool-call-start')
  const ends = eventsOf(events, 'tool-call-end')
  // A start waits for its name, so starts may come in another order than their ends.
  expect(starts.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...starts.keys()])
  expect(ends.map(({ call }) => call)).toEqual(result.calls)
  expect(ends.map(({ call }) => call.index)).toEqual([...starts.keys()])
  expect(new Set(starts.map(({ id }) => id)).size).toBe(starts.length)
  for (const start of starts) {
    const { choice, index, id, name } = start
    const call = result.calls[index]
    expect(call).toMatchObject({ choice, index, id, name })
    const at = events.flatMap((event, place) => ('index' in event && event.index === index ? [place] : []))
    const deltas = eventsOf(events, 'tool-call-delta').filter((event) => event.index === index)
    expect(events[at[0] ?? -1]).toBe(start)
    expect(deltas.every((delta) => delta.id === id && delta.choice === choice && delta.delta !== '')).toBe(true)
    expect(deltas.map(({ delta }) => delta).join('')).toBe(call?.argumentsText)
    expect(events.findIndex((event) => event.type === 'tool-call-end' && event.call.index === index)).toBeGreaterThan(
      at.at(-1) ?? -1,
    )
    expect([call?.ok === true, 'arguments' in (call ?? {}), 'failure' in (call ?? {})]).toEqual(
      call?.ok === true ? [true, true, false] : [false, false, true],
    )
  }
  expectFinished(events, result)
}

function expectFinished(events: readonly AssemblerEvent[], result: AssemblerResult): void {
  expect(eventsOf(events, 'finish')).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ type: 'finish', finish: result.finish })
  expect(eventsOf(events, 'warning').map(({ warning }) => warning)).toEqual(result.warnings)
  expect(eventsOf(events, 'error').map(({ error }) => error)).toEqual(result.errors)
  for (const { choice, text, reasoning, refusal } of result.choices) {
    const said = (type: 'text-delta' | 'reasoning-delta' | 'refusal-delta'): string =>
      eventsOf(events, type)
        .filter((event) => event.choice === choice)
        .map(({ delta }) => delta)
        .join('')
    expect([said('text-delta'), said('reasoning-delta'), said('refusal-delta')]).toEqual([text, reasoning, refusal])
  }
  const shown = result.choices.find(({ choice }) => choice === 0) ?? result.choices[0]
  if (shown) expect(result).toMatchObject({ text: shown.text, reasoning: shown.reasoning, finish: shown.finish })
}

describe.each(formats)('the events of %s', (format) => {
  it('pair up and finish once, whatever happened to the stream', patient, () => {
    fc.assert(
      fc.property(
        anyStream({ format: fc.constant(format) }),
        anySizes,
        fc.boolean(),
        fc.boolean(),
        ({ bytes }, sizes, named, partialArguments) => {
          expectWellFormed(read(cutBy(bytes, sizes), { format: named ? format : 'auto', partialArguments }))
        },
      ),
      { numRuns: runs },
    )
  })

  it('finish once when the caller gives up, in the middle or at the end, however often it says so', patient, () => {
    type Ending = (assembler: Assembler) => AssemblerEvent[]
    const abort: Ending = (assembler) => assembler.abort(new Error('enough'))
    const end: Ending = (assembler) => assembler.end()
    fc.assert(
      fc.property(
        anyStream({ format: fc.constant(format) }),
        fc.constantFrom([abort, end], [abort, abort], [end, abort], [end, end]),
        ({ bytes }, endings) => {
          const assembler = createAssembler({ format })
          const events: AssemblerEvent[] = assembler.feed(bytes)
          for (const ending of endings) events.push(...ending(assembler))
          const { result } = assembler
          if (result === undefined) throw new Error('no result after the end')
          expectWellFormed({ events, result })
          if (endings[0] === abort && !result.finish.evidence.includes('end-marker'))
            expect(result.calls.filter((call) => call.ok)).toEqual([])
        },
      ),
      { numRuns: runs },
    )
  })
})
