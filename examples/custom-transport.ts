/** Use 2: feed chunks from a transport of your own. */
import { spawn } from 'node:child_process'
import { assemble, createAssembler, type AssemblerEvent, type AssemblerResult } from 'tool-call-assembler'

/** Whatever pushes: feed each chunk, take the events that it made. No promises, no callbacks. */
export function readSocket(socket: WebSocket, show: (event: AssemblerEvent) => void): void {
  const assembler = createAssembler()
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const chunk = typeof data === 'string' ? data : new Uint8Array(data)
    for (const event of assembler.feed(chunk)) show(event)
  })
  socket.addEventListener('close', () => {
    for (const event of assembler.end()) show(event)
  })
}

/** Whatever can be iterated: a child process, a file, a worker's stream. */
export async function readChild(command: string, args: readonly string[]): Promise<AssemblerResult> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return assemble(child.stdout).result()
}
