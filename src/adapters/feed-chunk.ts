// A chunk of any kind that sources give, to the right entrance of an assembler.

import type { Emitted, PullAssembler } from '../assembly/pull.ts'
import { toBytes } from './sources.ts'

export function feedChunk<A extends object>(assembler: PullAssembler<A>, chunk: unknown): Emitted<A> {
  if (typeof chunk === 'string') return assembler.feed(chunk)
  if (typeof chunk !== 'object' || chunk === null) {
    const kind = chunk === null ? 'null' : typeof chunk
    throw new TypeError(`A chunk has to be bytes, text or one parsed wire event: the source gave ${kind}`)
  }
  const bytes = toBytes(chunk)
  return bytes ? assembler.feed(bytes) : assembler.feedEvent(chunk)
}
