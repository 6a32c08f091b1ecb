// Hand-made turns: every kind of call that a result can hold.
import type { CallIdentity, ReadyCall, ReadyCustomCall, RefusedCall, ToolCall } from '../../src/model/calls.ts'
import type { AssemblerResult, Finish } from '../../src/model/events.ts'
import type { JsonObject } from '../../src/model/json.ts'

const identity: CallIdentity = {
  choice: 0,
  index: 0,
  id: 'c1',
  wireId: 'c1',
  wireIndex: 0,
  name: 'read',
  kind: 'function',
  argumentsText: '{"path":"a.rs"}',
}

/** A ready call whose text needed nothing, unless `over` says otherwise. */
export function ready(argumentsText: string, over: Partial<ReadyCall> = {}): ReadyCall {
  const value = JSON.parse(over.arguments === undefined ? argumentsText : '{}') as JsonObject
  return { ...identity, ok: true, kind: 'function', argumentsText, arguments: value, repairs: [], ...over }
}

export function refused(argumentsText: string, over: Partial<RefusedCall> = {}): RefusedCall {
  const failure = { code: 'truncated' as const, message: 'The call to `read` was not run: its arguments were cut off.' }
  return { ...identity, ok: false, argumentsText, failure, ...over }
}

export function custom(text: string, over: Partial<ReadyCustomCall> = {}): ReadyCustomCall {
  return {
    ...identity,
    ok: true,
    kind: 'custom',
    name: 'patch',
    argumentsText: text,
    arguments: text,
    repairs: [],
    ...over,
  }
}

const finish: Finish = {
  reason: 'tool-calls',
  raw: 'tool_calls',
  truncated: false,
  evidence: ['finish-reason:tool_calls'],
}

/** A turn with these calls, numbered in their order. */
export function turn(format: string, calls: readonly ToolCall[], over: Partial<AssemblerResult> = {}): AssemblerResult {
  const { text = '', reasoning = '', refusal = '' } = over
  return {
    format,
    text,
    reasoning,
    refusal,
    calls: calls.map((call, index) => ({ ...call, index })),
    serverCalls: [],
    finish,
    warnings: [],
    errors: [],
    choices: [{ choice: 0, text, reasoning, refusal, finish }],
    ...over,
  }
}
