// Adapter for users of Ajv: `ajvSchema` makes a Standard Schema of an Ajv instance and a JSON Schema.

export { ajvSchema } from './adapters/ajv.ts'
export type { AjvErrorLike, AjvLike, AjvStandardSchema, AjvValidate } from './adapters/ajv.ts'
