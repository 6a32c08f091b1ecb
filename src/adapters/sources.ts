// Whatever somebody streams from, as one thing to read chunks from and to cancel.

/** Bytes (any view or buffer), text, or one already parsed wire event. */
export type SourceChunk = string | object

/** What `assemble` reads from. */
export type AssemblySource =
  /** A whole body, or all there is of one. */
  | string
  | ArrayBuffer
  | ArrayBufferView
  /** A web stream, read by its reader: not every runtime can iterate one. */
  | WebStream
  /** A Node stream, an SDK's iterator of chunk objects, a generator. */
  | AsyncIterable<SourceChunk>
  | Iterable<SourceChunk | PromiseLike<SourceChunk>>
  /** A `Response`, of `fetch` or of a library like it. */
  | ResponseLike
  /** The answer of an SDK that keeps its stream beside other things (Bedrock's `ConverseStream`, Vertex). */
  | { readonly stream: WebStream | AsyncIterable<SourceChunk> }
  /** A Blob or File. */
  | { stream(): WebStream }

/** The part of a web `ReadableStream` that is used. */
export interface WebStream {
  readonly locked: boolean
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
    cancel(reason?: unknown): Promise<void>
    releaseLock(): void
  }
}

/** The part of a `Response` that is used. */
export interface ResponseLike {
  readonly body: WebStream | AsyncIterable<SourceChunk> | null
  readonly bodyUsed?: boolean
  readonly status?: number
  readonly url?: string
  readonly headers?: object
}

/** What is known of the HTTP response that a source is the body of. */
export interface ResponseHead {
  readonly status: number
  /** Without its query, which may hold a key; `''` where it isn't known. */
  readonly url: string
  header(name: string): string | null
}

/** One source, opened. Its user keeps to this: one read at a time, none after the end, and `cancel` once, before the end. */
export interface SourceReader {
  /** Set where the source is an HTTP response. */
  readonly head: ResponseHead | undefined
  /** The next chunk. Throws or rejects where the source does. */
  read(): Promise<ReadResult>
  /**
   * Nothing more is wanted. `reading`: a read is under way, which should end now. What the source says to all this interests
   * nobody any more, so it is not heard.
   */
  cancel(reason: unknown, reading: boolean): void
}

/** Both a stream reader's and an iterator's answer. What `value` holds is for the reader's user to find out. */
export interface ReadResult {
  readonly done?: boolean | undefined
  readonly value?: unknown
}

/** Opens a source without reading from it. What is no source is a `TypeError` that says what to pass. */
export function openSource(source: unknown): SourceReader {
  if (typeof source === 'string') return { ...iteratorReader([source]), head: undefined }
  if (!isNonNull(source)) throw notASource(source)
  const opened = openContent(source)
  if (opened) return { ...opened, head: headOf(source) }
  if ('body' in source) return { ...openBody(source), head: headOf(source) }
  if ('stream' in source) return { ...openHeld(source, source['stream']), head: undefined }
  throw notASource(source)
}

/** A view or buffer of any kind, of any realm, as the bytes it shows; `undefined` for anything else. */
export function toBytes(value: object): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  const tag = Object.prototype.toString.call(value)
  // Told by its tag, since a buffer of another realm is no instance of this one's class.
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
    ? new Uint8Array(value as ArrayBuffer)
    : undefined
}

type Opened = Omit<SourceReader, 'head'>
type Unknowns = Record<PropertyKey, unknown>

function openContent(source: Unknowns): Opened | undefined {
  const bytes = toBytes(source)
  if (bytes) return iteratorReader([bytes])
  if (isWebStream(source)) return webReader(source)
  // The methods are seen here; what they return is checked by use.
  if (typeof source[Symbol.asyncIterator] === 'function') {
    return asyncIteratorReader(source as Unknowns & AsyncIterable<unknown>)
  }
  if (typeof source[Symbol.iterator] === 'function') return iteratorReader(source as unknown as Iterable<unknown>)
  return undefined
}

function openBody(source: Unknowns): Opened {
  if (source['bodyUsed'] === true) {
    throw new TypeError(
      'The body of this response has been read already: pass the response before anything else reads it',
    )
  }
  const body = source['body'] ?? []
  const opened = typeof body === 'string' ? iteratorReader([body]) : isNonNull(body) ? openContent(body) : undefined
  if (!opened) throw notASource(body, "the source's `body`")
  return opened
}

function openHeld(source: Unknowns, held: unknown): Opened {
  const stream: unknown = typeof held === 'function' ? held.call(source) : held
  const opened = isNonNull(stream) ? openContent(stream) : undefined
  if (!opened) throw notASource(stream, "the source's `stream`")
  return opened
}

function isNonNull(value: unknown): value is Unknowns {
  return typeof value === 'object' && value !== null
}

function isWebStream(source: Unknowns): source is Unknowns & WebStream {
  return typeof source['getReader'] === 'function'
}

function webReader(stream: WebStream): Opened {
  if (stream.locked) {
    throw new TypeError(
      'This stream is locked: another reader holds it. Pass it before anything else reads it, or tee() it',
    )
  }
  const reader = stream.getReader()
  return {
    read: () => reader.read(),
    cancel: (reason) => quietly(() => reader.cancel(reason)),
  }
}

function asyncIteratorReader(source: Unknowns & AsyncIterable<unknown>): Opened {
  let iterator: AsyncIterator<unknown> | undefined
  return {
    read() {
      iterator ??= source[Symbol.asyncIterator]()
      return iterator.next()
    },
    cancel(reason, reading) {
      quietly(() => {
        // A generator that waits can't be told to return before its wait is over: its source has to be stopped from outside.
        const stopped = (reading || !iterator) && stopFromOutside(source, reason)
        return stopped ? undefined : iterator?.return?.(reason)
      })
    },
  }
}

/** The ways to stop a source that isn't listening to its iterator: a Node stream's, an SDK stream's own, its controller's. */
function stopFromOutside(source: Unknowns, reason: unknown): boolean {
  const controller = source['controller']
  if (typeof source['destroy'] === 'function') source['destroy']()
  else if (typeof source['abort'] === 'function') source['abort'](reason)
  else if (isNonNull(controller) && typeof controller['abort'] === 'function') controller['abort'](reason)
  else return false
  return true
}

function iteratorReader(source: Iterable<unknown>): Opened {
  let iterator: Iterator<unknown> | undefined
  return {
    async read() {
      iterator ??= source[Symbol.iterator]()
      const { done, value } = iterator.next()
      return { done, value: done === true ? undefined : await value }
    },
    cancel: () => quietly(() => iterator?.return?.()),
  }
}

/** Runs a source's own clean-up: what it throws or rejects with concerns nobody who has left it. */
function quietly(cleanUp: () => unknown): void {
  try {
    Promise.resolve(cleanUp()).catch(unheard)
  } catch {
    unheard()
  }
}

function unheard(): void {}

function headOf(source: Unknowns): ResponseHead | undefined {
  // `statusCode` is what Node's own client and undici's `request` call it.
  const status = source['status'] ?? source['statusCode']
  if (typeof status !== 'number') return undefined
  const url = typeof source['url'] === 'string' ? source['url'].replace(/[?#].*$/s, '') : ''
  const headers = source['headers']
  return { status, url, header: (name) => readHeader(headers, name) }
}

function readHeader(headers: unknown, name: string): string | null {
  if (!isNonNull(headers)) return null
  const value: unknown = typeof headers['get'] === 'function' ? headers['get'](name) : headers[name]
  return typeof value === 'string' ? value : null
}

function notASource(value: unknown, what = 'a source'): TypeError {
  const accepted =
    'Pass a Response, a web or Node stream, a string, bytes, or an iterable (async or not) of bytes, text or parsed wire events'
  return new TypeError(`${describe(value)} is not ${what} to assemble from. ${accepted}${adviceFor(value)}.`)
}

function describe(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  const maker: unknown = value.constructor
  return typeof maker === 'function' && maker.name !== '' ? `An object of type ${maker.name}` : 'An object'
}

function adviceFor(value: unknown): string {
  if (!isNonNull(value)) return typeof value === 'function' ? '; call the function and pass what it returns' : ''
  if (typeof value['then'] === 'function') return '; await the promise first'
  if (typeof value['addEventListener'] === 'function' || typeof value['on'] === 'function') {
    return '; for something that emits events, feed createAssembler() from its listener'
  }
  if (isNonNull(value['data'])) return '; of an axios response, pass `response.data`'
  return '; for one parsed event, pass an array of it; for a whole parsed body, use readResponse()'
}
