// Writes calls and results in a text format: for prompts, for a history in the model's own dialect, and to test the scanner with what
// it must read back.

import { isObject, writeJson } from '../arguments/json.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { fillKey, fillName } from './placeholders.ts'
import { pythonWord } from './python-words.ts'
import type { Header, Layout, Shape, TextFormat } from './row.ts'

export interface WrittenCall {
  readonly name: string
  readonly arguments: JsonObject
  /** Written where the format has a place for it. */
  readonly id?: string | null
}

/** One call, whole, with everything around it. */
export function renderCall(format: TextFormat, call: WrittenCall): string {
  return renderCalls(format, [call])
}

/**
 * Calls of one turn. The scanner reads them back as they were, unless a text in them holds the format's own markup where the format
 * has no way to escape it: a close tag behind which a parameter could end, a mark inside a marked text.
 */
export function renderCalls(format: TextFormat, calls: readonly WrittenCall[]): string {
  const { section, call: enclosure, layout = {} } = format
  const shape = format.shapes[0]
  if (!shape || calls.length === 0) return ''
  const between = layout.between ?? ''
  const inSection = (inside: string): string => {
    const { section: space = '' } = layout
    const close = section?.close[0]
    return `${section?.open[0] ?? ''}${space}${inside}${close === undefined ? '' : space + close}`
  }
  if (enclosure) {
    const written = calls.map((call, index) => renderEnclosed(format, shape, call, index)).join(between)
    return section ? inSection(written) : written
  }
  const listed = inOneList(shape, layout)
  if (listed) return inSection(`[${calls.map((call) => renderBody(shape, call, layout)).join(', ')}]`)
  if (shape.kind === 'python') return inSection(calls.map((call) => renderBody(shape, call, layout)).join(between))
  return calls.map((call) => inSection(renderBody(shape, call, layout))).join(between)
}

/** The result of a tool as the model expects to read it; plain where the format has no enclosure for it. */
export function renderResponse(format: TextFormat, output: string): string {
  const [open, close] = format.response ?? ['', '']
  return `${open}${output}${close}`
}

function inOneList(shape: Shape, layout: Layout): boolean {
  switch (shape.kind) {
    case 'object':
    case 'keyed-object':
      return shape.list === 'always' || (shape.list === 'optional' && layout.list === true)
    case 'python':
      return shape.list === 'brackets'
    case 'json':
    case 'tagged':
    case 'dict':
      return false
    default:
      return shape satisfies never
  }
}

function renderEnclosed(format: TextFormat, shape: Shape, call: WrittenCall, index: number): string {
  const { layout = {}, header } = format
  const open = fillName(format.call?.open[0] ?? '', call.name)
  const close = format.call?.close[0]
  const space = layout.call ?? ''
  const body = renderBody(shape, call, layout)
  const end =
    close === undefined ? (format.stops?.[0] ?? '') : `${body === '' ? '' : space}${fillName(close, call.name)}`
  return `${open}${renderHeader(header, call, index)}${space}${body}${end}`
}

function renderHeader(header: Header | undefined, call: WrittenCall, index: number): string {
  switch (header?.in) {
    case undefined:
    case 'tag':
      return ''
    case 'text': {
      const end = header.until[0] ?? ''
      // An end that begins the arguments is not the header's.
      return `${header.open ?? ''}${call.name}${end === '{' || end === '<' ? '' : end}`
    }
    case 'attributes':
      return `${header.name}="${call.name}"${header.close}`
    case 'id':
      return `${call.id ?? `${header.prefix}${call.name}:${index}`}${header.until[0] ?? ''}`
    case 'channel':
      return `assistant<|channel|>commentary to=${header.recipient}${call.name} <|constrain|>json${header.until}`
    default:
      return header satisfies never
  }
}

function renderBody(shape: Shape, call: WrittenCall, layout: Layout): string {
  const json = writeJson(call.arguments)
  switch (shape.kind) {
    case 'object': {
      const [name = 'name'] = shape.name
      const [args = 'arguments'] = shape.arguments
      const id = shape.id?.[0]
      const first = id !== undefined && call.id ? `${JSON.stringify(id)}: ${JSON.stringify(call.id)}, ` : ''
      return `{${first}${JSON.stringify(name)}: ${JSON.stringify(call.name)}, ${JSON.stringify(args)}: ${json}}`
    }
    case 'keyed-object':
      return `{${JSON.stringify(call.name)}: ${json}}`
    case 'json':
      return `${shape.open ?? ''}${json}${shape.close ?? ''}`
    case 'tagged':
      return Object.entries(call.arguments)
        .map(([key, value]) => renderParameter(shape, key, value, layout))
        .join(layout.parameter ?? '')
    case 'python': {
      const args = Object.entries(call.arguments).map(([key, value]) => `${key}=${python(value)}`)
      return `${call.name}${shape.suffix ?? ''}(${args.join(', ')})`
    }
    case 'dict':
      return `${shape.open}${call.name}${dict(call.arguments, shape.quote)}`
    default:
      return shape satisfies never
  }
}

function renderParameter(shape: Shape & { kind: 'tagged' }, key: string, value: JsonValue, layout: Layout): string {
  const isString = typeof value === 'string'
  // A reader takes one newline off each end, so that the value's own need one more.
  const needsSpace = shape.trim === 'one-newline' && isString && /^\n|\n$/.test(value)
  const space = layout.value ?? (needsSpace ? '\n' : '')
  return [
    `${shape.key.open}${renderKey(shape, key, value)}${shape.key.close}`,
    shape.value.open === undefined ? '' : `${layout.parameter ?? ''}${shape.value.open}`,
    `${space}${isString ? value : writeJson(value)}${space}`,
    fillKey(shape.value.close, key),
  ].join('')
}

function renderKey({ key: { attribute }, typed }: Shape & { kind: 'tagged' }, key: string, value: JsonValue): string {
  if (attribute === undefined) return key
  const type = typed ? ` ${typed.attribute}="${typeAttribute(typed.by, value)}"` : ''
  return `${attribute}="${key}"${type}`
}

function typeAttribute(by: 'string-or-json' | 'name', value: JsonValue): string {
  if (by === 'string-or-json') return String(typeof value === 'string')
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}

/** JSON's strings and numbers are Python's too. */
function python(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return pythonWord(value)
  if (typeof value !== 'object') return writeJson(value)
  if (!isObject(value)) return `[${value.map(python).join(', ')}]`
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${python(item)}`)
  return `{${members.join(', ')}}`
}

function dict(value: JsonValue, quote: string): string {
  if (typeof value === 'string') return `${quote}${value}${quote}`
  if (typeof value !== 'object' || value === null) return writeJson(value)
  if (!isObject(value)) return `[${value.map((item) => dict(item, quote)).join(',')}]`
  const members = Object.entries(value).map(([key, item]) => `${key}:${dict(item, quote)}`)
  return `{${members.join(',')}}`
}
