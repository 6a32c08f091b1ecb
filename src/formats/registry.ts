// The only list of wire formats. Its order is the order in which `auto` asks them.

import type { WireFormat } from '../model/formats.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { cohere } from './cohere.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

export const formats: readonly WireFormat[] = [openaiChat, openaiResponses, anthropic, ollama, gemini, cohere, bedrock]
