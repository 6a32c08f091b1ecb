/** One string inside the arguments, shown while it is being written. */
import { assemble, type AssemblySource } from 'tool-call-assembler'

export async function preview(source: AssemblySource, show: (piece: string) => void): Promise<boolean> {
  const stream = assemble(source, { partialArguments: true })
  for await (const piece of stream.fieldStream({ name: 'write_file' }, '/content')) show(piece)
  const { calls } = await stream.result()
  return calls.find(({ name }) => name === 'write_file')?.ok === true // what was shown is no verdict: this is
}
