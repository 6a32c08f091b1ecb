// The ids and names that a server accepts in a history, whatever the stream held.

import type { FinishedCall } from './calls.ts'

/** The id that a reply names the call by. `replyIds` gives the same for the whole turn. */
export function replyId(call: Pick<FinishedCall, 'id' | 'wireId' | 'replyId'>): string {
  return call.replyId ?? call.wireId ?? call.id
}

/**
 * The tool's name. A refused call may have none, or one that no tool could have: servers check names in the history against
 * `^[a-zA-Z0-9_-]{1,64}$`, and the failure's message tells the model the real one.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
export function replyName(call: FinishedCall): string {
  if (call.ok) return call.name
  return call.name === '' ? 'unknown_tool' : call.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
}

/**
 * An id of another wire for the two that only take `[a-zA-Z0-9_-]+`, such as Kimi's `functions.add:0`. What they don't take is
 * written as its code between underscores.
 * Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html
 */
export function plainId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`)
}
