// Ways to get an assembler with everything in it: all formats, all framings, calls in text.

import type { AssemblerEvent, AssemblerResult, StreamError } from '../model/events.ts'
import type { AssemblerOptions } from '../model/options.ts'
import type { ArgumentsByToolName, Tools } from '../model/tools.ts'
import { eventStream } from '../framing/event-stream.ts'
import { isObjectText } from '../framing/sniff.ts'
import { tryJsonText } from '../arguments/json.ts'
import { formats } from '../formats/registry.ts'
import { textCalls } from '../text/stage.ts'
import { Assembly, isBytes, type Assembler, type AssemblyParts } from './assembler.ts'
import type { Emitted, PullAssembler } from './pull.ts'
import { abortError, toAssembler } from './typed.ts'

const everything: AssemblyParts = {
  formats,
  binary: eventStream,
  textCalls: (wanted, tools) => textCalls({ tools, ...(wanted !== true && { formats: wanted }) }),
}

/**
 * Assembles one response that you feed, chunk by chunk, from any transport. Throws a `TypeError` for options that can't be:
 * an unknown format, a schema that doesn't compile or needs a promise.
 */
export function createAssembler<const T extends Tools = Tools>(options: AssemblerOptions<T> = {}): Assembler<T> {
  return toAssembler<T>(new Assembly(options, everything, false))
}

/**
 * Reads the whole body of a non-streaming response: the object, or its JSON text. The result is that of the same turn as a
 * stream. Never throws on what the body holds; what it can't read is in `errors`, and so is a body without an answer in it, as
 * `no-choices`, `no-message`, `no-candidates`, `no-content` or `no-output`.
 */
export function readResponse<const T extends Tools = Tools>(
  body: object | string,
  options: AssemblerOptions<T> = {},
): AssemblerResult<ArgumentsByToolName<T>> {
  if (typeof body !== 'string' && (typeof body !== 'object' || body === null || isBytes(body))) {
    const got = isEvent(body) ? 'bytes: decode them first' : String(body)
    throw new TypeError(`readResponse() takes a response's body, parsed or as its text, got ${got}`)
  }
  const wholeBody = typeof body === 'string' ? isObjectText(body) : !Array.isArray(body)
  const assembler = toAssembler<T>(new Assembly(options, { ...everything, wholeBody }, false))
  const events: readonly unknown[] = Array.isArray(body) ? body : [body]
  if (typeof body === 'string') assembler.feed(body)
  // A list of anything but events is no answer of any API. As text it is told from one, and kept as evidence.
  else if (!events.every(isEvent)) assembler.feed(tryJsonText(body) ?? '')
  else for (const event of events) assembler.feedEvent(event)
  assembler.end()
  if (!assembler.result) throw new TypeError('A hook ended the reading before its result')
  return assembler.result
}

function isEvent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** For adapters that own a source and can wait. `contentType` is the response's own word on its framing, where it has one. */
export function createPullAssembler<T extends Tools = Tools>(
  options: AssemblerOptions<T>,
  contentType?: string,
): PullAssembler<ArgumentsByToolName<T>> {
  const assembly = new Assembly(options, everything, true, contentType)
  /** Events of a turn that waits for a schema. Handed out with the rest, also if a hook's error comes in between. */
  let kept: readonly AssemblerEvent[] = []
  const withKept = (events: readonly AssemblerEvent[]): readonly AssemblerEvent[] => {
    if (kept.length === 0) return events
    const all = [...kept, ...events]
    kept = []
    return all
  }
  const drain = (): readonly AssemblerEvent[] => withKept(assembly.drain())
  const whole = (take: () => readonly AssemblerEvent[]): Emitted => {
    const events = withKept(take())
    const { waiting } = assembly
    if (!waiting || assembly.result) return events
    kept = events
    return waiting.then(drain)
  }
  const view: PullAssembler = {
    feed: (chunk) => whole(() => assembly.feed(chunk)),
    feedEvent: (event) => whole(() => assembly.feedEvent(event)),
    end: () => whole(() => assembly.end()),
    abort: (reason) => whole(() => assembly.break('aborted', abortError(reason))),
    fail: (cause) => whole(() => assembly.break('connection', connectionError(cause))),
    drain,
    get result() {
      return assembly.result
    },
    partialArguments: (id) => assembly.partialArguments(id),
  }
  // As in `toAssembler`: the tools' own schemas vouch for the types, which no checker can relate to the untyped view.
  return view as unknown as PullAssembler<ArgumentsByToolName<T>>
}

function connectionError(cause: unknown): StreamError {
  const said = cause instanceof Error ? cause.message : String(cause)
  return { code: 'connection', message: `The connection broke off: ${said}`, raw: cause }
}
