// Makes a text format out of the `response_template` that a model brings in its `tokenizer_config.json`.
// Source: https://huggingface.co/docs/transformers/main/chat_response_parsing

import type { Pair, Shape, TextFormat } from './row.ts'
import { readPattern, type PatternPiece } from './template-pattern.ts'

interface Spec {
  readonly [key: string]: unknown
}

/**
 * The row for a template. Throws a `TypeError` that says what it can't express: a regular expression beyond literals and named
 * captures, a content parser without a counterpart, a transformation of the calls that loses their name or arguments.
 *
 * Parameters are typed by the tools' schemas; what a template's own `value_parser` would guess where there is none is the scanner's
 * option `untyped`.
 */
export function importResponseTemplate(name: string, template: unknown): TextFormat {
  const fields = asSpec(asSpec(template, 'the template')['fields'], 'fields')
  const field = fields['tool_calls']
  if (field === undefined) throw new TypeError('The response template has no field "tool_calls".')
  const wrappers: string[] = []
  const stops: string[] = []
  const thinking: Pair[] = []
  for (const [key, value] of Object.entries(fields)) {
    const spec = asSpec(value, key)
    if (key === 'tool_calls') continue
    const [open, close] = [literals(spec, 'open', key), literals(spec, 'close', key).filter((text) => text !== 'eos')]
    if (key === 'content') {
      wrappers.push(...open, ...(open.length > 0 ? close : []))
      if (open.length === 0) stops.push(...close)
    } else if (/thinking|reasoning/.test(key)) {
      for (const opener of open) thinking.push([opener, close[0] ?? opener])
    }
  }
  return {
    name,
    models: 'as its response template says',
    ...callsOf(asSpec(field, 'tool_calls')),
    ...(thinking.length > 0 && { thinking }),
    ...(wrappers.length > 0 && { wrappers }),
    ...(stops.length > 0 && { stops }),
  }
}

type Calls = Pick<TextFormat, 'section' | 'call' | 'header' | 'shapes' | 'closes'>

function callsOf(field: Spec): Calls {
  const close = literals(field, 'close', 'tool_calls').filter((text) => text !== 'eos')
  const closes = close.length > 0 ? 'tag' : 'itself'
  const fromPattern = field['open_pattern']
  if (fromPattern === undefined) {
    return { section: { open: literals(field, 'open', 'tool_calls'), close }, shapes: [objectShape(field)], closes }
  }
  const pieces = patternOf(fromPattern, 'tool_calls.open_pattern')
  const at = pieces.findIndex((piece) => piece.type === 'capture')
  const placeholder = namesOf(field).name
  const captured = pieces[at]
  const before = pieces.slice(0, at).filter((piece) => piece.type === 'literal')
  const opener = before.at(-1)
  if (captured?.type !== 'capture' || captured.name !== placeholder || !opener || before.length > 2) {
    throw new TypeError('tool_calls.open_pattern must hold a literal and then the capture that the call is named by.')
  }
  const shape = argumentsShape(field)
  const rest = pieces.slice(at + 1)
  if (shape.kind === 'dict') return { section: { open: [opener.text], close }, shapes: [shape], closes }
  const end = rest.find((piece) => piece.type === 'literal')
  if (!end) throw new TypeError('tool_calls.open_pattern must say with a literal where the header of a call ends.')
  const outer = before.length === 2 ? before[0] : undefined
  return {
    ...(outer && { section: { open: [outer.text], close } }),
    call: { open: [opener.text], close: outer ? tagClose(opener.text) : close },
    header: { in: 'text', until: [end.text], ...(rest[0]?.type === 'any' && { firstWord: true }) },
    shapes: [shape],
    closes: outer ? 'tag' : closes,
  }
}

/** A parser of templates skips what stands behind the last parameter; here the tag that does has to have a name. */
function tagClose(open: string): readonly string[] {
  const tag = /^<(\w[\w:.-]*)/.exec(open)?.[1]
  return tag === undefined ? [] : [`</${tag}>`]
}

// ---- names and arguments

/** What `transform` takes the name, the arguments and the id of a call from. */
function namesOf(field: Spec): { readonly name: string; readonly arguments: string; readonly id?: string } {
  const call = asSpec(field['transform'], 'tool_calls.transform')
  const inner = call['function'] ?? call
  if (placeholderOf(inner) === 'content') return { name: 'name', arguments: 'arguments' }
  const spec = asSpec(inner, 'tool_calls.transform.function')
  const [name, args] = [placeholderOf(spec['name']), placeholderOf(spec['arguments'])]
  if (name === undefined || args === undefined) {
    throw new TypeError('tool_calls.transform must name where the name and the arguments of a call come from.')
  }
  const id = placeholderOf(call['id'])
  return { name: lastPart(name), arguments: lastPart(args), ...(id !== undefined && { id: lastPart(id) }) }
}

/** `{content.name}` means the field `name` of the parsed content. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function placeholderOf(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\{([\w.]+)\}$/.exec(value)?.[1] : undefined
}

function objectShape(field: Spec): Shape {
  if (field['content'] !== 'json') {
    throw new TypeError(
      `tool_calls with the content ${JSON.stringify(field['content'])} need an open_pattern with a name.`,
    )
  }
  const { name, arguments: args, id } = namesOf(field)
  return {
    kind: 'object',
    list: 'optional',
    name: [name],
    arguments: args === 'arguments' ? ['arguments', 'parameters'] : [args],
    ...(id !== undefined && { id: [id] }),
  }
}

function argumentsShape(field: Spec): Shape {
  const options = field['content_args'] === undefined ? {} : asSpec(field['content_args'], 'tool_calls.content_args')
  switch (field['content']) {
    case 'json': {
      if (options['unquoted_keys'] !== true) return { kind: 'json' }
      const delimiters = options['string_delims']
      const pair: unknown = Array.isArray(delimiters) ? delimiters[0] : undefined
      const quote: unknown = Array.isArray(pair) && pair[0] === pair[1] ? pair[0] : undefined
      if (typeof quote !== 'string') throw new TypeError('string_delims must begin with a pair of equal marks.')
      return { kind: 'dict', open: '', quote, commas: 'optional' }
    }
    case 'xml-inline':
      return taggedShape(patternOf(options['tag_pattern'], 'tag_pattern'))
    default:
      throw new TypeError(`There is no counterpart for the content parser ${JSON.stringify(field['content'])}.`)
  }
}

/** Tags of the form literal, key, literal, value, literal, with white space anywhere in between. */
function taggedShape(pieces: readonly PatternPiece[]): Shape {
  const at = (name: string): number => pieces.findIndex((piece) => piece.type === 'capture' && piece.name === name)
  const [key, value] = [at('key'), at('value')]
  const open = literalIn(pieces.slice(0, Math.max(key, 0)))
  const middle = literalIn(pieces.slice(key + 1, Math.max(value, 0)))
  const close = literalIn(pieces.slice(value + 1))
  if (key < 0 || value < key || open === '' || middle === '' || close === '') {
    throw new TypeError('tag_pattern must be a literal, the key, a literal, the value and a literal.')
  }
  // Key and value may be elements of their own: `</key><value>`.
  const split = /^(<\/[^>]*>)(.*)$/s.exec(middle)
  return {
    kind: 'tagged',
    key: { open, close: split?.[1] ?? middle },
    value: { ...(split?.[2] && { open: split[2] }), close },
    trim: pieces[value - 1]?.type === 'space' ? 'all' : 'none',
  }
}

/** The literals of these pieces; nothing where anything but white space stands between them. */
function literalIn(pieces: readonly PatternPiece[]): string {
  if (pieces.some(({ type }) => type !== 'literal' && type !== 'space')) return ''
  return pieces.map((piece) => (piece.type === 'literal' ? piece.text : '')).join('')
}

// ---- reading the template

function asSpec(value: unknown, what: string): Spec {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value))
  throw new TypeError(`In the response template, ${what} must be an object.`)
}

function literals(field: Spec, key: 'open' | 'close', name: string): readonly string[] {
  const value = field[key]
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.filter((item): item is string => typeof item === 'string')
  if (field[`${key}_pattern`] === undefined || (key === 'open' && name === 'tool_calls')) return []
  const literal = literalIn(patternOf(field[`${key}_pattern`], `${name}.${key}_pattern`))
  if (literal === '') {
    throw new TypeError(`${name}.${key}_pattern must be one literal, with or without white space around it.`)
  }
  return [literal]
}

function patternOf(pattern: unknown, what: string): readonly PatternPiece[] {
  const pieces = typeof pattern === 'string' ? readPattern(pattern) : undefined
  if (!pieces)
    throw new TypeError(`${what} is beyond literals, white space and named captures: ${JSON.stringify(pattern)}.`)
  return pieces
}
