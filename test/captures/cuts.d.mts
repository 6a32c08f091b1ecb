import type { AssemblerOptions, AssemblerResult, WireFormatName } from '../../src/index.ts'

/** The body of a response as it came over the network. */
export interface Recording {
  /** Its path below the folder of recordings. */
  readonly file: string
  readonly format: WireFormatName
  readonly bytes: Uint8Array
}

export interface Findings {
  /** What does not hold, in words. */
  readonly violations: readonly string[]
  /** How many calls of the broken-off streams were ok, all together. */
  readonly okCalls: number
  /** Whether the recording says how it ends, so that what was cut before could be judged by it. */
  readonly hasEnding: boolean
}

/** As much of an assembler as it takes. */
export type CreateAssembler = (options: AssemblerOptions) => {
  feed(chunk: Uint8Array): unknown
  end(): unknown
  readonly result: AssemblerResult | undefined
}

export declare const hasRecordings: boolean
/** Smallest first. */
export declare function readRecordings(): Recording[]
export declare function cutsOf(length: number, budget: number, fewest: number): number[]
export declare function findViolations(
  createAssembler: CreateAssembler,
  recording: Recording,
  places: readonly number[],
): Findings
