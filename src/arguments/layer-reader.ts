// Finds the one object that a text holds, judges what is left over around it, and tells text that is encoded once more.

import type { JsonObject } from '../model/json.ts'
import type { LenientRepairName, LosslessRepairName } from '../model/failures.ts'
import type { OpenEnd, ReadingPolicy } from '../model/reading.ts'
import { backslash, closeBrace, quotationMark, isEscapedSpace, isSpace, skipBlank, skipSpace } from './characters.ts'
import { fencedPayload, groupEnd, isFenceOpening, withoutFence } from './fences.ts'
import { isSameJson } from './json.ts'
import { type Layer, decodeEscaped } from './layer.ts'
import { type Mark, Notes, type Span, widen } from './notes.ts'
import { type Parsed, parseObject } from './parse.ts'
import { type Residue, readResidue } from './residue.ts'
import { readString } from './strings.ts'

/** Repairs to what surrounds the object, by the stretch of their layer that they concern. */
export type Surroundings = ReadonlyMap<LosslessRepairName | LenientRepairName, Span>

export type LayerReading =
  | { readonly type: 'blank' }
  | {
      readonly type: 'object'
      readonly value: JsonObject
      readonly start: number
      readonly end: number
      /** Whether the text broke off and the object was closed in its place. */
      readonly wasCut: boolean
      readonly notes: Notes
      /** What the syntax of the object, or of the same object sent again, has against it. */
      readonly fault: Mark | undefined
      readonly surroundings: Surroundings
    }
  /** The arguments are inside a string, or were. `inside` is that string's content. */
  | {
      readonly type: 'encoded'
      readonly by: 'double-encoding' | 'escaped-object'
      readonly inside: Layer
      readonly start: number
      readonly end: number
      readonly notes: Notes
      readonly surroundings: Surroundings
    }
  | { readonly type: 'cut'; readonly fault: Mark; readonly open: OpenEnd }
  | { readonly type: 'fault'; readonly fault: Mark }

export function readLayer(layer: Layer, policy: ReadingPolicy): LayerReading {
  return new LayerReader(layer, policy).read()
}

type ObjectParsed = Extract<Parsed, { type: 'object' }>

class LayerReader {
  readonly #layer: Layer
  readonly #text: string
  readonly #policy: ReadingPolicy
  /** What `{}` is read with: nothing can be noted about it. */
  readonly #noNotes: Notes
  #surroundings = new Map<LosslessRepairName | LenientRepairName, Span>()
  /** The first thing that makes what is left over more than prose. */
  #fault: Mark | undefined
  #codeSpan = 0

  constructor(layer: Layer, policy: ReadingPolicy) {
    this.#layer = layer
    this.#text = layer.text
    this.#policy = policy
    this.#noNotes = new Notes(policy.repair)
  }

  read(): LayerReading {
    const text = this.#text
    if (isBlank(text)) return this.#layer.source ? notAnObject(0) : { type: 'blank' }
    const quote = text.indexOf('"')
    const string = quote < 0 ? undefined : this.#wholeString(quote)
    if (string) return string
    const start = text.indexOf('{')
    if (start < 0) return this.#withoutObject()
    this.#setAside(readResidue(text, 0, start, { objectBefore: false, objectAfter: true, codeSpan: 0 }))
    return isEscaped(text, start) ? this.#escapedObject(start) : this.#objects(start)
  }

  #setAside(residue: Residue): void {
    for (const [name, { start, end }] of residue.repairs) this.#note(name, start, end)
    this.#fault ??= residue.fault
    this.#codeSpan = residue.codeSpan
  }

  #note(name: LosslessRepairName | LenientRepairName, start: number, end: number): void {
    this.#surroundings.set(name, widen(this.#surroundings.get(name), start, end))
  }

  /** A text that is one JSON string from end to end, but for white space and a fence. Nothing where it isn't. */
  #wholeString(quote: number): LayerReading | undefined {
    const text = this.#text
    const before = readResidue(text, 0, quote, { objectBefore: false, objectAfter: true, codeSpan: 0 })
    if (before.repairs.has('surrounding-text')) return undefined
    const notes = new Notes(this.#policy.repair)
    const string = readString(text, quote + 1, { close: quotationMark, isKey: false }, notes)
    if (string.type === 'cut') {
      const fault = notes.fault ?? incomplete(text.length, 'the closing " of the string that holds the arguments')
      return { type: 'cut', fault, open: string.open }
    }
    if (string.type === 'stray-quote') return undefined
    const around = { objectBefore: true, objectAfter: false, codeSpan: before.codeSpan }
    const after = readResidue(text, string.end, text.length, around)
    if (after.repairs.has('surrounding-text')) return undefined
    this.#setAside(before)
    this.#setAside(after)
    const inside = { text: string.value, source: { layer: this.#layer, start: quote + 1 } }
    return this.#encoded('double-encoding', inside, quote, string.end, notes)
  }

  #encoded(
    by: 'double-encoding' | 'escaped-object',
    inside: Layer,
    start: number,
    end: number,
    notes: Notes,
  ): LayerReading {
    const fault = notes.fault ?? this.#fault ?? notes.finding
    if (fault) return { type: 'fault', fault }
    return { type: 'encoded', by, inside, start, end, notes, surroundings: this.#surroundings }
  }

  #escapedObject(start: number): LayerReading {
    const text = this.#text
    if (text.charCodeAt(start - 1) === quotationMark) return { type: 'fault', fault: this.#quotedInProse(start) }
    const decoded = decodeEscaped(text, start)
    switch (decoded.type) {
      case 'text': {
        const inside = { text: decoded.text, source: { layer: this.#layer, start } }
        return this.#encoded('escaped-object', inside, start, text.length, this.#noNotes)
      }
      case 'cut':
        return {
          type: 'cut',
          fault: this.#fault ?? incomplete(text.length, 'the rest of the escape'),
          open: 'open-escape',
        }
      case 'fault':
        return {
          type: 'fault',
          fault: this.#fault ?? { code: decoded.code, offset: decoded.at, expected: decoded.expected },
        }
      default:
        return decoded satisfies never
    }
  }

  /** A string in running text that holds an object is not marked off well enough to be taken for the arguments. */
  #quotedInProse(start: number): Mark {
    const several = this.#surroundings.get('surrounding-text')?.start === start - 1
    const expected = 'one object and no string around it'
    return this.#fault ?? { code: several ? 'ambiguous-text' : 'malformed', offset: start, expected }
  }

  #objects(start: number): LayerReading {
    const parsed = this.#parse(start)
    switch (parsed.type) {
      case 'object':
        return this.#severalObjects(start, parsed)
      case 'cut':
        return this.#cut(start, parsed)
      case 'fault':
        return this.#unreadable(start, parsed.fault)
      default:
        return parsed satisfies never
    }
  }

  /** Placeholders come in great numbers from some servers, so `{}` has a short way. */
  #parse(start: number): Parsed {
    const end = skipSpace(this.#text, start + 1)
    if (this.#text.charCodeAt(end) !== closeBrace) return parseObject(this.#text, start, this.#policy)
    return { type: 'object', value: {}, end: end + 1, notes: this.#noNotes }
  }

  #cut(start: number, parsed: Extract<Parsed, { type: 'cut' }>): LayerReading {
    const { notes, open } = parsed
    const against = this.#fault ?? notes.fault
    // Inside a string that was closed, the text didn't break off where it seems to.
    const closed = this.#layer.source ? undefined : parsed.closed
    if (against || !closed || notes.finding) {
      const fault = against ?? (closed && notes.finding) ?? incomplete(parsed.at, parsed.expected)
      return { type: 'cut', fault, open }
    }
    return this.#object(start, { type: 'object', value: closed, end: this.#text.length, notes }, true, undefined)
  }

  #object(start: number, { value, end, notes }: ObjectParsed, wasCut: boolean, fault: Mark | undefined): LayerReading {
    if (this.#fault) return { type: 'fault', fault: this.#fault }
    return { type: 'object', value, start, end, wasCut, notes, fault, surroundings: this.#surroundings }
  }

  /** Looks behind the first object for others: the same again is one reading, placeholders before it are none, anything else is too many. */
  #severalObjects(firstStart: number, first: ObjectParsed): LayerReading {
    const text = this.#text
    let start = firstStart
    let chosen = first
    let again: Span | undefined
    let { fault } = first.notes
    let at = this.#skipExtraBraces(first.end)
    for (;;) {
      const next = text.indexOf('{', at)
      const residue = this.#residueBetween(at, next)
      if (next < 0) {
        if (residue) this.#setAside(residue)
        break
      }
      if (this.#fault) return { type: 'fault', fault: this.#fault }
      const other = this.#parse(next)
      const isEmpty = isEmptyObject(chosen.value)
      if (other.type !== 'object') return this.#brokenSecond(next, other, isEmpty)
      const apart = residue?.repairs.has('surrounding-text') ?? false
      const bothEmpty = isEmpty && isEmptyObject(other.value)
      if (isEmpty && !bothEmpty && !apart) {
        this.#note('leading-empty-object', firstStart, at)
        again = undefined
        start = next
        chosen = other
      } else if (bothEmpty || (!other.notes.finding && isSameJson(chosen.value, other.value))) {
        again = widen(again, next, other.end)
      } else {
        return { type: 'fault', fault: { code: 'multiple-objects', offset: next, expected: 'only one object' } }
      }
      fault ??= other.notes.fault
      if (residue) this.#setAside(residue)
      at = this.#skipExtraBraces(other.end)
    }
    if (again) this.#note('duplicate-object', again.start, again.end)
    return this.#object(start, chosen, false, fault)
  }

  /** Nothing where only plain white space stands before the next object. */
  #residueBetween(at: number, next: number): Residue | undefined {
    const end = next < 0 ? this.#text.length : next
    if (skipSpace(this.#text, at) === end) return undefined
    return readResidue(this.#text, at, end, { objectBefore: true, objectAfter: next >= 0, codeSpan: this.#codeSpan })
  }

  /** Something begins behind the object that may be another one. After a placeholder, it is the arguments. */
  #brokenSecond(next: number, other: Parsed, afterPlaceholder: boolean): LayerReading {
    const ambiguous: Mark = { code: 'ambiguous-text', offset: next, expected: 'nothing but prose after the object' }
    if (other.type !== 'cut') return { type: 'fault', fault: ambiguous }
    const fault = afterPlaceholder ? (other.notes.fault ?? incomplete(other.at, other.expected)) : ambiguous
    return { type: 'cut', fault, open: other.open }
  }

  /** Closing braces right behind the object, as the tail of an envelope leaves them, or of a brace that was lost before. */
  #skipExtraBraces(end: number): number {
    let last = end
    let at = skipSpace(this.#text, end)
    while (this.#text.charCodeAt(at) === closeBrace) {
      last = at + 1
      this.#note('extra-closing-brace', at, last)
      at = skipSpace(this.#text, last)
    }
    return last
  }

  #unreadable(start: number, fault: Mark): LayerReading {
    if (this.#fault) return { type: 'fault', fault: this.#fault }
    if (!this.#surroundings.has('surrounding-text')) return { type: 'fault', fault }
    const payload = fencedPayload(this.#text, start)
    if (payload !== undefined) return this.#fenced(payload)
    const end = groupEnd(this.#text, start)
    if (end === undefined || !this.#text.includes('{', end)) return { type: 'fault', fault }
    const expected = 'one object, and no other braces around it'
    return { type: 'fault', fault: { code: 'ambiguous-text', offset: start, expected } }
  }

  /** The fence marks its object off, so the braces before it were prose. */
  #fenced(payload: number): LayerReading {
    this.#surroundings = new Map()
    const around = { objectBefore: false, objectAfter: true, codeSpan: 0, bracesAreProse: true }
    this.#setAside(readResidue(this.#text, 0, payload, around))
    const parsed = this.#parse(payload)
    switch (parsed.type) {
      case 'object':
        return this.#severalObjects(payload, parsed)
      case 'cut':
        return this.#cut(payload, parsed)
      case 'fault':
        return { type: 'fault', fault: this.#fault ?? parsed.fault }
      default:
        return parsed satisfies never
    }
  }

  #withoutObject(): LayerReading {
    const text = this.#text
    const start = skipBlank(text, 0)
    if (this.#layer.source) return notAnObject(start)
    const rest = text.slice(start).trimEnd()
    if (isFenceOpening(rest)) {
      return { type: 'cut', fault: incomplete(text.length, 'an object in the fence'), open: 'open-container' }
    }
    if (isJson(withoutFence(rest))) return notAnObject(start)
    return {
      type: 'fault',
      fault: { code: 'no-object', offset: Math.min(start, text.length), expected: 'a JSON object' },
    }
  }
}

function incomplete(offset: number, expected: string): Mark {
  return { code: 'incomplete', offset, expected }
}

function notAnObject(offset: number): LayerReading {
  return { type: 'fault', fault: { code: 'not-an-object', offset, expected: 'an object' } }
}

/** White space that isn't escaped, with or without a byte order mark, and perhaps the literal `null`. */
function isBlank(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === 'null') return true
  const start = skipBlank(text, 0)
  return (
    !text.includes('\\') &&
    (start === text.length || (text.startsWith('null', start) && skipBlank(text, start + 4) === text.length))
  )
}

/** Whether the first quote of the object is escaped: then the object was inside a string. */
function isEscaped(text: string, start: number): boolean {
  let at = start + 1
  for (;;) {
    if (isSpace(text.charCodeAt(at))) at++
    else if (isEscapedSpace(text, at)) at += 2
    else break
  }
  let quote = at
  while (text.charCodeAt(quote) === backslash) quote++
  return quote > at && text.charCodeAt(quote) === quotationMark
}

function isEmptyObject(value: JsonObject): boolean {
  for (const _ in value) return false
  return true
}

/** Asked only of texts without an object, so that a list or a word can be told from prose. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
