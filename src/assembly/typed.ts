// The caller's view of an assembly: the push interface, with arguments typed by tool name.

import type { StreamError } from '../model/events.ts'
import type { Tools } from '../model/tools.ts'
import type { Assembler, Assembly } from './assembler.ts'

export function toAssembler<T extends Tools>(assembly: Assembly): Assembler<T> {
  const view = {
    feed: (chunk: Uint8Array | string) => assembly.feed(chunk),
    feedEvent: (event: object) => assembly.feedEvent(event),
    end: () => assembly.end(),
    abort: (reason?: unknown) => assembly.break('aborted', abortError(reason)),
    get result() {
      return assembly.result
    },
    partialArguments: (id: string) => assembly.partialArguments(id),
  }
  // The schema of a tool vouches for the type of its arguments: a call is ok only if that schema took them.
  return view as Assembler<T>
}

export function abortError(reason: unknown): StreamError {
  const said = reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : ''
  return { code: 'aborted', message: said === '' ? 'The caller gave up.' : `The caller gave up: ${said}` }
}
