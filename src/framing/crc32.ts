// The checksum of AWS event stream messages: CRC-32 as in IEEE 802.3, RFC 1952 and zip.

let table: Uint32Array | undefined

/** The CRC-32 of `bytes`, or of what `before` is the checksum of followed by `bytes`. */
export function crc32(bytes: Uint8Array, before: number = 0): number {
  const steps = (table ??= makeTable())
  let crc = ~before
  for (const byte of bytes) crc = (steps[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    return crc
  })
}
