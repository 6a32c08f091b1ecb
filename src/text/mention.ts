// Follows a call that is only mentioned: in reasoning, in code, in a quotation. It stays where it is; a warning tells of it.

import { excerpt } from '../arguments/excerpt.ts'
import type { Warning } from '../model/events.ts'
import type { Grammar, Token } from './grammar.ts'
import { readHead } from './head.ts'

export type Place = 'reasoning' | 'code' | 'quotation'

export interface Mention {
  readonly token: Token
  readonly place: Place
  /** The beginning of it. */
  raw: string
}

/** How much is kept of a mention. A warning quotes less. */
const maxMention = 2_048

export function extendMention(mention: Mention, text: string): void {
  if (mention.raw.length < maxMention) mention.raw += text.slice(0, maxMention - mention.raw.length)
}

const places: Readonly<Record<Place, string>> = {
  reasoning: "in the model's reasoning",
  code: 'in Markdown code',
  quotation: 'in a quotation',
}

/** The warning for a mention that is over; none where only the opener was mentioned and no call. */
export function warnOfMention({ token, place, raw }: Mention, grammar: Grammar): Warning | undefined {
  const isCall = token.opens.some((opening) => {
    const head = readHead(grammar, opening, [0, token.literal.length], raw, false)
    return typeof head === 'object' && head.becomes === undefined
  })
  if (!isCall) return undefined
  return {
    code: 'suppressed-call',
    message: `A tool call ${places[place]} was left there and not run.`,
    raw: excerpt(raw),
  }
}
