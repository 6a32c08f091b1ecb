// Compiles plain JSON Schema: reads its dialect, finds what is broken in it, and makes it ready to check values.

import { listOf } from '../arguments/json.ts'
import type { JsonObject } from '../model/json.ts'
import type { CheckResult } from '../model/compiled.ts'
import type { JsonSchema } from '../model/tools.ts'
import { inspectSchema } from './inspect.ts'
import { fromOpenApi, speaksOpenApi } from './openapi.ts'
import { createStringAt } from './string-at.ts'
import { checkValue, draftOf, relaxedSchema, resolveSchema, type Rules } from './validation.ts'
import { copySchema, isNode, schemasIn, type SchemaNode } from './vocabulary.ts'

export interface CompiledJsonSchema {
  readonly check: (value: JsonObject) => CheckResult
  /** The schema in the words of JSON Schema: the author's own object, or its translation from another dialect. */
  readonly jsonSchema: JsonSchema
  readonly stringAt: (path: readonly (string | number)[]) => boolean
}

/** Throws a `TypeError` for anything that is no JSON Schema or that can't be checked. The given object is never changed. */
export function compileJsonSchema(given: unknown, openApi: boolean): CompiledJsonSchema {
  if (!isNode(given)) throw new TypeError('it must be a schema: an object, a boolean or a Standard Schema')
  try {
    return compile(given, openApi)
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError('it is nested too deeply', { cause: error })
    throw error
  }
}

function compile(given: SchemaNode, openApi: boolean): CompiledJsonSchema {
  const document = copySchema(given)
  const translated = openApi || speaksOpenApi(document)
  if (translated) fromOpenApi(document)
  const jsonSchema = translated ? copySchema(document) : given
  nameRecursion(document)
  const relaxed = relaxedSchema(document)
  const { root, lookup } = resolveSchema(document)
  const rules: Rules = { root, lookup, draft: draftOf(root), checks: inspectSchema(root, lookup), relaxed }
  return { check: (value) => checkValue(value, rules), jsonSchema, stringAt: createStringAt(root, lookup) }
}

/** `$recursiveRef` of 2019-09, in words that every draft has. In a document of its own it means the document's root. */
function nameRecursion(root: SchemaNode): void {
  for (const node of schemasIn(root)) {
    if (node['$recursiveRef'] !== '#') continue
    // A copy that nobody else holds.
    const written: { [keyword: string]: unknown } = node
    delete written['$recursiveRef']
    written['allOf'] = [...listOf(node['allOf']), { $ref: '#' }]
  }
}
