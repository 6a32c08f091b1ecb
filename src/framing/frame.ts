// Makes frames: gives them their numbers, one count for all events and faults of a stream, and takes the decoder's marks out.

import type { EventFrame, FramingFault } from '../model/frames.ts'
import type { FramingContext } from './context.ts'
import { withoutMarks } from './utf8.ts'

export function eventFrame(context: FramingContext, data: string, terminated: boolean, event?: string): EventFrame {
  const number = ++context.frames.count
  if (context.bytes.invalid) return unmarkedFrame(number, data, terminated, event)
  return event === undefined
    ? { kind: 'event', number, data, terminated }
    : { kind: 'event', number, event, data, terminated }
}

function unmarkedFrame(number: number, data: string, terminated: boolean, event: string | undefined): EventFrame {
  const decoded = withoutMarks(data)
  const name = event === undefined ? undefined : withoutMarks(event)
  const frame: EventFrame = { kind: 'event', number, data: decoded, terminated }
  const named = name === undefined ? frame : { ...frame, event: name }
  return decoded === data && name === event ? named : { ...named, invalid: true }
}

export function faultFrame(context: FramingContext, fault: FramingFault['fault'], data: string): FramingFault {
  const number = ++context.frames.count
  return { kind: 'fault', number, fault, data: context.bytes.invalid ? withoutMarks(data) : data }
}
