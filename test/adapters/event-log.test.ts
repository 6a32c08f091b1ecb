import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { assemble } from '../../src/adapters/assemble.ts'
import { readEventLog, writeEventLog } from '../../src/adapters/event-log.ts'
import { callEvents, collect, sse, weather } from './wire.ts'

const folder = mkdtempSync(join(tmpdir(), 'event-log-'))
const file = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

describe('the event log', () => {
  it('gives back what was written, through a file', async () => {
    const events = await collect(assemble(sse(weather), { partialArguments: true }))
    await pipeline(Readable.from(events), writeEventLog(), createWriteStream(file('run.ndjson')))
    const lines = readFileSync(file('run.ndjson'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(events.length)
    expect(await collect(createReadStream(file('run.ndjson')).pipe(readEventLog()))).toEqual(events)
  })

  it('writes straight from a stream of events', async () => {
    await pipeline(Readable.from(assemble(sse(weather))), writeEventLog(), createWriteStream(file('direct.ndjson')))
    expect((await collect<unknown>(createReadStream(file('direct.ndjson')).pipe(readEventLog()))).at(-1)).toMatchObject(
      {
        type: 'finish',
      },
    )
  })

  it('writes big integers as their digits, and keys of any name', async () => {
    const source = sse(callEvents('count', ['{"n":12345678901234567890}']))
    const stream = assemble(source, { integers: 'bigint', tools: { count: {} } })
    const log = Readable.from(stream).pipe(writeEventLog())
    const rows = await collect<unknown>(log.pipe(readEventLog()))
    expect(rows.at(-2)).toMatchObject({
      call: { arguments: { n: '12345678901234567890' }, argumentsText: '{"n":12345678901234567890}' },
    })
    const odd = JSON.parse('{"type":"x","__proto__":{"a":1}}') as object
    expect(await collect<unknown>(Readable.from([odd]).pipe(writeEventLog()).pipe(readEventLog()))).toEqual([odd])
  })

  it('says that a line is no JSON', async () => {
    await expect(collect(Readable.from(['{"type":"x"}\n', 'mess\n']).pipe(readEventLog()))).rejects.toThrow(/mess/)
  })
})
