// The readers that one writes first. Each falls off one cliff that the library walks around, and is otherwise as good as it gets.

/** A reader of lines: text in, in any pieces, whole lines out. */
export interface Lines {
  feed(text: string): void
}

/** Carries the unread rest in front of the next piece: every piece copies and searches the whole line so far again. */
export function rejoinedLines(onLine: (line: string) => void): Lines {
  let rest = ''
  return {
    feed(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    },
  }
}

/** Keeps the pieces of an unread line in a list, and searches only what is new. */
export function listedLines(onLine: (line: string) => void): Lines {
  let pieces: string[] = []
  return {
    feed(text) {
      let at = 0
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
        pieces.push(text.slice(at, end))
        onLine(pieces.join(''))
        pieces = []
        at = end + 1
      }
      if (at < text.length) pieces.push(text.slice(at))
    },
  }
}

/** Bytes to text: one call a chunk, and the rest at the end. */
export interface Decode {
  (chunk: Uint8Array): string
}

/** Lets the decoder keep an unfinished character. In V8 it then makes two-byte strings, of ASCII as well. */
export function streamingDecoder(): Decode {
  const decoder = new TextDecoder()
  return (chunk) => decoder.decode(chunk, { stream: true })
}

/** Decodes each chunk alone: for bytes whose chunks end between characters. */
export function wholeDecoder(): Decode {
  const decoder = new TextDecoder()
  return (chunk) => decoder.decode(chunk)
}

/** The arguments fragment of a line of a Chat Completions stream; empty where it has none. */
export function chatFragment(line: string): string {
  if (!line.startsWith('data: {')) return ''
  const { choices }: ChatChunk = JSON.parse(line.slice(6))
  return choices[0]?.delta.tool_calls?.[0]?.function.arguments ?? ''
}

interface ChatChunk {
  readonly choices: readonly {
    readonly delta: { readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[] }
  }[]
}
