// What kind of ending each wire's finish reason is. Spelled as on the wire: no format writes another's in other letters.

import type { FinishKind } from '../model/deltas.ts'

const kinds: ReadonlyMap<string, FinishKind> = new Map(
  Object.entries({
    clean: [
      // Chat Completions and servers that speak it
      'stop',
      'tool_calls',
      'function_call',
      'eos',
      'eos_token',
      // Anthropic, Bedrock
      'end_turn',
      'tool_use',
      'stop_sequence',
      // Responses
      'completed',
      // Gemini
      'STOP',
      // Cohere
      'COMPLETE',
      'TOOL_CALL',
      'STOP_SEQUENCE',
    ],
    length: ['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'model_length', 'token_limit'],
    'context-window': ['model_context_window_exceeded'],
    filter: [
      'content_filter',
      'content_filtered',
      'refusal',
      'guardrail_intervened',
      // Zhipu
      'sensitive',
      // Gemini
      'SAFETY',
      'RECITATION',
      'LANGUAGE',
      'BLOCKLIST',
      'PROHIBITED_CONTENT',
      'SPII',
      'IMAGE_SAFETY',
      'IMAGE_PROHIBITED_CONTENT',
      'IMAGE_RECITATION',
    ],
    error: [
      'error',
      'failed',
      // DeepSeek, Zhipu
      'insufficient_system_resource',
      'network_error',
      // Bedrock
      'malformed_model_output',
      'malformed_tool_use',
      // Gemini
      'MALFORMED_FUNCTION_CALL',
      'MALFORMED_RESPONSE',
      'UNEXPECTED_TOOL_CALL',
      'TOO_MANY_TOOL_CALLS',
      'MISSING_THOUGHT_SIGNATURE',
    ],
    stopped: ['abort', 'cancelled', 'canceled', 'time_limit', 'TIMEOUT', 'USER_CANCEL'],
    other: ['pause_turn', 'load', 'unload'],
  } satisfies { [Kind in FinishKind]: readonly string[] }).flatMap(([kind, reasons]) =>
    // Object.entries forgets that the keys are those of the record above.
    reasons.map((reason) => [reason, kind as FinishKind] as const),
  ),
)

/** The kind of a finish reason; `other` for one that we don't know. Cohere's `ERROR…` family is open. */
export function finishKind(raw: string): FinishKind {
  return kinds.get(raw) ?? (raw.startsWith('ERROR') ? 'error' : 'other')
}

const promising: ReadonlySet<string> = new Set(['tool_calls', 'function_call', 'tool_use', 'TOOL_CALL', 'tool_call'])

/** Whether a finish reason says that the turn has calls. */
export function promisesCalls(raw: string): boolean {
  return promising.has(raw)
}
