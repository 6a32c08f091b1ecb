// What is measured with: payloads that look like code, and the streams that carry them.

import { encodeStream, type EncodedCall } from 'tool-call-assembler/testing'

type Format = Parameters<typeof encodeStream>[0]
type Options = NonNullable<Parameters<typeof encodeStream>[2]>

const lines = [
  'const total = items.reduce((sum, item) => sum + item.price, 0)\n',
  '\tif (path === "") return { "error": "empty", code: 400 }\n',
  'export function render(tree, depth = 0) {\n',
  '  // naïve — 漢字 🙂\n',
  '  return `<li class="row">${label}</li>`\n',
  'for (let i = 0; i < rows.length; i++) queue.push(rows[i])\n',
  '}\n',
]

/** Text of `length` characters, or one less: code with quotes, tabs and line ends, and 1 % characters beyond Latin-1. */
export function code(length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n++) text += lines[(n * 5 + (n >> 3)) % lines.length]
  // Half a surrogate pair at the end would be no text, and no call with it is ok.
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** The arguments of a tool that writes a file. */
export function fileArguments(length: number): { readonly path: string; readonly content: string } {
  return { path: 'src/app.ts', content: code(length) }
}

export function chunksOf(format: Format, length: number, options: Options, calls = 1): Uint8Array[] {
  const held = Array.from({ length: calls }, () => callOf(length))
  return [...encodeStream(format, held, { interleave: calls > 1, ...options })]
}

/** A stream, described so that another process can make the same. */
export interface Wire {
  readonly format: 'openai-chat' | 'anthropic' | 'ollama'
  readonly length: number
  readonly chunkSize: number | 'event'
}

/** In 4-character deltas, where the format has deltas. */
export function chunksOfWire({ format, length, chunkSize }: Wire): Uint8Array[] {
  return chunksOf(format, length, { deltaSize: 4, chunkSize })
}

/** A Chat Completions stream with no character beyond ASCII. */
export function asciiChunksOf(length: number, options: Options): Uint8Array[] {
  const { path, content } = fileArguments(length)
  const ascii = { path, content: content.replaceAll(/[^ -~\n\t]/gu, '?') }
  return [...encodeStream('openai-chat', [{ name: 'write_file', arguments: ascii }], options)]
}

/** The same stream piece by piece: for payloads that are not to be held while something else is measured. */
export function chunksOneByOne(format: Format, length: number, options: Options): Generator<Uint8Array> {
  return encodeStream(format, [callOf(length)], options)
}

function callOf(length: number): EncodedCall {
  return { name: 'write_file', arguments: { ...fileArguments(length) } }
}
