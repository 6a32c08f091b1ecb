// The checksum of AWS event stream messages: CRC-32 as in IEEE 802.3, RFC 1952 and zip.

let table: Uint32Array | undefined

export function crc32(bytes: Uint8Array): number {
  const steps = (table ??= makeTable())
  let crc = ~0
  for (let i = 0; i < bytes.length; i++) crc = (steps[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    return crc
  })
}
