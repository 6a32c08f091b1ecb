// What the adapters need of an assembler: the push interface, plus what only somebody who owns a source and can wait may do.

import type { ArgumentsByName } from '../model/calls.ts'
import type { AssemblerEvent, AssemblerResult } from '../model/events.ts'

/** A promise only where an asynchronous schema has to be waited for, which is when the turn is over. */
export type Emitted<A extends object = ArgumentsByName> =
  | readonly AssemblerEvent<A>[]
  | Promise<readonly AssemblerEvent<A>[]>

/**
 * No method but `abort` and `fail` may be called while the promise of another is pending. A method throws, or its promise rejects, with what a hook or
 * validator of the caller threw, once the state is settled: then `drain` has the events.
 */
export interface PullAssembler<A extends object = ArgumentsByName> {
  feed(chunk: Uint8Array | string): Emitted<A>
  feedEvent(event: object): Emitted<A>
  /** The source has no more. */
  end(): Emitted<A>
  /**
   * The caller gave up: one `error` event of code `aborted`, calls judged, `finish`. Nobody waits for a schema then; a promise that is
   * pending resolves to nothing more. The same holds for `fail`.
   */
  abort(reason?: unknown): Emitted<A>
  /** The source broke off: one `error` event of code `connection`, calls judged, `finish`. */
  fail(cause: unknown): Emitted<A>
  /** Events that are ready and that no method has returned, because it threw. */
  drain(): readonly AssemblerEvent<A>[]
  /** Set with the `finish` event. From then on nothing more is wanted, and nothing may be fed. */
  readonly result: AssemblerResult<A> | undefined
  /** As in the push interface. */
  partialArguments(id: string): unknown
}
