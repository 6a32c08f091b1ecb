// The events of a run as a file, one JSON object a line, written and read by the `ndjson` package. It is good at this: rows
// that we wrote ourselves, read in large pieces. The wire's own NDJSON goes another way, since the package splits a long
// line again for every chunk of it, ends at a `null`, and needs Node's streams.

import { Duplex, Transform, pipeline } from 'node:stream'
import ndjson from 'ndjson'

/**
 * Events in, text out, one line an event: `pipeline(Readable.from(stream), writeEventLog(), createWriteStream('run.ndjson'))`.
 * JSON has no big integers, so one in `arguments` (option `integers: 'bigint'`) is written as a string of its digits;
 * `argumentsText` has it as it was.
 */
export function writeEventLog(): Duplex {
  const events = new Transform({
    objectMode: true,
    transform: (event: unknown, _encoding, done) => done(null, withoutBigints(event)),
  })
  const lines = ndjson.stringify()
  // An error of either destroys both, and with them the pair, which tells it.
  pipeline(events, lines, () => undefined)
  return Duplex.from({ writable: events, readable: lines })
}

/**
 * Text of an event log in, events out: `for await (const event of createReadStream('run.ndjson').pipe(readEventLog()))`. A line that
 * is no JSON is an `error`.
 */
export function readEventLog(): Duplex {
  return ndjson.parse()
}

function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (Array.isArray(value)) return value.map(withoutBigints)
  // `fromEntries` defines properties, so that a `__proto__` among the arguments stays one.
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withoutBigints(held)]))
}
