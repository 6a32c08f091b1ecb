// Promises that are settled from outside: not every supported runtime has `Promise.withResolvers`.

export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

export function defer<T>(): Deferred<T> {
  let ends: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined
  // The executor runs before the constructor returns, so the ends are there for whoever gets the promise.
  const promise = new Promise<T>((resolve, reject) => {
    ends = { resolve, reject }
  })
  return { promise, resolve: (value) => ends?.resolve(value), reject: (error) => ends?.reject(error) }
}

/** A promise that may be ignored: where nobody listens to it, its rejection is no unhandled one. */
export function deferQuiet<T>(): Deferred<T> {
  const deferred = defer<T>()
  deferred.promise.catch(() => undefined)
  return deferred
}
