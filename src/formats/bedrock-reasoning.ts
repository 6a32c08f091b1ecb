// A block of reasoning of Bedrock's Converse API, put together as the API wants it back.
// Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningContentBlock.html

import { present, text, type Fields } from './fields.ts'
import type { KeptEnd } from './kept.ts'

/** A block so far. Its text is collected where the reasoning is. */
export interface HeldReasoning {
  signature: string
  /** Base64, piece by piece. */
  readonly redacted: string[]
  /** Set by redacted content that is neither base64 nor bytes. */
  unreadable: boolean
}

export function newReasoning(): HeldReasoning {
  return { signature: '', redacted: [], unreadable: false }
}

export function growReasoning(held: HeldReasoning, part: Fields): void {
  held.signature += text(part['signature']) ?? ''
  const { redactedContent } = part
  if (typeof redactedContent === 'string') held.redacted.push(redactedContent)
  // The SDKs decode what JSON carries as base64.
  else if (redactedContent instanceof Uint8Array) held.redacted.push(toBase64(redactedContent))
  else if (present(redactedContent)) held.unreadable = true
}

/**
 * The block at its end, redacted or with its text. Without a signature it can't go back: models that sign nothing refuse reasoning in
 * a request. `redactedContent` is base64 as in the API's JSON, whatever it was fed as.
 */
export function reasoningBlock({ signature, redacted, unreadable }: HeldReasoning): KeptEnd | null {
  if (redacted.length > 0 || unreadable) {
    const redactedContent = unreadable ? null : joinBase64(redacted)
    return redactedContent === null ? null : { value: { reasoningContent: { redactedContent } } }
  }
  if (signature === '') return null
  return {
    value: { reasoningContent: { reasoningText: { text: '', signature } } },
    textAt: ['reasoningContent', 'reasoningText', 'text'],
  }
}

/** Each piece may have padding of its own, so several are joined as bytes. `null` where one is no base64. */
function joinBase64(pieces: readonly string[]): string | null {
  const [only, ...more] = pieces
  if (only !== undefined && more.length === 0) return only
  try {
    return btoa(pieces.map((piece) => atob(piece)).join(''))
  } catch {
    return null
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
