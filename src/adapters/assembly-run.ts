// One source on its way through one assembler, at the pace of those who wait: a chunk is read when somebody wants an event that
// isn't there. All that can end it meets here: the end, a cut, an abort, a reader who leaves, an error of the caller's own code.

import type { AssemblerEvent, AssemblerResult } from '../model/events.ts'
import type { Emitted, PullAssembler } from '../assembly/pull.ts'
import { AsyncQueue } from './async-queue.ts'
import { feedChunk } from './feed-chunk.ts'
import { FieldBoard, type CallSelector } from './field-board.ts'
import { isFailedResponse, readHttpError } from './http-error.ts'
import type { ReadResult, ResponseHead, SourceReader } from './sources.ts'

export interface RunOptions {
  readonly signal: AbortSignal | undefined
  readonly partialArguments: boolean
}

/** `reading`: a read of the source is under way. `feeding`: the assembler is at work. `waiting`: it waits for an asynchronous schema. */
type State = 'idle' | 'reading' | 'feeding' | 'waiting' | 'over'

interface ResultWaiter<A extends object> {
  readonly resolve: (result: AssemblerResult<A>) => void
  readonly reject: (error: unknown) => void
}

export class AssemblyRun<A extends object> {
  readonly #assembler: PullAssembler<A>
  readonly #source: SourceReader
  readonly #signal: AbortSignal | undefined
  #state: State = 'idle'
  /** Whether the source has ended, broken or been cancelled: it is not to be touched any more. */
  #sourceOver = false
  /** Whether anybody has ever waited. Before that, nothing is read and no event made, so that an early abort misses nobody. */
  #begun = false
  /** The one iteration, from its beginning on. */
  #events: AsyncQueue<AssemblerEvent<A>> | undefined
  /** Set when events came while there was no iteration to take them. */
  #missed = false
  readonly #fields: FieldBoard | undefined
  readonly #fieldQueues = new Set<AsyncQueue<string>>()
  /** Whoever asked for the result before it was there. */
  readonly #resultWaiters: ResultWaiter<A>[] = []
  /** What the caller's own code threw, or the failed response. Set once, with the state `over`. */
  #failure: { readonly error: unknown } | undefined
  /**
   * The first abort, or the reader's leaving. The source is cancelled at once; the assembler hears of it as soon as it is not at
   * work and somebody waits or has waited, unless the turn is complete by then.
   */
  #left: { readonly reason: unknown } | undefined
  readonly #onAbort = (): void => this.#abort(this.#signal?.reason)

  constructor(assembler: PullAssembler<A>, source: SourceReader, { signal, partialArguments }: RunOptions) {
    this.#assembler = assembler
    this.#source = source
    this.#signal = signal
    this.#fields = partialArguments ? new FieldBoard() : undefined
    if (signal?.aborted) this.#abort(signal.reason)
    else signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  iterate(): AsyncQueue<AssemblerEvent<A>> {
    if (this.#events) throw new TypeError('This stream is being iterated already: its events come once')
    if (this.#missed) {
      throw new TypeError(
        'Events have gone by: begin to iterate before result() or fieldStream() reads, or in the same turn',
      )
    }
    const events = new AsyncQueue<AssemblerEvent<A>>(
      () => this.#want(),
      () => this.#abort(new Error('The iteration was left before its end')),
    )
    this.#events = events
    if (this.#state === 'over') events.close(this.#failure)
    return events
  }

  result(): Promise<AssemblerResult<A>> {
    return new Promise((resolve, reject) => {
      if (this.#state === 'over') this.#answer({ resolve, reject })
      else {
        this.#resultWaiters.push({ resolve, reject })
        this.#want()
      }
    })
  }

  follow(selector: CallSelector, path: string): AsyncQueue<string> {
    const fields = this.#fields
    if (!fields) throw new TypeError('fieldStream() needs the option `partialArguments: true`')
    if (!path.startsWith('/'))
      throw new TypeError(`fieldStream() needs a JSON Pointer such as "/content", not "${path}"`)
    if (selector.index === undefined && selector.id === undefined && selector.name === undefined) {
      throw new TypeError('fieldStream() needs the index, id or name of a call')
    }
    const queue: AsyncQueue<string> = new AsyncQueue(
      () => this.#want(),
      () => {
        fields.forget(queue)
        this.#fieldQueues.delete(queue)
      },
    )
    fields.follow(selector, path, queue)
    if (this.#state === 'over') queue.close(this.#failure)
    else this.#fieldQueues.add(queue)
    return queue
  }

  /** Somebody waits. */
  #want(): void {
    if (this.#state !== 'idle') return
    const first = !this.#begun
    this.#begun = true
    const { head } = this.#source
    if (this.#left) this.#abort(this.#left.reason)
    else if (first && isFailedResponse(head)) this.#readError(head)
    else this.#read()
  }

  #readError(head: ResponseHead): void {
    this.#state = 'reading'
    void readHttpError(this.#source, head).then(({ error, ended }) => {
      if (this.#state === 'over') return
      this.#state = 'idle'
      this.#sourceOver = ended
      this.#crash(error)
    })
  }

  #read(): void {
    this.#state = 'reading'
    let read: Promise<ReadResult>
    try {
      read = Promise.resolve(this.#source.read())
    } catch (error) {
      read = Promise.reject(error)
    }
    read.then(this.#onChunk, this.#onCut)
  }

  readonly #onChunk = ({ done, value }: ReadResult): void => {
    if (this.#state === 'over') return
    if (done !== true) this.#emit(() => feedChunk(this.#assembler, value))
    else {
      this.#sourceOver = true
      this.#emit(() => this.#assembler.end())
    }
  }

  readonly #onCut = (cause: unknown): void => {
    if (this.#state === 'over') return
    this.#sourceOver = true
    this.#emit(() => this.#assembler.fail(cause))
  }

  #emit(step: () => Emitted<A>): void {
    this.#state = 'feeding'
    let emitted: Emitted<A>
    try {
      emitted = step()
    } catch (error) {
      this.#crash(error)
      return
    }
    if (emitted instanceof Promise) {
      this.#state = 'waiting'
      emitted.then(this.#deliver, this.#crash)
    } else this.#deliver(emitted)
  }

  readonly #deliver = (events: readonly AssemblerEvent<A>[]): void => {
    // An abort did not wait for the schema that this comes from.
    if (this.#state === 'over') return
    this.#hand(events)
    if (this.#assembler.result !== undefined) {
      this.#finish()
      return
    }
    this.#state = 'idle'
    // A hook may have aborted, or left, while it was being fed.
    if (this.#left) this.#abort(this.#left.reason)
    else if (this.#resultWaiters.length > 0 || this.#events?.waiting || this.#fieldWaits()) this.#want()
  }

  #hand(events: readonly AssemblerEvent<A>[]): void {
    if (events.length === 0) return
    if (this.#events) this.#events.push(events)
    else this.#missed = true
    this.#fields?.take(events)
  }

  #fieldWaits(): boolean {
    for (const queue of this.#fieldQueues) if (queue.waiting) return true
    return false
  }

  #abort(reason: unknown): void {
    if (this.#state === 'over') return
    this.#left ??= { reason }
    if (this.#state === 'feeding') return
    this.#cancelSource(reason)
    if (this.#begun) this.#emit(() => this.#assembler.abort(reason))
  }

  /** The caller's own code threw, or the response is a failed one: an error for whoever waits, after the events that came before. */
  readonly #crash = (error: unknown): void => {
    if (this.#state === 'over') return
    this.#failure = { error }
    this.#hand(this.#assembler.drain())
    this.#finish(error)
  }

  #finish(reason?: unknown): void {
    this.#cancelSource(reason)
    this.#state = 'over'
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#events?.close(this.#failure)
    if (!this.#failure) this.#fields?.end()
    for (const queue of this.#fieldQueues) queue.close(this.#failure)
    this.#fieldQueues.clear()
    for (const waiter of this.#resultWaiters.splice(0)) this.#answer(waiter)
  }

  #cancelSource(reason: unknown): void {
    if (this.#sourceOver) return
    this.#sourceOver = true
    this.#source.cancel(reason, this.#state === 'reading')
  }

  #answer({ resolve, reject }: ResultWaiter<A>): void {
    const { result } = this.#assembler
    if (this.#failure) reject(this.#failure.error)
    else if (result) resolve(result)
    else reject(new TypeError('The assembler ended without a result'))
  }
}
