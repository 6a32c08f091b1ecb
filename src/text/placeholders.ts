// What stands in the literals of a row for something that each call has of its own: `{name}` for the tool in the tags of a call,
// `{key}` for the parameter in the close tag of its value.

export function hasName(literal: string): boolean {
  return literal.includes('{name}')
}

export function fillName(literal: string, name: string): string {
  return literal.replace('{name}', () => name)
}

/** The same list where there is nothing to fill in. */
export function fillNames(literals: readonly string[], name: string): readonly string[] {
  return literals.some(hasName) ? literals.map((literal) => fillName(literal, name)) : literals
}

export function hasKey(literal: string): boolean {
  return literal.includes('{key}')
}

export function fillKey(literal: string, key: string): string {
  return literal.replace('{key}', () => key)
}
