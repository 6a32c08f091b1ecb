// Runs a stage over chunks and collects what comes out; cuts bodies in the ways that a law about cuts needs.

import fc from 'fast-check'
import type { Frame } from '../../src/model/frames.ts'
import type { FramingContext } from '../../src/framing/context.ts'
import type { Stage, Step } from '../../src/model/stage.ts'

export function contextOf(maxEventBytes: number = 16 * 1024 * 1024): FramingContext {
  return { maxEventBytes, frames: { count: 0 }, bytes: { invalid: false } }
}

/** A step that keeps what it gets. */
export class Sink<T> implements Step<T> {
  readonly items: T[] = []
  ended = 0

  push(item: T): void {
    if (this.ended > 0) throw new Error('pushed after the end')
    this.items.push(item)
  }

  end(): void {
    this.ended++
  }
}

/** Everything that a stage makes of the chunks. Fails unless it ends exactly once. */
export function through<In, Out>(stage: Stage<In, Out>, chunks: Iterable<In>): Out[] {
  const sink = new Sink<Out>()
  const step = stage(sink)
  for (const chunk of chunks) step.push(chunk)
  step.end()
  if (sink.ended !== 1) throw new Error(`ended ${sink.ended} times`)
  return sink.items
}

/** The chunks in one buffer that is overwritten after each push, with empty chunks between. */
export function* reused(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  const buffer = new Uint8Array(64 * 1024)
  for (const chunk of chunks) {
    buffer.set(chunk)
    yield buffer.subarray(0, chunk.length)
    buffer.fill(0x22)
    yield buffer.subarray(0, 0)
  }
}

/** A body in pieces at random places, some of them empty. */
export function cuts<T extends string | Uint8Array>(body: T): fc.Arbitrary<T[]> {
  return fc.array(fc.nat({ max: body.length }), { maxLength: 12 }).map((places) => {
    const sorted = [0, ...places, body.length].sort((a, b) => a - b)
    return sorted.slice(1).map((end, i) => body.slice(sorted[i], end) as T) // a slice has the type of what it is a slice of
  })
}

/** The data of each frame, faults marked by their kind. */
export function digest(frames: readonly Frame[]): string[] {
  return frames.map((frame) => {
    if (frame.kind === 'fault') return `${frame.fault}: ${frame.data}`
    const data = frame.event === undefined ? frame.data : `${frame.event} ${frame.data}`
    return frame.terminated ? data : `${data} (cut)`
  })
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Whether UTF-8 can hold the text: no half of a surrogate pair alone. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
