// The part of `ndjson` that is measured against: its published types leave out that its parser is a Transform.

declare module 'ndjson' {
  import type { Transform } from 'node:stream'

  const ndjson: { parse(): Transform }
  export default ndjson
}
