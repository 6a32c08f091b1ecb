// Deltas that more than one wire format reads out of its messages in the same way.

import type { CallAppend, CallKey, WireDelta } from '../model/deltas.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Step } from '../model/stage.ts'
import { unexpectedType } from './faults.ts'
import { number, present, record, type Fields } from './fields.ts'
import { finishKind } from './reasons.ts'
import { sliceAt, type ParsedMessage, type SentArguments } from './source.ts'
import type { Path } from './path.ts'

/** What a reader passes down while it takes one message apart. */
export interface Context {
  readonly message: ParsedMessage
  readonly next: Step<WireDelta>
}

/** Text of any sort. Empty text says nothing; a value that is no text is damage. */
export function say(
  type: 'text' | 'reasoning' | 'refusal',
  value: unknown,
  path: Path,
  choice: number,
  { message, next }: Context,
): void {
  if (typeof value === 'string') {
    if (value !== '') next.push({ type, choice, delta: value })
  } else if (present(value)) {
    next.push(unexpectedType(message, path))
  }
}

/** As `unexpectedType`, where only the call `key` can have lost something. */
export function unexpectedInCall(message: ParsedMessage, path: Path, key: CallKey): WireDelta {
  return { type: 'call-damage', key, warning: unexpectedType(message, path).warning }
}

/** A finish reason under the name that the wire gives it. Absent and empty ones say nothing. */
export function finish(reason: unknown, path: Path, choice: number, { message, next }: Context): void {
  if (typeof reason === 'string') {
    if (reason !== '') next.push({ type: 'finish', choice, raw: reason, kind: finishKind(reason) })
  } else if (present(reason)) {
    next.push(unexpectedType(message, path))
  }
}

/** Token counts under the wire's own names. */
export function usageDelta(
  raw: Fields,
  counts: { readonly input: unknown; readonly output: unknown; readonly total?: unknown },
): WireDelta {
  const input = number(counts.input)
  const output = number(counts.output)
  const total = number(counts.total)
  return {
    type: 'usage',
    usage: {
      ...(input === null ? {} : { inputTokens: input }),
      ...(output === null ? {} : { outputTokens: output }),
      ...(total === null ? {} : { totalTokens: total }),
      raw,
    },
  }
}

/**
 * Arguments that may be a piece of what is to come: text, or an object that has all of them. `undefined` where the wire sent none;
 * `''` is a piece, since it shows that there are arguments. `null` for what can't be told from a piece that was mistyped: a bare
 * number or literal, an object that has no JSON.
 */
export function argumentsPiece(value: unknown, path: Path, message: ParsedMessage): SentArguments | null | undefined {
  if (!present(value)) return undefined
  if (typeof value === 'string') return { delta: value }
  const source = typeof value === 'object' ? sliceAt(message, path) : undefined
  return source === undefined ? null : { delta: source, object: true }
}

/** Stands for a fed value that has no JSON: no arguments can be read from it, and it must not pass for none. */
const unprintable = '[a value without JSON]'

/**
 * Arguments that the wire sends whole, or repeats whole: so any value is all of them, a number too, and the parser says what is
 * wrong with it. `null` where the wire sent none; `''` adds nothing to arguments that may have come before.
 */
export function wholeArguments(value: unknown, path: Path, message: ParsedMessage): SentArguments | null {
  const piece = argumentsPiece(value, path, message)
  if (piece === undefined || piece?.delta === '') return null
  return piece ?? { delta: sliceAt(message, path) ?? unprintable, object: true }
}

/** Arguments as a delta. Written out, since nearly every event of some wires is one: spreading an object costs more. */
export function appended(key: CallKey, { delta, object }: SentArguments): CallAppend {
  return object ? { type: 'call-append', key, delta, form: 'object' } : { type: 'call-append', key, delta }
}

/** Whether a value is an object without members, as servers write in place of arguments that are still to come. */
export function isPlaceholder(value: unknown): boolean {
  const fields = record(value)
  return fields !== null && Object.keys(fields).length === 0
}

/** What of `fields` must go back with a call, ready to spread into its delta. */
export function extraFrom(fields: Fields, names: readonly string[]): { readonly extra?: JsonObject } {
  const found = names.filter((name) => present(fields[name]))
  if (found.length === 0) return {}
  // Parsed JSON, or what an SDK took for it: the reader looks no deeper than this.
  return { extra: Object.fromEntries(found.map((name) => [name, fields[name] as JsonValue])) }
}
