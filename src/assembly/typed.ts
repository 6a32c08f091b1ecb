// The caller's view of an assembly: the push interface, with arguments typed by tool name.

import type { AssemblerEvent, AssemblerResult, StreamError } from '../model/events.ts'
import type { Tools } from '../model/tools.ts'
import type { Assembler, Assembly } from './assembler.ts'

/**
 * Methods are bound, so that they can be handed to a transport as they are. A class, because V8 makes a dictionary, three times
 * the size, of an object literal with a getter.
 */
class PushInterface {
  readonly #assembly: Assembly
  readonly feed = (chunk: Uint8Array | string): AssemblerEvent[] => this.#assembly.feed(chunk)
  readonly feedEvent = (event: object): AssemblerEvent[] => this.#assembly.feedEvent(event)
  readonly end = (): AssemblerEvent[] => this.#assembly.end()
  readonly abort = (reason?: unknown): AssemblerEvent[] => this.#assembly.break('aborted', abortError(reason))
  readonly partialArguments = (id: string): unknown => this.#assembly.partialArguments(id)

  constructor(assembly: Assembly) {
    this.#assembly = assembly
  }

  get result(): AssemblerResult | undefined {
    return this.#assembly.result
  }
}

export function toAssembler<T extends Tools>(assembly: Assembly): Assembler<T> {
  // The schema of a tool vouches for the type of its arguments: a call is ok only if that schema took them.
  return new PushInterface(assembly) as Assembler<T>
}

export function abortError(reason: unknown): StreamError {
  const said = reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : ''
  return { code: 'aborted', message: said === '' ? 'The caller gave up.' : `The caller gave up: ${said}` }
}
