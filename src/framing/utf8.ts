// Bytes to text. Gives what `TextDecoder` with `stream: true` gives, at any cut, without a decoder that hides state, and marks
// where it had to guess.

import type { FramingContext } from './context.ts'
import type { Stage, Step } from '../model/stage.ts'

/**
 * Chunks are decoded in pieces of this size. In V8, strings of more than 128 KB leave the young generation, and one character beyond
 * Latin-1 makes the whole string two bytes a character, slower to decode and to compare: the smaller the piece, the more of a
 * stream stays one-byte. Below this size, what every further piece costs is more than that saves.
 */
const pieceLength = 8 * 1024

const byteOrderMark = '\uFEFF'

/**
 * What an invalid byte becomes between here and the frames, where U+FFFD takes its place: half of a surrogate pair, which no bytes
 * decode to. U+FFFD itself would not do, since that is a character which a stream may hold by right.
 */
const mark = '\uDFFF'
const replacement = '\uFFFD'
/** With the flag `u` a half alone is one: the same unit inside a pair is not matched. */
const marks = /\p{Surrogate}/gu

/** Neither is ever used with `stream: true`, which keeps state and, in V8, makes two-byte strings of ASCII. */
const strict: TextDecoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const lenient: TextDecoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true })

const nothing: readonly number[] = []

/**
 * Decodes UTF-8. An invalid byte is marked, as `decode` says. Text passes through: a surrogate pair cut between two text chunks needs
 * no care, since whoever joins the chunks joins the pair. Long chunks come out in pieces, and no piece is empty. Nothing keeps the
 * caller's memory.
 */
export function utf8(context: FramingContext): Stage<Uint8Array | string, string> {
  return (next) => new Utf8(context, next)
}

class Utf8 implements Step<Uint8Array | string> {
  readonly #context: FramingContext
  readonly #next: Step<string>
  /** The at most three bytes of a code point that is not complete. Set at a chunk's end, cleared by the next chunk or the end. */
  #held: readonly number[] = nothing
  /** Whether the first character is still to come: there, and only there, a byte order mark is dropped. */
  #atStart = true

  constructor(context: FramingContext, next: Step<string>) {
    this.#context = context
    this.#next = next
  }

  push(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') this.#pushText(chunk)
    else this.#pushBytes(chunk)
  }

  end(): void {
    this.#release()
    this.#next.end()
  }

  #pushText(text: string): void {
    if (text === '') return
    this.#release()
    for (let at = 0; at < text.length; at += pieceLength) this.#emit(text.slice(at, at + pieceLength))
  }

  #pushBytes(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const bytes = this.#held.length === 0 ? chunk : joined(this.#held, chunk)
    const end = bytes.length - unfinished(bytes, bytes.length)
    this.#held = end === bytes.length ? nothing : Array.from(bytes.subarray(end))
    for (let at = 0; at < end;) {
      let stop = Math.min(at + pieceLength, end)
      if (stop < end) stop -= unfinished(bytes, stop)
      this.#emit(decode(at === 0 && stop === bytes.length ? bytes : bytes.subarray(at, stop), this.#context))
      at = stop
    }
  }

  /** Bytes held back before text, or at the end, can't become a code point any more. */
  #release(): void {
    if (this.#held.length === 0) return
    const held = Uint8Array.from(this.#held)
    this.#held = nothing
    this.#emit(decode(held, this.#context))
  }

  #emit(text: string): void {
    let piece = text
    if (this.#atStart && piece !== '') {
      this.#atStart = false
      if (piece.startsWith(byteOrderMark)) piece = piece.slice(1)
    }
    if (piece !== '') this.#next.push(piece)
  }
}

/**
 * Decodes whole code points. Where the bytes are no UTF-8, a mark stands for every U+FFFD that the standard would put there, and the
 * context knows that it has to be looked for. Source: https://encoding.spec.whatwg.org/#utf-8-decoder
 */
export function decode(bytes: Uint8Array, context: FramingContext): string {
  try {
    return strict.decode(bytes)
  } catch {
    // Not UTF-8, which is the caller's to hear from the frame.
    context.bytes.invalid = true
    return marked(bytes)
  }
}

/** A text as the standard decodes it. */
export function withoutMarks(text: string): string {
  return text.replaceAll(marks, replacement)
}

/** Decoded around every U+FFFD that the bytes hold by right: its first byte always leads, so there is nothing that it could cut. */
function marked(bytes: Uint8Array): string {
  const parts: string[] = []
  let from = 0
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) continue
    parts.push(lenient.decode(bytes.subarray(from, at)))
    from = at + 3
  }
  parts.push(lenient.decode(bytes.subarray(from)))
  return parts.map((part) => part.replaceAll(replacement, mark)).join(replacement)
}

/**
 * How many of the last bytes before `end` begin a code point that lacks bytes: 0 to 3. What they begin may turn out invalid, which costs
 * nothing: a byte that leads is always read afresh, so text may be cut ahead of any. Source: https://encoding.spec.whatwg.org/#utf-8-decoder
 */
function unfinished(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] ?? 0
    if ((byte & 0xc0) !== 0x80) return back < sequenceLength(byte) ? back : 0
  }
  return 0
}

function sequenceLength(lead: number): number {
  if (lead < 0xc0) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

function joined(held: readonly number[], chunk: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(held.length + chunk.length)
  bytes.set(held)
  bytes.set(chunk, held.length)
  return bytes
}
