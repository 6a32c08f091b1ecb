// Makes the chosen formats ready for one stream: literals to look for, and what each of them means.

import type { ToolTable } from '../model/compiled.ts'
import type { JsonSchema } from '../model/tools.ts'
import { createAutomaton, type Automaton } from './automaton.ts'
import { resolveOptions, type ResolvedOptions, type ScanOptions } from './options.ts'
import { fillName, hasKey, hasName } from './placeholders.ts'
import { chosenFormats } from './registry.ts'
import type { TextFormat } from './row.ts'

/** One literal that means something in the text. */
export interface Token {
  readonly literal: string
  /** The formats whose block it may open, in the order in which they are asked. */
  readonly opens: readonly Opening[]
  /** The formats whose block it may close. */
  readonly closes: readonly number[]
  /** What closes the reasoning that it opens; absent where it opens none. */
  readonly thinkClose?: string
  readonly closesThinking: boolean
  /** Whether it is dropped from the text. */
  readonly dropped: boolean
}

export interface Opening {
  readonly format: number
  readonly as: 'section' | 'call'
  /** The tool whose name the opener is. */
  readonly tool?: string
}

/** A format with what its block looks for at its borders. */
export interface CompiledFormat {
  readonly format: TextFormat
  readonly sectionOpen: readonly string[]
  readonly sectionClose: readonly string[]
  readonly callOpen: readonly string[]
  readonly callClose: readonly string[]
  /** What can't stand inside a call, besides its own close tag: tags of the section, and openers of calls. */
  readonly outside: readonly string[]
  /** Tags that only stand inside a call. */
  readonly inside: readonly string[]
  /** Whether an opener of it ends the reasoning that it stands in. */
  readonly endsThinking: boolean
}

export interface Grammar {
  readonly options: ResolvedOptions
  readonly tools: ToolTable | undefined
  readonly formats: readonly CompiledFormat[]
  readonly tokens: readonly Token[]
  /** The literals of tokens that open a block or reasoning. */
  readonly openers: readonly string[]
  readonly automaton: Automaton
  /** The formats without tags, by the character that they begin with. */
  readonly bareObjects: readonly number[]
  readonly bareLists: readonly number[]
  schemaOf(name: string): JsonSchema | undefined
}

export function createGrammar(asked: ScanOptions): Grammar {
  const { tools } = asked
  const options = resolveOptions(asked)
  const formats = chosenFormats(asked).map((format) => compile(format, options))
  const tokens = new TokenTable()
  formats.forEach((compiled, number) => addTokens(tokens, compiled, number, { options, tools }))
  const list = tokens.list()
  const bare = (kind: TextFormat['bare']): number[] =>
    formats.flatMap(({ format }, number) => (format.bare === kind && !format.section ? [number] : []))
  const bareObjects = options.bareJson === 'never' ? [] : bare('object')
  const bareLists = options.bareList === 'never' ? [] : bare('list')
  const brackets = `${bareObjects.length > 0 ? '{[' : ''}${bareLists.length > 0 ? '[' : ''}`
  return {
    options,
    tools,
    formats,
    tokens: list,
    openers: list.flatMap(({ literal, opens, thinkClose }) =>
      opens.length > 0 || thinkClose !== undefined ? [literal] : [],
    ),
    automaton: createAutomaton(
      list.map(({ literal }) => literal),
      brackets,
    ),
    bareObjects,
    bareLists,
    schemaOf: (name) => tools?.get(name)?.jsonSchema,
  }
}

/** The format of that number, in the order in which the grammar asks them. */
export function formatAt({ formats }: Grammar, number: number): CompiledFormat {
  const compiled = formats[number]
  if (!compiled) throw new RangeError(`No format ${number}.`)
  return compiled
}

function compile(format: TextFormat, { inThink }: ResolvedOptions): CompiledFormat {
  const { section, call, header } = format
  const [sectionOpen, sectionClose] = [section?.open ?? [], section?.close ?? []]
  const [callOpen, callClose] = [call?.open ?? [], call?.close ?? []]
  return {
    format,
    sectionOpen,
    sectionClose,
    callOpen,
    callClose,
    outside: [...sectionClose, ...sectionOpen, ...callOpen.filter((literal) => !hasName(literal))],
    inside: insideTags(format),
    endsThinking:
      header?.in === 'channel' || (inThink ?? (format.endsThinking ? 'end-think' : 'ignore')) === 'end-think',
  }
}

/** The tags of names and parameters. A single character is none: it stands in prose as well, as do white space and code fences. */
function insideTags({ header, shapes }: TextFormat): readonly string[] {
  const ofHeader = header?.in === 'text' || header?.in === 'id' || header?.in === 'channel' ? [header.until].flat() : []
  const ofName = header?.in === 'text' ? [header.open ?? '', header.id ?? ''] : []
  const ofShapes = shapes.flatMap((shape) =>
    shape.kind === 'json'
      ? [shape.open ?? '', shape.close ?? '']
      : shape.kind === 'tagged'
        ? [shape.key.open, shape.value.open ?? '', hasKey(shape.value.close) ? '' : shape.value.close]
        : [],
  )
  return [...new Set([...ofHeader, ...ofName, ...ofShapes])].filter((tag) => tag.length > 1 && /^[^\s`]/.test(tag))
}

function addTokens(
  tokens: TokenTable,
  compiled: CompiledFormat,
  number: number,
  { options, tools }: Pick<Grammar, 'options' | 'tools'>,
): void {
  const { format, sectionOpen, sectionClose, callOpen, callClose } = compiled
  for (const literal of sectionOpen) tokens.at(literal).opens.push({ format: number, as: 'section' })
  const standsAlone = !format.section || (options.wrapperless ?? format.section.optional === true)
  if (format.header?.in === 'tag') {
    for (const tool of tools?.keys() ?? []) {
      for (const literal of callOpen) {
        tokens.at(fillName(literal, tool)).opens.push({ format: number, as: 'call', tool })
      }
    }
  } else if (standsAlone) {
    for (const literal of callOpen) tokens.at(literal).opens.push({ format: number, as: 'call' })
  }
  const closes = [...sectionClose, ...callClose]
  // A code fence closes more than blocks of calls, and a template is no literal.
  for (const literal of closes.filter((close) => !close.trimStart().startsWith('```') && !hasName(close))) {
    const token = tokens.at(literal)
    token.closes.push(number)
    if (options.strayClose === 'drop') token.dropped = true
  }
  for (const literal of [...(format.stops ?? []), ...(format.wrappers ?? [])]) tokens.at(literal).dropped = true
  for (const [open, close] of format.thinking ?? []) {
    tokens.at(open).thinkClose ??= close
    tokens.at(close).closesThinking = true
  }
  if (format.header?.in !== 'channel') return
  for (const literal of format.stops ?? []) tokens.at(literal).closesThinking = true
}

interface TokenDraft {
  literal: string
  opens: Opening[]
  closes: number[]
  thinkClose?: string
  closesThinking: boolean
  dropped: boolean
}

class TokenTable {
  readonly #drafts = new Map<string, TokenDraft>()

  at(literal: string): TokenDraft {
    let draft = this.#drafts.get(literal)
    if (!draft) {
      draft = { literal, opens: [], closes: [], closesThinking: false, dropped: false }
      this.#drafts.set(literal, draft)
    }
    return draft
  }

  list(): readonly Token[] {
    return [...this.#drafts.values()]
  }
}
