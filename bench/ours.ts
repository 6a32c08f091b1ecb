// The library, fed as its users feed it, with every delta looked at.

import {
  assemble,
  createAssembler,
  type AssembleOptions,
  type AssemblerOptions,
  type ToolCall,
} from 'tool-call-assembler'
import { delivered } from './floor.ts'

export function runOurs(chunks: Iterable<Uint8Array>, options: AssemblerOptions): string {
  const assembler = createAssembler(options)
  let deltas = 0
  let characters = 0
  for (const chunk of chunks) {
    for (const event of assembler.feed(chunk)) {
      if (event.type !== 'tool-call-delta') continue
      deltas++
      characters += event.delta.length
    }
  }
  assembler.end()
  checkCalls(assembler.result?.calls)
  return delivered(deltas, characters)
}

/** The same from a response, as a program that has just called `fetch` does it. */
export async function assembleOurs(response: Response, options: AssembleOptions = {}): Promise<string> {
  const stream = assemble(response, options)
  let deltas = 0
  let characters = 0
  for await (const event of stream) {
    if (event.type !== 'tool-call-delta') continue
    deltas++
    characters += event.delta.length
  }
  checkCalls((await stream.result()).calls)
  return delivered(deltas, characters)
}

/** A stream that was assembled wrongly is not to be compared with anything. */
export function checkCalls(calls: readonly ToolCall[] = []): void {
  if (calls.length === 0) throw new Error('no call came out')
  for (const call of calls) if (!call.ok) throw new Error(`the call is not ok: ${call.failure.message}`)
}
