// The assembler as one stage of a pipeline of Node streams.

import { Transform, type TransformCallback } from 'node:stream'
import type { AssemblerEvent, AssemblerResult } from '../model/events.ts'
import type { AssemblerOptions } from '../model/options.ts'
import type { ArgumentsByToolName, Tools } from '../model/tools.ts'
import { createPullAssembler } from '../assembly/create.ts'
import type { Emitted, PullAssembler } from '../assembly/pull.ts'
import { deferQuiet, type Deferred } from './deferred.ts'
import { feedChunk } from './feed-chunk.ts'

/** A Transform with chunks (bytes, text or parsed wire events) on one side and events, as objects, on the other. */
export interface AssemblerTransform<A extends object> extends Transform {
  /** The whole turn, with the last event. Rejects only with what a hook or validator of the caller threw. */
  readonly result: Promise<AssemblerResult<A>>
  [Symbol.asyncIterator](): NodeJS.AsyncIterator<AssemblerEvent<A>>
}

/**
 * `pipeline(socket, createAssemblerTransform(options), sink)`. The readable side ends with `finish`, even where the source stays open;
 * what follows the stream's own end marker is taken in and ignored.
 *
 * A Node stream that is destroyed gives out nothing more. So when `pipeline` destroys this one because its source broke off, or
 * when you do, the last events are only in `result`: there the calls are judged, with the error. `assemble` would deliver them.
 */
export function createAssemblerTransform<const T extends Tools = Tools>(
  options: AssemblerOptions<T> = {},
): AssemblerTransform<ArgumentsByToolName<T>> {
  return new AssemblingTransform(createPullAssembler<T>(options))
}

class AssemblingTransform<A extends object> extends Transform implements AssemblerTransform<A> {
  readonly #assembler: PullAssembler<A>
  readonly #result: Deferred<AssemblerResult<A>> = deferQuiet()
  constructor(assembler: PullAssembler<A>) {
    super({ objectMode: true })
    this.#assembler = assembler
  }

  get result(): Promise<AssemblerResult<A>> {
    return this.#result.promise
  }

  override _transform(chunk: unknown, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#step(() => feedChunk(this.#assembler, chunk), done)
  }

  override _flush(done: TransformCallback): void {
    this.#step(() => this.#assembler.end(), done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Leaving a `for await` early and a pipeline's signal come as an AbortError: it is the reader who gave up.
    const brokeOff = error !== null && error.name !== 'AbortError'
    const reason = error ?? new Error('The stream was destroyed before its end')
    const judge = (): Emitted<A> => (brokeOff ? this.#assembler.fail(error) : this.#assembler.abort(reason))
    this.#step(judge, (thrown) => done(error ?? thrown))
  }

  #step(take: () => Emitted<A>, done: (error?: Error | null) => void): void {
    if (this.#assembler.result) {
      done()
      return
    }
    const give = (events: readonly AssemblerEvent<A>[]): void => {
      this.#give(events)
      done()
    }
    const stop = (error: unknown): void => {
      this.#result.reject(error)
      this.#give(this.#assembler.drain())
      done(error instanceof Error ? error : new Error('A hook threw', { cause: error }))
    }
    let emitted: Emitted<A>
    try {
      emitted = take()
    } catch (error) {
      stop(error)
      return
    }
    if (!(emitted instanceof Promise)) return give(emitted)
    // Who destroys the stream does not wait for a schema, and what that says later is nobody's.
    emitted.then(
      (events) => (this.destroyed ? undefined : give(events)),
      (error: unknown) => (this.destroyed ? undefined : stop(error)),
    )
  }

  #give(events: readonly AssemblerEvent<A>[]): void {
    for (const event of events) this.push(event)
    const { result } = this.#assembler
    if (!result) return
    this.push(null)
    this.#result.resolve(result)
  }
}
