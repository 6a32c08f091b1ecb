// Where a value stands in a message. A path is made for every value that is read, and looked at only when something is wrong
// with one, so it grows at its end by sharing what came before.

/** `undefined` is the message itself. */
export type Path = Place | undefined

interface Place {
  readonly above: Path
  /** An object's key or an array's position. */
  readonly step: string | number
}

/** The path of these steps from the message's root. */
export function at(...steps: readonly (string | number)[]): Path {
  let path: Path
  for (const step of steps) path = below(path, step)
  return path
}

/** The member `step` of what stands at `path`. */
export function below(path: Path, step: string | number): Path {
  return { above: path, step }
}

/** The steps from the message's root. */
export function stepsOf(path: Path): (string | number)[] {
  const steps: (string | number)[] = []
  for (let place = path; place !== undefined; place = place.above) steps.unshift(place.step)
  return steps
}
