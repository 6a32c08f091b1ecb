/** A queue with a promise at its end: filled in batches from one side, iterated once from the other. */

interface Waiter<T> {
  resolve(result: IteratorResult<T, undefined>): void
  reject(error: unknown): void
}

export class AsyncQueue<T> implements AsyncIterableIterator<T, undefined, unknown> {
  /** Called whenever somebody waits and nothing is there. */
  readonly #onWant: () => void
  /** Called once, when the reader leaves before the end. */
  readonly #onLeave: () => void
  /**
   * Batches not yet taken, oldest first: `#leaving` from `#batch` on, and of that one the items from `#head` on; then `#arriving`.
   * Two lists, since taking the first element off a long array costs its length. Batches are their makers' and never changed.
   */
  #leaving: (readonly T[])[] = []
  #batch = 0
  #head = 0
  #arriving: (readonly T[])[] = []
  readonly #waiters: Waiter<T>[] = []
  #closed = false
  /** What the reader gets after the last item, once. Set by `close`, cleared when it was told. */
  #failure: { readonly error: unknown } | undefined

  constructor(onWant: () => void, onLeave: () => void) {
    this.#onWant = onWant
    this.#onLeave = onLeave
  }

  /** Whether a reader is waiting for an item. */
  get waiting(): boolean {
    return this.#waiters.length > 0
  }

  push(batch: readonly T[]): void {
    if (this.#closed || batch.length === 0) return
    this.#arriving.push(batch)
    while (this.#waiters.length > 0) {
      const item = this.#take()
      if (!item) return
      this.#waiters.shift()?.resolve(item)
    }
  }

  /** No more items will come. With a failure, the reader gets it after those that are there. */
  close(failure?: { readonly error: unknown }): void {
    if (this.#closed) return
    this.#closed = true
    this.#failure = failure
    for (const waiter of this.#waiters.splice(0)) {
      const last = this.#takeFailure()
      if (last) waiter.reject(last.error)
      else waiter.resolve({ value: undefined, done: true })
    }
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const item = this.#take()
    if (item) return Promise.resolve(item)
    if (this.#closed) {
      const last = this.#takeFailure()
      return last ? Promise.reject(last.error) : Promise.resolve({ value: undefined, done: true })
    }
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      this.#onWant()
    })
  }

  return(): Promise<IteratorResult<T, undefined>> {
    const early = !this.#closed
    this.#leaving = []
    this.#arriving = []
    this.#failure = undefined
    this.close()
    if (early) this.#onLeave()
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #take(): IteratorResult<T, undefined> | undefined {
    if (this.#batch >= this.#leaving.length) {
      if (this.#arriving.length === 0) return undefined
      this.#leaving = this.#arriving
      this.#arriving = []
      this.#batch = 0
      this.#head = 0
    }
    const batch = this.#leaving[this.#batch] ?? []
    // In range: no batch is empty, and the next one begins when this one is used up.
    const value = batch[this.#head] as T
    this.#head++
    if (this.#head >= batch.length) {
      this.#batch++
      this.#head = 0
    }
    return { value, done: false }
  }

  #takeFailure(): { readonly error: unknown } | undefined {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }
}
