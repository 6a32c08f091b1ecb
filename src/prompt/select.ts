// Chooses the tools that a message is about, for contexts too small for all of them.

import { defaultLimits } from '../model/limits.ts'
import type { Tools } from '../model/tools.ts'
import { compileTools } from '../schema/tools.ts'
import { concepts as builtIn, type Concept } from './concepts.ts'
import { clues, createLexicon, type Clue } from './lexicon.ts'
import { pickTools } from './pick.ts'
import { profileOf, type Mark, type Profile } from './profile.ts'
import { stem } from './words.ts'

/** What is the same for every message. */
export interface SelectorOptions {
  /** Further words for the same thing, beside the built-in ones. */
  readonly concepts?: readonly Concept[]
}

export interface SelectOptions {
  /** Names of tools in use: they stay, whatever the message is about, and don't count towards `max`. Names of no tool are ignored. */
  readonly keep?: Iterable<string>
  /** How many tools may be chosen beside those in use. Default 5. */
  readonly max?: number
  /** How much a tool must have in common with the message: 1 is one word of its name. Default 0.35. */
  readonly score?: number
}

export interface SelectedTool {
  readonly name: string
  /** How much it has in common with the message; 0 for nothing. */
  readonly score: number
  /** Why it is here, in words. */
  readonly reason: string
}

export interface ToolSelection {
  /** The chosen tools in the shape and order that they were given in. */
  readonly tools: Tools
  /** One entry a chosen tool, in the same order. */
  readonly selected: readonly SelectedTool[]
  /** The names of the others. */
  readonly left: readonly string[]
}

/** Chooses among the same tools for one message after the other. */
export type ToolSelector = (message: string, options?: SelectOptions) => ToolSelection

/**
 * The tools that have words in common with the message: in their names, descriptions and parameter names, by stem, and through a table
 * of words that mean the same (`umbrella` finds the weather). A message that is about none of them gets none. The same input always
 * gives the same tools.
 *
 * What it can't know: what the message means. It doesn't see the conversation, so "and tomorrow?" finds nothing: give the tools in use
 * as `keep`. It compares English, and other languages only where the words are alike. A tool whose definition says nothing in words is
 * found by its name alone. On messages that its table was not made with, expect it to miss one needed tool in ten: where a missing tool
 * costs more than a long prompt, give the model all of them.
 *
 * For many messages `createToolSelector` reads the tools once.
 *
 * @throws TypeError for what is no tool definition.
 */
export function selectTools(
  tools: Tools,
  message: string,
  options: SelectOptions & SelectorOptions = {},
): ToolSelection {
  return createToolSelector(tools, options)(message, options)
}

/** As `selectTools`, for many messages. */
export function createToolSelector(tools: Tools, { concepts = [] }: SelectorOptions = {}): ToolSelector {
  const lexicon = createLexicon([...builtIn, ...concepts])
  const table = compileTools(tools, { policy: {}, maxDepth: defaultLimits.maxDepth })
  const profiles = [...(table?.values() ?? [])].map((tool) => profileOf(tool, lexicon))
  return (message, { keep = [], max = 5, score = 0.35 } = {}) => {
    const matches = matchAll(profiles, clues(message, lexicon))
    const kept = new Set(keep)
    const chosen = choose(
      matches.filter(({ name }) => !kept.has(name)),
      max,
      score,
    )
    const selected = matches.filter(({ name }) => kept.has(name) || chosen.has(name))
    const names = new Set(selected.map(({ name }) => name))
    return {
      tools: pickTools(tools, names),
      selected: selected.map((match) => explain(match, kept)),
      left: matches.map(({ name }) => name).filter((name) => !names.has(name)),
    }
  }
}

function explain({ name, strength, shared }: Match, kept: ReadonlySet<string>): SelectedTool {
  return { name, score: strength, reason: [...(kept.has(name) ? ['in use'] : []), ...shared.map(describe)].join('; ') }
}

/** What a tool and a message have in common. */
interface Match {
  readonly name: string
  readonly shared: readonly Shared[]
  /** How much it is: decides whether the message is about the tool at all. */
  readonly strength: number
  /** The same with words that many tools share counting less: decides between tools. */
  readonly rank: number
}

interface Shared {
  readonly clue: Clue
  readonly mark: Mark
  readonly weight: number
}

function matchAll(profiles: readonly Profile[], all: readonly Clue[]): readonly Match[] {
  const found = profiles.map((profile) => all.flatMap((clue) => meet(profile, clue)))
  const spread = new Map<Clue, number>()
  for (const { clue } of found.flat()) spread.set(clue, (spread.get(clue) ?? 0) + 1)
  const rarity = (clue: Clue): number =>
    Math.log(1 + profiles.length / (spread.get(clue) ?? 1)) / Math.log(1 + profiles.length)
  return profiles.map(({ name }, n) => {
    const shared = found[n] ?? []
    return {
      name,
      shared,
      strength: sum(shared.map(({ weight }) => weight)),
      rank: sum(shared.map(({ clue, weight }) => weight * rarity(clue))),
    }
  })
}

/** The strongest thing that a tool and one word have in common. */
function meet({ stems, concepts }: Profile, clue: Clue): readonly Shared[] {
  const marks = [
    clue.stem === null ? undefined : stems.get(clue.stem),
    ...clue.concepts.map((concept) => concepts.get(concept)),
  ]
  const strongest = marks.reduce((a, b) => ((b?.weight ?? 0) > (a?.weight ?? 0) ? b : a), undefined)
  return strongest === undefined ? [] : [{ clue, mark: strongest, weight: clue.weight * strongest.weight }]
}

/** A tool far behind the best one shares a word by chance. */
const tail = 0.4

function choose(matches: readonly Match[], max: number, score: number): ReadonlySet<string> {
  const enough = matches.filter(({ strength }) => strength >= score)
  const best = Math.max(...enough.map(({ rank }) => rank))
  // Sorting is stable, so equal tools stay in their order.
  const ranked = enough.filter(({ rank }) => rank >= best * tail).sort((a, b) => b.rank - a.rank)
  return new Set(ranked.slice(0, max).map(({ name }) => name))
}

function describe({ clue, mark }: Shared): string {
  const shown = JSON.stringify(clue.shown)
  return clue.stem === stem(mark.word)
    ? `${shown} is in its ${mark.place}`
    : `${shown} goes with ${JSON.stringify(mark.word)} in its ${mark.place}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
