// Reads the calls in the text of a stream: a stage among the others, between the wire's reader and the ledger.

import type { BookedDelta } from '../model/booked.ts'
import type { FinishKind, WireDelta } from '../model/deltas.ts'
import type { Warning } from '../model/events.ts'
import type { Stage, Step } from '../model/stage.ts'
import { Copies } from './copies.ts'
import { createGrammar, type Grammar } from './grammar.ts'
import type { ScanOptions } from './options.ts'
import { Scanner } from './scanner.ts'

/** The stage for these options. What can't be chosen, such as a format that doesn't exist, is a `TypeError` here. */
export function textCalls(options: ScanOptions): Stage<WireDelta, BookedDelta> {
  const grammar = createGrammar(options)
  return (next) => new TextStage(grammar, new Copies(next))
}

class TextStage implements Step<WireDelta> {
  readonly #grammar: Grammar
  readonly #next: Step<BookedDelta>
  readonly #scanners = new Map<number, Scanner>()
  /** The choices that the wire said an ending of, and whether each was a clean one. */
  readonly #endings = new Map<number, boolean>()
  /** What is wrong with the event that is being read. */
  #spoilt: Warning | null = null
  /** The server said that something failed. */
  #failed = false
  #over = false

  constructor(grammar: Grammar, next: Step<BookedDelta>) {
    this.#grammar = grammar
    this.#next = next
  }

  push(delta: WireDelta): void {
    switch (delta.type) {
      case 'text':
        this.#scannerOf(delta.choice).feed(delta.delta)
        return
      case 'text-final':
        // What is said from here is no longer what the wire said: calls are taken out of it.
        if (delta.of === 'text') return
        break
      case 'finish':
        this.#endings.set(delta.choice, (this.#endings.get(delta.choice) ?? true) && isClean(delta.kind))
        break
      case 'error':
        this.#failed = true
        break
      case 'damage':
      case 'stray':
        this.#lose(delta.warning)
        break
      case 'spoilt-open':
        this.#spoilt = delta.warning
        this.#lose(delta.warning)
        break
      case 'spoilt-close':
        // Once more, for what began in that event.
        if (this.#spoilt) this.#lose(this.#spoilt)
        this.#spoilt = null
        break
      case 'end':
        this.#endAll(true)
        break
      case 'reasoning':
      case 'refusal':
      case 'call-fragment':
      case 'call-open':
      case 'call-append':
      case 'call-final':
      case 'call-close':
      case 'call-reject':
      case 'server-call':
      case 'kept-open':
      case 'kept-close':
      case 'usage':
      case 'warning':
      case 'call-damage':
      case 'cut':
      case 'sequence':
        break
      default:
        delta satisfies never
    }
    this.#next.push(delta)
  }

  end(): void {
    this.#endAll(false)
    this.#next.end()
  }

  #lose(warning: Warning): void {
    for (const scanner of this.#scanners.values()) scanner.lose(warning)
  }

  #scannerOf(choice: number): Scanner {
    let scanner = this.#scanners.get(choice)
    if (!scanner) {
      const next = this.#next
      scanner = new Scanner(this.#grammar, choice, {
        text: (delta) => next.push({ type: 'text', choice, delta }),
        reasoning: (delta) => next.push({ type: 'reasoning', choice, delta }),
        block: () => undefined,
        delta: (delta) => next.push(delta),
      })
      this.#scanners.set(choice, scanner)
    }
    return scanner
  }

  /** A stream that says neither a reason nor its end was cut. */
  #endAll(marked: boolean): void {
    if (this.#over) return
    this.#over = true
    for (const [choice, scanner] of this.#scanners) {
      scanner.end(this.#failed || !(this.#endings.get(choice) ?? marked))
    }
  }
}

function isClean(kind: FinishKind): boolean {
  return kind === 'clean' || kind === 'other'
}
