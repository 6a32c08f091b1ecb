// The small door: `createAssembler` with the formats that you pass, and the wire formats of the library as values.

export { createAssembler } from './assembly/create-core.ts'
export type { CoreOptions } from './assembly/create-core.ts'
export type { Assembler } from './assembly/assembler.ts'
export { openaiChat } from './formats/openai-chat.ts'
export { openaiResponses } from './formats/openai-responses.ts'
export { anthropic } from './formats/anthropic.ts'
export { ollama } from './formats/ollama.ts'
export { gemini } from './formats/gemini.ts'
export { cohere } from './formats/cohere.ts'
export { bedrock } from './formats/bedrock.ts'
