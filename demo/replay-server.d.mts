export interface ReplayRoute {
  readonly body: string | Uint8Array
  /** Default `text/event-stream`. */
  readonly contentType?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sizes of the chunks in bytes, in turn. */
  readonly chunking?: readonly number[]
  /** Milliseconds between chunks. */
  readonly delay?: number
  /**
   * What goes wrong after so many bytes of the body: the connection drops, the server says no more but holds the connection, or
   * it sends `event` after the last whole event and ends.
   */
  readonly cut?:
    | { readonly after: number; readonly how: 'drop' | 'stall' }
    | { readonly after: number; readonly how: 'error'; readonly event: string }
}

export interface ReplayServerOptions {
  /** Answers by path. */
  readonly routes?: Readonly<Record<string, ReplayRoute>>
  /** A folder: what is no route is answered with the file of that path. */
  readonly fixtures?: URL | string
  /** For routes that have none of their own. */
  readonly chunking?: readonly number[]
  readonly delay?: number
}

export interface Visit {
  readonly path: string
  /** `complete`: the answer was sent to its end. `cut`: the connection closed before. */
  readonly ended: Promise<'complete' | 'cut'>
}

export interface ReplayServer {
  /** Without a slash at its end. */
  readonly url: string
  /** One for each request, in order. */
  readonly visits: readonly Visit[]
  close(): Promise<void>
}

/** Listens on a free port of the loopback interface. */
export declare function startReplayServer(options?: ReplayServerOptions): Promise<ReplayServer>
