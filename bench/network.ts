// A network that costs nothing: responses whose chunks are there when they are asked for, for clients that bring their own `fetch`.

/** The chunks, one a read. */
export function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[next++]
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}

export type ContentType = 'text/event-stream' | 'application/x-ndjson'

export function responseOf(chunks: readonly Uint8Array[], contentType: ContentType = 'text/event-stream'): Response {
  return new Response(streamOf(chunks), { headers: { 'content-type': contentType } })
}

/** Answers every request with these chunks. */
export function fetchOf(chunks: readonly Uint8Array[], contentType?: ContentType): typeof fetch {
  return () => Promise.resolve(responseOf(chunks, contentType))
}
