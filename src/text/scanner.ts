// The engine: reads one text from left to right and tells text, reasoning and calls apart. Every character is looked at a bounded
// number of times, however the text is cut.

import type { Warning } from '../model/events.ts'
import { BlockReader } from './block-reader.ts'
import type { Grammar } from './grammar.ts'
import { readHead } from './head.ts'
import { needsMore, noMatch } from './match.ts'
import { Prose, type Encounter } from './prose.ts'
import { withoutPrefix, type Sink } from './sink.ts'

export class Scanner {
  readonly #grammar: Grammar
  readonly #sink: Sink
  readonly #prose: Prose
  readonly #blocks: BlockReader
  /** An opener was found; what follows tells what it opens. */
  #encounter: Encounter | null = null
  /** What came and can't be told yet. Read again with the next chunk. */
  #held = ''
  /** An event that was lost, and how much of `#held` came before it. Cleared when that much has been told. */
  #lost: { readonly warning: Warning; left: number } | null = null

  constructor(grammar: Grammar, choice: number, sink: Sink) {
    const { promptPrefix } = grammar.options
    this.#grammar = grammar
    this.#sink = promptPrefix === '' ? sink : withoutPrefix(sink, promptPrefix.length)
    this.#prose = new Prose(grammar, this.#sink)
    this.#blocks = new BlockReader(grammar, choice, this.#sink)
    if (promptPrefix !== '') this.feed(promptPrefix)
  }

  feed(chunk: string): void {
    this.#run(this.#held + chunk, false)
  }

  /** The text is over; `cut` says that it was not the model that ended it. */
  end(cut: boolean): void {
    for (;;) {
      this.#run(this.#held, true)
      if (!this.#blocks.isOpen) break
      this.#held = this.#blocks.end(this.#held, cut)
      if (this.#held !== '') this.#held = this.#held.slice(this.#emitFirst(this.#held, 0))
    }
    this.#prose.end()
  }

  /** An event was lost on the way: what is half read may miss a part. */
  lose(warning: Warning): void {
    if (this.#blocks.isOpen) this.#blocks.lose(warning)
    else if (this.#held !== '') this.#lost = { warning, left: this.#held.length }
  }

  #run(text: string, ending: boolean): void {
    let i = 0
    while (i < text.length) {
      if (this.#encounter) {
        const next = this.#meet(this.#encounter, text, i, ending)
        if (next === needsMore) break
        i = next
      } else if (this.#blocks.isOpen) {
        i = this.#blocks.read(text, i)
        const back = this.#blocks.takeBack()
        if (back.length > i) text = back.slice(0, back.length - i) + text
        i = Math.max(0, i - back.length)
        const again = this.#blocks.takeAgain()
        if (again !== '') {
          // It ends at i. Going back in the same text costs nothing; only what came in earlier chunks has to be put before it.
          if (again.length > i) text = again.slice(0, again.length - i) + text
          const warning = this.#blocks.takeLoss()
          if (warning) this.#lost = { warning, left: Math.max(i, again.length) }
          i = this.#emitFirst(text, Math.max(0, i - again.length))
        } else if (back === '' && this.#blocks.waiting) break
      } else {
        i = this.#prose.read(text, i, ending)
        this.#encounter = this.#prose.takeEncounter()
        if (!this.#encounter) break
      }
    }
    this.#held = text.slice(i)
    if (this.#lost) this.#lost.left -= i
    if (this.#lost && this.#lost.left <= 0) this.#lost = null
  }

  /** Reads on behind an opener. */
  #meet(encounter: Encounter, text: string, i: number, ending: boolean): number {
    const { opener, openings } = encounter
    for (const opening of openings) {
      const head = readHead(this.#grammar, opening, [i, i + opener.length], text)
      if (head === needsMore && !ending) return needsMore
      if (head === needsMore || head === noMatch) continue
      this.#encounter = null
      const raw = text.slice(i, head.at)
      if (head.becomes) {
        this.#sink.block(raw)
        this.#prose.enter(head.becomes === 'reasoning' ? 'thinking' : 'text')
      } else {
        this.#prose.enter('text')
        this.#blocks.begin(opening, head, raw, this.#lost && i < this.#lost.left ? this.#lost.warning : null)
      }
      return head.at
    }
    this.#encounter = null
    return this.#emitFirst(text, i)
  }

  /** What seemed to open a block is text from its first character on; a block may open behind that. */
  #emitFirst(text: string, i: number): number {
    this.#prose.emit(text.charAt(i))
    return i + 1
  }
}
