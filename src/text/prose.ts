// Reads text and reasoning: finds the literals that mean something in them, and hands on the rest as it is.

import { openBrace, openBracket } from '../arguments/characters.ts'
import { isCode, isQuoted, createMarkdown, readMarkdown, type Markdown } from './markdown.ts'
import { formatAt, type Grammar, type Opening, type Token } from './grammar.ts'
import { extendMention, warnOfMention, type Mention, type Place } from './mention.ts'
import type { Sink } from './sink.ts'

export type Mode = 'text' | 'thinking'

/** Something that may open a block. */
export interface Encounter {
  /** The opener's literal; empty for a call without a tag. */
  readonly opener: string
  readonly openings: readonly Opening[]
}

export class Prose {
  readonly #grammar: Grammar
  readonly #sink: Sink
  readonly #markdown: Markdown = createMarkdown()
  #mode: Mode
  /** What closes the reasoning; null where anything that closes reasoning does. */
  #thinkClose: string | null = null
  /** The automaton's state, and how much of the text that comes again it has seen. */
  #state = 0
  #seen = 0
  /**
   * How many characters ago a bracket came that may begin a call without a tag. Set while a literal that begins with the same
   * bracket may still come true; 0 otherwise.
   */
  #bareDepth = 0
  /** Whether nothing but white space and calls has been read. */
  #leading = true
  #mention: Mention | null = null
  /** Set where a block may begin. Cleared by who takes it. */
  #encounter: Encounter | null = null

  constructor(grammar: Grammar, sink: Sink) {
    this.#grammar = grammar
    this.#sink = sink
    this.#mode = grammar.options.startInReasoning ? 'thinking' : 'text'
  }

  /** Sets what the text is from here on. `close` ends the reasoning; null means whatever ends reasoning. */
  enter(mode: Mode, close: string | null = null): void {
    if (mode !== this.#mode) this.#endMention()
    this.#mode = mode
    this.#thinkClose = close
  }

  /** Reads from `i` to the end of the text or to the next encounter. Returns where it stopped; what follows there comes again. */
  read(text: string, i: number, ending: boolean): number {
    const { automaton, tokens } = this.#grammar
    let state = this.#state
    let at = i + this.#seen
    this.#seen = 0
    for (; at < text.length; at++) {
      if (state === 0) {
        at = automaton.skip(text, at)
        if (at >= text.length) break
      }
      state = automaton.step(state, text.charCodeAt(at))
      const token = tokens[automaton.found(state)]
      if (token) {
        this.#bareDepth = 0
        const start = at + 1 - token.literal.length
        i =
          this.#mode === 'text' ? this.#meetInText(token, text, i, start) : this.#meetInThinking(token, text, i, start)
        state = 0
        if (this.#encounter) return this.#leave(i)
      } else if (this.#mode === 'text') {
        const bare = this.#bareStart(text, i, at, automaton.depth(state))
        if (bare >= 0) {
          i = this.#meetBare(text, i, bare)
          if (this.#encounter) return this.#leave(i)
        }
      }
    }
    const end = ending ? text.length : Math.max(i, text.length - automaton.depth(state))
    this.emit(text.slice(i, end))
    this.#state = state
    this.#seen = text.length - end
    return end
  }

  /** Gives what the last read stopped at; `null` where it came to the end of the text. */
  takeEncounter(): Encounter | null {
    const encounter = this.#encounter
    this.#encounter = null
    return encounter
  }

  /** The text is over. */
  end(): void {
    this.#endMention()
  }

  /** Hands text or reasoning on, as the mode is. */
  emit(raw: string): void {
    if (raw === '') return
    if (this.#mode === 'text') return this.#say(raw)
    this.#sink.reasoning(raw)
    if (this.#mention) extendMention(this.#mention, raw)
  }

  #say(raw: string): void {
    this.#sink.text(raw)
    if (this.#leading && /\S/.test(raw)) this.#leading = false
    let i = 0
    const mention = this.#mention
    if (mention?.place === 'code') {
      i = readMarkdown(this.#markdown, raw, 0, true)
      extendMention(mention, raw.slice(0, i))
      if (!isCode(this.#markdown)) this.#endMention()
    } else if (mention) {
      // Nothing but the end of its line tells where a quotation ends.
      const line = raw.indexOf('\n')
      extendMention(mention, line < 0 ? raw : raw.slice(0, line))
      if (line >= 0) this.#endMention()
    }
    readMarkdown(this.#markdown, raw, i)
  }

  #leave(i: number): number {
    this.#state = 0
    this.#bareDepth = 0
    return i
  }

  #endMention(): void {
    const warning = this.#mention && warnOfMention(this.#mention, this.#grammar)
    this.#mention = null
    if (warning) this.#sink.delta({ type: 'warning', warning })
  }

  // ---- literals

  /** Returns where the text goes on that has not been handed on. */
  #meetInText(token: Token, text: string, i: number, start: number): number {
    const end = start + token.literal.length
    const means = token.thinkClose !== undefined || token.opens.length > 0 || token.dropped
    if (!means && token.closes.length === 0) return i
    // Only what has been handed on has told whether it is code, and whether a mention is over.
    this.emit(text.slice(i, start))
    const mention = this.#mention
    if (mention) {
      if (!closesMention(mention, token)) return start
      this.emit(token.literal)
      this.#endMention()
      return end
    }
    if (!means) return start
    const place = this.#placeOf()
    const openings = this.#allowed(token.opens)
    if (place !== undefined) {
      if (openings.length > 0) this.#mention = { token, place, raw: '' }
      return start
    }
    if (token.thinkClose !== undefined) {
      this.#sink.block(token.literal)
      this.enter('thinking', token.thinkClose)
      return end
    }
    if (openings.length > 0) {
      this.#encounter = { opener: token.literal, openings }
      return start
    }
    if (!token.dropped) return start
    this.#sink.block(token.literal)
    return end
  }

  #meetInThinking(token: Token, text: string, i: number, start: number): number {
    const end = start + token.literal.length
    if (token.closesThinking && (this.#thinkClose === null || this.#thinkClose === token.literal)) {
      this.emit(text.slice(i, start))
      this.#sink.block(token.literal)
      this.enter('text')
      return end
    }
    const mention = this.#mention
    if (mention) {
      if (!closesMention(mention, token)) return i
      this.emit(text.slice(i, end))
      this.#endMention()
      return end
    }
    if (token.opens.length === 0) return i
    this.emit(text.slice(i, start))
    const ending = token.opens.filter(({ format }) => formatAt(this.#grammar, format).endsThinking)
    if (ending.length > 0) this.#encounter = { opener: token.literal, openings: ending }
    else this.#mention = { token, place: 'reasoning', raw: '' }
    return start
  }

  /** Where text that follows now is only quoted; `undefined` where it is meant. */
  #placeOf(): Place | undefined {
    const { fence, quoted } = this.#grammar.options
    if (fence !== 'scan' && isCode(this.#markdown)) return 'code'
    return quoted !== 'scan' && isQuoted(this.#markdown) ? 'quotation' : undefined
  }

  /** A fence of JSON is a call only as the first thing of the answer: anywhere else it is an example. */
  #allowed(openings: readonly Opening[]): readonly Opening[] {
    return openings.filter(({ format }) => {
      if (formatAt(this.#grammar, format).format.bare === undefined) return true
      const { bareJson } = this.#grammar.options
      return bareJson === 'anywhere' || (bareJson !== 'never' && this.#leading)
    })
  }

  // ---- calls without a tag

  /** Where a call without a tag may begin, once it is sure that no literal begins there; -1 for nowhere. */
  #bareStart(text: string, i: number, at: number, depth: number): number {
    if (this.#bareDepth > 0) {
      if (depth === this.#bareDepth + 1) {
        this.#bareDepth = depth
        return -1
      }
      const start = at - this.#bareDepth
      this.#bareDepth = 0
      return start
    }
    const code = text.charCodeAt(at)
    if ((code !== openBrace && code !== openBracket) || depth > 1) return -1
    if (this.#bareOpenings(text.charAt(at), text.slice(i, at)).length === 0) return -1
    if (depth === 0) return at
    this.#bareDepth = 1
    return -1
  }

  #bareOpenings(bracket: string, before: string): readonly Opening[] {
    const { bareObjects, bareLists, options } = this.#grammar
    const leading = this.#leading && !/\S/.test(before)
    const objects = options.bareJson === 'anywhere' || leading ? bareObjects : []
    const lists = bracket === '[' && (options.bareList !== 'leading' || leading) ? bareLists : []
    return [...objects, ...lists].map((format) => ({ format, as: 'section' }))
  }

  #meetBare(text: string, i: number, start: number): number {
    this.emit(text.slice(i, start))
    if (!this.#mention && this.#placeOf() === undefined) {
      const openings = this.#bareOpenings(text.charAt(start), '')
      this.#encounter = { opener: '', openings }
    }
    return start
  }
}

function closesMention({ token }: Mention, met: Token): boolean {
  return token.opens.some(({ format }) => met.closes.includes(format))
}
