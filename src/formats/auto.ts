// Finds out which format a stream is written in, from its first messages.

import type { WireDelta } from '../model/deltas.ts'
import type { WireFormat, WireMessage } from '../model/formats.ts'
import type { Stage, Step } from '../model/stage.ts'
import { errorBody, serverError } from './errors.ts'
import { quoteStart, readUnread } from './faults.ts'
import { record } from './fields.ts'
import { sliceAt, type ParsedMessage } from './source.ts'
import { spoilt } from './spoilt.ts'

/** A stream that has not shown its format by then never will: keep-alives and errors that come first are a handful. */
const maxHeld = 64
/** The same for messages that are long, in characters. */
const maxHeldLength = 1024 * 1024

/**
 * Reads a stream in whichever of `formats` first claims one of its messages. What came before that message is held and read with
 * it. `onChosen` is told once, before the first delta; never, where no format could be told. That is an error of code
 * `unknown-format` if messages came, and no error if none did.
 */
export function auto(
  formats: readonly WireFormat[],
  onChosen: (format: WireFormat) => void,
): Stage<WireMessage, WireDelta> {
  return (next) => {
    let chosen: Step<WireMessage> | null = null
    const held: WireMessage[] = []
    let heldLength = 0

    const choose = (step: Step<WireMessage>): void => {
      chosen = step
      for (const message of held.splice(0)) step.push(message)
    }

    return {
      push(message) {
        if (chosen !== null) {
          chosen.push(message)
          return
        }
        held.push(message)
        heldLength += lengthOf(message)
        const format = formats.find((candidate) => candidate.detect(message))
        if (format !== undefined) {
          onChosen(format)
          choose(spoilt(format.reader)(next))
        } else if (held.length >= maxHeld || heldLength > maxHeldLength) {
          choose(unknownFormat(next))
        }
      },
      end() {
        if (chosen === null) choose(unknownFormat(next))
        chosen?.end()
      },
    }
  }
}

function lengthOf(message: WireMessage): number {
  return message.kind === 'message' ? (message.source?.length ?? 0) : message.data.length
}

/**
 * Reads what all formats have in common: markers, faults, and errors that the server sent instead of a stream. Messages of no known
 * format are reported once, at the end, by the first of them, unless an error has already told what happened.
 */
function unknownFormat(next: Step<WireDelta>): Step<WireMessage> {
  let unknown: ParsedMessage | null = null
  let explained = false
  const watched: Step<WireDelta> = {
    push(delta) {
      if (delta.type === 'error') explained = true
      if (delta.type === 'end') report()
      next.push(delta)
    },
    end() {
      report()
      next.end()
    },
  }
  const report = (): void => {
    if (unknown === null || explained) return
    explained = true
    next.push({ type: 'error', error: unknownFormatError(unknown) })
  }
  return {
    push(message) {
      if (message.kind !== 'message') {
        readUnread(message, watched)
        return
      }
      const error = errorBody(record(message.value) ?? {}, message.event)
      if (error !== undefined) watched.push({ type: 'error', error: serverError(error, message.frame, message.event) })
      else unknown ??= message
    },
    end() {
      watched.end()
    },
  }
}

function unknownFormatError(message: ParsedMessage): Extract<WireDelta, { type: 'error' }>['error'] {
  const seen = sliceAt(message, undefined)
  const named = message.event === undefined ? '' : ` named ${JSON.stringify(message.event)}`
  return {
    code: 'unknown-format',
    message: `The format of the stream could not be told. The first event${named} reads: ${quoteStart(seen ?? '')}`,
    frame: message.frame,
    raw: message.value,
  }
}
