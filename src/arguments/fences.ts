// Code fences and code spans around an object. Those inside one are data.

import { backslash, backtick, closeBrace, openBrace, quotationMark, tilde, skipBlank } from './characters.ts'
import type { Span } from './notes.ts'

/** Fences with longer marks and words than this are prose. */
const longestOpener = 64
const inlineOpener = /(?:```+|~~~+)[ \t]*[\w.+#:-]*$/
const codeSpanOpener = /`{1,2}$/

export interface Opener extends Span {
  readonly codeSpan: number
}

/** A line that opens a fence, a fence with one word behind it, or the backticks of a code span, right before `end`. */
export function findOpener(text: string, start: number, end: number): Opener | undefined {
  const before = text.slice(start, end)
  const trimmed = before.trimEnd()
  const hasBreak = /[\r\n]/.test(before.slice(trimmed.length))
  const line = hasBreak ? trimmed.slice(Math.max(trimmed.lastIndexOf('\n'), trimmed.lastIndexOf('\r')) + 1) : ''
  const indent = line.length - line.trimStart().length
  if (/^\s*(?:```+[^`]*|~~~+.*)$/.test(line))
    return { start: start + trimmed.length - line.length + indent, end, codeSpan: 0 }
  const inline = inlineOpener.exec(trimmed.slice(-longestOpener))?.[0]
  if (inline !== undefined) return { start: start + trimmed.length - inline.length, end, codeSpan: 0 }
  const span = codeSpanOpener.exec(before.slice(-2))?.[0]
  return span === undefined ? undefined : { start: end - span.length, end, codeSpan: span.length }
}

/** The end of a fence, or of a code span that as many backticks opened, right behind `start`. */
export function findCloser(text: string, start: number, end: number, codeSpan: number): Span | undefined {
  const first = skipBlank(text, start)
  const mark = text.charCodeAt(first)
  if (first >= end || (mark !== backtick && mark !== tilde)) return undefined
  let last = first
  while (last < end && text.charCodeAt(last) === mark) last++
  const length = last - first
  const closes = length >= 3 || (mark === backtick && length === codeSpan)
  return closes ? { start: first, end: last } : undefined
}

/** A text that is only the opening of a fence: its object has yet to come. */
export function isFenceOpening(text: string): boolean {
  return /^(?:`{1,2}|(?:```+|~~~+)[^\S\r\n]*[\w.+#:-]*)$/.test(text)
}

/** Without the fence around a text that has no object. */
export function withoutFence(text: string): string {
  const opener = /^(?:```+|~~~+)[ \t]*[\w.+#:-]*/.exec(text)?.[0]
  if (opener === undefined) return text
  let end = text.length
  while (end > opener.length && (text[end - 1] === '`' || text[end - 1] === '~')) end--
  return text.slice(opener.length, end)
}

/** Whether a whole fence, not just a code span, opens right before `end`. */
function endsWithFence(text: string, start: number, end: number): boolean {
  return findOpener(text, start, end)?.codeSpan === 0
}

/** The object right behind the opening of a fence, where all that is before it are closed groups of braces that hold no data. */
export function fencedPayload(text: string, start: number): number | undefined {
  for (let group = start; ;) {
    const end = groupEnd(text, group)
    if (end === undefined || /[":]/.test(text.slice(group, end))) return undefined
    const next = text.indexOf('{', end)
    if (next < 0) return undefined
    if (endsWithFence(text, end, next)) return next
    group = next
  }
}

/** Where the braces that open here are balanced again, strings left out. */
export function groupEnd(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === openBrace) depth++
    else if (code === closeBrace && --depth === 0) return at + 1
    else if (code === quotationMark) {
      for (at++; at < text.length && text.charCodeAt(at) !== quotationMark; at++)
        if (text.charCodeAt(at) === backslash) at++
    }
  }
  return undefined
}
