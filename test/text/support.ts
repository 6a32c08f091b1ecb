// Shared by the tests of the text scanner: one way to run it, and generators of calls that every format can write.

import fc from 'fast-check'
import {
  createTextScanner,
  type TextResult,
  type TextScanner,
  type TextScannerOptions,
} from '../../src/assembly/text-scanner.ts'
import type { AssemblerEvent } from '../../src/model/events.ts'
import type { ToolTable } from '../../src/model/compiled.ts'
import type { Tools } from '../../src/model/tools.ts'
import type { JsonObject, JsonValue } from '../../src/model/json.ts'
import type { BookedDelta } from '../../src/model/booked.ts'
import { defaultLimits } from '../../src/model/limits.ts'
import { compileTools } from '../../src/schema/tools.ts'
import { createGrammar } from '../../src/text/grammar.ts'
import type { ScanOptions } from '../../src/text/options.ts'
import { textFormats } from '../../src/text/registry.ts'
import type { TextFormat } from '../../src/text/row.ts'
import { Scanner } from '../../src/text/scanner.ts'

export function scan(
  text: string | readonly string[],
  options: TextScannerOptions = {},
  end: { readonly cut?: boolean } = {},
): TextResult & { readonly events: readonly AssemblerEvent[] } {
  return run(createTextScanner(options), text, end)
}

/** What the same comes to, without the events on the way there, which depend on how the text is cut. */
export function resultOf(
  text: string | readonly string[],
  options: TextScannerOptions,
  end: { readonly cut?: boolean } = {},
): TextResult {
  const { events: _, ...result } = scan(text, options, end)
  return result
}

function run(
  scanner: TextScanner,
  text: string | readonly string[],
  end: { readonly cut?: boolean },
): TextResult & { readonly events: readonly AssemblerEvent[] } {
  const events: AssemblerEvent[] = []
  for (const piece of typeof text === 'string' ? [text] : text) events.push(...scanner.feed(piece))
  events.push(...scanner.end(end))
  const { result } = scanner
  if (!result) throw new Error('no result after end()')
  return { ...result, events }
}

/** What the engine itself hands on, by kind, in order. */
export function spans(
  chunks: readonly string[],
  options: ScanOptions,
  cut = false,
): { readonly all: string; readonly deltas: readonly BookedDelta[] } {
  const deltas: BookedDelta[] = []
  let all = ''
  const keep = (raw: string): void => {
    all += raw
  }
  const scanner = new Scanner(createGrammar(options), 0, {
    text: keep,
    reasoning: keep,
    block: keep,
    delta: (delta) => void deltas.push(delta),
  })
  for (const piece of chunks) scanner.feed(piece)
  scanner.end(cut)
  return { all, deltas }
}

export const eachFormat: readonly (readonly [string, TextFormat])[] = textFormats.map(
  (format) => [format.name, format] as const,
)

/** Cuts a text at random places. */
export function pieces(text: string, sizes: readonly number[]): string[] {
  const cut: string[] = []
  let i = 0
  for (let n = 0; i < text.length; n++) {
    const size = Math.max(1, sizes[n % Math.max(1, sizes.length)] ?? 1)
    cut.push(text.slice(i, i + size))
    i += size
  }
  return cut
}

export const sizes: fc.Arbitrary<number[]> = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })

const plainText = fc.string({
  unit: fc.constantFrom(...('abc XYZ019 .,;:!?()[]{}"\'\\/\n\t<>&=|`#é漢🙂'.match(/./gsu) ?? [])),
  maxLength: 24,
})

const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.boolean(),
  fc.integer({ min: -9_999, max: 9_999 }),
  fc.constantFrom(0.5, -2.25, 1e21),
)

/** Strings that no format takes for its own markup or for a literal of another type. */
const safeText = plainText.filter((text) => !/^\s*(?:null|None)?\s*$/.test(text))

const nested: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    plainText,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

/** A tool with typed parameters, and arguments for it. */
export const tools: Tools = [
  {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'number' },
        detail: { type: 'boolean' },
        list: { type: 'array' },
        nested: { type: 'object' },
      },
    },
  },
  { name: 'get_weather_now', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
]

export const table: ToolTable | undefined = compileTools(tools, { policy: {}, maxDepth: defaultLimits.maxDepth })

export const weatherArguments: fc.Arbitrary<JsonObject> = fc.record(
  {
    city: safeText,
    days: fc.oneof(fc.integer({ min: -99, max: 99 }), fc.constantFrom(0.5, 1e21)),
    detail: fc.boolean(),
    list: fc.array(nested, { maxLength: 3 }),
    nested: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), nested, { maxKeys: 3, noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
)

export const call: fc.Arbitrary<{ name: string; arguments: JsonObject }> = fc.oneof(
  fc.record({ name: fc.constant('get_weather'), arguments: weatherArguments }),
  fc.record({
    name: fc.constant('get_weather_now'),
    arguments: fc.record({ city: safeText }, { requiredKeys: [], noNullPrototype: true }),
  }),
)
