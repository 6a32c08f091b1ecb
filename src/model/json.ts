// JSON values.

/** A JSON value. `bigint` occurs only where the option `integers: 'bigint'` asked for it. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject

/** A JSON object. Keys are own properties, `__proto__` included: reading one never reaches a prototype. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}
