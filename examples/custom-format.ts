/** A wire of your own, as a value: it reads messages into deltas, and knows nothing else. */
import type { WireDelta, WireFormat } from 'tool-call-assembler'
import { createAssembler, type Assembler } from 'tool-call-assembler/core'
import { z } from 'zod'

const line = z.union([
  z.object({ say: z.string() }),
  z.object({ open: z.string(), tool: z.string() }),
  z.object({ add: z.string(), json: z.string() }),
  z.object({ done: z.enum(['complete', 'cut']) }),
])

function deltaOf(value: unknown): WireDelta {
  const { data } = line.safeParse(value)
  // What can't be read may have been part of an open call, which must not run then.
  if (!data) return { type: 'damage', warning: { code: 'malformed-event', message: 'no line of this wire' } }
  if ('say' in data) return { type: 'text', choice: 0, delta: data.say }
  if ('add' in data) return { type: 'call-append', key: data.add, delta: data.json }
  if ('done' in data)
    return { type: 'finish', choice: 0, raw: data.done, kind: data.done === 'cut' ? 'length' : 'clean' }
  const { open: key, tool: name } = data
  return { type: 'call-open', choice: 0, key, wireIndex: null, id: key, name, kind: 'function' }
}

const myLines: WireFormat = {
  name: 'my-lines',
  detect: (message) => message.kind === 'message' && line.safeParse(message.value).success,
  reader: (next) => ({
    push: (message) => next.push(deltaOf(message.kind === 'message' ? message.value : null)),
    end: () => next.end(),
  }),
}

export function createLineAssembler(): Assembler {
  return createAssembler({ format: myLines })
}
