// A wire format as a value, and the messages that it reads.

import type { WireDelta } from './deltas.ts'
import type { FramingFault } from './frames.ts'
import type { Stage } from './stage.ts'

/** One event of a wire with its JSON parsed, or what stands in its place. */
export type WireMessage =
  | {
      readonly kind: 'message'
      readonly frame: number
      /** The SSE `event:` field or AWS `:event-type`, where the framing has one. */
      readonly event?: string
      readonly value: object
      /** The JSON text that `value` was parsed from; absent where the caller fed the object itself. */
      readonly source?: string
      /** As in the frame: some of the event's bytes were not UTF-8. */
      readonly invalid?: true
      /** The message is the whole answer and no event of it: one with nothing to answer with is an error then. */
      readonly body?: true
    }
  /** An event whose data is no JSON object: a marker such as `[DONE]`, or malformed. `terminated` as in the frame. */
  | {
      readonly kind: 'text'
      readonly frame: number
      readonly event?: string
      readonly data: string
      readonly terminated: boolean
    }
  | FramingFault

/**
 * The part of an event that changes from one to the next of its kind. The fast path takes all else as fixed.
 * `fragment`: the string that the delta appends. `sequence`: a counting integer. `padding`: a string or number that means nothing.
 */
export interface Hole {
  readonly path: readonly (string | number)[]
  readonly role: 'fragment' | 'sequence' | 'padding'
}

/** A wire format as a value. One file in `formats/` makes one; nothing else knows the wire. */
export interface WireFormat {
  readonly name: string
  /** Reads messages into deltas. One call makes the state of one stream. */
  readonly reader: Stage<WireMessage, WireDelta>
  /** Whether this first message can only be of this format. Used by `auto` alone. */
  detect(message: WireMessage): boolean
  /** What may differ between events that only append a fragment. Without it the format has no fast path. */
  readonly holes?: readonly Hole[]
}
