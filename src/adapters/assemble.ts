// The pull interface: a source in, events out, at the pace of whoever iterates.

import type { AssemblerEvent, AssemblerResult } from '../model/events.ts'
import type { AssemblerOptions } from '../model/options.ts'
import type { ArgumentsByToolName, Tools } from '../model/tools.ts'
import { createPullAssembler } from '../assembly/create.ts'
import { AssemblyRun } from './assembly-run.ts'
import type { CallSelector } from './field-board.ts'
import { openSource, type AssemblySource } from './sources.ts'

/** Options of `assemble`. */
export interface AssembleOptions<T extends Tools = Tools> extends AssemblerOptions<T> {
  /** Aborting it cancels the source and ends the stream: one `error` event of code `aborted`, calls judged, `finish`. */
  readonly signal?: AbortSignal | undefined
}

/** One response on its way. Nothing is read before somebody asks for an event, a field or the result. */
export interface AssemblyStream<A extends object> extends AsyncIterable<AssemblerEvent<A>> {
  /**
   * The events, once: a second iteration is a `TypeError`. A chunk is read when its events are asked for. Leaving the loop early
   * cancels the source; the calls are then judged as after an abort. A source that rejects, and an abort, end the iteration
   * normally, with an `error` event before `finish`. It rejects only for an `HttpError` and for what a hook or validator of the
   * caller threw.
   */
  [Symbol.asyncIterator](): AsyncIterator<AssemblerEvent<A>, undefined>
  /**
   * The whole turn. Whoever asks for it wants the end: the source is read on, whether somebody iterates or not, and events that
   * an iteration has not taken yet wait for it in memory. Events that go by while nobody iterates are gone, so begin to iterate
   * first, or in the same turn of the event loop.
   */
  result(): Promise<AssemblerResult<A>>
  /**
   * One string inside the arguments of the first call that fits, piece by piece as it arrives: `fieldStream({ name: 'write_file' },
   * '/content')`. `call` may be a `tool-call-start` event. `path` is a JSON Pointer. However late it is called, the first piece
   * begins at the beginning of the string; pieces hold whole characters. It ends as soon as something else shows that the string has
   * ended, and empty where there is none.
   *
   * Needs `partialArguments: true`. May be read inside the iteration, beside it, or without any. Every reader has a queue of its
   * own and any of them makes the source be read, so none waits for another; what a slow one has not taken waits in memory, at
   * most the string itself, which `limits` bound. Leaving it early leaves the stream as it is.
   *
   * That a field ended says nothing of its call. Whether the call may run is said by its `tool-call-end` event.
   */
  fieldStream(call: CallSelector, path: string): AsyncIterableIterator<string, undefined>
}

/**
 * Assembles a streaming response, whatever it comes in. What is no source, a body that was read already, and options that can't
 * be, are a `TypeError`, thrown at once.
 */
export function assemble<const T extends Tools = Tools>(
  source: AssemblySource,
  options: AssembleOptions<T> = {},
): AssemblyStream<ArgumentsByToolName<T>> {
  const reader = openSource(source)
  const assembler = createPullAssembler<T>(options, reader.head?.header('content-type') ?? undefined)
  const run = new AssemblyRun(assembler, reader, {
    signal: options.signal,
    partialArguments: options.partialArguments ?? false,
  })
  return {
    [Symbol.asyncIterator]: () => run.iterate(),
    result: () => run.result(),
    fieldStream: (call, path) => run.follow(call, path),
  }
}
