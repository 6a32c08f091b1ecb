/** Use 3: measure throughput on long payloads. */
import { Bench } from 'tinybench'
import { createAssembler } from 'tool-call-assembler'
import { chunked, encodeStream } from 'tool-call-assembler/testing'

export async function measure(characters: number, iterations: number): Promise<Record<string, number>> {
  const call = { name: 'write_file', arguments: { path: 'notes.txt', content: 'lorem ipsum '.repeat(characters / 12) } }
  const body = Buffer.concat([...encodeStream('openai-chat', [call], { deltaSize: 16 })])
  const bench = new Bench({ iterations, time: 0, warmupIterations: 2, warmupTime: 0, throws: true })
  for (const size of [64, 1024, 16384]) {
    bench.add(`chunks of ${size} bytes, MiB/s`, () => {
      const assembler = createAssembler({ format: 'openai-chat' })
      for (const chunk of chunked(body, size)) assembler.feed(chunk)
      assembler.end()
      if (assembler.result?.calls[0]?.ok !== true) throw new Error('the call did not arrive')
    })
  }
  await bench.run()
  const rate = (ms: number): number => Math.round(body.length / 2 ** 20 / (ms / 1000))
  return Object.fromEntries(
    bench.tasks.map(({ name, result }) => [name, result.state === 'completed' ? rate(result.latency.p50) : 0]),
  )
}
