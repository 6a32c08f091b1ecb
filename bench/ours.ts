// The library, fed as its users feed it, with every delta looked at.

import { createAssembler, type AssemblerOptions } from 'tool-call-assembler'
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
  for (const call of assembler.result?.calls ?? []) {
    if (!call.ok) throw new Error(`the call is not ok: ${call.failure.message}`)
  }
  return delivered(deltas, characters)
}
