// For tests and measurements of code that reads model streams.

export { chunked, everyCut } from './testing/chunks.ts'
export { encodeStream } from './testing/encode.ts'
export type { EncodedCall, EncodeOptions } from './testing/turn.ts'
