export interface BrokenStream {
  readonly stream: string
  /** `ok`, `ok, repaired: …`, or the code, with the cause of a cut in brackets; one for each call. */
  readonly verdict: string
  readonly finish: string
  /** Codes of warnings and errors. */
  readonly reported?: readonly string[]
}

export interface Judged {
  readonly verdict: string
  readonly finish: string
  readonly reported: readonly string[]
  readonly told: string
  readonly message: string
}

export declare const brokenStreams: readonly BrokenStream[]
export declare function judgeRow(row: BrokenStream, library: object): Judged
