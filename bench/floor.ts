// The floor: the least that an honest reader of a stream can do with the parts that everybody has. TextDecoder in stream mode,
// eventsource-parser, JSON.parse of every event, an append, and one parse of the arguments at the end.

import { createParser } from 'eventsource-parser'

export type FloorFormat = 'openai-chat' | 'anthropic' | 'openai-responses'

/** Pulls the fragments out of one parsed event: the key of the call, and its text. */
export type Pick = (event: never) => readonly (readonly [key: number, text: string])[]

interface ChatChunk {
  readonly choices: readonly {
    readonly delta: {
      readonly tool_calls?: readonly { readonly index: number; readonly function: { readonly arguments: string } }[]
    }
  }[]
}
interface AnthropicEvent {
  readonly type: string
  readonly index: number
  readonly delta?: { readonly type: string; readonly partial_json: string }
}
interface ResponsesEvent {
  readonly type: string
  readonly output_index: number
  readonly delta: string
}

const picks: { readonly [Format in FloorFormat]: Pick } = {
  'openai-chat': ({ choices }: ChatChunk) =>
    (choices[0]?.delta.tool_calls ?? []).map((call) => [call.index, call.function.arguments] as const),
  anthropic: (event: AnthropicEvent) =>
    event.delta?.type === 'input_json_delta' ? [[event.index, event.delta.partial_json] as const] : [],
  'openai-responses': (event: ResponsesEvent) =>
    event.type === 'response.function_call_arguments.delta' ? [[event.output_index, event.delta] as const] : [],
}

/** What both sides of a comparison return: how many deltas were delivered, and how many characters. */
export function delivered(deltas: number, characters: number): string {
  return `${deltas} deltas, ${characters} characters`
}

export interface Floor {
  feed(chunk: Uint8Array): void
  end(): string
}

/** `onFragment` sees each piece of the arguments as it comes. */
export function floor(format: FloorFormat, onFragment?: (text: string) => void): Floor {
  const decoder = new TextDecoder()
  const pick = picks[format]
  const texts: string[] = []
  let deltas = 0
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') return
      for (const [key, text] of pick(JSON.parse(data) as never)) {
        if (text === '') continue
        texts[key] = (texts[key] ?? '') + text
        deltas++
        onFragment?.(text)
      }
    },
  })
  return {
    feed: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    end() {
      let characters = 0
      for (const text of texts) {
        if (text === undefined) continue
        JSON.parse(text)
        characters += text.length
      }
      return delivered(deltas, characters)
    },
  }
}

export function runFloor(format: FloorFormat, chunks: Iterable<Uint8Array>): string {
  const held = floor(format)
  for (const chunk of chunks) held.feed(chunk)
  return held.end()
}

/** The floor behind a web stream, which is how a response comes. */
export async function readFloor(format: FloorFormat, stream: ReadableStream<Uint8Array>): Promise<string> {
  const held = floor(format)
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) held.feed(read.value)
  return held.end()
}
