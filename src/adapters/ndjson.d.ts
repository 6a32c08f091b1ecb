/**
 * The part of `ndjson` that the event log uses. Its published types are wrong: they call both streams a `ThroughStream`, which is
 * an old kind of stream without `destroy` and `pipeline`, where the package makes Transforms.
 */
declare module 'ndjson' {
  import type { Transform } from 'node:stream'

  const ndjson: {
    /** Objects in, lines out. */
    stringify(): Transform
    /** Lines in, objects out. A line that is no JSON is an `error` event, unless `strict` is false: then it is dropped. */
    parse(options?: { strict?: boolean }): Transform
  }
  export default ndjson
}
