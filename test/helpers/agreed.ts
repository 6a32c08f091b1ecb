// What an assembler makes of a body, if it makes the same of it however it comes: cut anywhere, with and without the fast path, its
// format named or told from the stream.
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import {
  createAssembler,
  type AssemblerOptions,
  type AssemblerResult,
  type ToolCall,
  type WireFormatName,
} from '../../src/index.ts'
import { chunked, everyCut } from '../../src/testing.ts'

export function agreed(format: WireFormatName, body: string, options: AssemblerOptions = {}): AssemblerResult {
  const bytes = new TextEncoder().encode(body)
  const named = { ...options, format }
  const told = { ...options, format: 'auto' } as const
  const expected = assemble([bytes], named)
  const results = [
    assemble([body], told),
    assemble(chunked(bytes, 1), named),
    assemble(chunked(body, 7), { ...named, fastPath: false }),
    ...Array.from(everyCut(bytes), (cut) => assemble(cut, told)),
  ]
  for (const result of results) if (!isDeepStrictEqual(result, expected)) expect(result).toEqual(expected)
  return expected
}

function assemble(chunks: Iterable<Uint8Array | string>, options: AssemblerOptions): AssemblerResult {
  const assembler = createAssembler(options)
  for (const chunk of chunks) assembler.feed(chunk)
  assembler.end()
  if (assembler.result === undefined) throw new Error('no result after the end')
  return assembler.result
}

/** Events as a server sends them. Text stands for the data of an event as it is. */
export function sse(...events: readonly (object | string)[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
}

/** What a call came to: its name, then its arguments, or the failure's code and the text that there was. */
export function outcomes(result: AssemblerResult): readonly (readonly unknown[])[] {
  return result.calls.map((call: ToolCall) =>
    call.ok ? [call.name, call.arguments] : [call.name, call.failure.code, call.argumentsText],
  )
}

export function warningCodes(result: AssemblerResult): readonly string[] {
  return result.warnings.map(({ code }) => code)
}
