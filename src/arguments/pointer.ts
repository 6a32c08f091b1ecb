// JSON Pointers: keys as their segments, and where they lead. Source: https://www.rfc-editor.org/rfc/rfc6901#section-3

export function escapePointer(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** The key that a segment names. */
export function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** What stands at a pointer; `undefined` where nothing does. An index of an array is a key too. */
export function valueAtPointer(root: unknown, pointer: string): unknown {
  let current = root
  for (const segment of pointer === '' ? [] : pointer.slice(1).split('/')) {
    if (typeof current !== 'object' || current === null) return undefined
    const key = unescapePointer(segment)
    if (!Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  return current
}
