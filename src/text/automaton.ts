// Finds any of many literals in a text, one step a character (Aho and Corasick, CACM 18(6), 1975).

export interface Automaton {
  /** The state after `code` in `state`. 0 is the start: nothing of any literal has been seen. */
  step(state: number, code: number): number
  /** How many characters back the longest literal that may still come true began. */
  depth(state: number): number
  /** The number of the longest literal that ends in this state, or -1. */
  found(state: number): number
  /** The first place from `i` on where a literal or one of `stops` may begin. */
  skip(text: string, i: number): number
}

interface Node {
  readonly depth: number
  readonly children: Map<number, number>
  fallback: number
  found: number
}

export function createAutomaton(literals: readonly string[], stops: string): Automaton {
  const nodes: Node[] = [{ depth: 0, children: new Map(), fallback: 0, found: -1 }]
  const at = (index: number): Node => {
    const node = nodes[index]
    if (!node) throw new RangeError(`No state ${index}.`)
    return node
  }
  literals.forEach((literal, number) => {
    let state = 0
    for (let i = 0; i < literal.length; i++) {
      const code = literal.charCodeAt(i)
      let child = at(state).children.get(code)
      if (child === undefined) {
        child = nodes.push({ depth: i + 1, children: new Map(), fallback: 0, found: -1 }) - 1
        at(state).children.set(code, child)
      }
      state = child
    }
    if (state !== 0) at(state).found = number
  })

  const step = (state: number, code: number): number => {
    for (;;) {
      const node = at(state)
      const child = node.children.get(code)
      if (child !== undefined) return child
      if (state === 0) return 0
      state = node.fallback
    }
  }
  // Breadth first: a node's fallback is shallower, so it is ready when the node needs it. `nodes` grows no more, and a child
  // comes after its parent, but the order of depths needs a queue.
  const queue = [...at(0).children.values()]
  for (const index of queue) {
    const node = at(index)
    for (const [code, child] of node.children) {
      at(child).fallback = step(node.fallback, code)
      queue.push(child)
    }
    if (node.found < 0) node.found = at(node.fallback).found
  }
  const beginnings = new Uint8Array(0x10000)
  for (const text of [...literals, ...stops.split('')]) beginnings[text.charCodeAt(0)] = 1
  const skip = (text: string, i: number): number => {
    while (i < text.length && beginnings[text.charCodeAt(i)] === 0) i++
    return i
  }
  return { step, depth: (state) => at(state).depth, found: (state) => at(state).found, skip }
}
