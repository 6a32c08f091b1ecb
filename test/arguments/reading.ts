import type { Reading, ReadingPolicy } from '../../src/model/reading.ts'
import { readArguments } from '../../src/arguments/read.ts'

/** The default policy, but for what a test is about. */
export function policyWith(changes: Partial<ReadingPolicy> = {}): ReadingPolicy {
  return { repair: 'lossless', closeTruncated: false, integers: 'reject', maxDepth: 128, ...changes }
}

export const lenient: Partial<ReadingPolicy> = { repair: 'lenient', stringAt: () => true }

export function read(text: string, changes: Partial<ReadingPolicy> = {}): Reading {
  return readArguments(text, policyWith(changes))
}

/** The outcome in one word: `ok`, the names of the repairs, `blank`, or the state and code of the fault. */
export function outcome(text: string, changes: Partial<ReadingPolicy> = {}): string {
  const reading = read(text, changes)
  switch (reading.state) {
    case 'object':
      return reading.repairs.map(({ name }) => name).join('+') || 'ok'
    case 'blank':
      return 'blank'
    case 'cut':
      return `cut: ${reading.fault.code}, ${reading.open}`
    case 'fault':
      return reading.fault.code
    default:
      return reading satisfies never
  }
}

/** The value; fails where the text is refused. */
export function valueOf(text: string, changes: Partial<ReadingPolicy> = {}): unknown {
  const reading = read(text, changes)
  if (reading.state !== 'object') throw new Error(`refused: ${JSON.stringify(reading)}`)
  return reading.value
}
