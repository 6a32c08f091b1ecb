// What a wire format must be able to write, and what it gets to write it from. Nothing here knows a format.

import type { JsonObject, JsonValue } from '../model/json.ts'
import type { FinishedCall } from './calls.ts'
import type { Outcome } from './outcome.ts'
import type { ReplyFormatName, ReplyShapes } from './messages.ts'

/** The assistant's turn of one choice. */
export interface Turn {
  readonly text: string
  /** `''` unless the history is to hold it. */
  readonly reasoning: string
  readonly refusal: string
  readonly calls: readonly TurnCall[]
}

export interface TurnCall {
  readonly call: FinishedCall
  /** What replies and history name it by. */
  readonly id: string
  /** The tool's name as a server takes it. */
  readonly name: string
  /** What must go back with it; empty where it came from another wire. */
  readonly extra: JsonObject
}

/** What answers one call. */
export interface Answer extends Outcome {
  readonly call: FinishedCall
  readonly id: string
  readonly name: string
  readonly includeName: boolean
}

/** A wire format's way to write. */
export interface ReplyWriter<F extends ReplyFormatName> {
  turn(turn: Turn): ReplyShapes[F]['turn']
  reply(answer: Answer): ReplyShapes[F]['reply']
  /** The turn and all its answers as the next request has them. */
  join(turn: ReplyShapes[F]['turn'], replies: readonly ReplyShapes[F]['reply'][]): ReplyShapes[F]['message'][]
}

/** What the assistant said, for formats that have no field for a refusal. */
export function said(turn: Turn): string {
  return turn.text === '' ? turn.refusal : turn.text
}

/** Text that a server would refuse as a block of its own. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** `extra` without some of its keys: those that have a place of their own. */
export function without(extra: JsonObject, ...keys: readonly string[]): { [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(extra).filter(([key]) => !keys.includes(key)))
}
