// Names of calls, which may come late, blank, repeated whole or in pieces.

import type { ToolTable } from '../model/compiled.ts'

/** What another name does to the one that a call has so far, before the call has started. */
export function joinName(held: string, more: string, tools: ToolTable | undefined): string {
  if (held === '' || more === held) return more
  // A server that sends the name as it grows, not its next piece: only the tool list can tell.
  if (tools && tools.has(more) && more.startsWith(held) && !tools.has(held + more)) return more
  return held + more
}

/** Whether a name can't go on: it is a tool, and no other tool's name begins with it. */
export function isSettled(name: string, tools: ToolTable): boolean {
  if (!tools.has(name)) return false
  for (const other of tools.keys()) if (other.length > name.length && other.startsWith(name)) return false
  return true
}
