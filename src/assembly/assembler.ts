// The assembler: puts the stages of one stream together and lets the caller feed them.

import type { AssemblerEvent, AssemblerResult, StreamError } from '../model/events.ts'
import type { BookedDelta } from '../model/booked.ts'
import type { WireDelta } from '../model/deltas.ts'
import type { WireFormat, WireMessage } from '../model/formats.ts'
import type { Frame, RawFrame } from '../model/frames.ts'
import type { FramingContext } from '../framing/context.ts'
import type { AssemblerOptions } from '../model/options.ts'
import type { Stage, Step } from '../model/stage.ts'
import type { ToolTable } from '../model/compiled.ts'
import type { ArgumentsByToolName, Tools } from '../model/tools.ts'
import { json } from '../framing/json.ts'
import { ndjson } from '../framing/ndjson.ts'
import { sniff, type TextFraming } from '../framing/sniff.ts'
import { sse } from '../framing/sse.ts'
import { tryJsonText } from '../arguments/json.ts'
import { resolvePolicy } from '../schema/policy.ts'
import { compileTools } from '../schema/tools.ts'
import { auto } from '../formats/auto.ts'
import { envelope } from '../formats/envelope.ts'
import { spoilt } from '../formats/spoilt.ts'
import { fastPath, type HolesOf } from './fast-path.ts'
import { Hooks } from './hooks.ts'
import { Ledger } from './ledger.ts'
import { resolveLimits } from './limits.ts'
import { refuseAsynchronous } from './synchronous.ts'
import type { BreakNotice } from './turn.ts'
import { Verdict } from './verdict.ts'

/** What goes into an assembler besides its options. A door chooses, so that a bundle holds only what it needs. */
export interface AssemblyParts {
  /** The formats that a name or `auto` can mean, in the order that `auto` asks them. */
  readonly formats: readonly WireFormat[]
  /** Reads binary event streams. */
  readonly binary?: (context: FramingContext) => Stage<Uint8Array, Frame>
  /** The input is one whole body and no stream of events. */
  readonly wholeBody?: boolean
  /** Reads calls out of text. */
  readonly textCalls?: (
    formats: true | readonly string[],
    tools: ToolTable | undefined,
  ) => Stage<WireDelta, BookedDelta>
}

/** Assembles one response, synchronously: no promises, no timers, no I/O. */
export interface Assembler<T extends Tools = Tools> {
  /** Takes the next bytes or text, cut anywhere. The memory may be reused after the call. */
  feed(chunk: Uint8Array | string): AssemblerEvent<ArgumentsByToolName<T>>[]
  /** Takes one event of the wire that is already parsed, such as an SDK's chunk object, or a whole body. */
  feedEvent(event: object): AssemblerEvent<ArgumentsByToolName<T>>[]
  /** No more will come. The last event is `finish`, unless the stream's own marker brought it before. */
  end(): AssemblerEvent<ArgumentsByToolName<T>>[]
  /** The caller gave up: nothing open becomes ok. */
  abort(reason?: unknown): AssemblerEvent<ArgumentsByToolName<T>>[]
  /** The whole turn, from the last event on; before that, `undefined`. */
  readonly result: AssemblerResult<ArgumentsByToolName<T>> | undefined
  /** With `partialArguments`: the live value of a call's arguments. For display only: it is never what the tool gets. */
  partialArguments(id: string): unknown
}

/** The stages of one stream. */
interface Corridor {
  readonly verdict: Verdict
  readonly ledger: Ledger
  /** What stands behind the reader. */
  readonly deltas: Step<WireDelta>
  readonly bytes: Step<Uint8Array | string>
}

export class Assembly {
  readonly #hooks = new Hooks()
  readonly #context: FramingContext
  /** The reader's place in the corridor. Called once, with whatever stands behind it. */
  readonly #reader: Stage<WireMessage, WireDelta>
  readonly #onFrame: ((frame: RawFrame) => void) | undefined
  readonly #build: () => Corridor
  /** Built by the first thing that comes: a server may hold thousands of responses that have not begun. */
  #built: Corridor | undefined
  /** Where parsed events enter. Made by the first one. */
  #messages: Step<WireMessage> | undefined
  /** The stream's format: the option, or what `auto` chose. */
  #format: WireFormat | undefined
  /** Events since they were last handed out. */
  #events: AssemblerEvent[] = []
  /** How the stream is fed. Set by the first feed: bytes and parsed events don't mix, since nobody knows their order. */
  #source: 'bytes' | 'events' | undefined
  /** Set by `end` and `break`. */
  #over = false

  /** Everything that can be wrong with the options is found here. */
  constructor(options: AssemblerOptions, parts: AssemblyParts, mayWait: boolean, contentType?: string) {
    requireFunctions(options)
    const limits = resolveLimits(options.limits)
    const tools = compileTools(options.tools, { policy: options, maxDepth: limits.maxDepth })
    if (!mayWait) refuseAsynchronous(tools, "createAssembler() can't wait: use assemble() instead")
    const policy = resolvePolicy([options], limits.maxDepth, 'options')
    const readText = withTextCalls(options.textCalls ?? false, parts, tools)
    const { onAudit, partialArguments = false, fastPath: useFastPath = true } = options
    this.#context = { maxEventBytes: limits.maxEventBytes, frames: { count: 0 }, bytes: { invalid: false } }
    this.#onFrame = this.#guarded(options.onFrame)
    const reader = this.#readerOf(options.format ?? 'auto', parts)
    this.#reader = parts.wholeBody === true ? asBody(reader) : reader
    const formatName = (): string => (this.#context.frames.count > 0 ? (this.#format?.name ?? 'unknown') : 'unknown')
    this.#build = () => {
      const verdict = new Verdict(
        { tools, policy, hooks: this.#hooks, mayWait, onAudit, formatName },
        { push: (event) => void this.#events.push(event), end: () => undefined },
      )
      const ledger = new Ledger({ tools, limits, partialArguments }, verdict)
      const deltas = readText(ledger)
      return { verdict, ledger, deltas, bytes: this.#framing(deltas, useFastPath, parts, contentType) }
    }
  }

  get result(): AssemblerResult | undefined {
    return this.#built?.verdict.result
  }

  /** Set while an asynchronous schema is waited for: the rest of the events can be drained once it resolves. */
  get waiting(): Promise<void> | undefined {
    return this.#built?.verdict.waiting
  }

  feed(chunk: Uint8Array | string): AssemblerEvent[] {
    if (typeof chunk !== 'string' && !isBytes(chunk)) {
      throw new TypeError(
        'feed() takes a Uint8Array or a string; give parsed events to feedEvent(), and wrap an ArrayBuffer in a Uint8Array',
      )
    }
    this.#enter('bytes')
    this.#corridor.bytes.push(chunk)
    return this.drain()
  }

  feedEvent(event: object): AssemblerEvent[] {
    if (typeof event !== 'object' || event === null || isBytes(event)) {
      throw new TypeError('feedEvent() takes one parsed event, which is an object; give bytes and text to feed()')
    }
    this.#enter('events')
    const frame = ++this.#context.frames.count
    this.#onFrame?.({ number: frame, data: tryJsonText(event) ?? '' })
    this.#messages ??= this.#reader(this.#corridor.deltas)
    this.#messages.push({ kind: 'message', frame, value: event })
    return this.drain()
  }

  end(): AssemblerEvent[] {
    this.#refuseHooks()
    if (!this.#over) {
      this.#over = true
      if (this.#messages) this.#messages.end()
      else this.#corridor.bytes.end()
    }
    return this.drain()
  }

  /** Breaks the stream off and judges what there is. */
  break(broken: BreakNotice['broken'], error: StreamError): AssemblerEvent[] {
    this.#refuseHooks()
    const notice: BreakNotice = { type: 'break', broken, error }
    if (!this.#built?.verdict.breakOff(notice) && !this.#over) this.#corridor.ledger.push(notice)
    return this.end()
  }

  /** Hands out the events so far. What a hook threw comes out first; the events then wait for the next call. */
  drain(): AssemblerEvent[] {
    this.#hooks.rethrow()
    const events = this.#events
    this.#events = []
    return events
  }

  partialArguments(id: string): unknown {
    return this.#built?.ledger.partialOf(id)
  }

  get #corridor(): Corridor {
    return (this.#built ??= this.#build())
  }

  #enter(source: 'bytes' | 'events'): void {
    this.#refuseHooks()
    if (this.#over) throw new TypeError('The assembler was fed after its end: create a new one for the next response')
    this.#source ??= source
    if (this.#source !== source) {
      throw new TypeError('Bytes and parsed events of one response were mixed: use either feed() or feedEvent()')
    }
  }

  #refuseHooks(): void {
    if (!this.#hooks.active) return
    throw new TypeError('The assembler was fed, or ended, from one of its own hooks: do it after feed() has returned')
  }

  #readerOf(
    format: NonNullable<AssemblerOptions['format']>,
    { formats }: AssemblyParts,
  ): Stage<WireMessage, WireDelta> {
    if (format === 'auto') return auto(formats, (chosen) => (this.#format = chosen))
    const known = typeof format === 'string' ? formats.find(({ name }) => name === format) : format
    if (typeof known?.reader !== 'function') {
      const names = formats.map(({ name }) => name).join(', ')
      throw new TypeError(`Unknown format ${JSON.stringify(format)}: use auto, ${names || 'no name'} or a WireFormat`)
    }
    this.#format = known
    return spoilt(known.reader)
  }

  /** From bytes to deltas. Nothing is built before the first bytes tell the framing. */
  #framing(
    deltas: Step<WireDelta>,
    useFastPath: boolean,
    parts: AssemblyParts,
    contentType: string | undefined,
  ): Step<Uint8Array | string> {
    const context = this.#context
    const { binary } = parts
    const log = this.#onFrame
    const framesTo = (next: Step<WireDelta>): Step<Frame> => {
      const frames = envelope(this.#reader(next))
      return log ? logged(log, frames) : frames
    }
    const frames = later(() => framesTo(deltas))
    const events: Stage<string, WireDelta> = (next) => sse(context)(framesTo(next))
    // The log wants every frame, so nothing may pass it by.
    const fast = useFastPath && !log
    const text = (framing: TextFraming): Step<string> => {
      switch (framing) {
        case 'sse':
          return (fast ? fastPath(context, this.#holesOf(), events) : events)(deltas)
        case 'ndjson':
          return ndjson(context)(frames)
        case 'json':
          return json(context)(frames)
        default:
          return framing satisfies never
      }
    }
    return sniff(context, { frames, text, ...(binary && { binary: () => binary(context)(frames) }) }, contentType)
  }

  /** Made here, because the fast path keeps it: a closure keeps everything that is captured where it is made. */
  #holesOf(): HolesOf {
    return () => this.#format?.holes
  }

  #guarded(log: AssemblerOptions['onFrame']): ((frame: RawFrame) => void) | undefined {
    if (!log) return undefined
    return (frame) =>
      this.#hooks.run(
        () => log(frame),
        () => undefined,
      )
  }
}

/** By its tag where it comes from another realm, such as a test environment's: there it is no instance of this one's class. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || Object.prototype.toString.call(value) === '[object Uint8Array]'
}

/** Callers without types can pass anything at all: better told now than in the middle of a stream. */
function requireFunctions(options: AssemblerOptions): void {
  for (const name of ['onFrame', 'onAudit'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'function') {
      throw new TypeError(`options: ${name} must be a function, got ${typeof options[name]}`)
    }
  }
}

/** Tells the reader that it gets the whole answer at once. */
function asBody(reader: Stage<WireMessage, WireDelta>): Stage<WireMessage, WireDelta> {
  return (next) => {
    const step = reader(next)
    return {
      push: (message) => step.push(message.kind === 'message' ? { ...message, body: true } : message),
      end: () => step.end(),
    }
  }
}

function withTextCalls(
  wanted: boolean | readonly string[],
  { textCalls }: AssemblyParts,
  tools: ToolTable | undefined,
): Stage<WireDelta, BookedDelta> {
  if (wanted === false) return (next) => next
  if (wanted !== true && !Array.isArray(wanted)) {
    throw new TypeError(`options: textCalls must be true, false or a list of text formats, got ${String(wanted)}`)
  }
  if (!textCalls) throw new TypeError('textCalls is not part of /core: import createAssembler from the main entry')
  return textCalls(wanted, tools)
}

/** Shows every frame before anything else looks at it. */
function logged(log: (frame: RawFrame) => void, next: Step<Frame>): Step<Frame> {
  return {
    push(frame) {
      const { number, data } = frame
      log(frame.kind === 'event' && frame.event !== undefined ? { number, event: frame.event, data } : { number, data })
      next.push(frame)
    },
    end: () => next.end(),
  }
}

/** A step that is made when the first item or the end comes. */
function later<In>(make: () => Step<In>): Step<In> {
  let made: Step<In> | undefined
  return {
    push(item) {
      made ??= make()
      made.push(item)
    },
    end() {
      made ??= make()
      made.end()
    },
  }
}
