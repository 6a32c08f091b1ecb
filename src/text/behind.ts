// Tells what stands behind the arguments of a call: its close tag, another call, or something else. Decides nothing.

import { callCloses, formatOf, shapeOf, type Block } from './block.ts'
import type { Grammar } from './grammar.ts'
import { callAt, readHead, type Head } from './head.ts'
import { matchAny, matchLiteral, needsMore, noMatch, skipLayout } from './match.ts'
import type { Shape } from './row.ts'

/** Behind complete arguments. */
export type Behind =
  | { readonly is: 'wait' | 'border' | 'other' }
  /** The call's close tag, or the section's where calls have none; a brace too many; the end of a code fence inside the block. */
  | { readonly is: 'close' | 'brace' | 'fence'; readonly end: number }
  /** Another call of the same shape, which needs no tag. */
  | { readonly is: 'another'; readonly at: number }

/** Inside a section, between two calls. */
export type Between =
  | { readonly is: 'wait' | 'other' }
  | { readonly is: 'close'; readonly end: number }
  | { readonly is: 'call'; readonly head: Head }

/** Behind a call that needs no close tag. */
export type Tail =
  | { readonly is: 'wait' | 'other' }
  /** A token that ends the call; a brace too many. */
  | { readonly is: 'token' | 'brace'; readonly end: number }
  | { readonly is: 'another' | 'opener'; readonly at: number }

const wait = { is: 'wait' } as const
const other = { is: 'other' } as const

const fence = '```'

export function behindArguments(grammar: Grammar, block: Block, text: string, i: number): Behind {
  const { sectionClose, sectionOpen, callOpen } = formatOf(grammar, block)
  const start = skipLayout(text, i)
  if (start < 0) return start === needsMore ? wait : other
  if (block.body.fenced) {
    const end = matchLiteral(text, start, fence)
    if (end !== noMatch) return end === needsMore ? wait : { is: 'fence', end }
  }
  const ownCloses = callCloses(grammar, block)
  const [closes, outerCloses] = ownCloses.length > 0 ? [ownCloses, sectionClose] : [sectionClose, []]
  const close = matchAny(text, start, closes)
  if (close >= 0) return { is: 'close', end: close }
  const shape = shapeOf(grammar, block)
  if (isBrace(shape, text, start)) return { is: 'brace', end: start + 1 }
  const next = nextCall(shape, text, start)
  if (next >= 0) return { is: 'another', at: next }
  const border = matchAny(text, start, [...outerCloses, ...sectionOpen, ...callOpen])
  if (close === needsMore || next === needsMore || border === needsMore) return wait
  return border >= 0 ? { is: 'border' } : other
}

export function betweenCalls(grammar: Grammar, block: Block, text: string, i: number): Between {
  const { sectionClose, callOpen } = formatOf(grammar, block)
  const start = skipLayout(text, i)
  if (start < 0) return start === needsMore ? wait : other
  const close = matchAny(text, start, sectionClose)
  if (close >= 0) return { is: 'close', end: close }
  const open = matchAny(text, start, callOpen)
  if (open < 0) return close === needsMore || open === needsMore ? wait : other
  const head = readHead(grammar, { format: block.opening.format, as: 'call' }, [start, open], text)
  if (head === needsMore) return wait
  return head === noMatch || head.becomes ? other : { is: 'call', head }
}

export function behindTail(grammar: Grammar, block: Block, text: string, i: number): Tail {
  const { format, sectionClose, sectionOpen, callClose } = formatOf(grammar, block)
  const end = matchAny(text, i, [...sectionClose, ...callClose, ...(format.stops ?? [])])
  if (end >= 0) return { is: 'token', end }
  if (end === needsMore) return wait
  if (block.open.length > 0 && isBrace(shapeOf(grammar, block), text, i)) return { is: 'brace', end: i + 1 }
  const { separators } = format
  if (separators === undefined) return other
  // White space behind a call without a tag may be the answer's own, and is never waited with.
  const start = format.bare ? i : skipLayout(text, i)
  if (start < 0) return start === needsMore ? wait : other
  const next = nextObject(text, start, separators.join(''))
  if (next >= 0) return { is: 'another', at: next }
  if (next === needsMore) return wait
  if (!separators.includes(text.charAt(start))) return other
  const behind = skipLayout(text, start + 1)
  const opener = behind < 0 ? behind : matchAny(text, behind, sectionOpen)
  if (opener === needsMore) return wait
  return opener < 0 ? other : { is: 'opener', at: behind }
}

/** Whether a brace stands at `i` that the notation could have one of too many. */
function isBrace({ kind }: Shape, text: string, i: number): boolean {
  return text.charAt(i) === '}' && (kind === 'object' || kind === 'json')
}

/** Where another call of the same block begins, in shapes that may follow one another without a tag. */
function nextCall(shape: Shape, text: string, i: number): number {
  if (shape.kind === 'object') return nextObject(text, i, ',;')
  return shape.kind === 'python' && shape.list === 'lines' ? callAt(text, i, '') : noMatch
}

function nextObject(text: string, i: number, separators: string): number {
  const start = separators.includes(text.charAt(i)) ? skipLayout(text, i + 1) : i
  return start < 0 || text.charAt(start) === '{' ? start : noMatch
}
