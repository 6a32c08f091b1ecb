// Gemini: each call whole, or in pieces (Vertex AI). Source: https://ai.google.dev/api/generate-content,
// https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling

import type { JsonValue } from '../../model/json.ts'
import { deltasOf, eventText, madeId, type Turn, type TurnCall } from '../turn.ts'

export function* gemini(turn: Turn): Generator<string> {
  const responses = responsesOf(turn)
  if (!turn.array) {
    for (const response of responses) yield eventText(turn, response)
    return
  }
  let before = '['
  for (const response of responses) {
    yield before + response
    before = `\n,${turn.lineEnding}`
  }
  yield `\n]${turn.lineEnding}`
}

function* responsesOf(turn: Turn): Generator<string> {
  const rest = `"modelVersion":${JSON.stringify(turn.model ?? 'gemini-2.5-flash')},"responseId":"${madeId('', 0)}"`
  const counts = turn.usage ? `"usageMetadata":${usage},` : ''
  const response = (parts: string, finish: string = ''): string =>
    `{"candidates":[{"content":{"parts":[${parts}],"role":"model"}${finish},"index":0}],${counts}${rest}}`

  for (const delta of deltasOf(turn.reasoning, turn.deltaSize))
    yield response(`{"text":${JSON.stringify(delta)},"thought":true}`)
  for (const delta of deltasOf(turn.text, turn.deltaSize)) yield response(`{"text":${JSON.stringify(delta)}}`)
  for (const call of turn.calls) {
    const parts = turn.partialArgs ? partialCall(turn, call) : [`{${wholeCall(call)}}`]
    for (const part of parts) yield response(`{"functionCall":${part}}`)
  }
  const reason = turn.finishReason === undefined ? 'STOP' : turn.finishReason
  if (reason !== null) yield response('{"text":""}', `,"finishReason":${JSON.stringify(reason)}`)
}

const usage =
  '{"promptTokenCount":64,"candidatesTokenCount":11,"totalTokenCount":75,"promptTokensDetails":[{"modality":"TEXT","tokenCount":64}]}'

/** Name and id: this API gives no id by itself. */
function identity(call: TurnCall): string {
  const name = `"name":${JSON.stringify(call.name)}`
  return call.id === undefined ? name : `"id":${JSON.stringify(call.id)},${name}`
}

function wholeCall(call: TurnCall): string {
  return call.text.trim() === '' ? identity(call) : `${identity(call)},"args":${call.text}`
}

/** The name, then every scalar of the arguments under its path, strings in pieces; then an empty call that ends it. */
function* partialCall(turn: Turn, call: TurnCall): Generator<string> {
  const value: JsonValue = call.text.trim() === '' ? {} : JSON.parse(call.text)
  const scalars = [...scalarsOf(value, '$')]
  if (scalars.length === 0) {
    yield `{${identity(call)}}`
    return
  }
  yield `{${identity(call)},"willContinue":true}`
  for (const [path, scalar] of scalars) {
    for (const piece of piecesOf(scalar, turn.deltaSize)) {
      yield `{"partialArgs":[{"jsonPath":${JSON.stringify(path)},${piece}}],"willContinue":true}`
    }
  }
  yield '{}'
}

type Scalar = string | number | boolean | null

function* scalarsOf(value: JsonValue, path: string): Generator<[path: string, scalar: Scalar]> {
  // JSON.parse makes no bigint.
  if (typeof value !== 'object' || value === null) {
    yield [path, value as Scalar]
    return
  }
  const members = Object.entries(value)
  if (members.length === 0 && path !== '$') throw new TypeError(`partialArgs can't say that ${path} is empty.`)
  for (const [key, member] of members)
    yield* scalarsOf(member, path + (Array.isArray(value) ? `[${key}]` : memberPath(key)))
}

/** A step of a normal path, which has no control characters but escaped. Source: https://www.rfc-editor.org/rfc/rfc9535#section-2.7 */
function memberPath(key: string): string {
  if (/^[A-Za-z_]\w*$/.test(key)) return `.${key}`
  const escaped = JSON.stringify(key).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `['${escaped}']`
}

function* piecesOf(scalar: Scalar, size: number): Generator<string> {
  if (scalar === null) yield '"nullValue":"NULL_VALUE"'
  else if (typeof scalar === 'number') yield `"numberValue":${scalar}`
  else if (typeof scalar === 'boolean') yield `"boolValue":${scalar}`
  else {
    for (const delta of deltasOf(scalar, size)) yield `"stringValue":${JSON.stringify(delta)},"willContinue":true`
    yield '"stringValue":""'
  }
}
