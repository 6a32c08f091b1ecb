// Drives a reader alone: events in, deltas out, no ledger.
import { envelope } from '../../src/formats/envelope.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import type { WireFormat, WireMessage } from '../../src/model/formats.ts'
import type { Frame, FramingFault } from '../../src/model/frames.ts'
import type { Stage, Step } from '../../src/model/stage.ts'

/** A step that keeps what it gets. */
export function collector<Item>(): Step<Item> & { readonly items: Item[]; ended: number } {
  const items: Item[] = []
  return {
    items,
    ended: 0,
    push(item) {
      items.push(item)
    },
    end() {
      this.ended++
    },
  }
}

/** Events by their data: text as it is, anything else as its JSON. A frame or a fault stands for itself and is numbered anew. */
export function frames(...events: unknown[]): Frame[] {
  return events.map(toFrame)
}

function toFrame(value: unknown, position: number): Frame {
  const number = position + 1
  if (isFrame(value)) return { ...value, number }
  return { kind: 'event', number, data: typeof value === 'string' ? value : JSON.stringify(value), terminated: true }
}

function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && 'kind' in value
}

export function fault(kind: FramingFault['fault'], data: string): FramingFault {
  return { kind: 'fault', number: 0, fault: kind, data }
}

/** An event with a name, or one that the stream broke off in. */
export function eventFrame(data: string, fields: { event?: string; terminated?: boolean } = {}): Frame {
  return { kind: 'event', number: 0, data, terminated: true, ...fields }
}

export function messages(...events: unknown[]): WireMessage[] {
  const out = collector<WireMessage>()
  const step = envelope(out)
  for (const frame of frames(...events)) step.push(frame)
  step.end()
  return out.items
}

export function readAll(reader: Stage<WireMessage, WireDelta>, ...events: unknown[]): WireDelta[] {
  const out = collector<WireDelta>()
  const step = reader(out)
  for (const message of messages(...events)) step.push(message)
  step.end()
  return out.items
}

export function reading(format: WireFormat): (...events: unknown[]) => WireDelta[] {
  return (...events) => readAll(format.reader, ...events)
}
