// What one pass over a text found on its way: what it repaired and how, and what it has against the text.

import type { ArgumentsFaultCode, LenientRepairName, LosslessRepairName, RepairName } from '../model/failures.ts'
import type { RepairTier } from '../model/tools.ts'
import { TextBuilder } from './builder.ts'

/** A fault at an offset of the text that was read, before anybody asks for its line. */
export interface Mark {
  readonly code: ArgumentsFaultCode
  readonly offset: number
  readonly expected: string
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** A replacement that turns the text into strict JSON. */
export class Edit implements Span {
  readonly start: number
  end: number
  readonly #text = new TextBuilder()

  constructor(start: number, end: number, text: string) {
    this.start = start
    this.end = end
    this.#text.append(text)
  }

  /** The replacement of what follows, up to `end`, becomes part of this one. */
  extend(end: number, text: string): void {
    this.end = end
    this.#text.append(text)
  }

  get text(): string {
    return this.#text.toString()
  }
}

type SyntaxRepairName = LosslessRepairName | LenientRepairName

const lenientRepairs: ReadonlySet<SyntaxRepairName> = new Set<LenientRepairName>([
  'trailing-comma',
  'single-quotes',
  'unquoted-key',
  'unquoted-value',
  'python-literals',
  'comments',
  'smart-quotes',
  'apostrophe-escape',
  'extra-closing-brace',
])

export function allows(tier: RepairTier, name: SyntaxRepairName): boolean {
  switch (tier) {
    case 'none':
      return false
    case 'lossless':
      return !lenientRepairs.has(name)
    case 'lenient':
      return true
    default:
      return tier satisfies never
  }
}

/**
 * A repair that is switched off doesn't end a pass: it goes on as if it were on, and only the verdict differs. So the first such
 * repair names the fault, and a text that also breaks off is still known to do so.
 */
export class Notes {
  /** In the order of the text, without overlaps. What touches the last one becomes part of it. */
  readonly edits: Edit[] = []
  /** For each repair the stretch from its first place to its last. */
  readonly repairs: Map<RepairName, { start: number; end: number }> = new Map()
  readonly tier: RepairTier
  /** The first thing against the syntax that reading could go on after. */
  fault: Mark | undefined
  /** The first thing against the content. Counts only where the syntax is fine. */
  finding: Mark | undefined

  constructor(tier: RepairTier) {
    this.tier = tier
  }

  /** `refusedAs` is the code where the repair is off, if that isn't its name. */
  repair(
    name: SyntaxRepairName,
    start: number,
    end: number,
    expected: string,
    refusedAs: ArgumentsFaultCode = name,
  ): void {
    const span = this.repairs.get(name)
    if (span) {
      span.start = Math.min(span.start, start)
      span.end = Math.max(span.end, end)
      return
    }
    this.repairs.set(name, { start, end })
    if (!allows(this.tier, name)) this.object(refusedAs, start, expected)
  }

  object(code: ArgumentsFaultCode, offset: number, expected: string): void {
    this.fault ??= { code, offset, expected }
  }

  find(code: ArgumentsFaultCode, offset: number, expected: string): void {
    this.finding ??= { code, offset, expected }
  }

  edit(start: number, end: number, text: string): void {
    const last = this.edits.at(-1)
    if (last?.end === start) last.extend(end, text)
    else this.edits.push(new Edit(start, end, text))
  }
}

export function widen(span: Span | undefined, start: number, end: number): Span {
  return span ? { start: Math.min(span.start, start), end: Math.max(span.end, end) } : { start, end }
}

/** The stretch of `text` with its edits made. */
export function applyEdits(text: string, start: number, end: number, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = start
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  parts.push(text.slice(at, end))
  return parts.join('')
}
