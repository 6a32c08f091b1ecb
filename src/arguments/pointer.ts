// Keys as segments of a JSON Pointer. Source: https://www.rfc-editor.org/rfc/rfc6901#section-3

export function escapePointer(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** The key that a segment names. */
export function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
