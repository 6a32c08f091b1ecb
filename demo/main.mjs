/**
 * Streams with tool calls as they are met in the wild, served over real HTTP by a local server and read with `fetch` and `assemble`:
 * calls grow as they arrive, and in the end each has a verdict. Needs a build: `npm run demo`.
 */
import { assemble, HttpError } from '../dist/index.js'
import { startReplayServer } from './replay-server.mjs'
import { scenes, tools } from './scenes.mjs'
import { liveLines, print, style, table, tail } from './terminal.mjs'

const server = await startReplayServer({
  routes: Object.fromEntries(scenes.map(({ path, route }) => [path, route])),
  delay: 2,
})
const rows = []
try {
  for (const scene of scenes) rows.push(...(await play(scene)))
} finally {
  await server.close()
}
print()
table(['stream', 'call', 'verdict', 'what the model is told'], rows, (text, column, [, , verdict]) =>
  column !== 2 ? text : verdict.startsWith('ok') ? style.green(text) : style.red(text),
)

/** Plays one stream, showing its calls as they grow, and returns its rows of the table. */
async function play({ title, path, options = {} }) {
  print(style.bold(`▶ ${title}`))
  const stream = assemble(await fetch(server.url + path), { tools, partialArguments: true, ...options })
  try {
    await show(stream)
    const { calls } = await stream.result()
    return calls.map((call) => [title, `${call.name} #${call.index}`, verdictOf(call), toldOf(call)])
  } catch (error) {
    if (!HttpError.is(error)) throw error
    print(`  ${style.red(error.message)}`)
    return [[title, '-', `HTTP ${error.status}`, `nothing: ${error.hint ?? error.serverMessage}`]]
  }
}

/** Shows what each event does to its call, until the stream is over. */
async function show(stream) {
  const lines = liveLines()
  const calls = new Map()
  for await (const event of stream) {
    switch (event.type) {
      case 'tool-call-start':
        calls.set(event.index, { name: event.name, length: 0, path: '', text: '' })
        lines.show(event.index, `${style.cyan(event.name)} begins`, true)
        break
      case 'tool-call-delta': {
        const call = calls.get(event.index)
        call.length += event.delta.length
        for (const change of event.changes ?? []) follow(call, change)
        lines.show(event.index, `${style.cyan(call.name)} ${style.dim(call.path)} ${tail(call.text, 60)}`)
        break
      }
      case 'tool-call-end': {
        const paint = event.call.ok ? style.green : style.red
        const size = `${event.call.argumentsText.length} characters`
        lines.show(
          event.call.index,
          `${style.cyan(event.call.name)} ends after ${size}: ${paint(verdictOf(event.call))}`,
          true,
        )
        break
      }
      case 'error':
        lines.show('error', style.yellow(`error: ${event.error.message}`), true)
        break
      default:
    }
  }
}

/** Keeps the place that grew last, and its text, where it is one. */
function follow(call, change) {
  if (change.op === 'append') call.text += change.text
  else if (typeof change.value !== 'object' || change.value === null) call.text = String(change.value)
  else return
  call.path = change.path
}

function verdictOf(call) {
  if (!call.ok)
    return call.failure.truncation ? `${call.failure.code} (${call.failure.truncation.cause})` : call.failure.code
  return call.repairs.length === 0
    ? 'ok'
    : `ok, repaired: ${[...new Set(call.repairs.map(({ name }) => name))].join(', ')}`
}

function toldOf(call) {
  return call.ok ? "the tool's own output" : call.failure.message
}
