// One message of an AWS event stream. Source: https://smithy.io/2.0/aws/amazon-eventstream.html

import { crc32 } from '../framing/crc32.ts'

const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder()

/** The type of a header's value that is a string. */
const stringType = 7

/** A message with string headers: lengths, their checksum, headers, payload, and the checksum of it all, big-endian. */
export function encodeMessage(headers: { readonly [name: string]: string }, payload: string | Uint8Array): Uint8Array {
  const head = encodeHeaders(headers)
  const body = typeof payload === 'string' ? encoder.encode(payload) : payload
  const message = new Uint8Array(12 + head.length + body.length + 4)
  const view = new DataView(message.buffer)
  view.setUint32(0, message.length)
  view.setUint32(4, head.length)
  view.setUint32(8, crc32(message.subarray(0, 8)))
  message.set(head, 12)
  message.set(body, 12 + head.length)
  view.setUint32(message.length - 4, crc32(message.subarray(0, -4)))
  return message
}

function encodeHeaders(headers: { readonly [name: string]: string }): Uint8Array {
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
