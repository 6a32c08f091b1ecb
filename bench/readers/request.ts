// The request that every peer is made to send: one tool that writes a file.

import { z } from 'zod'

export const prompt = 'Write the file.'
export const model = 'gpt-4o'
export const baseURL = 'http://localhost/v1'

export const fileShape = z.object({ path: z.string(), content: z.string() })

const fileSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
} as const

export const chatTool = { type: 'function', function: { name: 'write_file', parameters: fileSchema } } as const

export const chatRequest = mutable({ model, messages: [{ role: 'user', content: prompt }], tools: [chatTool] } as const)

export const anthropicRequest = mutable({
  model: 'claude-opus-4-8',
  max_tokens: 4096,
  messages: [{ role: 'user', content: prompt }],
  tools: [{ name: 'write_file', input_schema: fileSchema }],
} as const)

/** The request types of the clients want arrays that may be changed, and none of them changes one. */
function mutable<T>(request: T): Mutable<T> {
  return request as Mutable<T>
}

type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T
