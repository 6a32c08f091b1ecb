// Reads an event whose bytes were not all UTF-8, and lets no call pass that it touches.

import type { WireDelta } from '../model/deltas.ts'
import type { WireMessage } from '../model/formats.ts'
import type { Stage } from '../model/stage.ts'
import { warning } from './faults.ts'

/**
 * The same reader, but an event that bytes were lost or changed in goes between `spoilt-open` and `spoilt-close`: what it says is
 * worth hearing, the text and the finish reason above all, but the decoder's U+FFFD stands for something that nobody knows.
 */
export function spoilt(reader: Stage<WireMessage, WireDelta>): Stage<WireMessage, WireDelta> {
  return (next) => {
    const step = reader(next)
    return {
      push(message) {
        if (message.kind !== 'message' || !message.invalid) return step.push(message)
        const said = 'some bytes of an event are not UTF-8; each stands as U+FFFD'
        next.push({ type: 'spoilt-open', warning: warning('malformed-event', said, message.frame, message.source) })
        step.push(message)
        next.push({ type: 'spoilt-close' })
      },
      end: () => step.end(),
    }
  }
}
