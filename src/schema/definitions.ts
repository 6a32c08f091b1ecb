// Reads tool definitions in every shape that the APIs and kits have into one: a name, a schema, a policy.

import type { ArgumentsPolicy, Tools } from '../model/tools.ts'

/** One tool as its author defined it. */
export interface Definition {
  readonly name: string
  readonly description?: string
  /** Whatever stood under the schema's key; `undefined` where there was none. */
  readonly schema: unknown
  /** Gemini's `parameters` are OpenAPI's dialect of JSON Schema. */
  readonly openApi: boolean
  readonly policy: ArgumentsPolicy
  /** Named by its type alone. Several servers of one type may stand in one list. */
  readonly builtIn: boolean
  /** Where it stood, for errors: `tools[2]` or `tools.get_weather`. */
  readonly where: string
}

type Fields = { readonly [key: string]: unknown }

const schemaKeys = ['parameters', 'inputSchema', 'input_schema', 'parametersJsonSchema'] as const

/** Tools that run at the server and are named by their key alone, in both spellings of Gemini's API, and Bedrock's marks. */
const serverToolKeys = [
  'googleSearch',
  'googleSearchRetrieval',
  'codeExecution',
  'urlContext',
  'googleMaps',
  'fileSearch',
  'computerUse',
  'retrieval',
  'enterpriseWebSearch',
  'google_search',
  'google_search_retrieval',
  'code_execution',
  'url_context',
  'google_maps',
  'file_search',
  'computer_use',
  'cachePoint',
  'systemTool',
] as const

/** Every tool in the order given. Throws a `TypeError` for what is no definition. */
export function readDefinitions(tools: Tools): readonly Definition[] {
  // Callers without types can pass anything at all.
  const given: unknown = tools
  if (Array.isArray(given)) return given.flatMap((entry: unknown, index) => readEntry(entry, `tools[${index}]`))
  if (!isFields(given))
    throw new TypeError(`tools must be an array of definitions or a record by name, got ${kindOf(given)}`)
  return Object.keys(given).map((name) => {
    const where = `tools.${name}`
    const entry = given[name]
    if (!isFields(entry)) throw new TypeError(`${where} must be a tool definition, got ${kindOf(entry)}`)
    if (looksLikeSchema(entry)) {
      throw new TypeError(
        `${where} is a schema, not a definition: write { ${JSON.stringify(name)}: { parameters: schema } }`,
      )
    }
    if (name === '') throw new TypeError('a tool in the record has an empty name')
    return define(name, coreOf(entry), entry, false, where)
  })
}

/** One entry of an array: a tool, several (Gemini's declarations), or none that makes calls. */
function readEntry(entry: unknown, where: string): readonly Definition[] {
  if (!isFields(entry)) throw new TypeError(`${where} must be a tool definition, got ${kindOf(entry)}`)
  const declarations = entry['functionDeclarations'] ?? entry['function_declarations']
  if (declarations !== undefined) return readDeclarations(declarations, where)
  if (entry['type'] === 'namespace' && Array.isArray(entry['tools'])) {
    return entry['tools'].flatMap((inner: unknown, index) => readEntry(inner, `${where}.tools[${index}]`))
  }
  const core = coreOf(entry)
  const name = core['name']
  if (typeof name === 'string' && name !== '') return [define(name, core, entry, false, where)]
  if (name === undefined && core === entry) {
    const type = entry['type']
    if (typeof type === 'string' && type !== 'function' && !looksLikeSchema(entry)) {
      return [define(type, {}, {}, true, where)]
    }
    if (serverToolKeys.some((key) => key in entry)) return []
  }
  throw new TypeError(`${where} has no name: give it one, as in { name: 'get_weather', parameters: schema }`)
}

function readDeclarations(declarations: unknown, where: string): readonly Definition[] {
  if (!Array.isArray(declarations)) throw new TypeError(`${where}: functionDeclarations must be an array`)
  return declarations.map((declaration: unknown, index) => {
    const place = `${where}.functionDeclarations[${index}]`
    const name = isFields(declaration) ? declaration['name'] : undefined
    if (!isFields(declaration) || typeof name !== 'string' || name === '') throw new TypeError(`${place} has no name`)
    return define(name, declaration, declaration, false, place, 'parameters' in declaration)
  })
}

function define(
  name: string,
  core: Fields,
  around: Fields,
  builtIn: boolean,
  where: string,
  openApi: boolean = false,
): Definition {
  const description = core['description']
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    schema: schemaOf(core, `${where} (${name})`),
    openApi,
    policy: { ...policyOf(around), ...policyOf(core) },
    builtIn,
    where,
  }
}

/** The part of an entry that holds name and schema: the entry itself unless its API wraps it. */
function coreOf(entry: Fields): Fields {
  for (const key of ['function', 'custom', 'toolSpec'] as const) {
    const inner = entry[key]
    if (isFields(inner)) return inner
  }
  return entry
}

function schemaOf(core: Fields, where: string): unknown {
  const given = schemaKeys.filter((key) => core[key] !== undefined && core[key] !== null)
  const [first] = given
  if (first === undefined) return undefined
  if (given.some((key) => core[key] !== core[first])) {
    throw new TypeError(`${where} has several schemas (${given.join(', ')}): keep one`)
  }
  const schema = core[first]
  // Bedrock wraps the schema once more.
  return first === 'inputSchema' && isFields(schema) && isFields(schema['json']) && Object.keys(schema).length === 1
    ? schema['json']
    : schema
}

function policyOf(fields: Fields): ArgumentsPolicy {
  const policy: { [key: string]: unknown } = {}
  for (const key of ['repair', 'closeTruncated', 'emptyObject', 'integers', 'refine']) {
    if (fields[key] !== undefined) policy[key] = fields[key]
  }
  // The values are checked where the policy is resolved; here they are only picked.
  return policy
}

/** A schema where a definition belongs would switch all checks off without a word. */
function looksLikeSchema(entry: Fields): boolean {
  if ('~standard' in entry || '$schema' in entry || '$ref' in entry) return true
  return entry['type'] === 'object' || ('properties' in entry && !schemaKeys.some((key) => key in entry))
}

/** Objects and functions: some kits' tools are functions with properties. */
function isFields(value: unknown): value is Fields {
  return (typeof value === 'object' && value !== null && !Array.isArray(value)) || typeof value === 'function'
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}
