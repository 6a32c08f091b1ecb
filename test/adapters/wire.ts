/** Streams of Chat Completions events, as objects and as text, small enough to read in a test. */

export type ChatChunk = Readonly<Record<string, unknown>>

const choice = (delta: object, finish_reason: string | null = null): ChatChunk => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})

/** A turn with one call, its arguments in the given pieces. */
export function callEvents(name: string, pieces: readonly string[], finishReason = 'tool_calls'): ChatChunk[] {
  const head = { index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: '' } }
  return [
    choice({ role: 'assistant', content: null, tool_calls: [head] }),
    ...pieces.map((piece) => choice({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    choice({}, finishReason),
  ]
}

export const textEvents = (pieces: readonly string[]): ChatChunk[] => [
  ...pieces.map((content) => choice({ role: 'assistant', content })),
  choice({}, 'stop'),
]

export const sse = (events: readonly ChatChunk[], done = true): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + (done ? 'data: [DONE]\n\n' : '')

export const weather: ChatChunk[] = callEvents('weather', ['{"city":', '"Oslo"', ',"days":3}'])

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export function* cutEvery<T extends string | Uint8Array>(body: T, size: number): Generator<T> {
  // Both have a `slice` that gives their own kind.
  for (let at = 0; at < body.length; at += size) yield body.slice(at, at + size) as T
}

/** A promise that never settles. */
export const never = <T>(): Promise<T> => new Promise(() => undefined)

export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const event of events) all.push(event)
  return all
}

export const tick = (ms = 0): Promise<void> => new Promise((resume) => setTimeout(resume, ms))

/** Tools whose schema answers about `{}` alone. `asked` resolves once it has been asked about a call. */
export function thinking() {
  let tell: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (tell = resolve))
  const validate = (value: unknown): Promise<{ value: unknown }> => {
    if (Object.keys(value as object).length === 0) return Promise.resolve({ value })
    tell()
    return never()
  }
  const parameters = { '~standard': { version: 1 as const, vendor: 'test', validate } }
  return { tools: { weather: { parameters } }, asked }
}
