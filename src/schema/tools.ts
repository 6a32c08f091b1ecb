// Makes the tools of a turn ready: read in any shape, schemas compiled and probed, policies filled in. All of it once, at
// creation.

import type { CompiledTool, ToolTable } from '../model/compiled.ts'
import type { ArgumentsPolicy, Tools } from '../model/tools.ts'
import { compileSchema } from './check.ts'
import { readDefinitions, type Definition } from './definitions.ts'
import { resolvePolicy } from './policy.ts'

export interface ToolDefaults {
  /** The options' own policy: it holds for every tool that says nothing else. */
  readonly policy: ArgumentsPolicy
  readonly maxDepth: number
}

/**
 * `undefined` where no tools were given: there is nothing to check with then. Throws a `TypeError` that names the tool for a broken
 * schema, a second tool of the same name, or a definition without a name.
 */
export function compileTools(tools: Tools | undefined, defaults: ToolDefaults): ToolTable | undefined {
  if (tools === undefined) return undefined
  const table = new Map<string, CompiledTool>()
  const builtIn = new Set<string>()
  for (const definition of readDefinitions(tools)) {
    const { name } = definition
    if (definition.builtIn && builtIn.has(name)) continue
    if (table.has(name))
      throw new TypeError(`${definition.where} is a second tool named ${JSON.stringify(name)}: names must be unique`)
    if (definition.builtIn) builtIn.add(name)
    table.set(name, compileTool(definition, defaults))
  }
  return table
}

/** One tool made ready. */
export function compileTool(definition: Definition, { policy, maxDepth }: ToolDefaults): CompiledTool {
  const { name, description, schema, openApi, where } = definition
  const shared = {
    name,
    ...(description === undefined ? {} : { description }),
    policy: resolvePolicy([definition.policy, policy], maxDepth, `${where} (${name})`),
  }
  if (schema === undefined) return { ...shared, acceptsEmpty: false, asynchronous: false }
  try {
    return { ...shared, ...compileSchema(schema, openApi) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TypeError(`the schema of tool ${JSON.stringify(name)} (${where}) is broken: ${reason}`, { cause: error })
  }
}
