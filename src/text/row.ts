// A text format as data: how one family of models writes tool calls into its text. The scanner reads by it and the prompt builder
// writes by it; neither knows a format by name.

/** One format. In the tags of a call, `{name}` stands for the tool's name. */
export interface TextFormat {
  readonly name: string
  readonly aliases?: readonly string[]
  /** Which models write so. For people. */
  readonly models: string
  /** What encloses all calls of a block. */
  readonly section?: Enclosure
  /** What encloses each call. */
  readonly call?: Enclosure
  /** Where the name of a call stands. Absent where it stands inside the arguments' own shape. */
  readonly header?: Header
  /** The ways to write the arguments, told apart by how they begin. */
  readonly shapes: readonly Shape[]
  /** What may stand between two calls that need no close tag, beside white space. Absent where no call follows another without a tag. */
  readonly separators?: readonly string[]
  /**
   * What ends a call. `tag`: its close tag; a block without one is complete only if its body shows it. `itself`: the end of its
   * own body; a close tag may follow.
   */
  readonly closes: 'tag' | 'itself'
  /** Tokens that may follow a call and mean nothing, such as the model's stop tokens. */
  readonly stops?: readonly string[]
  /** Tokens around plain text. They are dropped. */
  readonly wrappers?: readonly string[]
  /** What encloses the model's reasoning. */
  readonly thinking?: readonly Pair[]
  /** Whether an opener inside unclosed reasoning ends the reasoning: the habit of these models. */
  readonly endsThinking?: true
  /** Where calls without a tag may stand. Such a call needs a known tool's name, and what fails stays text. */
  readonly bare?: 'object' | 'list'
  /** What a writer puts where readers allow white space. */
  readonly layout?: Layout
  /** What encloses the result of a tool in the next prompt. */
  readonly response?: Pair
}

/** A way to open something and the way to close it. */
export type Pair = readonly [open: string, close: string]

/** Spellings of the opening and of the closing. The first one is what a writer writes. */
export interface Enclosure {
  readonly open: readonly string[]
  readonly close: readonly string[]
  /** Whether models leave the whole enclosure out. */
  readonly optional?: true
}

/** Where a call's name stands between the call's opening and its arguments. */
export type Header =
  /** Plain text up to one of `until`. A single `{` or `<` in `until` is where the arguments begin and is not part of the header. */
  | {
      readonly in: 'text'
      /** Stands before the name. */
      readonly open?: string
      readonly until: readonly string[]
      /** Whether the name ends with its first word, and what follows up to `until` means nothing. */
      readonly firstWord?: true
      /** Elements that may stand before the name and go into the call's `extra` under their key. */
      readonly beside?: readonly { readonly pair: Pair; readonly key: string }[]
      /** Stands between name and `until`, followed by the call's id. */
      readonly id?: string
      /** A recipient that means plain text. */
      readonly plain?: string
    }
  /** Attributes of the tag that the call's `open` begins, up to `close`. */
  | { readonly in: 'attributes'; readonly name: string; readonly close: string }
  /** The id, which holds prefix, name and counter: `functions.search:0`. */
  | { readonly in: 'id'; readonly prefix: string; readonly until: readonly string[] }
  /** Harmony's message header: `assistant to=functions.search<|channel|>commentary <|constrain|>json<|message|>`. */
  | { readonly in: 'channel'; readonly until: string; readonly recipient: string; readonly reasoning: string }
  /** The tag itself is the tool's name: one opener for every tool of the caller. */
  | { readonly in: 'tag' }

/** One way to write a call's arguments. */
export type Shape =
  /** A JSON object that holds name and arguments, or a list of such objects. */
  | {
      readonly kind: 'object'
      readonly list: 'never' | 'optional' | 'always'
      readonly name: readonly string[]
      readonly arguments: readonly string[]
      readonly id?: readonly string[]
      /** Tools that stand for "no tool". */
      readonly silent?: readonly string[]
    }
  /** A list of JSON objects with the name as their only key. */
  | { readonly kind: 'keyed-object'; readonly list: 'optional' | 'always' }
  /** The arguments as one JSON value. */
  | { readonly kind: 'json'; readonly open?: string; readonly close?: string }
  /** One tag a parameter. */
  | {
      readonly kind: 'tagged'
      /** Encloses the key. With `attribute`, the text in between is attributes and the key is that one's value. */
      readonly key: { readonly open: string; readonly close: string; readonly attribute?: string }
      /** Encloses the value. `{key}` stands for the key. Without `open`, the value begins where the key ends. */
      readonly value: { readonly open?: string; readonly close: string }
      readonly trim: ValueTrim
      /** The attribute that says the type, and how. Without it the tool's schema does. */
      readonly typed?: { readonly attribute: string; readonly by: 'string-or-json' | 'name' }
    }
  /** Python call expressions: `[f(a='x'), g()]`, one a line, or a single one. */
  | { readonly kind: 'python'; readonly list: 'brackets' | 'lines' | 'single'; readonly suffix?: string }
  /** `call:f{key:<quote>text<quote>,n:1}`. */
  | { readonly kind: 'dict'; readonly open: string; readonly quote: string; readonly commas: 'required' | 'optional' }

/** Which white space at the ends of a parameter is markup: none, one newline at each end, or all of it. */
export type ValueTrim = 'none' | 'one-newline' | 'all'

/** White space that a writer adds, by the place that it stands in. Empty where not given. */
export interface Layout {
  /** After the section's opening and before its closing. */
  readonly section?: string
  /** Between two calls. */
  readonly between?: string
  /** After a call's opening or header and before its closing. */
  readonly call?: string
  /** Between the tags of a parameter. */
  readonly parameter?: string
  /** At both ends of a parameter's value. */
  readonly value?: string
  /** Whether a writer puts all calls into one JSON list where a reader takes them one by one as well. */
  readonly list?: true
}
