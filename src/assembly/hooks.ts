// The caller's own code inside a feed: onFrame, onAudit, refine, validators. It may throw, and it may try to feed the assembler
// that is calling it; neither may cost an event.

export class Hooks {
  /** True while a hook runs. Feeding then is a mistake of the caller. */
  active = false
  /** What hooks threw since the last `rethrow`, oldest first. */
  readonly #thrown: unknown[] = []

  /** Runs a hook. What it throws is kept for `rethrow`, and `fallback` stands in for its result. */
  run<T>(hook: () => T, fallback: () => T): T {
    const outer = this.active
    this.active = true
    try {
      return hook()
    } catch (error) {
      this.#thrown.push(error)
      return fallback()
    } finally {
      this.active = outer
    }
  }

  /** Keeps an error for `rethrow` that a hook's promise rejected with, or that a hook is to blame for. */
  blame(error: unknown): void {
    this.#thrown.push(error)
  }

  /** Throws what hooks threw, once, when the state is settled: one error as it is, different ones as an `AggregateError`. */
  rethrow(): void {
    if (this.#thrown.length === 0) return
    const thrown = this.#thrown.splice(0)
    const [first] = thrown
    if (thrown.every((error) => isSameError(error, first))) throw first
    throw new AggregateError(thrown, 'Several hooks threw while the assembler was fed')
  }
}

/** A hook that fails for every frame says one thing, not many. */
function isSameError(error: unknown, other: unknown): boolean {
  if (!(error instanceof Error) || !(other instanceof Error)) return error === other
  return error.name === other.name && error.message === other.message
}
