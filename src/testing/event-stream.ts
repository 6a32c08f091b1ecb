// One message of an AWS event stream. Source: https://smithy.io/2.0/aws/amazon-eventstream.html

import { crc32 } from '../framing/crc32.ts'

const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder()

/** The type of a header's value that is a string. */
const stringType = 7

/**
 * A message: lengths, their checksum, headers, payload, and the checksum of it all, numbers big-endian.
 * `headers` as `encodeHeaders` makes them.
 */
export function encodeMessage(headers: Uint8Array, payload: string): Uint8Array {
  const body = encoder.encode(payload)
  const message = new Uint8Array(12 + headers.length + body.length + 4)
  const view = new DataView(message.buffer)
  view.setUint32(0, message.length)
  view.setUint32(4, headers.length)
  view.setUint32(8, crc32(message.subarray(0, 8)))
  message.set(headers, 12)
  message.set(body, 12 + headers.length)
  view.setUint32(message.length - 4, crc32(message.subarray(0, -4)))
  return message
}

/** Headers whose values are strings: each a name under its length, the type, and the value under its length. */
export function encodeHeaders(headers: { readonly [name: string]: string }): Uint8Array {
  const bytes: number[] = []
  for (const [name, value] of Object.entries(headers)) {
    const nameBytes = encoder.encode(name)
    const valueBytes = encoder.encode(value)
    bytes.push(
      nameBytes.length,
      ...nameBytes,
      stringType,
      valueBytes.length >> 8,
      valueBytes.length & 0xff,
      ...valueBytes,
    )
  }
  return Uint8Array.from(bytes)
}
