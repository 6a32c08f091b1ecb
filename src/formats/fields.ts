// Typed looks at JSON of unknown shape. `null` means "not of that type"; `present` then tells nothing from something else.

/** A JSON object that nobody has vouched for. */
export interface Fields {
  readonly [key: string]: unknown
}

/** The value as an object, arrays excluded. */
export function record(value: unknown): Fields | null {
  // Everything is read as unknown again, so the cast asserts nothing beyond "has keys".
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

export function list(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** A string that says something: `''` is no evidence on any wire. */
export function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** An index as servers write it: a number of any sign, or a string. */
export function index(value: unknown): number | string | null {
  return number(value) ?? word(value)
}

/** An id as servers write it: some count with numbers. */
export function identifier(value: unknown): string | null {
  return word(value) ?? number(value)?.toString() ?? null
}

/** Whether the wire said anything here. A present value that is not of the expected type is damage, an absent one is not. */
export function present(value: unknown): boolean {
  return value !== undefined && value !== null
}
