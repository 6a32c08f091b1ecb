// Makes frames and gives them their numbers: one count for all events and faults of a stream.

import type { EventFrame, FramingContext, FramingFault } from '../model/frames.ts'

export function eventFrame(context: FramingContext, data: string, terminated: boolean, event?: string): EventFrame {
  const number = ++context.frames.count
  return event === undefined
    ? { kind: 'event', number, data, terminated }
    : { kind: 'event', number, event, data, terminated }
}

export function faultFrame(context: FramingContext, fault: FramingFault['fault'], data: string): FramingFault {
  return { kind: 'fault', number: ++context.frames.count, fault, data }
}
