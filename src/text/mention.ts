/** Follows a call that is only mentioned: in reasoning, in code, in a quotation. It stays where it is; a warning tells of it. */
import type { Warning } from '../model/events.ts'
import { compiledOf } from './block.ts'
import type { Grammar, Token } from './grammar.ts'
import { readHead } from './head.ts'

export type Place = 'reasoning' | 'code' | 'quotation'

export interface Mention {
  readonly token: Token
  readonly place: Place
  /** What was read of it, at most as long as a warning's evidence. */
  raw: string
}

/** A warning's evidence is at most this long. */
export const maxEvidence = 2_000

export function extendMention(mention: Mention, text: string): void {
  if (mention.raw.length < maxEvidence) mention.raw += text.slice(0, maxEvidence - mention.raw.length)
}

const places: Readonly<Record<Place, string>> = {
  reasoning: "in the model's reasoning",
  code: 'in Markdown code',
  quotation: 'in a quotation',
}

/** The warning for a mention that is over; none where only the opener was mentioned and no call. */
export function warnOfMention({ token, place, raw }: Mention, grammar: Grammar): Warning | undefined {
  const rules = { tools: grammar.tools, knownOnly: false }
  const isCall = token.opens.some((opening) => {
    const head = readHead(compiledOf(grammar, opening.format), opening, token.literal, raw, token.literal.length, rules)
    return typeof head === 'object' && head.becomes === undefined
  })
  if (!isCall) return undefined
  return { code: 'suppressed-call', message: `A tool call ${places[place]} was left there and not run.`, raw }
}
