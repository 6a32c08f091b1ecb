// Gemini's generateContent and streamGenerateContent, at Google AI and on Vertex AI.
// Source: https://ai.google.dev/api/generate-content

import type { WireDelta } from '../model/deltas.ts'
import type { WireFormat, WireMessage } from '../model/formats.ts'
import type { Step } from '../model/stage.ts'
import { appended, extraFrom, say, unexpectedInCall, usageDelta, wholeArguments, type Context } from './deltas.ts'
import { errorBody, serverError } from './errors.ts'
import { unexpectedType, unrecognized } from './faults.ts'
import { list, number, present, record, text, word, type Fields } from './fields.ts'
import {
  finishText,
  newPiecewiseText,
  parsePath,
  writePiece,
  type Piece,
  type PiecewiseText,
} from './gemini-partial-args.ts'
import { finishKind } from './reasons.ts'
import { fieldsOf, readMessages } from './reader.ts'
import { sliceAt, type ParsedMessage } from './source.ts'
import { at, below, type Path } from './path.ts'

/**
 * Calls come whole, mostly without ids, so a running number keys them. With `streamFunctionCallArguments` Vertex sends one call at a
 * time in pieces: its name first, then values by path, then an empty call; the text is written from these and closed by the last.
 * Extra of a call: the `thoughtSignature` beside it. Nothing marks the end of the stream.
 */
export const gemini: WireFormat = {
  name: 'gemini',
  reader: (next) => {
    const state: State = { calls: 0, streamed: new Map() }
    return readMessages(next, (fields, message) => readMessage(fields, message, state, next), lackOf)
  },
  detect: isGemini,
}

interface State {
  /** Calls so far: the next one's key. */
  calls: number
  /** By candidate, the call whose arguments are coming in pieces. Set by its name, cleared by its end or the next call. */
  readonly streamed: Map<number, StreamedCall>
}

interface StreamedCall {
  readonly key: number
  readonly id: string | null
  readonly name: string
  readonly text: PiecewiseText
  /** Whether pieces have no place any more: one before them was lost, or the arguments have come as a whole. */
  sealed: boolean
}

interface CandidateContext extends Context {
  readonly state: State
  readonly choice: number
}

function isGemini(message: WireMessage): boolean {
  const fields = fieldsOf(message)
  if (fields === null) return false
  if (list(fields['candidates']) !== null || record(fields['promptFeedback']) !== null) return true
  if (record(fields['usageMetadata']) !== null) return true
  const error = record(fields['error'])
  return number(error?.['code']) !== null && /^[A-Z_]+$/.test(text(error?.['status']) ?? '')
}

/** A prompt that was blocked has a reason in place of candidates. */
function lackOf(body: Fields): string | null {
  const blocked = record(body['promptFeedback'])?.['blockReason']
  return (list(body['candidates']) ?? []).length > 0 || present(blocked) ? null : 'candidates'
}

function readMessage(fields: Fields, message: ParsedMessage, state: State, next: Step<WireDelta>): void {
  const { candidates } = fields
  const items = list(candidates)
  if (items === null && present(candidates)) next.push(unexpectedType(message, at('candidates')))
  for (const [position, item] of items?.entries() ?? []) {
    const candidate = record(item)
    if (candidate === null) next.push(unexpectedType(message, at('candidates', position)))
    else readCandidate(candidate, position, { message, state, next, choice: choiceOf(candidate, position) })
  }
  const block = reasonOf(record(fields['promptFeedback'])?.['blockReason'], [])
  if (block !== null) next.push({ type: 'finish', choice: 0, raw: block.raw, kind: 'filter' })
  const usage = record(fields['usageMetadata'])
  if (usage !== null) next.push(usageOf(usage))
  if (errorBody(fields, message.event) !== undefined)
    next.push({ type: 'error', error: serverError(fields, message.frame, message.event) })
  else if (!Object.keys(fields).some((key) => knownFields.has(key))) next.push(unrecognized(message))
}

const knownFields: ReadonlySet<string> = new Set([
  'candidates',
  'promptFeedback',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'createTime',
])

/** A candidate leaves its index out where it is 0. */
function choiceOf(candidate: Fields, position: number): number {
  return number(candidate['index']) ?? position
}

/** What the model generated costs as output whether it is shown or thought, as on other wires. */
function usageOf(usage: Fields): WireDelta {
  const shown = number(usage['candidatesTokenCount'])
  const thought = number(usage['thoughtsTokenCount'])
  const output = shown === null && thought === null ? null : (shown ?? 0) + (thought ?? 0)
  return usageDelta(usage, { input: usage['promptTokenCount'], output, total: usage['totalTokenCount'] })
}

function readCandidate(candidate: Fields, position: number, context: CandidateContext): void {
  const { message, next, choice } = context
  const path: Path = at('candidates', position, 'content')
  const content = record(candidate['content'])
  if (content === null && present(candidate['content'])) next.push(unexpectedType(message, path))
  const parts = list(content?.['parts'])
  if (parts === null && present(content?.['parts'])) next.push(unexpectedType(message, below(path, 'parts')))
  for (const [n, item] of parts?.entries() ?? []) {
    const place = below(below(path, 'parts'), n)
    const part = record(item)
    if (part === null) next.push(unexpectedType(message, place))
    else readPart(part, place, context)
  }
  const reason = reasonOf(candidate['finishReason'], numberedReasons)
  if (reason !== null) next.push({ type: 'finish', choice, raw: reason.raw, kind: finishKind(reason.name) })
}

/** The order of the API's enum, for servers and recordings that print its numbers. Source: google/ai/generativelanguage, `FinishReason`. */
const numberedReasons: readonly string[] = [
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
]

/** A reason by name or number. An unspecified one says nothing. */
function reasonOf(value: unknown, names: readonly string[]): { readonly raw: string; readonly name: string } | null {
  const raw = word(value) ?? number(value)?.toString() ?? null
  if (raw === null || raw === '0' || raw.endsWith('REASON_UNSPECIFIED')) return null
  return { raw, name: (typeof value === 'number' ? names[value] : undefined) ?? raw }
}

function readPart(part: Fields, path: Path, context: CandidateContext): void {
  const { message, next, choice } = context
  say(part['thought'] === true ? 'reasoning' : 'text', part['text'], below(path, 'text'), choice, context)
  if (present(part['functionCall'])) readCall(part, path, context)
  const code = record(part['executableCode'])
  if (code !== null) {
    const argumentsText = sliceAt(message, below(path, 'executableCode')) ?? ''
    next.push({
      type: 'server-call',
      call: { id: text(code['id']) ?? '', name: 'code_execution', kind: 'executableCode', argumentsText },
    })
  }
  const tool = record(part['toolCall'])
  if (tool !== null) {
    const argumentsText = wholeArguments(tool['args'], below(below(path, 'toolCall'), 'args'), message)?.delta ?? ''
    next.push({
      type: 'server-call',
      call: { id: text(tool['id']) ?? '', name: text(tool['toolType']) ?? '', kind: 'toolCall', argumentsText },
    })
  }
}

function readCall(part: Fields, path: Path, context: CandidateContext): void {
  const { message, next, state, choice } = context
  const place = below(path, 'functionCall')
  const call = record(part['functionCall'])
  if (call === null) {
    next.push(unexpectedType(message, place))
    return
  }
  const extra = extraFrom(part, ['thoughtSignature'])
  const streamed = state.streamed.get(choice)
  if (streamed !== undefined && continues(streamed, call)) {
    const id = word(call['id'])
    if (extra.extra !== undefined || id !== null) {
      next.push({ type: 'call-final', key: streamed.key, arguments: '', id, name: null, ...extra })
    }
    readCallArguments(streamed, call, place, context)
    return
  }
  const name = text(call['name']) ?? ''
  const hasArguments = present(call['args']) || present(call['partialArgs'])
  // The end of a call that has ended already.
  if (name === '' && !hasArguments && !present(call['name'])) return
  if (name === '' && present(call['partialArgs'])) {
    // Nobody's: the call that it belongs to was never announced.
    next.push({ type: 'call-append', key: state.calls, delta: sliceAt(message, place) ?? '' })
    return
  }
  const opened: StreamedCall = {
    key: state.calls++,
    id: word(call['id']),
    name,
    text: newPiecewiseText(),
    sealed: false,
  }
  next.push({
    type: 'call-open',
    choice,
    key: opened.key,
    wireIndex: null,
    id: opened.id,
    name,
    kind: 'function',
    ...extra,
  })
  if (present(call['name']) && typeof call['name'] !== 'string') {
    next.push(unexpectedInCall(message, below(place, 'name'), opened.key))
  }
  state.streamed.set(choice, opened)
  readCallArguments(opened, call, place, context)
}

/** Only a name begins a call; a name once more, with arguments or the same id, goes on with the one that said that it would go on. */
function continues(streamed: StreamedCall, call: Fields): boolean {
  const name = word(call['name'])
  const id = word(call['id'])
  if (id !== null && streamed.id !== null) return id === streamed.id
  return name === null || (name === streamed.name && present(call['partialArgs']))
}

function readCallArguments(streamed: StreamedCall, call: Fields, path: Path, context: CandidateContext): void {
  const { message, next, state, choice } = context
  const { key, text: written } = streamed
  const whole = wholeArguments(call['args'], below(path, 'args'), message)
  if (whole !== null) {
    const isFirst = !streamed.sealed && written.open.length === 0
    next.push(isFirst ? appended(key, whole) : unexpectedInCall(message, below(path, 'args'), key))
    streamed.sealed = true
  }
  if (present(call['partialArgs'])) writePieces(streamed, call['partialArgs'], below(path, 'partialArgs'), context)
  if (call['willContinue'] === true) return
  state.streamed.delete(choice)
  const ending = streamed.sealed ? '' : finishText(written)
  // A string without its end stays open, and so does the call: that shows it as cut.
  if (ending === null) return
  if (ending !== '') next.push({ type: 'call-append', key, delta: ending })
  next.push({ type: 'call-close', key })
}

function writePieces(streamed: StreamedCall, value: unknown, path: Path, { message, next }: CandidateContext): void {
  const pieces = list(value)
  if (pieces === null) {
    streamed.sealed = true
    next.push(unexpectedInCall(message, path, streamed.key))
    return
  }
  let delta = ''
  for (const [position, item] of pieces.entries()) {
    const place = below(path, position)
    const steps = parsePath(text(record(item)?.['jsonPath']) ?? '')
    const piece = pieceOf(record(item) ?? {}, place, message)
    const added = streamed.sealed || steps === null || piece === null ? null : writePiece(streamed.text, steps, piece)
    if (added === null) {
      streamed.sealed = true
      next.push(unexpectedInCall(message, place, streamed.key))
    } else {
      delta += added
    }
  }
  if (delta !== '') next.push({ type: 'call-append', key: streamed.key, delta })
}

/** One of the values that a piece can hold. Only strings come in parts. */
function pieceOf(piece: Fields, path: Path, message: ParsedMessage): Piece | null {
  const string = text(piece['stringValue'])
  if (string !== null) return { string, willContinue: piece['willContinue'] === true }
  // As written: a double may not hold the number.
  if (typeof piece['numberValue'] === 'number') return { json: sliceAt(message, below(path, 'numberValue')) ?? 'null' }
  if (typeof piece['boolValue'] === 'boolean') return { json: String(piece['boolValue']) }
  return Object.hasOwn(piece, 'nullValue') ? { json: 'null' } : null
}
