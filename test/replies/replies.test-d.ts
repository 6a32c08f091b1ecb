// What these functions return goes into the vendors' own clients without a cast, and what they take is any result.
import type Anthropic from '@anthropic-ai/sdk'
import type { Content } from '@google/genai'
import type { Message } from 'ollama'
import type OpenAI from 'openai'
import { describe, expectTypeOf, it } from 'vitest'
import type { ReadyCustomCall, RefusedCall } from '../../src/model/calls.ts'
import type { AssemblerResult } from '../../src/model/events.ts'
import { partitionCalls } from '../../src/replies/partition.ts'
import { assistantTurn, nextMessages, toolReply } from '../../src/replies/reply.ts'
import { createRetryGuard } from '../../src/replies/retry-guard.ts'

interface MyTools {
  write: { path: string; mode?: 'a' | 'w' }
  now: { zone?: string }
}

declare const result: AssemblerResult<MyTools>

describe('replies', () => {
  it('are messages of the clients', () => {
    expectTypeOf(nextMessages(result, {}, { format: 'openai-chat' })).toExtend<
      OpenAI.Chat.ChatCompletionMessageParam[]
    >()
    expectTypeOf(nextMessages(result, {}, { format: 'anthropic' })).toExtend<Anthropic.MessageParam[]>()
    expectTypeOf(nextMessages(result, {}, { format: 'gemini' })).toExtend<Content[]>()
    expectTypeOf(nextMessages(result, {}, { format: 'ollama' })).toExtend<Message[]>()
    expectTypeOf(assistantTurn(result, { format: 'openai-chat' })).toExtend<OpenAI.Chat.ChatCompletionMessageParam>()
  })

  it('are known by the format', () => {
    for (const call of result.calls) {
      expectTypeOf(toolReply(call, '', { format: 'openai-chat' }).tool_call_id).toEqualTypeOf<string>()
      // @ts-expect-error no such format
      toolReply(call, '', { format: 'openai' })
    }
    expectTypeOf(assistantTurn(result, { format: 'gemini' }).role).toEqualTypeOf<'model'>()
  })

  it('take typed results, and give the calls with their types', () => {
    nextMessages(result, (call) => (call.kind === 'function' && call.name === 'write' ? call.arguments.path : ''), {
      format: 'bedrock',
    })
    createRetryGuard().observe(result)
    const { ready, refused } = partitionCalls(result)
    expectTypeOf(refused).toEqualTypeOf<readonly RefusedCall[]>()
    for (const call of ready) {
      if (call.kind === 'custom') expectTypeOf(call).toEqualTypeOf<ReadyCustomCall>()
      else if (call.name === 'write') expectTypeOf(call.arguments.mode).toEqualTypeOf<'a' | 'w' | undefined>()
    }
  })
})
