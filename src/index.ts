/**
 * Assembles the tool calls of a streaming model response, from a fetch stream (`assemble`), from any other transport
 * (`createAssembler`), or from a whole body (`readResponse`).
 */
export { assemble } from './adapters/assemble.ts'
export type { AssembleOptions, AssemblyStream } from './adapters/assemble.ts'
export type { CallSelector } from './adapters/field-board.ts'
export type { AssemblySource, ResponseLike, SourceChunk, WebStream } from './adapters/sources.ts'
export { HttpError } from './adapters/http-error.ts'
export { createAssembler, readResponse } from './assembly/create.ts'
export type { Assembler } from './assembly/assembler.ts'
export { parseArguments } from './assembly/parse-arguments.ts'
export type * from './model/calls.ts'
export type * from './model/events.ts'
export type * from './model/failures.ts'
export type * from './model/formats.ts'
export type * from './model/frames.ts'
export type * from './model/json.ts'
export type * from './model/limits.ts'
export type * from './model/options.ts'
export type * from './model/stage.ts'
export type * from './model/tools.ts'
