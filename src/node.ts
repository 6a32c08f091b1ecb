// The assembler as a stage of a pipeline of Node streams, and runs as files.

export { createAssemblerTransform } from './adapters/node-stream.ts'
export type { AssemblerTransform } from './adapters/node-stream.ts'
export { readEventLog, writeEventLog } from './adapters/event-log.ts'
