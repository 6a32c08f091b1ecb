// Reading finished arguments: what all the checks cost beside JSON.parse, what a repair costs, and that no input makes them slow.

import { jsonrepair } from 'jsonrepair'
import type { JsonObject } from 'tool-call-assembler'
import type { Case } from './ratio.ts'
import { tableOf, type Suite, type Table } from './suite.ts'

/** What this bench uses of a file that no door exports. */
interface ReadModule {
  readonly readArguments: (raw: string, policy: Policy) => { readonly state: string; readonly value?: JsonObject }
}

interface Policy {
  readonly repair: 'lossless' | 'lenient'
  readonly closeTruncated: boolean
  readonly integers: 'reject'
  readonly maxDepth: number
}

const { readArguments } = (await import(
  new URL('./arguments/read.js', import.meta.resolve('tool-call-assembler')).href
)) as ReadModule

const policy: Policy = { repair: 'lossless', closeTruncated: false, integers: 'reject', maxDepth: 128 }

export const suite: Suite = async function* ({ quick }) {
  const rounds = quick ? 5 : 9
  yield* clean(rounds, quick)
  yield* repaired(rounds)
  yield* hostile(rounds, quick)
}

/** Nothing to repair: what nearly every call is like. */
async function* clean(rounds: number, quick: boolean): AsyncGenerator<Table> {
  const sizes = [
    { name: '60 B', file: '{"path":"src/main.rs","line":12,"recursive":true,"note":"xyz"}', atMost: 6 },
    { name: '20 KB, a file', file: fileOf(250), atMost: 3 },
    { name: '20 KB, members', file: membersOf(400), atMost: 3 },
    { name: '1 MB, a file', file: fileOf(12_500), atMost: 2.5 },
    { name: '1 MB, a file with emoji', file: fileOf(12_500, '🙂'), atMost: 2.5 },
    ...(quick ? [] : [{ name: '1 MB, members', file: membersOf(20_000), atMost: 2.5 }]),
  ]
  for (const { name, file, atMost } of sizes) {
    const cases: Case[] = [
      { name: 'JSON.parse', run: () => often(file, (text) => JSON.parse(text)) },
      { name: 'ours', run: () => often(file, read) },
    ]
    yield await tableOf(`arguments: ${name}`, cases, { rounds, bars: [{ row: 'ours', atMost }] })
  }
}

/** The same file in wrappings that models put around it, and written as they write it. */
async function* repaired(rounds: number): AsyncGenerator<Table> {
  const file = fileOf(250)
  const damaged = {
    fence: `\`\`\`json\n${file}\n\`\`\``,
    'surrounding-text': `Here is the file: ${file} Done.`,
    'double-encoding': JSON.stringify(file),
    'raw-control-chars': file.replaceAll('\\n', '\n'),
  }
  for (const [name, text] of Object.entries(damaged)) {
    const cases: Case[] = [
      { name: 'JSON.parse of the clean text', run: () => keysOf(JSON.parse(file)) },
      { name: 'ours', run: () => keysOf(read(text)) },
      ...(name === 'fence' || name === 'raw-control-chars'
        ? [{ name: 'jsonrepair and JSON.parse', run: () => keysOf(JSON.parse(jsonrepair(text))) }]
        : []),
    ]
    yield await tableOf(`arguments: 20 KB that need ${name}`, cases, { rounds, bars: [{ row: 'ours', atMost: 30 }] })
  }
}

/** Four times as much may take four times as long, and a little for noise. */
async function* hostile(rounds: number, quick: boolean): AsyncGenerator<Table> {
  const length = quick ? 1 << 18 : 1 << 20
  for (const [name, make] of Object.entries(hostileTexts)) {
    const short = make(length / 4)
    const long = make(length)
    yield await tableOf(
      `arguments: ${name}, and four times as many`,
      [
        { name: `${short.length >> 10} KB`, run: () => stateOf(short) },
        { name: `ours, ${long.length >> 10} KB`, run: () => stateOf(long) },
      ],
      { rounds, bars: [{ row: `ours, ${long.length >> 10} KB`, atMost: 7 }] },
    )
  }
}

const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  backslashes: (length) => `{"a":"${'\\'.repeat(length)}`,
  braces: (length) => '{'.repeat(length),
  quotes: (length) => '"'.repeat(length),
  'nested arrays': (length) => `{"a":${'['.repeat(length / 2)}${']'.repeat(length / 2)}}`,
  placeholders: (length) => `${'{}'.repeat(length / 2)}{"a":1}`,
  'line breaks in a string': (length) => `{"a":"${'\n'.repeat(length)}"}`,
}

/** Reads 20 KB at least, so that a short text isn't measured by the clock's steps. */
function often(text: string, parse: (text: string) => unknown): number {
  let keys = 0
  for (let done = 0; done < 20_000; done += text.length) keys = keysOf(parse(text))
  return keys
}

function read(text: string): JsonObject {
  const { value } = readArguments(text, policy)
  if (!value) throw new Error('the arguments were refused')
  return value
}

function stateOf(text: string): string {
  return readArguments(text, policy).state
}

/** How many members the outermost object has, so that cases can be held against each other. */
function keysOf(value: unknown): number {
  return Object.keys(value as JsonObject).length
}

/** A file that is written: one long string with the escapes of code. */
function fileOf(lines: number, sign: string = '-'): string {
  const line = `  const total = items.reduce((sum, item) => sum + item.price, 0) // "${sign}"\n`
  return JSON.stringify({ path: 'src/total.ts', content: line.repeat(lines) })
}

/** Edits in a list: many short strings and numbers. */
function membersOf(edits: number): string {
  const list = Array.from({ length: edits }, (_, n) => ({ old: `x${n}`, new: 'y', line: n, all: true }))
  return JSON.stringify({ edits: list })
}
