// Templates: what an event looks like outside the few places where the next one of its kind differs.
//
// Why a match may stand in for a parse. Let E be an event that went the slow way and E' one that matches its template.
// 1. E is one `data:` line of JSON (and at most an `event:` line), and its JSON is S0 h1 S1 … hk Sk, where each hole h is the
//    inside of a string literal or the digits of a number, located in E's parse at a path that the format declares.
// 2. E' begins where an event may begin, and equals every S byte for byte. A string hole of E' runs to the first quote that is
//    not escaped, and holds no character below U+0020 and only valid escapes; a number hole is digits without a leading zero.
// 3. JSON's lexer is deterministic: after S0 it is inside a string (or at a number), and any valid filling leaves it in the same
//    state before S1. So both texts have the same tokens but for those literals; they are values, not keys, so both parse to
//    the same tree but for those values. No filling holds a line end, so the event's framing is the same too.
// 4. By the promise of `WireFormat.holes`, messages that are equal but for their holes read to equal deltas but for the
//    fragment and the sequence number, as long as no other event came between that the reader could have learned from. The
//    fast path forgets its templates when one does.
// 5. A fragment is decoded as JSON decodes a string. An empty one goes the slow way, since readers may leave it out.
// Anything else is no match, and the event goes the slow way from its first character.

import type { WireDelta } from '../model/deltas.ts'
import type { Hole } from '../model/formats.ts'
import { spanAt } from '../formats/source.ts'
import { decodeString, ownCopy, stringEnd } from './string-literal.ts'

/** The deltas that a template can be made from: those that append a fragment and do nothing else. */
export type Appending = Extract<WireDelta, { type: 'text' | 'reasoning' | 'refusal' | 'call-append' | 'call-fragment' }>

export interface Slot {
  readonly role: Hole['role']
  readonly kind: 'string' | 'integer'
  /** The text from the end of this hole to the next, or to the end of the event. */
  readonly after: string
}

export interface Template {
  /** From the event's first character to the first hole. */
  readonly before: string
  /** At least one, and one of them is the fragment. */
  readonly slots: readonly Slot[]
  /** The delta to repeat with another fragment. */
  readonly delta: Appending
  /** What stood in each padding that the format declares, in its order; `undefined` where the event has none. */
  readonly padding: readonly (string | undefined)[]
}

/**
 * Makes the template of an event that read to `delta`, or nothing where none can be vouched for. Every hole costs each later event
 * a comparison, so a padding is a hole only where it is known to vary: it stood otherwise in one of `others`, the templates of
 * the same delta that did not fit.
 */
export function learn(
  seen: string,
  delta: Appending,
  holes: readonly Hole[],
  others: readonly Template[],
): Template | undefined {
  if (fragmentOf(delta) === '') return undefined
  const event = ownCopy(seen)
  const data = dataSpan(event)
  if (!data) return undefined
  const json = event.slice(data.start, data.end)
  const found = holes.flatMap((hole) => locate(json, hole))
  const fragments = found.filter(({ hole, text }) => hole.role === 'fragment' && text === fragmentOf(delta))
  const [fragment] = fragments
  if (!fragment || fragments.length !== 1) return undefined
  const paddings = holes.filter(({ role }) => role === 'padding')
  const padding = paddings.map((hole) => found.find((held) => held.hole === hole)?.text)
  const varies = paddings.filter((_, n) => others.some((other) => other.padding[n] !== padding[n]))
  const chosen = found
    .filter(({ hole }) => hole.role === 'sequence' || varies.includes(hole))
    .concat(fragment)
    .sort((one, other) => one.start - other.start)
  const slots = chosen.map((held, n): Slot => {
    const next = chosen[n + 1]
    const after = next ? json.slice(held.end, next.start) : event.slice(data.start + held.end)
    return { role: held.hole.role, kind: held.kind, after }
  })
  return { before: event.slice(0, data.start + (chosen[0]?.start ?? 0)), slots, delta, padding }
}

/** Where a hole that begins at `start` ends: `text.length` where it does not end within the text, -1 where it is no such hole. */
export function holeEnd(kind: Slot['kind'], text: string, start: number): number {
  return kind === 'string' ? stringEnd(text, start) : integerEnd(text, start)
}

/** Whether two templates differ in nothing but what their holes and literals happened to hold. */
export function sameDelta(one: Appending, other: Appending): boolean {
  if (one.type === 'call-append') return other.type === 'call-append' && one.key === other.key
  if (one.type !== 'call-fragment') return one.type === other.type && one.choice === other.choice
  if (other.type !== 'call-fragment' || one.choice !== other.choice) return false
  return one.index === other.index && one.id === other.id && one.name === other.name
}

/** The delta of a match. Written out by type, so that every delta of a kind has the same shape. */
export function deltaOf(template: Template, fragment: string): Appending {
  const { delta } = template
  switch (delta.type) {
    case 'call-append':
      return { type: 'call-append', key: delta.key, delta: fragment }
    case 'call-fragment': {
      const { choice, index, id, name } = delta
      return { type: 'call-fragment', choice, index, id, name, arguments: fragment }
    }
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { type: delta.type, choice: delta.choice, delta: fragment }
    default:
      return delta satisfies never
  }
}

/** Whether a delta does no more than append, so that another fragment in its place says all that is different. */
export function appends(delta: WireDelta): delta is Appending {
  switch (delta.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return true
    case 'call-append':
      return delta.form === undefined
    case 'call-fragment':
      // The hole of a format that has fragments is in a function's arguments.
      return (
        delta.kind === undefined && delta.form === undefined && delta.extra === undefined && delta.arguments !== null
      )
    default:
      return false
  }
}

function fragmentOf(delta: Appending): string {
  return delta.type === 'call-fragment' ? (delta.arguments ?? '') : delta.delta
}

/** The JSON of an event that is one `data:` line, and nothing else but perhaps an `event:` line. */
function dataSpan(event: string): { readonly start: number; readonly end: number } | undefined {
  const shape = /^(?:event:[^\n]*\n)?data: ?(?=\{)/.exec(event)
  if (!shape) return undefined
  const start = shape[0].length
  const end = event.indexOf('\n', start)
  return event.slice(end) === '\n\n' ? { start, end } : undefined
}

interface Found {
  readonly hole: Hole
  readonly kind: Slot['kind']
  readonly start: number
  readonly end: number
  /** The decoded string, or the digits. */
  readonly text: string
}

function locate(json: string, hole: Hole): Found[] {
  const span = spanAt(json, hole.path)
  if (!span) return []
  if (json[span.start] === '"') {
    if (hole.role === 'sequence') return []
    const start = span.start + 1
    const end = span.end - 1
    if (stringEnd(json, start) !== end) return []
    return [{ hole, kind: 'string', start, end, text: decodeString(json.slice(start, end)) }]
  }
  const { start, end } = span
  if (hole.role === 'fragment' || integerEnd(json, start) !== end) return []
  return [{ hole, kind: 'integer', start, end, text: json.slice(start, end) }]
}

/** The end of a run of at most 15 digits without a leading zero, so that it is an exact integer; -1 where there is none. */
function integerEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && isDigit(text.charCodeAt(at))) at++
  const length = at - start
  if (at === text.length) return length <= 15 ? at : -1
  return length === 0 || length > 15 || (length > 1 && text.charCodeAt(start) === 0x30) ? -1 : at
}

/** The value of the digits from `start` to `end`: exact, since `integerEnd` lets no more through than a double can hold. */
export function integerOf(text: string, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) value = value * 10 + (text.charCodeAt(at) - 0x30)
  return value
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}
