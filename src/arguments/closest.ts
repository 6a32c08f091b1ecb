// Orders names by how near they are to one that was meant but not hit.

/** Longer names than this are compared by their start; nobody mistypes so far in. */
const longest = 64

/** All names, the nearest to `wanted` first; names that are equally near keep their order. */
export function closestFirst(wanted: string, names: readonly string[]): readonly string[] {
  const target = fold(wanted)
  return names
    .map((name, order) => ({ name, order, distance: distance(target, fold(name)) }))
    .sort((left, right) => left.distance - right.distance || left.order - right.order)
    .map((entry) => entry.name)
}

/** Case and separators are what models get wrong most often. */
function fold(name: string): string {
  return name
    .slice(0, longest)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Edits from one to the other (Levenshtein), as a share of the longer name; one inside the other counts as near. */
function distance(left: string, right: string): number {
  const longer = Math.max(left.length, right.length)
  if (longer === 0) return 0
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change))
    }
    row = next
  }
  const share = (row[right.length] ?? longer) / longer
  const inside = left !== '' && right !== '' && (left.includes(right) || right.includes(left))
  return inside ? share / 2 : share
}
