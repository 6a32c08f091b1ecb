// Readers in processes of their own, run in turns. Some packages change the process that they are loaded into: one that uses
// `AsyncLocalStorage` makes every promise of the process dearer on Node 20, whoever makes it.

import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Case, Timed } from './ratio.ts'
import type { Wire } from './workload.ts'

/** The readers of one package, by name. What one returns says what it delivered. */
export type Readers = Readonly<Record<string, (chunks: readonly Uint8Array[]) => Promise<string>>>

export interface RemoteReader {
  /** The name of the row. */
  readonly name: string
  /** A file in `readers/`, and the name of one of its readers. */
  readonly reader: readonly [file: string, name: string]
  readonly once?: boolean
}

/** Runs the cases of the readers, each in its process, and ends the processes. */
export async function withRemote<T>(
  readers: readonly RemoteReader[],
  wire: Wire,
  use: (cases: readonly Case[]) => Promise<T>,
): Promise<T> {
  const children: ChildProcess[] = []
  try {
    const cases = readers.map(({ name, reader, once = false }): Case => {
      const child = fork(fileURLToPath(new URL('./remote-child.js', import.meta.url)), [
        JSON.stringify({ reader, wire }),
      ])
      children.push(child)
      return { name, once, run: () => ask(child) }
    })
    return await use(cases)
  } finally {
    for (const child of children) child.kill()
  }
}

/** One run, timed by the process that does it. */
function ask(child: ChildProcess): Promise<Timed> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a reader ended with ${code}`))
    child.once('exit', onExit)
    // The message is what `remote-child.ts` sends, and nothing else sends any.
    child.once('message', (timed) => {
      child.off('exit', onExit)
      resolve(timed as Timed)
    })
    child.send('run')
  })
}
