/** Calls in a text that came without any wire. */
import { createTextScanner, type TextResult } from 'tool-call-assembler/text'

export function scan(pieces: Iterable<string>): TextResult | undefined {
  const scanner = createTextScanner({ formats: ['hermes', 'qwen3-coder-xml'] })
  for (const piece of pieces) {
    for (const event of scanner.feed(piece)) if (event.type === 'text-delta') process.stdout.write(event.delta)
  }
  scanner.end() // or end({ cut: true }) where the text was cut, not finished
  return scanner.result // text, reasoning, calls, warnings
}
