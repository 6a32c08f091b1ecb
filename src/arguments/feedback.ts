// Writes the message that answers a refused call: true, specific, and with what to do next, in under a thousand characters.

import type { FailureCode, Position, SchemaIssue, TruncationCause } from '../model/failures.ts'
import { adviceFor, adviceForCut } from './advice.ts'
import { closestFirst } from './closest.ts'
import { brief, clip, countCharacters, quote } from './quote.ts'

/** What is known of a refused call. Whatever is absent is not said. */
export interface RefusedArguments {
  /** As the model wrote it; `''` where it wrote none. */
  readonly name: string
  /** Given where several calls share the turn, so that the model can tell them apart. */
  readonly id?: string
  /** `custom` is free text: no JSON is asked for. */
  readonly kind?: 'function' | 'custom'
  readonly code: FailureCode
  readonly at?: Position
  readonly expected?: string
  readonly issues?: readonly SchemaIssue[]
  readonly truncation?: { readonly cause: TruncationCause; readonly finishReason: string | null }
  /** `argumentsText`. */
  readonly raw: string
  /** The tool's parameters in a line of at most `most` UTF-16 units; nothing where they can't be said. */
  readonly parameters?: (most: number) => string | undefined
  /** The names of the turn's tools. */
  readonly tools?: readonly string[]
}

/** All in UTF-16 units, as the servers count. A message is about this long at most. */
const longest = 960
const longestParameters = 300
/** What is wrong and what to do about it, together. */
const longestFacts = 700
/** A quotation gets this much even where the other lines are long. */
const shortestQuotation = 120
const mostIssues = 5
const longestIssues = 400

/** The whole text for the model. What comes first is sure of its room: the facts, then the quotation, then the parameters. */
export function describeFailure(refused: RefusedArguments): string {
  const advice = adviceFor[refused.code]
  const action = actionLine(refused, advice.action)
  const facts = clip(
    join([`${subject(refused)} was not run: ${advice.reason}`, ...problemLines(refused)]),
    longestFacts - action.length,
  )
  let left = longest - join([facts, action]).length
  const received = receivedLine(refused, left)
  left -= received.length
  const again = againLine(refused, Math.min(longestParameters, left))
  return join([facts, received, action, again])
}

function join(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n')
}

function subject({ name, id }: RefusedArguments): string {
  const mark = id === undefined ? '' : ` (${brief(id, 64)})`
  return name === '' ? `A tool call${mark}` : `The call to \`${brief(name, 80)}\`${mark}`
}

/** Where it went wrong, or what the schema says. */
function problemLines({ at, expected, issues, code, raw }: RefusedArguments): readonly string[] {
  if (issues !== undefined && issues.length > 0) return issueLines(issues)
  const wanted = expected === undefined ? '' : `expected ${brief(expected, 110)}`
  if (at === undefined) return wanted === '' ? [] : [`Problem: ${wanted}.`]
  const place = `line ${at.line}, column ${at.column}`
  const ends = at.offset >= raw.length && (code === 'truncated' || code === 'incomplete' || code === 'interrupted')
  if (ends) return [`The text ends at ${place}${wanted === '' ? '' : `: ${wanted}`}.`]
  return [`Problem at ${place}${wanted === '' ? '' : `: ${wanted}`}.`]
}

function issueLines(issues: readonly SchemaIssue[]): readonly string[] {
  const lines: string[] = []
  let length = 0
  for (const { path, message } of issues.slice(0, mostIssues)) {
    const place = path === '' ? 'the object' : `"${brief(path, 60)}"`
    const line = `- ${place}: ${brief(message, 160)}`
    if (lines.length > 0 && length + line.length > longestIssues) break
    lines.push(line)
    length += line.length
  }
  const rest = issues.length - lines.length
  return rest === 0 ? lines : [...lines, `- and ${rest} more`]
}

/** What arrived, whole if it fits into `room`, or that nothing did. */
function receivedLine({ code, raw, at, issues }: RefusedArguments, room: number): string {
  if (raw === '') return code === 'over-limit' ? 'Nothing of it was kept.' : 'Received: nothing.'
  const whole = quote(raw, undefined, Math.max(room - 30, shortestQuotation))
  if (whole.whole) return raw.trim() === '' ? `Received only white space: "${whole.shown}"` : `Received: ${whole.shown}`
  const [place, centre] =
    at !== undefined
      ? ['the start and the part around the problem', at.offset]
      : issues !== undefined
        ? ['the start', 0]
        : ['the start and the end', undefined]
  const label = `Received (${countCharacters(raw)} characters, ${place}): `
  return label + quote(raw, centre, Math.max(room - label.length, shortestQuotation)).shown
}

function actionLine(refused: RefusedArguments, action: string): string {
  switch (refused.code) {
    case 'truncated':
    case 'interrupted':
      return adviceForCut(refused.truncation?.cause)
    case 'unknown-tool':
    case 'missing-name':
      return [action, toolsLine(refused)].filter((line) => line !== '').join(' ')
    default:
      return action
  }
}

function toolsLine({ tools, name, code }: RefusedArguments): string {
  if (tools === undefined) return code === 'unknown-tool' ? 'Call only tools that you were given.' : ''
  if (tools.length === 0) return 'There are no tools in this conversation: answer without a call.'
  let line = ''
  let shown = 0
  for (const tool of closestFirst(name, tools)) {
    const longer = `${line}${shown === 0 ? '' : ', '}\`${brief(tool, 80)}\``
    if (longer.length > 260) break
    line = longer
    shown++
  }
  const rest = tools.length - shown
  return `Call one of these tools by its exact name: ${line}${rest > 0 ? `, and ${rest} more` : ''}.`
}

/** How the call should look, once more, where there is room left; or that there is no such tool, whatever else is wrong with it. */
function againLine(refused: RefusedArguments, room: number): string {
  const { code, name, kind, parameters, tools } = refused
  if (code === 'unknown-tool' || code === 'missing-name' || name === '') return ''
  const line =
    tools === undefined || tools.includes(name)
      ? `Call \`${brief(name, 80)}\` again with ${againWith(kind, parameters, room - name.length - 20)}`
      : `There is no tool of that name. ${toolsLine(refused)}`
  return line.length > room ? '' : line
}

function againWith(kind: RefusedArguments['kind'], parameters: RefusedArguments['parameters'], room: number): string {
  if (kind === 'custom') return 'the whole text.'
  const summary = parameters?.(room - 'one JSON object: '.length)
  return summary === undefined ? 'one JSON object.' : `one JSON object: ${summary}`
}
