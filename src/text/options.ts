// Every option of the text scanner. This is the only place that says what a policy does and what its default is.

import type { ToolTable } from '../model/compiled.ts'
import type { TextFormat, ValueTrim } from './row.ts'

/**
 * Where parsers of text calls differ from one another. The defaults never run a call that could be something else: an example, a
 * quotation, or a call with a part missing.
 */
export interface TextPolicy {
  /** An opener inside reasoning: leave it there and warn (`ignore`), or end the reasoning and read the call (`end-think`). Default: the format's own habit (Kimi-K2 ends it), else `ignore`. */
  readonly inThink?: 'ignore' | 'end-think'
  /** A call in a Markdown code fence or code span: leave it in the text and warn (`ignore`), or read it (`scan`). Default `ignore`. Formats whose opener is a fence are not concerned. */
  readonly fence?: 'ignore' | 'scan'
  /** A call right behind an opening quotation mark: as with `fence`. Default `ignore`. */
  readonly quoted?: 'ignore' | 'scan'
  /**
   * A block that is not closed when the text ends or goes on, in a stream that was not cut. `refuse` it always, accept it if its body's
   * own syntax shows that nothing can be missing (`accept-certain`), or also if it stops where a call could have ended
   * (`accept-complete`: between two parameters, provided that those which the schema requires are there). Default `accept-certain`.
   */
  readonly missingClose?: 'refuse' | 'accept-certain' | 'accept-complete'
  /** Whether the next opener closes a block whose body is complete. `false` refuses that block. Default `true`. */
  readonly implicitClose?: boolean
  /** Whether calls may stand without the section around them. Default: only in formats whose models leave it out. */
  readonly wrapperless?: boolean
  /** Where a JSON object without a tag may be a call: nowhere, as the first thing of the answer, or anywhere. Always with a known tool's name. Default `leading`. */
  readonly bareJson?: 'never' | 'leading' | 'anywhere'
  /** Where a Python list without a tag may be calls: nowhere, as the first thing of the answer, or anywhere, for known tools or (`always`) any name. Default `known-tool`. */
  readonly bareList?: 'never' | 'leading' | 'known-tool' | 'always'
  /** A tagged call of a tool that the caller doesn't have: a refused call, or plain text. Default `refuse`. */
  readonly unknownTool?: 'refuse' | 'text'
  /** Whether a call starts as soon as its name is read, or waits for its arguments to begin. Default `true`. */
  readonly earlyName?: boolean
  /** Which white space at the ends of a tagged parameter is markup. Default: what the format's models write. */
  readonly valueTrim?: ValueTrim
  /** A tagged parameter that no schema types: the text itself, or JSON where it is JSON. Default `string`. */
  readonly untyped?: 'string' | 'json'
  /** Whether the next parameter (a declared one that is still missing) or the end of the call closes a parameter without a close tag. Default `false`: the tag is part of the value. */
  readonly implicitParamClose?: boolean
  /** Whether a call of a list that can't be read is refused alone. `false` refuses the list. A list whose brackets don't match is always refused. Default `true`. */
  readonly siblingIsolation?: boolean
  /** A close tag without a block: part of the text, or dropped. Default `keep`. */
  readonly strayClose?: 'keep' | 'drop'
  /** Whether a block that is refused stands in the text as well. Default `refuse`: no. A block without a name, or without a tag, always does. */
  readonly onMalformed?: 'refuse' | 'emit-text'
  /** The tags of the format `custom`: a JSON object, or a list of them, with name and arguments. */
  readonly openTag?: string
  readonly closeTag?: string
}

/** How a text is scanned. */
export interface TextOptions extends TextPolicy {
  /** Names of formats, or formats of your own; `true`, the default, means the usual ones. */
  readonly formats?: true | readonly (string | TextFormat)[]
  /** Whether the text begins inside reasoning, because the prompt ended with its opener. Default `false`. */
  readonly startInReasoning?: boolean
  /** The end of the prompt that belongs to the first block, such as `>>>` or `<|start|>assistant`. */
  readonly promptPrefix?: string
}

/** The same with the tools made ready. */
export interface ScanOptions extends TextOptions {
  readonly tools?: ToolTable | undefined
}

/** What a format says itself where the caller doesn't. */
type Habit = 'inThink' | 'wrapperless' | 'valueTrim'
type Policy = TextPolicy & Pick<TextOptions, 'startInReasoning' | 'promptPrefix'>

/** What holds for one stream: the defaults are filled in, and habits that the caller leaves to the formats are `undefined`. */
export type ResolvedOptions = Required<Omit<Policy, Habit | 'openTag' | 'closeTag'>> & {
  readonly [Name in Habit]: TextPolicy[Name] | undefined
}

export function resolveOptions(options: ScanOptions): ResolvedOptions {
  return {
    inThink: options.inThink,
    fence: options.fence ?? 'ignore',
    quoted: options.quoted ?? 'ignore',
    missingClose: options.missingClose ?? 'accept-certain',
    implicitClose: options.implicitClose ?? true,
    wrapperless: options.wrapperless,
    bareJson: options.bareJson ?? 'leading',
    bareList: options.bareList ?? 'known-tool',
    unknownTool: options.unknownTool ?? 'refuse',
    earlyName: options.earlyName ?? true,
    valueTrim: options.valueTrim,
    untyped: options.untyped ?? 'string',
    implicitParamClose: options.implicitParamClose ?? false,
    siblingIsolation: options.siblingIsolation ?? true,
    strayClose: options.strayClose ?? 'keep',
    onMalformed: options.onMalformed ?? 'refuse',
    startInReasoning: options.startInReasoning ?? false,
    promptPrefix: options.promptPrefix ?? '',
  }
}
