// The one way that everything travels.

/**
 * One end of the corridor that every event walks in one direction. `push` takes the next item, `end` says that no more
 * will come. A step never answers the one before it.
 */
export interface Step<In> {
  push(item: In): void
  end(): void
}

/** Builds the step for `In` that hands its results to `next`. One call makes the state of one stream. */
export type Stage<In, Out> = (next: Step<Out>) => Step<In>
