// Which words mean the same, and which of a message's words say what it is about.

import { ordinaryWords, stopWords, type Concept } from './concepts.ts'
import { stem, words } from './words.ts'

export interface Lexicon {
  /** The concepts that a stem stands for in a tool's definition, by name. */
  readonly inTools: ReadonlyMap<string, readonly string[]>
  /** The same for messages, which stand for more. */
  readonly inMessages: ReadonlyMap<string, readonly string[]>
  readonly looks: readonly { readonly concept: string; readonly pattern: RegExp }[]
}

/** One word of a message, or what it looks like, as evidence of what the message is about. */
export interface Clue {
  /** As people see it. */
  readonly shown: string
  /** The stem; `null` where only the looks of the message gave it. */
  readonly stem: string | null
  readonly concepts: readonly string[]
  /** What it counts, at most 1. */
  readonly weight: number
}

/** An ordinary verb beside nothing else asks for no tool, so it only tips the scales. */
const ordinaryWeight = 0.3
/** A path or an address is a fair sign, but the message may be about something else in it. */
const looksWeight = 0.8

const stops: ReadonlySet<string> = new Set(stopWords)
const ordinary: ReadonlySet<string> = new Set(ordinaryWords.map(stem))

export function createLexicon(concepts: readonly Concept[]): Lexicon {
  return {
    inTools: indexOf(concepts, ({ words: both }) => both),
    inMessages: indexOf(concepts, ({ words: both, also = '' }) => `${both} ${also}`),
    looks: concepts.flatMap(({ name, looks }) => (looks === undefined ? [] : [{ concept: name, pattern: looks }])),
  }
}

function indexOf(
  concepts: readonly Concept[],
  listed: (concept: Concept) => string,
): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>()
  for (const concept of concepts) {
    for (const one of new Set(words(listed(concept)).map(stem))) {
      const known = index.get(one)
      if (known === undefined) index.set(one, [concept.name])
      else known.push(concept.name)
    }
  }
  return index
}

/** The words that say something. */
export function contentWords(text: string): readonly string[] {
  return words(text).filter((word) => !stops.has(word))
}

/** What a message gives to go by. A word counts once, however often it is said. */
export function clues(message: string, { inMessages, looks }: Lexicon): readonly Clue[] {
  const spoken = new Map<string, Clue>()
  for (const word of contentWords(message)) {
    const root = stem(word)
    if (spoken.has(root)) continue
    const weight = ordinary.has(root) ? ordinaryWeight : 1
    spoken.set(root, { shown: word, stem: root, concepts: inMessages.get(root) ?? [], weight })
  }
  const seen = looks.flatMap(({ concept, pattern }): readonly Clue[] => {
    const found = pattern.exec(message)?.[0].trim()
    return found === undefined ? [] : [{ shown: found, stem: null, concepts: [concept], weight: looksWeight }]
  })
  return [...spoken.values(), ...seen]
}
