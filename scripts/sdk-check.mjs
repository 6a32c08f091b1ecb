// Lets the vendors' SDKs read the streams that we read, over loopback HTTP, and compares the calls.
//   node scripts/sdk-check.mjs [part of a case's name]
// Streams as their APIs document them must give both the same calls: exit status 1 otherwise. Of all other streams, which real servers
// send all the same, a table says what the SDK and what we make of them.
import { readFileSync, readdirSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { startReplayServer } from '../demo/replay-server.mjs'
import { createAssembler } from '../dist/index.js'
import { encodeStream } from '../dist/testing.js'
import { askSdk, basePath, callsOf, routesFor, sdks } from '../test/sdks/judges.mjs'

const only = process.argv[2] ?? ''
const formats = Object.keys(sdks)

/** Values that an envelope, a cut or a careless join would spoil. */
const argumentSets = [
  [{ name: 'get_weather', arguments: { city: 'Oslo', days: 3 } }],
  [{ name: 'now', arguments: {} }],
  [
    {
      name: 'write_file',
      arguments: { path: 'ä/漢字.md', content: 'a "quoted" line\n\tand \\ another 🙂\n'.repeat(20) },
    },
    { name: 'get_weather', arguments: { city: 'São Paulo', options: { units: ['C', null], deep: { a: [[{}], []] } } } },
    { name: 'write_file', arguments: { path: 'data: [DONE]', content: '"}]}}\n\ndata: {"choices":[]}' } },
  ],
  [],
]

/** Ways of writing that change nothing but how the deltas are cut and what stands beside them. */
const writings = [
  {},
  { deltaSize: 1, text: 'Let me see.\n', reasoning: 'Which tool?' },
  { deltaSize: 7, interleave: true, obfuscation: true },
  { deltaSize: 1e6, lineEnding: '\r\n' },
]

/** What can happen to any stream: only of whole ones is anything demanded. */
const mishaps = {
  'cut in the arguments': { cutAt: 0.6 },
  'the output limit, said': { text: '{"city": "Os', limit: true },
  'the output limit, unsaid': { text: '{"city": "Os' },
  'no ending at all': { finishReason: null, terminate: false, usage: false },
  'no end marker': { terminate: false },
}

const limits = {
  'openai-chat': 'length',
  'openai-responses': 'max_output_tokens',
  anthropic: 'max_tokens',
  ollama: 'length',
  gemini: 'MAX_TOKENS',
}

/** Fixtures that do what the API documents. */
const documented = new Set([
  'openai-chat/one-call',
  'openai-chat/two-calls-interleaved',
  'anthropic/parallel-calls',
  'anthropic/reasoning-before-a-call',
  'anthropic/no-arguments',
  'ollama/calls-on-one-line',
  'ollama/calls-on-lines-of-their-own',
  'gemini/several-calls-in-one-event',
  'gemini/no-arguments',
])

function* generated() {
  for (const format of formats) {
    for (const [set, calls] of argumentSets.entries()) {
      for (const [way, writing] of writings.entries())
        yield { name: `${format}/generated ${set}.${way}`, format, body: bytesOf(format, calls, writing), sound: true }
    }
    for (const [name, { cutAt, text, limit, ...options }] of Object.entries(mishaps)) {
      // These send arguments as values, which can't stop in the middle.
      if (text !== undefined && (format === 'ollama' || format === 'gemini')) continue
      const calls = [{ name: 'get_weather', arguments: text ?? { city: 'Oslo', note: 'a longer text '.repeat(4) } }]
      const whole = bytesOf(format, calls, { ...options, ...(limit && { finishReason: limits[format] }) })
      const body = cutAt === undefined ? whole : whole.subarray(0, Math.floor(whole.length * cutAt))
      yield { name: `${format}/${name}`, format, body, sound: false }
    }
  }
}

function* fixtures() {
  for (const format of formats) {
    const folder = new URL(`../fixtures/${format}/`, import.meta.url)
    for (const file of readdirSync(folder)) {
      if (!/\.(sse|ndjson)$/.test(file)) continue
      const name = `${format}/${basename(file, extname(file))}`
      yield { name, format, body: readFileSync(new URL(file, folder)), sound: documented.has(name) }
    }
  }
}

function bytesOf(format, calls, options) {
  return Buffer.concat([...encodeStream(format, calls, options)])
}

function ourCalls({ format, body }) {
  const assembler = createAssembler({ format })
  assembler.feed(body)
  assembler.end()
  return callsOf(assembler.result)
}

const short = (text) => (text.length > 100 ? `${text.slice(0, 99)}…` : text)
const inWords = (calls) =>
  calls
    .map(({ name, refused, arguments: args }) =>
      refused ? `${name} refused (${refused})` : `${name}(${JSON.stringify(args)})`,
    )
    .join(', ') || 'no call'

/** What the SDK makes a program do that it should not, or keeps from it, in a word. */
function verdict(ours, { calls, error }) {
  const ready = ours.filter(({ refused }) => !refused)
  if (error !== undefined) return ready.length > 0 ? 'SDK throws, calls lost' : 'SDK throws'
  if (isDeepStrictEqual(calls, ours)) return 'same'
  const strangers = calls.filter((call) => !ready.some((own) => isDeepStrictEqual(own, call)))
  if (strangers.some(({ arguments: args }) => typeof args !== 'object' || args === null))
    return 'SDK hands out broken arguments'
  if (strangers.some(({ name }) => ours.some((own) => own.refused && own.name === name)))
    return 'SDK hands out a call that we refuse'
  if (strangers.length > 0) return 'SDK hands out a call that nobody made'
  return calls.length < ready.length ? 'SDK loses calls' : 'SDK says nothing of a refused call'
}

const cases = [...generated(), ...fixtures()].filter(({ name }) => name.includes(only))
const server = await startReplayServer({ routes: routesFor(cases), chunking: [1024, 61, 7] })
const wrong = []
const rows = []
let sound = 0
// In each SDK's own words, but not on the same screen.
const { error: complain, warn } = console
console.error = console.warn = () => undefined
for (const [n, judged] of cases.entries()) {
  const theirs = await askSdk(judged.format, `${server.url}${basePath(n)}`)
  const ours = ourCalls(judged)
  const said = verdict(ours, theirs)
  if (judged.sound) sound++
  if (judged.sound && said !== 'same') wrong.push({ name: judged.name, said, ours, theirs })
  if (!judged.sound) rows.push([judged.name, said, short(inWords(ours)), short(theirs.error ?? inWords(theirs.calls))])
}
Object.assign(console, { error: complain, warn })
await server.close()

const counts = new Map()
for (const [, said] of rows) counts.set(said, (counts.get(said) ?? 0) + 1)
console.log('| stream | verdict | we | the SDK |\n| --- | --- | --- | --- |')
for (const row of rows)
  if (row[1] !== 'same') console.log(`| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
console.log(
  `\nOf ${rows.length} streams that go beyond what is documented: ${[...counts].map(([said, count]) => `${said} ${count}`).join(', ')}.`,
)
for (const { name, said, ours, theirs } of wrong)
  console.log(`not ok ${name}: ${said}\n    we:  ${inWords(ours)}\n    SDK: ${theirs.error ?? inWords(theirs.calls)}`)
console.log(`${sound} streams as documented: ${sound - wrong.length} with the same calls, ${wrong.length} with others.`)
process.exitCode = wrong.length > 0 ? 1 : 0
