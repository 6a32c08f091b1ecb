// Reads the attributes of a tag: `name="city" string="true"`.

import { needsMore, noMatch } from './match.ts'

const attribute = /([^\s="'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g

/** The attributes by name. */
export function readAttributes(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(attribute)].map(([, key = '', double, single, bare]) => [key, double ?? single ?? bare ?? '']),
  )
}

/** Where the tag ends that `i` is inside of, past quoted values. */
export function findTagEnd(text: string, i: number, close: string, limit: number): number {
  let quote = ''
  for (let at = i; at <= i + limit; at++) {
    if (at >= text.length) return needsMore
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (text.startsWith(close, at)) return at
    else if (text.length - at < close.length && close.startsWith(text.slice(at))) return needsMore
  }
  return noMatch
}
