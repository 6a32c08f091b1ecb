// Decides whether `{}` may stand in for arguments that are not there. The tool's own schema has the last word.

import type { ArgumentsFaultCode, Repair } from '../model/failures.ts'
import type { Reading } from '../model/reading.ts'
import type { CompiledTool } from '../model/compiled.ts'
import type { EmptyObjectPolicy } from '../model/tools.ts'
import { excerpt } from './excerpt.ts'

/** Syntactically sound, refused for what it says: here a value exists, and dropping it would lose data. */
const soundCodes: ReadonlySet<ArgumentsFaultCode> = new Set([
  'duplicate-key',
  'forbidden-key',
  'lossy-number',
  'ill-formed-unicode',
  'too-deep',
])

/** Whether the policy lets the gate be asked at all: always for blank text, by opt-in for unreadable text, never for a cut call. */
export function mayAskGate(reading: Reading, policy: EmptyObjectPolicy, cut: boolean): boolean {
  if (cut || policy === 'never') return false
  switch (reading.state) {
    case 'blank':
      return true
    case 'fault':
      return policy === 'unparseable' && !soundCodes.has(reading.fault.code)
    case 'cut':
    case 'object':
      return false
    default:
      return reading satisfies never
  }
}

/** Whether the tool takes `{}`. Closed for a tool that nobody knows and for one without a schema. */
export function gateOf(tool: CompiledTool | undefined): boolean | Promise<boolean> {
  return tool?.check === undefined ? false : tool.acceptsEmpty
}

/** The record of `{}` in the place of the whole text. */
export function emptyObjectRepair(raw: string): Repair {
  return { name: 'empty-object', start: 0, end: raw.length, before: excerpt(raw) }
}
