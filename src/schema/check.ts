// Makes one small interface of every kind of schema, and asks each once whether it takes `{}`.

import type { CheckResult } from '../model/compiled.ts'
import type { JsonSchema } from '../model/tools.ts'
import { compileJsonSchema, type CompiledJsonSchema } from './json-schema.ts'
import { aiCheck, isAiSchema, isStandardSchema, jsonSchemaOf, standardCheck, type Check } from './standard.ts'
import { isNode } from './vocabulary.ts'

/** A schema that is ready to judge. */
export interface CompiledSchema {
  readonly check: Check
  /** What the schema itself said of `{}`. `false` where it threw. A promise where it is asynchronous. */
  readonly acceptsEmpty: boolean | Promise<boolean>
  readonly asynchronous: boolean
  readonly jsonSchema?: JsonSchema
  readonly stringAt?: (path: readonly (string | number)[]) => boolean
}

/** Throws a `TypeError` for what is no schema or can't be checked. `openApi`: read plain schemas in Gemini's dialect. */
export function compileSchema(schema: unknown, openApi: boolean = false): CompiledSchema {
  const { check, described } = prepare(schema, openApi)
  return {
    check,
    ...probe(check),
    ...(described === undefined ? {} : { jsonSchema: described.jsonSchema, stringAt: described.stringAt }),
  }
}

interface Prepared {
  readonly check: Check
  readonly described: Pick<CompiledJsonSchema, 'jsonSchema' | 'stringAt'> | undefined
}

function prepare(schema: unknown, openApi: boolean): Prepared {
  if (typeof schema === 'boolean') return { check: schema ? acceptAll : refuseAll, described: undefined }
  if (isStandardSchema(schema)) return { check: standardCheck(schema), described: describe(jsonSchemaOf(schema)) }
  if (isAiSchema(schema)) return prepareAi(schema.jsonSchema, schema.validate)
  if (typeof schema === 'function') {
    const loaded: unknown = Reflect.apply(schema, undefined, [])
    if (typeof loaded === 'function' && !isStandardSchema(loaded))
      throw new TypeError('its lazy schema gave another function')
    return prepare(loaded, openApi)
  }
  if (isNode(schema) && Object.values(schema).some(isStandardSchema)) {
    throw new TypeError('it is a record of schemas: make one object schema of them, such as z.object({ … })')
  }
  const compiled = compileJsonSchema(schema, openApi)
  return { check: compiled.check, described: compiled }
}

/** Without `validate` the AI SDK checks nothing; the JSON Schema is there, so it is checked. */
function prepareAi(jsonSchema: unknown, validate: unknown): Prepared {
  if (isNode(jsonSchema) && typeof jsonSchema['then'] === 'function') {
    throw new TypeError('its JSON Schema is a promise: await it before the tools are given')
  }
  if (typeof validate !== 'function') return prepare(jsonSchema, false)
  return {
    check: aiCheck((value): unknown => Reflect.apply(validate, undefined, [value])),
    described: describe(jsonSchema),
  }
}

/** For summaries only, so a schema that our validator can't compile is no error here. */
function describe(jsonSchema: unknown): Prepared['described'] {
  if (jsonSchema === undefined) return undefined
  try {
    return compileJsonSchema(jsonSchema, false)
  } catch {
    // Nothing is judged by it; the library's own validator does that.
    return undefined
  }
}

function probe(check: Check): Pick<CompiledSchema, 'acceptsEmpty' | 'asynchronous'> {
  let result: CheckResult | Promise<CheckResult>
  try {
    result = check({})
  } catch {
    // A validator that can't even answer for `{}` has not accepted it.
    return { acceptsEmpty: false, asynchronous: false }
  }
  if (!(result instanceof Promise)) return { acceptsEmpty: result.ok, asynchronous: false }
  return { acceptsEmpty: result.then((settled) => settled.ok).catch(() => false), asynchronous: true }
}

const acceptAll: Check = (value) => ({ ok: true, value })
const refuseAll: Check = () => ({ ok: false, issues: [{ path: '', message: 'no value is allowed here' }] })
