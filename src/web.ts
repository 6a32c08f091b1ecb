// The assembler as a stage of a pipe of web streams.

export { AssemblerStream } from './adapters/web-stream.ts'
export type { SourceChunk } from './adapters/sources.ts'
