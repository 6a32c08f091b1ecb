/**
 * Assembles the tool calls of a streaming model response, from a fetch stream (`assemble`), from any other transport
 * (`createAssembler`), or from a whole body (`readResponse`).
 */
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
