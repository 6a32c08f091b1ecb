// Shows text from anywhere inside a message: cut between code points, with what the eye can't see spelled out.

import { isHighSurrogate, isLowSurrogate } from './characters.ts'

/** What a reader would not see, or not tell from an ordinary space. Half a surrogate pair counts: it would spoil the message. */
const invisible = /(?![ \n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Spells invisible characters as `\u{200b}`. Line feeds, tabs and spaces stay as they are. */
function visible(text: string): string {
  return text.replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The text in one line and at most `most` UTF-16 units, with `…` where it was cut. */
export function brief(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim()
  const whole = visible(line)
  if (whole.length <= most && text.length <= most * 4) return whole
  return forward(line, 0, { units: most - 1, points: most }).shown + '…'
}

/** Text that is shown already, at most `most` UTF-16 units of it, with `…` where it was cut. Line feeds stay. */
export function clip(shown: string, most: number): string {
  return shown.length <= most ? shown : `${forward(shown, 0, { units: most - 1, points: most }).shown}…`
}

/** Room for a quotation: UTF-16 units and code points, both as shown. */
interface Room {
  readonly units: number
  readonly points: number
}

export interface Quotation {
  readonly shown: string
  readonly whole: boolean
}

/** The most code points that a quotation shows. */
const mostPoints = 500
/** What the two marks of a cut need at most. */
const marksLength = 40

/**
 * The text whole if it fits, else its start and the part around `fault` (without one: its end), with a mark that counts what was
 * left out between them. Never more than 500 code points nor `units` UTF-16 units as shown.
 */
export function quote(text: string, fault: number | undefined, units: number): Quotation {
  const room = { units, points: mostPoints }
  const all = forward(text, 0, room)
  if (all.end === text.length) return { shown: all.shown, whole: true }

  const space = Math.max(0, Math.min(units, mostPoints) - marksLength)
  const share = (part: number): Room => ({ units: Math.floor(space * part), points: mostPoints })
  const head = forward(text, 0, share(0.25))
  const centre = boundary(text, Math.min(Math.max(fault ?? text.length, 0), text.length))
  const after = forward(text, centre, share(0.25))
  const spare = share(0.75).units - after.shown.length
  const before = backward(text, centre, { units: spare, points: mostPoints })
  if (before.start <= head.end) {
    const start = forward(text, 0, { units: space, points: mostPoints })
    return { shown: start.shown + omitted(text, start.end, text.length), whole: false }
  }
  const middle = omitted(text, head.end, before.start)
  return {
    shown: head.shown + middle + before.shown + after.shown + omitted(text, after.end, text.length),
    whole: false,
  }
}

/** Characters as people count them: code points, where half a surrogate pair is one. */
export function countCharacters(text: string): number {
  let count = text.length
  // Nearly every text has none, which an expression finds out several times faster.
  if (!/[\ud800-\udbff]/.test(text)) return count
  for (let at = 0; at < text.length - 1; at++) {
    if (isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1))) {
      count--
      at++
    }
  }
  return count
}

function omitted(text: string, from: number, to: number): string {
  return from >= to ? '' : `…[${countCharacters(text.slice(from, to))} more]…`
}

/** As many whole code points from `from` on as there is room for. */
function forward(text: string, from: number, room: Room): { readonly shown: string; readonly end: number } {
  let shown = ''
  let end = from
  for (let points = 0; end < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0)
    const piece = visible(character)
    points += piece.length > character.length ? piece.length : 1
    if (shown.length + piece.length > room.units || points > room.points) break
    shown += piece
    end += character.length
  }
  return { shown, end }
}

/** As many whole code points before `to` as there is room for. */
function backward(text: string, to: number, room: Room): { readonly shown: string; readonly start: number } {
  let shown = ''
  let start = to
  while (start > 0) {
    const next = boundary(text, start - 1)
    const piece = visible(text.slice(next, start))
    if (shown.length + piece.length > room.units) break
    shown = piece + shown
    start = next
  }
  return { shown, start }
}

/** The offset itself, or the one before it where it would split a surrogate pair. */
function boundary(text: string, offset: number): number {
  const splits = isLowSurrogate(text.charCodeAt(offset)) && isHighSurrogate(text.charCodeAt(offset - 1))
  return splits ? offset - 1 : offset
}
