// The process of one reader: runs it whenever it is told to, and says what came out and how long it took.

import { cpuTime, type Timed } from './ratio.ts'
import type { Readers } from './remote.ts'
import { chunksOfWire, type Wire } from './workload.ts'

// The argument is what `remote.ts` passes.
const { reader, wire }: { readonly reader: readonly [string, string]; readonly wire: Wire } = JSON.parse(
  process.argv[2] ?? '',
)
const [file, name] = reader
const { readers }: { readonly readers: Readers } = await import(`./readers/${file}.js`)
const read = readers[name]
if (!read) throw new Error(`${file} has no reader ${name}`)
const chunks = chunksOfWire(wire)

process.on('message', () => {
  void run(read)
})

async function run(reading: NonNullable<typeof read>): Promise<void> {
  const start = cpuTime()
  const value = await reading(chunks)
  const timed: Timed = { value, ms: cpuTime() - start }
  process.send?.(timed)
}
