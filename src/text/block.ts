// The state of one block of calls, and the readers that it may be in.

import type { JsonObject } from '../model/json.ts'
import { createDict, readDict, type DictState } from './dict-call.ts'
import type { CompiledFormat, Grammar, Opening } from './grammar.ts'
import type { Head } from './head.ts'
import { createJsonArgs, readJsonArgs, type JsonArgsState } from './json-args.ts'
import { createObject, readObject, type ObjectState } from './json-object.ts'
import type { CallPort } from './port.ts'
import { createPython, readPython, type PythonState } from './python-calls.ts'
import type { Shape } from './row.ts'
import { createTaggedArgs, readTaggedArgs, type TaggedRules, type TaggedState } from './tagged-args.ts'

export type Reader = ObjectState | JsonArgsState | TaggedState | PythonState | DictState

export interface Block {
  readonly format: number
  readonly opening: Opening
  /** `body`: inside arguments. `after`: they are complete, their close tag is not there. `between`: inside the section. `tail`: behind a call that needs no close tag. `lost`: past a fault, on the way to the next close tag. */
  at: 'body' | 'after' | 'between' | 'tail' | 'lost'
  shape: number
  reader: Reader
  /** The name of the call that is being read, where the header holds it. */
  name: string
  /** A call whose start waits for its arguments; set with `earlyName: false`, cleared by the start. */
  waiting: { readonly name: string; readonly id: string | null; readonly extra: JsonObject | undefined } | null
  /** The keys of the calls that are neither closed nor refused. */
  open: string[]
  /** The key of the call that gets what is appended; null before the first one and for calls that stand for "no tool". */
  current: string | null
  /** Whether it is known that this is a block of calls: from the first name on. Until then everything is kept in `raw`. */
  decided: boolean
  raw: string
  /** Everything, where a refused block stands in the text as well; null where it doesn't. */
  evidence: string | null
  /** Whether a call of the block was refused, and whether one was closed as it should be. */
  refused: boolean
  accepted: boolean
  /** Whether a code fence stands inside the block, around the call, and has not been closed. */
  fenced: boolean
}

export function createBlock(grammar: Grammar, opening: Opening, head: Head): Block {
  const { format } = compiledOf(grammar, opening.format)
  const keeps = grammar.options.onMalformed === 'emit-text' || format.bare !== undefined
  return {
    format: opening.format,
    opening,
    at: 'body',
    shape: head.shape,
    reader: createReader(shapeOf(grammar, opening.format, head.shape)),
    name: head.name ?? '',
    waiting: null,
    open: [],
    current: null,
    decided: false,
    raw: '',
    evidence: keeps ? '' : null,
    refused: false,
    accepted: false,
    fenced: false,
  }
}

export function compiledOf(grammar: Grammar, number: number): CompiledFormat {
  const compiled = grammar.formats[number]
  if (!compiled) throw new RangeError(`No format ${number}.`)
  return compiled
}

export function shapeOf(grammar: Grammar, format: number, number: number): Shape {
  const shape = compiledOf(grammar, format).format.shapes[number]
  if (!shape) throw new RangeError(`No shape ${number}.`)
  return shape
}

export function createReader(shape: Shape): Reader {
  switch (shape.kind) {
    case 'object':
    case 'keyed-object':
      return createObject()
    case 'json':
      return createJsonArgs()
    case 'tagged':
      return createTaggedArgs()
    case 'python':
      return createPython()
    case 'dict':
      return createDict()
    default:
      return shape satisfies never
  }
}

/** The names that may open a block; any name where there is no such rule. Behind the first name a block is one of calls. */
function namesOf(grammar: Grammar, block: Block): ((name: string) => boolean) | undefined {
  if (block.decided) return undefined
  const { bare } = compiledOf(grammar, block.format).format
  const { tools, options } = grammar
  if (bare === 'list') return (name) => options.bareList === 'always' || tools?.has(name) === true
  if (bare === 'object' || options.unknownTool === 'text') return (name) => tools === undefined || tools.has(name)
  return undefined
}

/** Reads on in the block's body. */
export function readBody(grammar: Grammar, block: Block, text: string, i: number, port: CallPort): number {
  const { reader } = block
  const shape = shapeOf(grammar, block.format, block.shape)
  const mayCall = namesOf(grammar, block)
  const isBare = compiledOf(grammar, block.format).format.bare !== undefined
  const named = mayCall ? { mayCall } : {}
  switch (reader.kind) {
    case 'object':
      if (shape.kind !== 'object' && shape.kind !== 'keyed-object') break
      return readObject(
        reader,
        { shape, earlyName: grammar.options.earlyName !== false && !isBare, isBare, ...named },
        text,
        i,
        port,
      )
    case 'json':
      if (shape.kind !== 'json') break
      return readJsonArgs(reader, shape, text, i, port)
    case 'tagged':
      return readTaggedArgs(reader, taggedRules(grammar, block, shape), text, i, port)
    case 'python':
      if (shape.kind !== 'python') break
      return readPython(
        reader,
        { shape, isolated: grammar.options.siblingIsolation !== false, ...named },
        text,
        i,
        port,
      )
    case 'dict':
      if (shape.kind !== 'dict') break
      return readDict(reader, shape, text, i, port)
    default:
      reader satisfies never
  }
  throw new TypeError(`A reader of kind ${reader.kind} in a shape of kind ${shape.kind}.`)
}

export function taggedRules(grammar: Grammar, block: Block, shape: Shape): TaggedRules {
  if (shape.kind !== 'tagged') throw new TypeError(`A reader of tags in a shape of kind ${shape.kind}.`)
  const { format, sectionClose, sectionOpen, callOpen } = compiledOf(grammar, block.format)
  const { options } = grammar
  const opens = format.header?.in === 'tag' ? [] : callOpen
  const closes = (format.call?.close ?? sectionClose).map((close) => close.replace('{name}', () => block.name))
  const ends = [...sectionClose, ...sectionOpen, ...opens]
  return {
    shape,
    trim: options.valueTrim ?? shape.trim,
    untyped: options.untyped ?? 'string',
    closes,
    ends,
    borders: [...closes, ...ends],
    implicitClose: options.implicitParamClose === true,
    schema: grammar.schemaOf(block.name),
  }
}
