// Calls in text: what they cost by size, by format, and on texts that are made to hurt; and what a peer takes for the same text.

import { hermesProtocol } from '@ai-sdk-tool/parser'
import { createTextScanner, renderCall, textFormat, type TextScannerOptions } from 'tool-call-assembler/text'
import { checkCalls } from './ours.ts'
import type { Case } from './ratio.ts'
import { tableOf, type Suite, type Table } from './suite.ts'
import { fileArguments } from './workload.ts'

const kilo = 1000
const mega = 1000 * kilo
const chunk = 4

export const suite: Suite = async function* ({ quick }) {
  yield* growth(quick)
  yield* formats(quick)
  yield* hostile(quick)
  yield* peer(quick)
}

/** Ten times the arguments take ten times as long. */
async function* growth(quick: boolean): AsyncGenerator<Table> {
  const sizes = quick ? [100 * kilo, mega] : [mega, 10 * mega]
  const cases = sizes.map((size): Case => {
    const text = textOf('hermes', size)
    return { name: `${size / kilo} KB`, run: () => scan(text, { formats: ['hermes'] }) }
  })
  const row = cases.at(-1)?.name ?? ''
  yield await tableOf('Hermes arguments in pieces of 4 characters, by size', cases, {
    rounds: quick ? 3 : 5,
    mayDiffer: true,
    bars: [{ row, atMost: 12 }],
  })
}

async function* formats(quick: boolean): AsyncGenerator<Table> {
  const size = (quick ? 50 : 200) * kilo
  const names = ['hermes', 'mistral-v11', 'qwen3-coder', 'glm', 'dsml', 'pythonic', 'gemma4']
  yield await tableOf(
    `${size / kilo} KB of arguments in pieces of ${chunk} characters, by format`,
    names.map((name) => {
      const text = textOf(name, size)
      return { name, run: () => scan(text, { formats: [name] }) }
    }),
    { rounds: quick ? 3 : 5, mayDiffer: true },
  )
}

/** What a text may hold to make a scanner look at it twice. One character at a time, all usual formats at once. */
async function* hostile(quick: boolean): AsyncGenerator<Table> {
  const size = (quick ? 50 : 200) * kilo
  const units = [
    '<tool_cal',
    '<tool_call>{',
    '[get_weather(x=',
    '{"name":',
    '`',
    '"<tool_call>{',
    '<function=aaaaaaaaaaaaaaaa',
  ]
  const cases = ['plain text ', ...units].map((unit): Case => {
    const text = unit.repeat(size / unit.length)
    return { name: JSON.stringify(unit), run: () => spans(text) }
  })
  yield await tableOf(`${size / kilo} KB of one thing over and over, one character at a time`, cases, {
    rounds: quick ? 3 : 5,
    mayDiffer: true,
  })
}

/** The peer looks at the whole block again with every piece: a size that it ends in seconds is small. */
async function* peer(quick: boolean): AsyncGenerator<Table> {
  const size = (quick ? 10 : 20) * kilo
  const text = textOf('hermes', size)
  const row = '@ai-sdk-tool/parser 4.1.26, hermesProtocol()'
  yield await tableOf(
    `a Hermes call with ${size / kilo} KB of arguments in pieces of ${chunk} characters`,
    [
      { name: 'ours, createTextScanner()', run: () => scan(text, { formats: ['hermes'] }) },
      { name: row, run: () => peerScan(text), once: true },
    ],
    { rounds: quick ? 3 : 5, bars: [{ row, atLeast: 30 }] },
  )
}

function textOf(format: string, size: number): string {
  const row = textFormat(format)
  if (!row) throw new Error(`There is no text format ${format}.`)
  return renderCall(row, { name: 'write_file', arguments: { ...fileArguments(size) } })
}

/** The length of the file that the call would write. */
function scan(text: string, options: TextScannerOptions): string {
  const scanner = createTextScanner(options)
  for (let i = 0; i < text.length; i += chunk) scanner.feed(text.slice(i, i + chunk))
  scanner.end()
  const calls = scanner.result?.calls ?? []
  checkCalls(calls)
  return calls.map((call) => (call.ok && call.kind === 'function' ? lengthOf(call.arguments['content']) : 0)).join()
}

function spans(text: string): number {
  const scanner = createTextScanner({ tools: [{ name: 'get_weather' }] })
  for (let i = 0; i < text.length; i++) scanner.feed(text.charAt(i))
  scanner.end()
  return scanner.result?.text.length ?? 0
}

async function peerScan(text: string): Promise<string> {
  const parser = hermesProtocol().createStreamParser({
    tools: [{ type: 'function', name: 'write_file', inputSchema: { type: 'object' } }],
  })
  const writer = parser.writable.getWriter()
  const written = (async () => {
    for (let i = 0; i < text.length; i += chunk) {
      await writer.write({ type: 'text-delta', id: '1', delta: text.slice(i, i + chunk) })
    }
    await writer.close()
  })()
  const lengths: number[] = []
  for (const reader = parser.readable.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) break
    if (value.type !== 'tool-call') continue
    const input: { readonly content?: unknown } = JSON.parse(value.input)
    lengths.push(lengthOf(input.content))
  }
  await written
  return lengths.join()
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}
