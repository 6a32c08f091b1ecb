// Calls in a text that came without a wire: the text stage, the ledger and the verdict, and nothing before them.

import type { ArgumentsByName, ToolCall } from '../model/calls.ts'
import type { WireDelta } from '../model/deltas.ts'
import type { AssemblerEvent, Warning } from '../model/events.ts'
import type { ArgumentsByToolName, ArgumentsPolicy, RepairTier, Tools } from '../model/tools.ts'
import type { Limits } from '../model/limits.ts'
import type { Step } from '../model/stage.ts'
import { resolvePolicy } from '../schema/policy.ts'
import { compileTools } from '../schema/tools.ts'
import type { ScanOptions, TextOptions } from '../text/options.ts'
import { textCalls } from '../text/stage.ts'
import { Hooks } from './hooks.ts'
import { Ledger } from './ledger.ts'
import { resolveLimits } from './limits.ts'
import { refuseAsynchronous } from './synchronous.ts'
import { Verdict } from './verdict.ts'

/** How a text is scanned, and how the arguments of its calls are read. */
export interface TextScannerOptions<T extends Tools = Tools> extends TextOptions, Omit<ArgumentsPolicy, 'repair'> {
  /** The turn's tools. Without them nothing is checked against a schema, and calls without a tag are only read in formats that are asked for by name. */
  readonly tools?: T
  /** How far repairs of arguments may go. `control-chars` and `string-arguments` are other parsers' names for what `lossless` does among other things. */
  readonly repair?: RepairTier | 'control-chars' | 'string-arguments'
  readonly limits?: Partial<Limits>
}

/** `A` types the arguments by tool name. */
export interface TextScanner<A extends object = ArgumentsByName> {
  /** Takes the next piece of the text, cut anywhere. */
  feed(text: string): AssemblerEvent<A>[]
  /** The text is over. `cut`: it was not the model that ended it, so that a block left open misses something. Calls are judged now. */
  end(options?: { readonly cut?: boolean }): AssemblerEvent<A>[]
  /** `undefined` before the end. */
  readonly result: TextResult<A> | undefined
}

export interface TextResult<A extends object = ArgumentsByName> {
  /** The text without its calls and its reasoning, to the letter. */
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ToolCall<A>[]
  readonly warnings: readonly Warning[]
}

/** Reads calls out of a text. Same events and calls as an assembler, without a wire. */
export function createTextScanner<const T extends Tools = Tools>(
  options: TextScannerOptions<T> = {},
): TextScanner<ArgumentsByToolName<T>> {
  const { repair, tools, limits, ...rest } = options
  const resolved = resolveLimits(limits)
  const policy: ArgumentsPolicy = { ...rest, ...(repair && { repair: tierOf(repair) }) }
  const compiled = compileTools(tools, { policy, maxDepth: resolved.maxDepth })
  refuseAsynchronous(compiled, "a text scanner can't wait.")
  const scanner: TextScanner = new Scan({ ...rest, tools: compiled }, policy, resolved)
  // The schema of a tool vouches for the type of its arguments, since a call is ok only if that schema took them; no checker can
  // relate that to the untyped view.
  return scanner as unknown as TextScanner<ArgumentsByToolName<T>>
}

function tierOf(repair: NonNullable<TextScannerOptions['repair']>): RepairTier {
  return repair === 'control-chars' || repair === 'string-arguments' ? 'lossless' : repair
}

/** A scanner whose tools have been made ready. */
class Scan implements TextScanner {
  readonly #hooks = new Hooks()
  readonly #verdict: Verdict
  readonly #text: Step<WireDelta>
  /** Events since they were last handed out. */
  #events: AssemblerEvent[] = []
  #over = false

  constructor(options: ScanOptions, policy: ArgumentsPolicy, limits: Limits) {
    const { tools } = options
    this.#verdict = new Verdict(
      {
        tools,
        policy: resolvePolicy([policy], limits.maxDepth, 'options'),
        hooks: this.#hooks,
        mayWait: false,
        onAudit: undefined,
        formatName: () => 'text',
      },
      { push: (event) => void this.#events.push(event), end: () => undefined },
    )
    this.#text = textCalls(options)(new Ledger({ tools, limits, partialArguments: false }, this.#verdict))
  }

  get result(): TextResult | undefined {
    const result = this.#verdict.result
    return result && { text: result.text, reasoning: result.reasoning, calls: result.calls, warnings: result.warnings }
  }

  feed(text: string): AssemblerEvent[] {
    if (typeof text !== 'string') throw new TypeError('feed() takes a string: decode bytes first, or use an assembler')
    if (this.#over) throw new TypeError('feed() was called after end()')
    this.#text.push({ type: 'text', choice: 0, delta: text })
    return this.#drain()
  }

  end({ cut = false }: { readonly cut?: boolean } = {}): AssemblerEvent[] {
    if (!this.#over) {
      this.#over = true
      this.#text.push({ type: 'finish', choice: 0, raw: cut ? 'length' : 'stop', kind: cut ? 'length' : 'clean' })
      this.#text.push({ type: 'end' })
      this.#text.end()
    }
    return this.#drain()
  }

  /** Hands out the events so far. What a hook threw comes out first; the events then wait for the next call. */
  #drain(): AssemblerEvent[] {
    this.#hooks.rethrow()
    const events = this.#events
    this.#events = []
    return events
  }
}
