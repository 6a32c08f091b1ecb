// The small way to get an assembler: it holds the formats that the caller passes, the text framings, and nothing else.

import type { AssemblerOptions } from '../model/options.ts'
import type { WireFormat } from '../model/formats.ts'
import type { Tools } from '../model/tools.ts'
import { isArray } from '../arguments/json.ts'
import { Assembly, type Assembler } from './assembler.ts'
import { toAssembler } from './typed.ts'

/** Options of `/core`: formats are values, so that a bundle holds only those that are named. */
export interface CoreOptions<T extends Tools = Tools> extends Omit<AssemblerOptions<T>, 'format' | 'textCalls'> {
  /** One format, or several to tell apart by the first events. */
  readonly format: WireFormat | readonly WireFormat[]
}

/** `createAssembler` of the main entry without format names, binary event streams and calls in text. */
export function createAssembler<const T extends Tools = Tools>(options: CoreOptions<T>): Assembler<T> {
  const { format, ...rest } = options
  const parts = { formats: isArray(format) ? format : [] }
  return toAssembler<T>(new Assembly({ ...rest, format: isArray(format) ? 'auto' : format }, parts, false))
}
