/** The small door: `createAssembler` with the formats that you pass, and the text formats of the library as values. */
export { createAssembler } from './assembly/create-core.ts'
export type { CoreOptions } from './assembly/create-core.ts'
export type { Assembler } from './assembly/assembler.ts'
export { openaiChat } from './formats/openai-chat.ts'
export { ollama } from './formats/ollama.ts'
