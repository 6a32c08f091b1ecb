// A part of the caller's tools in the shape that they came in, so that it goes where all of them would have gone.

import { isArray } from '../arguments/json.ts'
import type { ToolDefinition, Tools } from '../model/tools.ts'
import { readDefinitions } from '../schema/definitions.ts'

/** The tools of these names, in the given order. Entries that name no tool of the caller (a provider's own tools) stay. */
export function pickTools(tools: Tools, names: ReadonlySet<string>): Tools {
  if (isArray(tools)) return tools.flatMap((entry) => pickEntry(entry, names))
  return Object.fromEntries(Object.entries(tools).filter(([name]) => names.has(name)))
}

/** Under these keys one entry holds several tools: Gemini's two spellings, and the namespaces of the Responses API. */
const groupKeys = ['functionDeclarations', 'function_declarations', 'tools'] as const

function pickEntry(entry: ToolDefinition, names: ReadonlySet<string>): readonly ToolDefinition[] {
  const held = readDefinitions([entry]).map(({ name }) => name)
  if (held.every((name) => names.has(name))) return [entry]
  if (!held.some((name) => names.has(name))) return []
  return [pickFromGroup(entry, names)]
}

function pickFromGroup(entry: ToolDefinition, names: ReadonlySet<string>): ToolDefinition {
  const picked = Object.entries(entry).map(([key, value]: [string, unknown]) => {
    const isGroup = Array.isArray(value) && groupKeys.some((group) => group === key)
    return [key, isGroup ? pickMembers(key, value, names) : value]
  })
  // The same entry with fewer members.
  return Object.fromEntries(picked) as ToolDefinition
}

function pickMembers(key: string, members: readonly unknown[], names: ReadonlySet<string>): readonly unknown[] {
  return members.filter((member) => {
    // A declaration is named like any definition, once the key says that it is one.
    const entry = (key === 'tools' ? member : { functionDeclarations: [member] }) as ToolDefinition
    return readDefinitions([entry]).some(({ name }) => names.has(name))
  })
}
