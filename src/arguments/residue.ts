// What stands around and between the objects of a text: white space, code fences and prose, as long as none of it could be data.

import {
  apostrophe,
  byteOrderMark,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quotationMark,
  isEscapedSpace,
  isForeignSpace,
  isSpace,
  skipSpace,
} from './characters.ts'
import { findCloser, findOpener } from './fences.ts'
import { type Mark, type Span, widen } from './notes.ts'
import type { LosslessRepairName } from '../model/failures.ts'

/** Repairs whose place is outside the object. */
export type OuterRepairName = Extract<
  LosslessRepairName,
  'fence' | 'surrounding-text' | 'bom' | 'unicode-whitespace' | 'escaped-whitespace'
>

export interface Residue {
  readonly repairs: ReadonlyMap<OuterRepairName, Span>
  /** Set where leaving this stretch out could lose data. */
  readonly fault?: Mark
  /** How many backticks open a code span right before the object; 0 where none does, or a whole fence. */
  readonly codeSpan: number
}

/** Where in the text the stretch lies: between its start or an object, and its end or another object. */
export interface Neighbours {
  readonly objectBefore: boolean
  readonly objectAfter: boolean
  /** The backticks that opened a code span before the object before. */
  readonly codeSpan: number
  /** Braces in this stretch are known to be prose. */
  readonly bracesAreProse?: boolean
}

export function readResidue(text: string, start: number, end: number, around: Neighbours): Residue {
  const repairs = new Map<OuterRepairName, Span>()
  const note = (name: OuterRepairName, from: number, to: number): void => {
    repairs.set(name, widen(repairs.get(name), from, to))
  }
  let from = start
  let to = end
  let codeSpan = 0
  const closer = around.objectBefore ? findCloser(text, start, end, around.codeSpan) : undefined
  if (closer) {
    note('fence', closer.start, closer.end)
    from = closer.end
  }
  const opener = around.objectAfter ? findOpener(text, from, end) : undefined
  if (opener) {
    note('fence', opener.start, opener.end)
    to = opener.start
    codeSpan = opener.codeSpan
  }
  const prose = noteBlanks(text, from, to, note)
  if (!prose) return { repairs, codeSpan }
  note('surrounding-text', prose.start, prose.end)
  const fault = findData(text, prose, around.bracesAreProse === true)
  return { repairs, codeSpan, ...(fault && { fault }) }
}

/** White space in every form, noted unless it is plain. Gives the stretch from the first to the last other character. */
function noteBlanks(
  text: string,
  start: number,
  end: number,
  note: (name: OuterRepairName, from: number, to: number) => void,
): Span | undefined {
  let first = -1
  let last = -1
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) continue
    if (code === byteOrderMark && at === 0) note('bom', 0, 1)
    else if (isForeignSpace(code)) {
      if (first < 0) note('unicode-whitespace', at, at + 1)
    } else if (isEscapedSpace(text, at)) {
      if (first < 0) note('escaped-whitespace', at, at + 2)
      at++
    } else {
      if (first < 0) first = at
      last = at
    }
  }
  return first < 0 ? undefined : { start: first, end: last + 1 }
}

const expectedProse = 'nothing around the object that could belong to it'

/** Prose must not hold what could be arguments: braces, a bracket without its partner, a quoted key, or nothing but separators. */
function findData(text: string, { start, end }: Span, bracesAreProse: boolean): Mark | undefined {
  let opened = -1
  let depth = 0
  let onlySeparators = true
  let data: Mark | undefined
  const found = (offset: number): void => {
    data ??= { code: 'ambiguous-text', offset, expected: expectedProse }
  }
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== comma && code !== colon && !isSpace(code)) onlySeparators = false
    if (code === openBracket) {
      if (depth++ === 0) opened = at
    } else if (code === closeBracket) {
      if (depth-- === 0) return notAnObject(at)
    } else if (code === openBrace || code === closeBrace) {
      if (!bracesAreProse) found(at)
    } else if ((code === quotationMark || code === apostrophe) && text.charCodeAt(skipSpace(text, at + 1)) === colon)
      found(at)
  }
  if (depth > 0) return notAnObject(opened)
  if (onlySeparators) found(start)
  return data
}

function notAnObject(offset: number): Mark {
  return { code: 'not-an-object', offset, expected: 'an object that is in no array' }
}
