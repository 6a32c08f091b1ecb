// What the readers of all wires do alike: messages go to the wire's own code, everything else is read in one way.

import type { WireDelta } from '../model/deltas.ts'
import type { StreamError } from '../model/events.ts'
import type { WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { errorBody } from './errors.ts'
import { readUnread, unrecognized } from './faults.ts'
import { record, type Fields } from './fields.ts'
import type { ParsedMessage } from './source.ts'

/** The fields of a message; `null` for what is no message. */
export function fieldsOf(message: WireMessage): Fields | null {
  return message.kind === 'message' ? record(message.value) : null
}

/**
 * The step of a wire whose messages `read` takes apart. `lack` names what a whole body must have and this one hasn't: `choices`,
 * `message`. Events of a stream may go without, and bodies that are errors do.
 */
export function readMessages(
  next: Step<WireDelta>,
  read: (fields: Fields, message: ParsedMessage) => void,
  lack: (body: Fields) => string | null,
): Step<WireMessage> {
  return {
    push(message) {
      if (message.kind !== 'message') return readUnread(message, next)
      const fields = record(message.value)
      // A list that the caller fed as one event: no wire has such a one.
      if (fields === null) return next.push(unrecognized(message))
      const lacking = message.body && errorBody(fields, message.event) === undefined ? lack(fields) : null
      // First, since a body can be its own end marker.
      if (lacking !== null) next.push({ type: 'error', error: emptyBody(lacking, message) })
      read(fields, message)
    },
    end() {
      next.end()
    },
  }
}

/** A body that is no error and no answer either, by the name of what it lacks: `no-choices`, `no-message`. */
export function emptyBody(lacking: string, { frame, value }: ParsedMessage): StreamError {
  return {
    code: `no-${lacking}`,
    message: `The response has no ${lacking}, so there is no answer in it.`,
    frame,
    raw: value,
  }
}

/** Lets all deltas pass, and calls `settle` before the end, whether the wire's own marker brings it or the last byte. */
export function beforeEnd(next: Step<WireDelta>, settle: () => void): Step<WireDelta> {
  return {
    push(delta) {
      if (delta.type === 'end') settle()
      next.push(delta)
    },
    end() {
      settle()
      next.end()
    },
  }
}
