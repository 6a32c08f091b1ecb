// JSON text out of the pieces that Vertex AI streams of a call's arguments: values under the paths that they belong to.
// Source: https://googleapis.github.io/js-genai/release_docs/interfaces/types.PartialArg.html

/** A container that the text so far has opened and not closed. `at` is the member or position written last. */
type OpenContainer = { readonly kind: 'object'; at: string } | { readonly kind: 'array'; at: number }

/** What has been written of one call's arguments. */
export interface PiecewiseText {
  /** Outermost first. The last one's `at` is where the last value stands. Empty until the first piece. */
  readonly open: OpenContainer[]
  /** Set by a string that will go on, cleared by its last piece. */
  inString: boolean
}

export function newPiecewiseText(): PiecewiseText {
  return { open: [], inString: false }
}

export type Steps = readonly (string | number)[]

/** A value, or a piece of a string. `json` is the text of a value that comes whole. */
export type Piece = { readonly string: string; readonly willContinue: boolean } | { readonly json: string }

/**
 * The text that `piece` adds at `steps`. `null` where it has no place: the model writes its arguments from front to back, so a piece
 * that goes on where the text has been closed, skips a position of an array, or leaves a string without its end means that another
 * is missing. The state is as before then.
 */
export function writePiece(text: PiecewiseText, steps: Steps, piece: Piece): string | null {
  const { open } = text
  const shared = sharedLength(open, steps)
  if (shared === open.length && shared === steps.length && shared > 0) return writeMore(text, piece)
  if (text.inString) return null
  const opening = newContainers(steps.slice(shared + 1))
  if (opening === null) return null
  const step = steps[shared]
  const container = open[shared]
  let written: string
  if (open.length === 0) {
    if (typeof step !== 'string') return null
    open.push({ kind: 'object', at: step })
    written = `{${JSON.stringify(step)}:`
  } else {
    // One path is the beginning of the other: a value that is no container would have members.
    if (step === undefined || container === undefined) return null
    const separator = advance(container, step)
    if (separator === null) return null
    written = closers(open.splice(shared + 1)) + separator
  }
  open.push(...opening)
  return written + opening.map(beginning).join('') + writeValue(text, piece)
}

/** What closes everything that is open; `null` inside a string that was to go on. */
export function finishText(text: PiecewiseText): string | null {
  return text.inString ? null : closers(text.open.splice(0))
}

function sharedLength(open: readonly OpenContainer[], steps: Steps): number {
  let length = 0
  while (length < open.length && length < steps.length && open[length]?.at === steps[length]) length++
  return length
}

function writeMore(text: PiecewiseText, piece: Piece): string | null {
  if (!text.inString || !('string' in piece)) return null
  text.inString = piece.willContinue
  return escape(piece.string) + (piece.willContinue ? '' : '"')
}

function writeValue(text: PiecewiseText, piece: Piece): string {
  if ('json' in piece) return piece.json
  text.inString = piece.willContinue
  return `"${escape(piece.string)}${piece.willContinue ? '' : '"'}`
}

function escape(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

/** Moves on to another member of an open container. */
function advance(container: OpenContainer, step: string | number): string | null {
  if (container.kind === 'object' && typeof step === 'string') {
    container.at = step
    return `,${JSON.stringify(step)}:`
  }
  if (container.kind === 'array' && step === container.at + 1) {
    container.at = step
    return ','
  }
  return null
}

/** The containers that `steps` lead through; an array begins at its beginning. */
function newContainers(steps: Steps): OpenContainer[] | null {
  const containers: OpenContainer[] = []
  for (const step of steps) {
    if (typeof step === 'string') containers.push({ kind: 'object', at: step })
    else if (step === 0) containers.push({ kind: 'array', at: 0 })
    else return null
  }
  return containers
}

function beginning(container: OpenContainer): string {
  return container.kind === 'object' ? `{${JSON.stringify(container.at)}:` : '['
}

function closers(containers: readonly OpenContainer[]): string {
  return containers.reduceRight((closed, { kind }) => closed + (kind === 'object' ? '}' : ']'), '')
}

/** One step of a normal path: `.name`, `[0]`, `['name']` or `["name"]`. */
const stepPattern = /\.([^.[\]'"*]+)|\[(0|[1-9]\d*)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y

/** The steps of a path to one value; `null` for any other JSONPath. Source: https://www.rfc-editor.org/rfc/rfc9535 */
export function parsePath(path: string): Steps | null {
  if (!path.startsWith('$')) return null
  const steps: (string | number)[] = []
  let at = 1
  while (at < path.length) {
    stepPattern.lastIndex = at
    const match = stepPattern.exec(path)
    if (match === null) return null
    const step = stepOf(match)
    if (step === null) return null
    steps.push(step)
    at = stepPattern.lastIndex
  }
  return steps.length > 0 ? steps : null
}

function stepOf([, name, position, single, double]: RegExpExecArray): string | number | null {
  if (name !== undefined) return name
  if (position !== undefined) return Number(position)
  return double === undefined ? unquote(toDoubleQuoted(single ?? '')) : unquote(double)
}

/** In single quotes `"` stands bare and `'` escaped; all other escapes are those of JSON. */
function toDoubleQuoted(body: string): string {
  return body.replace(/\\.|"/gs, (found) => (found === '"' ? '\\"' : found === "\\'" ? "'" : found))
}

function unquote(body: string): string | null {
  try {
    return String(JSON.parse(`"${body}"`))
  } catch {
    // An escape that the standard doesn't have: the caller reports the path as unreadable.
    return null
  }
}
