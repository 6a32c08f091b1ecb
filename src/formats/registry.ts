// The only list of wire formats. Its order is the order in which `auto` asks them.
import type { WireFormat } from '../model/formats.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'

export const formats: readonly WireFormat[] = [openaiChat, ollama]

const byName: ReadonlyMap<string, WireFormat> = new Map(formats.map((format) => [format.name, format]))

export function formatByName(name: string): WireFormat | undefined {
  return byName.get(name)
}
