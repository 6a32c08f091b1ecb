// The state of one block of calls, and the readers that its arguments may be in.

import type { JsonObject } from '../model/json.ts'
import { createDict, readDict, type DictState } from './dict-call.ts'
import { formatAt, type CompiledFormat, type Grammar, type Opening } from './grammar.ts'
import type { Head } from './head.ts'
import { createJsonArgs, readJsonArgs, type JsonArgsState } from './json-args.ts'
import { createObject, readObject, type ObjectState } from './json-object.ts'
import { fillNames } from './placeholders.ts'
import type { CallPort } from './port.ts'
import { createPython, readPython, type PythonState } from './python-calls.ts'
import type { Residue, ResidueRules } from './residue.ts'
import type { Shape, TextFormat } from './row.ts'
import { createTaggedArgs, readTaggedArgs, type TaggedRules, type TaggedState } from './tagged-args.ts'

export type Reader = ObjectState | JsonArgsState | TaggedState | PythonState | DictState

export interface Block {
  readonly opening: Opening
  /** `body`: inside arguments. `after`: they are complete, their close tag is not there. `between`: inside the section. `tail`: behind a call that needs no close tag. `residue`: behind any of these three, before anything known. `lost`: past a fault, on the way to the next close tag. */
  at: 'body' | 'after' | 'between' | 'tail' | 'residue' | 'lost'
  /** What stands behind a call before anything known does, and where it began. Set by its first character; an unjudged one is cleared with the block. */
  residue: BlockResidue | null
  /** The body that is being read, or was read last. */
  body: Body
  /** A call whose start waits for its arguments. Set by a head with a name, cleared by the start. */
  pending: PendingCall | null
  /** The keys of the calls that are neither closed nor refused. */
  open: string[]
  /** The keys of calls that were complete when this object came behind them: it is another call, or they are refused for it. */
  before: string[]
  /** The key of the call that gets what is appended; null before the first one and for calls that stand for "no tool". */
  current: string | null
  /** What is odd about a block of which that is not known yet. */
  remarks: Remark[]
  /** Whether it is known that this is a block of calls: from the first name on. Until then everything is kept in `raw`. */
  decided: boolean
  raw: string
  /** Everything, where a refused block stands in the text as well; null where it doesn't. */
  evidence: string | null
  /** Whether a call of the block was refused, and whether one was closed as it should be. */
  refused: boolean
  accepted: boolean
}

/** What follows one head: the arguments of one call, or several calls that hold their names themselves. */
export interface Body {
  readonly shape: number
  /** Replaced where another call follows without a head. */
  reader: Reader
  /** The name of the call, where the head holds it; else empty. */
  readonly name: string
  /** Whether a code fence stands around the body and has not been closed. */
  fenced: boolean
}

export interface Remark {
  readonly message: string
  readonly raw: string
}

export interface BlockResidue {
  readonly behind: 'after' | 'between' | 'tail'
  readonly text: Residue
}

export interface PendingCall {
  readonly name: string
  readonly id: string | null
  readonly extra: JsonObject | undefined
}

export function createBlock(grammar: Grammar, opening: Opening, head: Head): Block {
  const { format } = formatAt(grammar, opening.format)
  const keeps = grammar.options.onMalformed === 'emit-text' || format.bare !== undefined
  return {
    opening,
    at: 'body',
    body: createBody(grammar, opening, head),
    pending: null,
    residue: null,
    open: [],
    before: [],
    current: null,
    remarks: [],
    decided: false,
    raw: '',
    evidence: keeps ? '' : null,
    refused: false,
    accepted: false,
  }
}

export function createBody(grammar: Grammar, { format }: Opening, head: Head): Body {
  const { shape, name = '', fenced = false } = head
  return { shape, reader: createReader(shapeAt(grammar, format, shape)), name, fenced }
}

export function formatOf(grammar: Grammar, block: Block): CompiledFormat {
  return formatAt(grammar, block.opening.format)
}

export function shapeOf(grammar: Grammar, block: Block): Shape {
  return shapeAt(grammar, block.opening.format, block.body.shape)
}

/** What closes the call that is being read; none where its format has no tag for that. */
export function callCloses(grammar: Grammar, block: Block): readonly string[] {
  return fillNames(formatOf(grammar, block).callClose, block.body.name)
}

function shapeAt(grammar: Grammar, format: number, number: number): Shape {
  const shape = formatAt(grammar, format).format.shapes[number]
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

/** Reads on in the block's body. */
export function readBody(grammar: Grammar, block: Block, text: string, i: number, port: CallPort): number {
  const { reader } = block.body
  const shape = shapeOf(grammar, block)
  const { options } = grammar
  switch (reader.kind) {
    case 'object': {
      if (shape.kind !== 'object' && shape.kind !== 'keyed-object') break
      const isBare = formatOf(grammar, block).format.bare !== undefined
      return readObject(
        reader,
        { shape, earlyName: options.earlyName && !isBare, isBare, isolated: options.siblingIsolation },
        text,
        i,
        port,
      )
    }
    case 'json':
      if (shape.kind !== 'json') break
      return readJsonArgs(reader, shape, text, i, port)
    case 'tagged':
      return readTaggedArgs(reader, taggedRules(grammar, block), text, i, port)
    case 'python':
      if (shape.kind !== 'python') break
      return readPython(reader, { shape, isolated: options.siblingIsolation }, text, i, port)
    case 'dict':
      if (shape.kind !== 'dict') break
      return readDict(reader, shape, text, i, port)
    default:
      reader satisfies never
  }
  throw mismatch(reader.kind, shape)
}

/** The rules for tagged arguments of this block, whose body must be such. */
export function taggedRules(grammar: Grammar, block: Block): TaggedRules {
  const shape = shapeOf(grammar, block)
  if (shape.kind !== 'tagged') throw mismatch('tagged', shape)
  const { format, sectionClose, outside } = formatOf(grammar, block)
  const { options } = grammar
  return {
    shape,
    trim: options.valueTrim ?? shape.trim,
    untyped: options.untyped,
    closes: format.call ? callCloses(grammar, block) : sectionClose,
    ends: outside,
    implicitClose: options.implicitParamClose,
    schema: grammar.schemaOf(block.body.name),
  }
}

/** What is known to stand behind a call of this block, and how far what does not is asked. */
export function residueRules(grammar: Grammar, block: Block, { behind }: BlockResidue): ResidueRules {
  const { format, sectionClose, callClose, sectionOpen, callOpen, inside } = formatOf(grammar, block)
  const shape = shapeOf(grammar, block)
  const borders = [...grammar.openers, ...sectionOpen, ...callOpen]
  const common = {
    tags: inside,
    python: shape.kind === 'python',
    layout: format.bare === undefined || format.section !== undefined,
  }
  switch (behind) {
    case 'between':
      return { ...common, reach: block.opening.as === 'section' ? 'tags' : 'begin', closes: sectionClose, borders }
    case 'after': {
      const own = callCloses(grammar, block)
      const closes = own.length > 0 ? own : sectionClose
      return { ...common, reach: 'whole', closes, borders: [...borders, ...sectionClose] }
    }
    case 'tail': {
      const closes = [...sectionClose, ...callClose, ...(format.stops ?? [])]
      return { ...common, reach: endsAtStop(format) ? 'whole' : 'begin', closes, borders }
    }
    default:
      return behind satisfies never
  }
}

/** Whether the call is a message of its own, which goes on to the next stop token. */
export function endsAtStop(format: TextFormat): boolean {
  return format.header?.in === 'channel'
}

function mismatch(reader: Reader['kind'], shape: Shape): TypeError {
  return new TypeError(`A reader of kind ${reader} in a shape of kind ${shape.kind}.`)
}
