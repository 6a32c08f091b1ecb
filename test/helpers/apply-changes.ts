/** The consumer's side of `Change`: a document that grows by applying changes, written from the contract alone. */
import type { Change } from '../../src/model/events.ts'

/** Applies changes in order to a document and returns it. `undefined` is the empty document. */
export function applyChanges(document: unknown, changes: readonly Change[]): unknown {
  let root = document
  for (const change of changes) {
    const tokens = change.path
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = tokens.pop()
    if (last === undefined) {
      root = change.op === 'set' ? structuredClone(change.value) : String(root) + change.text
      continue
    }
    let parent = root
    for (const token of tokens) parent = read(parent, token)
    const value = change.op === 'set' ? structuredClone(change.value) : String(read(parent, last)) + change.text
    if (typeof parent !== 'object' || parent === null) throw new Error(`no container at the parent of ${change.path}`)
    Object.defineProperty(parent, last, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
  return root
}

function read(container: unknown, token: string): unknown {
  if (typeof container !== 'object' || container === null || !Object.hasOwn(container, token)) {
    throw new Error(`nothing at ${token}`)
  }
  return Object.getOwnPropertyDescriptor(container, token)?.value
}
