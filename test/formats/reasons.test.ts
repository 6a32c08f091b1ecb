import { describe, expect, it } from 'vitest'
import { finishKind } from '../../src/formats/reasons.ts'

describe('finishKind', () => {
  it.each([
    [
      'clean',
      [
        'stop',
        'tool_calls',
        'function_call',
        'end_turn',
        'tool_use',
        'stop_sequence',
        'STOP',
        'COMPLETE',
        'TOOL_CALL',
        'completed',
      ],
    ],
    ['length', ['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'model_length']],
    ['context-window', ['model_context_window_exceeded']],
    ['filter', ['content_filter', 'refusal', 'SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'guardrail_intervened']],
    [
      'error',
      ['error', 'failed', 'MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'ERROR', 'ERROR_TOXIC', 'ERROR_LIMIT'],
    ],
    ['stopped', ['abort', 'cancelled']],
    ['other', ['pause_turn', 'load', 'unload', 'anything_else', '', 'toString', '__proto__']],
  ])('%s', (kind, reasons) => {
    for (const reason of reasons) expect([reason, finishKind(reason)]).toEqual([reason, kind])
  })

  it('reads each reason in the letters of its own wire only', () => {
    expect(finishKind('Stop')).toBe('other')
    expect(finishKind('LENGTH')).toBe('other')
  })
})
