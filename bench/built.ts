// Parts of the built package that no door exports, for measuring them alone.

import type { Frame, Stage } from 'tool-call-assembler'

/** The package's own file of this name, as it ships. */
function load(path: string): Promise<unknown> {
  return import(new URL(path, import.meta.resolve('tool-call-assembler')).href)
}

/** What the framings of one stream share. */
export interface FramingContext {
  readonly maxEventBytes: number
  readonly frames: { count: number }
  readonly bytes: { invalid: boolean }
}

// What a file exports is known from its source, and a change of it shows at the first use.
const utf8Module = (await load('./framing/utf8.js')) as {
  readonly utf8: (context: FramingContext) => Stage<Uint8Array | string, string>
}
const ndjsonModule = (await load('./framing/ndjson.js')) as {
  readonly ndjson: (context: FramingContext) => Stage<string, Frame>
}

export function framingContext(): FramingContext {
  return { maxEventBytes: 16 * 1024 * 1024, frames: { count: 0 }, bytes: { invalid: false } }
}

export const utf8: typeof utf8Module.utf8 = utf8Module.utf8
export const ndjsonFrames: typeof ndjsonModule.ndjson = ndjsonModule.ndjson
