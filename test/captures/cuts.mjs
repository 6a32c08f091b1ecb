// Breaks recorded streams off after every byte and says what must hold of what is left. Shared by the test and the script that does more
// of it; plain JavaScript, so that the script can run it on what was built.
//
// The recordings stand beside a checkout of the project, in ../shared/captures; they are not part of it.
import { existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

const folder = new URL('../../../shared/captures/', import.meta.url)
export const hasRecordings = existsSync(folder)

/** The reader of each kind of recording. Recordings of other kinds have none. */
const formatNames = {
  'openai-chat': 'openai-chat',
  mistral: 'openai-chat',
  'openai-responses': 'openai-responses',
  anthropic: 'anthropic',
  ollama: 'ollama',
  gemini: 'gemini',
  cohere: 'cohere',
  bedrock: 'bedrock',
}

/** How each wire spells the end of a turn, a reason or a marker, for anyone who can read text but no events. */
const endings = {
  'openai-chat': /"(?:finish_reason|native_finish_reason)"\s*:\s*"[^"]|\[DONE\]/,
  'openai-responses': /"?response\.(?:completed|incomplete|failed)\b/,
  anthropic: /"stop_reason"\s*:\s*"[^"]|"message_stop"|message_stop\b/,
  ollama: /"done"\s*:\s*true/,
  gemini: /"(?:finishReason|blockReason)"\s*:/,
  cohere: /"finish_reason"\s*:\s*"[^"]|\[DONE\]/,
  bedrock: /messageStop/,
}

export function readRecordings() {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8'))
  return manifest
    .filter(({ format, file }) => format in formatNames && existsSync(new URL(file, folder)))
    .map(({ format, file }) => ({ file, format: formatNames[format], bytes: readFileSync(new URL(file, folder)) }))
    .sort((a, b) => a.bytes.length - b.bytes.length)
}

/**
 * Where to break off: at every byte, if all the bytes that are read on the way to those places fit `budget`; else at as many places as do
 * fit but not fewer than `fewest`, spread over the stream, and at its last bytes.
 */
export function cutsOf(length, budget, fewest) {
  const affordable = Math.max(fewest, Math.floor((2 * budget) / Math.max(1, length)))
  if (length <= affordable) return Array.from({ length }, (_, at) => at)
  const places = new Set()
  for (let n = 0; n < affordable; n++) places.add(Math.floor(((n + (n % 7) / 7) * length) / affordable))
  for (let back = 1; back <= fewest / 4; back++) places.add(length - back)
  return [...places].filter((at) => at < length).sort((a, b) => a - b)
}

/**
 * The byte at which the stream begins to say how it ends. `undefined` where it never does.
 * Some recordings have each event in base64 inside a message; its characters are then where the message is.
 */
function endingOf({ format, bytes }) {
  const said = endings[format]
  const text = bytes.toString('latin1')
  const wrapped = [...text.matchAll(/"bytes":"([A-Za-z0-9+/=]+)"/g)].find(([, event]) =>
    said.test(Buffer.from(event, 'base64').toString('latin1')),
  )
  return wrapped?.index ?? said.exec(text)?.index
}

function resultOf(createAssembler, bytes, options) {
  const assembler = createAssembler(options)
  if (bytes.length > 0) assembler.feed(bytes)
  assembler.end()
  return assembler.result
}

/** The arguments of a call, whatever was said of it: those that are certain, or what its text reads as. */
function argumentsIn(call) {
  if (call.ok) return call.arguments
  try {
    return JSON.parse(call.argumentsText)
  } catch {
    // What is no JSON stands for no arguments at all: nothing that is ok can equal it.
    return undefined
  }
}

/**
 * Everything that is wrong with what comes of a recording that breaks off, in words; nothing where it all holds.
 * 1. A call that is ok has the arguments that the same call of the whole stream has.
 * 2. What broke off before the stream spoke of its end is truncated, and says so.
 * 3. What has been said so far is the beginning of what the whole stream says.
 */
export function findViolations(createAssembler, recording, places) {
  const { bytes, format, file } = recording
  const whole = resultOf(createAssembler, bytes, { format })
  const ending = endingOf(recording)
  const violations = []
  let okCalls = 0
  for (const place of places) {
    const named = place % 2 === 0 ? format : 'auto'
    const result = resultOf(createAssembler, bytes.subarray(0, place), { format: named })
    const blame = (what) => violations.push(`${file} cut at ${place} of ${bytes.length} (${named}): ${what}`)
    for (const call of result.calls) {
      if (call.ok) okCalls++
      blameCall(call, whole.calls[call.index], blame)
    }
    if (ending !== undefined && place <= ending) blameFinish(result, blame)
    for (const field of ['text', 'reasoning', 'refusal']) {
      if (!whole[field].startsWith(result[field].replace(/\uFFFD+$/, ''))) blame(`${field} is not how the whole begins`)
    }
  }
  return { violations, okCalls, hasEnding: ending !== undefined }
}

function blameCall(call, whole, blame) {
  if (whole === undefined) {
    blame(`a call "${call.name}" that the whole stream does not have`)
    return
  }
  if (!whole.argumentsText.startsWith(call.argumentsText.replace(/\uFFFD+$/, '')))
    blame(
      `arguments of "${call.name}" that are not how the whole's begin: ${JSON.stringify(call.argumentsText.slice(-80))}`,
    )
  if (!call.ok) return
  if (call.name !== whole.name) blame(`an ok call "${call.name}" that is "${whole.name}" in the whole`)
  const wanted = argumentsIn(whole)
  if (!isDeepStrictEqual(call.arguments, wanted) && !(call.kind === 'custom' && call.arguments === whole.argumentsText))
    blame(`an ok call "${call.name}" with ${show(call.arguments)}, in the whole ${show(wanted)}`)
}

function blameFinish({ finish, errors, refusal }, blame) {
  const reasons = [
    'interrupted',
    ...(errors.length > 0 ? ['error'] : []),
    ...(refusal === '' ? [] : ['content-filter']),
  ]
  if (!finish.truncated || !reasons.includes(finish.reason))
    blame(`before its end, and yet ${finish.reason}, truncated ${finish.truncated} (${finish.evidence.join(' ')})`)
}

function show(value) {
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member))?.slice(0, 200)
}
