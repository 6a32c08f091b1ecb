// Compiles examples/ and runs them on dist/, against a server of their own on the loopback interface. No network is needed.
//   npm run examples -- [name …]
import { execFileSync } from 'node:child_process'
import { createReadStream, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startReplayServer } from '../demo/replay-server.mjs'
import { encodeStream } from '../dist/testing.js'
import { scenes } from '../demo/scenes.mjs'
import { startScriptedModel } from './scripted-model.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(new URL('../.cache/examples', import.meta.url), { recursive: true, force: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.examples.json'], {
  cwd: root,
  stdio: 'inherit',
})

const fixture = (path) => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url))
const server = await startReplayServer({
  routes: Object.fromEntries(scenes.map(({ path, route }) => [path, route])),
  fixtures: new URL('../fixtures', import.meta.url),
})
const weather = (text) => encodeStream('openai-chat', [{ name: 'get_weather', arguments: text }])
const print = (piece) => process.stdout.write(piece)
const show = (event) => console.log(JSON.stringify(event))

/** How each example is run. */
const runs = {
  fetch: async ({ ask }) => console.log(await ask(`${server.url}/hidden-cut`, {})),
  'custom-transport': async ({ readChild }) => {
    const script = `require('node:fs').createReadStream(${JSON.stringify(fixture('ollama/calls-on-one-line.ndjson'))}).pipe(process.stdout)`
    console.log((await readChild(process.execPath, ['-e', script])).calls)
  },
  benchmark: async ({ measure }) => console.table(await measure(1_000_000, 10)),
  arguments: ({ forecast }) => {
    console.log(forecast('```json\n{"city": "Oslo"}\n```'))
    console.log(forecast('{"city": 5}'))
  },
  'agent-loop': async ({ answer }) => {
    const model = await startScriptedModel([
      weather('{"town":"Oslo"}'),
      weather('{"city":"Oslo"}'),
      encodeStream('openai-chat', [], { text: 'Clear.' }),
    ])
    console.log(await answer(model.url, 'How is the weather in Oslo?').finally(() => model.close()))
    for (const message of model.requests.at(-1).messages) console.log(message)
  },
  'text-calls': async ({ ask }) =>
    console.log(await ask(`${server.url}/text-call`, 'any', 'How is the weather in Nuuk?')),
  'scan-text': ({ scan }) =>
    console.log(scan(['Let me see. <tool_', 'call>{"name":"look","arguments":{}}</tool_call>'])),
  'custom-format': ({ createLineAssembler }) => {
    const assembler = createLineAssembler()
    for (const line of ['{"open":"1","tool":"look"}', '{"add":"1","json":"{}"}', '{"done":"complete"}']) {
      assembler.feed(`${line}\n`).forEach(show)
    }
    assembler.end().forEach(show)
  },
  streams: async ({ showWeb, logRun, replayRun }) => {
    const { body } = await fetch(`${server.url}/ollama`)
    await showWeb(body, show)
    const path = join(tmpdir(), 'tool-call-assembler-run.ndjson')
    await logRun(createReadStream(fixture('openai-chat/one-call.sse')), path)
    await replayRun(path, show)
  },
  'live-arguments': async ({ preview }) => console.log(await preview(await fetch(`${server.url}/interleaved`), print)),
}

try {
  const asked = process.argv.slice(2)
  for (const name of asked.length > 0 ? asked : Object.keys(runs)) {
    if (!Object.hasOwn(runs, name)) throw new TypeError(`There is no example ${name}: ${Object.keys(runs).join(', ')}`)
    console.log(`\n▶ examples/${name}.ts`)
    await runs[name](await import(`../.cache/examples/${name}.js`))
  }
} finally {
  await server.close()
}
