// A queue with a promise at its end: filled in batches from one side, iterated once from the other.

interface Waiter<T> {
  resolve(result: IteratorResult<T, undefined>): void
  reject(error: unknown): void
}

export class AsyncQueue<T> implements AsyncIterableIterator<T, undefined, unknown> {
  /** Called whenever somebody waits and nothing is there. */
  readonly #onWant: () => void
  /** Called once, when the reader leaves before the end. */
  readonly #onLeave: () => void
  /** The batch that is being taken, from `#head` on. Batches are their makers' and never changed. */
  #batch: readonly T[] = []
  #head = 0
  /** Batches behind it, from `#next` on. Taken by index, since taking the first element off a long array costs its length. */
  #later: (readonly T[])[] = []
  #next = 0
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
    if (this.#head === this.#batch.length && this.#later.length === 0) {
      this.#batch = batch
      this.#head = 0
    } else this.#later.push(batch)
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
    this.#batch = []
    this.#head = 0
    this.#later = []
    this.#next = 0
    this.#failure = undefined
    this.close()
    if (early) this.#onLeave()
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #take(): IteratorResult<T, undefined> | undefined {
    if (this.#head === this.#batch.length) {
      const batch = this.#later[this.#next]
      if (batch === undefined) return undefined
      this.#batch = batch
      this.#head = 0
      this.#next++
      // What was taken is let go of when it is half of the list: moving the rest costs no more than taking it did.
      if (this.#next * 2 >= this.#later.length) {
        this.#later = this.#later.slice(this.#next)
        this.#next = 0
      }
    }
    // In range: no batch is empty, and the next one begins when this one is used up.
    const value = this.#batch[this.#head] as T
    this.#head++
    return { value, done: false }
  }

  #takeFailure(): { readonly error: unknown } | undefined {
    const failure = this.#failure
    this.#failure = undefined
    return failure
  }
}
