/** The assembler inside a pipe of web streams, a pipeline of Node streams, and a run as a file. */
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { AssemblerEvent, AssemblerResult } from 'tool-call-assembler'
import { createAssemblerTransform, readEventLog, writeEventLog } from 'tool-call-assembler/node'
import { AssemblerStream } from 'tool-call-assembler/web'

/** In a worker or a browser. */
export async function showWeb(body: ReadableStream<Uint8Array>, show: (event: AssemblerEvent) => void): Promise<void> {
  const events = body.pipeThrough(new AssemblerStream())
  await events.pipeTo(new WritableStream({ write: show }))
}

/** In Node: keeps the events, one JSON object a line. */
export async function logRun(source: NodeJS.ReadableStream, path: string): Promise<AssemblerResult> {
  const assembler = createAssemblerTransform()
  await pipeline(source, assembler, writeEventLog(), createWriteStream(path))
  return assembler.result
}

/** And goes through them again. */
export async function replayRun(path: string, show: (event: AssemblerEvent) => void): Promise<void> {
  for await (const event of createReadStream(path).pipe(readEventLog())) show(event)
}
