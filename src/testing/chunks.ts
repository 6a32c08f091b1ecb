// Cuts a body into chunks, for tests that must hold at any cut.

/**
 * The body in chunks of `size` bytes (text: UTF-16 units), the last one shorter. Chunks of bytes are views of the body;
 * where it comes in pieces itself, a chunk that spans pieces is a copy. An empty body has no chunk.
 */
export function chunked(body: string, size: number): Generator<string>
export function chunked(body: Uint8Array | Iterable<Uint8Array>, size: number): Generator<Uint8Array>
export function chunked(
  body: string | Uint8Array | Iterable<Uint8Array>,
  size: number,
): Generator<string> | Generator<Uint8Array> {
  if (!Number.isInteger(size) || size < 1)
    throw new TypeError(`The size of a chunk must be a whole number from 1, not ${size}.`)
  if (typeof body === 'string') return chunksOfText(body, size)
  return body instanceof Uint8Array ? chunksOfBytes(body, size) : chunksOfPieces(body, size)
}

function* chunksOfText(body: string, size: number): Generator<string> {
  for (let at = 0; at < body.length; at += size) yield body.slice(at, at + size)
}

function* chunksOfBytes(body: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}

function* chunksOfPieces(pieces: Iterable<Uint8Array>, size: number): Generator<Uint8Array> {
  let chunk = new Uint8Array(size)
  let filled = 0
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + size - filled)
      at += part.length
      if (part.length === size) {
        yield part
        continue
      }
      chunk.set(part, filled)
      filled += part.length
      if (filled < size) continue
      yield chunk
      chunk = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}

/**
 * Every way to cut the body in two, from before the first byte to behind the last (so one part can be empty), and then the body in
 * single bytes (text: UTF-16 units). Each is a list of chunks; chunks of bytes are views of the body.
 */
export function everyCut(body: string): Generator<string[]>
export function everyCut(body: Uint8Array): Generator<Uint8Array[]>
export function* everyCut(body: string | Uint8Array): Generator<(string | Uint8Array)[]> {
  const slice = (from: number, to: number): string | Uint8Array =>
    typeof body === 'string' ? body.slice(from, to) : body.subarray(from, to)
  for (let at = 0; at <= body.length; at++) yield [slice(0, at), slice(at, body.length)]
  yield Array.from({ length: body.length }, (_, at) => slice(at, at + 1))
}
