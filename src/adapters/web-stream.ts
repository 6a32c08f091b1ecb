// The assembler as one stage of a pipe of web streams.

import type { AssemblerEvent, AssemblerResult } from '../model/events.ts'
import type { AssemblerOptions } from '../model/options.ts'
import type { ArgumentsByToolName, Tools } from '../model/tools.ts'
import { createPullAssembler } from '../assembly/create.ts'
import type { Emitted, PullAssembler } from '../assembly/pull.ts'
import { defer, deferQuiet, type Deferred } from './deferred.ts'
import { feedChunk } from './feed-chunk.ts'
import type { SourceChunk } from './sources.ts'

/**
 * Chunks in, events out: `response.body.pipeThrough(new AssemblerStream(options))`. A chunk is bytes, text, or one parsed wire event.
 *
 * A source that breaks off ends the events as in `assemble`: an `error`, the calls judged, `finish`, a normal end. What follows the
 * stream's own end marker is taken in and ignored. Cancelling the readable side gives up: the source is cancelled, and `result`
 * says what the calls came to. A chunk is read when an event is asked for, so `result` alone, with nobody reading, waits for ever.
 */
export class AssemblerStream<const T extends Tools = Tools> implements TransformStream<
  SourceChunk,
  AssemblerEvent<ArgumentsByToolName<T>>
> {
  readonly readable: ReadableStream<AssemblerEvent<ArgumentsByToolName<T>>>
  readonly writable: WritableStream<SourceChunk>
  /** The whole turn, with the last event. Rejects only with what a hook or validator of the caller threw. */
  readonly result: Promise<AssemblerResult<ArgumentsByToolName<T>>>

  constructor(options: AssemblerOptions<T> = {}) {
    const passage = new Passage(createPullAssembler<T>(options))
    this.result = passage.result.promise
    // Nothing is read ahead: what has been read has had its events asked for.
    this.readable = new ReadableStream(passage.exit, { highWaterMark: 0 })
    this.writable = new WritableStream(passage.entrance)
  }
}

/** What the two sides share. */
class Passage<A extends object> {
  readonly result: Deferred<AssemblerResult<A>> = deferQuiet()
  readonly exit: UnderlyingDefaultSource<AssemblerEvent<A>> = {
    start: (controller) => void (this.#out = controller),
    pull: () => this.#pull(),
    cancel: (reason) => this.#giveUp(reason),
  }
  readonly entrance: UnderlyingSink<SourceChunk> = {
    start: (controller) => void (this.#in = controller),
    write: (chunk) => this.#write(chunk),
    close: () => this.#step(() => this.#assembler.end()),
    abort: (reason) => this.#step(() => this.#assembler.fail(reason)),
  }
  readonly #assembler: PullAssembler<A>
  #out: ReadableStreamDefaultController<AssemblerEvent<A>> | undefined
  #in: WritableStreamDefaultController | undefined
  /** Resolved while a reader waits and has had nothing yet: made anew when events go out, resolved by the next `pull`. */
  #wanted = defer<void>()
  /** No more events will go out: the turn is complete, or nobody reads. */
  #over = false
  #failure: { readonly error: unknown } | undefined

  constructor(assembler: PullAssembler<A>) {
    this.#assembler = assembler
  }

  async #write(chunk: SourceChunk): Promise<void> {
    if (!this.#over) await this.#wanted.promise
    await this.#step(() => feedChunk(this.#assembler, chunk))
  }

  async #step(take: () => Emitted<A>): Promise<void> {
    if (this.#over) return
    try {
      this.#hand(await take())
    } catch (error) {
      this.#fail(error)
      throw error
    }
    if (this.#assembler.result) this.#finish(this.#assembler.result)
  }

  #hand(events: readonly AssemblerEvent<A>[]): void {
    if (this.#over || events.length === 0) return
    this.#wanted = defer()
    for (const event of events) this.#out?.enqueue(event)
  }

  #finish(result: AssemblerResult<A>): void {
    if (!this.#over) this.#out?.close()
    this.#over = true
    this.result.resolve(result)
  }

  /** The caller's own code threw: an error for the reader, after the events that came before. */
  #fail(error: unknown): void {
    this.#hand(this.#assembler.drain())
    this.#failure = { error }
    this.result.reject(error)
    if (!this.#over && this.#out?.desiredSize === 0) this.#out.error(error)
    this.#over = true
  }

  #pull(): void {
    if (this.#failure) this.#out?.error(this.#failure.error)
    this.#wanted.resolve()
  }

  /** The reader left: whoever writes is told, and what there is gets judged. */
  async #giveUp(reason: unknown): Promise<void> {
    const over = this.#over
    this.#over = true
    this.#wanted.resolve()
    this.#in?.error(reason)
    if (over) return
    // A hook may have left, in the middle of a feed.
    await Promise.resolve()
    try {
      await this.#assembler.abort(reason)
      if (this.#assembler.result) this.result.resolve(this.#assembler.result)
    } catch (error) {
      this.result.reject(error)
      throw error
    }
  }
}
