// What an API wants back unchanged comes back unchanged: from the bytes of a turn to the turn of the next request.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assistantTurn, createAssembler, nextMessages, readResponse } from '../../src/index.ts'
import type { AssemblerResult, JsonObject } from '../../src/index.ts'
import { ready, refused, turn } from './turns.ts'

/** A block of a turn as the API's whole message has it, and the deltas that a stream makes of it. */
interface Block {
  readonly kind: 'text' | 'kept' | 'call'
  readonly whole: JsonObject
  readonly start: JsonObject
  readonly deltas: readonly JsonObject[]
}

const pieces = fc.array(
  fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('"', '\\', '\n', 'é', '😀', '\ud83d', '}}')),
  { maxLength: 30 },
)
const token = fc.base64String({ minLength: 4, maxLength: 40 })

function cutIn(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

const anthropicBlock: fc.Arbitrary<(n: number) => readonly Block[]> = fc.oneof(
  fc.tuple(pieces, token).map(([parts, signature]) => () => [
    {
      kind: 'kept' as const,
      whole: { type: 'thinking', thinking: parts.join(''), signature },
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...parts.map((thinking) => ({ type: 'thinking_delta', thinking })),
        ...cutIn(signature).map((part) => ({ type: 'signature_delta', signature: part })),
      ],
    },
  ]),
  token.map((data) => () => [
    {
      kind: 'kept' as const,
      whole: { type: 'redacted_thinking', data },
      start: { type: 'redacted_thinking', data },
      deltas: [],
    },
  ]),
  pieces.map((parts) => () => [
    {
      kind: 'text' as const,
      whole: { type: 'text', text: parts.join('') },
      start: { type: 'text', text: '' },
      deltas: parts.map((text) => ({ type: 'text_delta', text })),
    },
  ]),
  fc.tuple(fc.string(), token).map(([query, content]) => (n: number) => {
    const id = `srvtoolu_${n}`
    const tool = { type: 'server_tool_use', id, name: 'web_search' }
    const found = {
      type: 'web_search_tool_result',
      tool_use_id: id,
      content: [{ type: 'web_search_result', encrypted_content: content }],
    }
    return [
      {
        kind: 'kept' as const,
        whole: { ...tool, input: { query } },
        start: { ...tool, input: {} },
        deltas: cutIn(JSON.stringify({ query })).map((part) => ({ type: 'input_json_delta', partial_json: part })),
      },
      { kind: 'kept' as const, whole: found, start: found, deltas: [] },
    ]
  }),
  anyCall((n, path) => {
    const tool = { type: 'tool_use', id: `toolu_${n}`, name: 'read' }
    return {
      kind: 'call',
      whole: { ...tool, input: { path } },
      start: { ...tool, input: {} },
      deltas: cutIn(JSON.stringify({ path })).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    }
  }),
)

function anyCall(make: (n: number, path: string) => Block): fc.Arbitrary<(n: number) => readonly Block[]> {
  // A lone half of a surrogate pair is not valid Unicode, and a call that has one is refused.
  return fc.string({ unit: 'grapheme' }).map((path) => (n: number) => [make(n, path)])
}

const bedrockBlock: fc.Arbitrary<(n: number) => readonly Block[]> = fc.oneof(
  fc.tuple(pieces, token).map(([parts, signature]) => () => [
    {
      kind: 'kept' as const,
      whole: { reasoningContent: { reasoningText: { text: parts.join(''), signature } } },
      start: {},
      deltas: [
        ...parts.map((text) => ({ reasoningContent: { text } })),
        ...cutIn(signature).map((part) => ({ reasoningContent: { signature: part } })),
      ],
    },
  ]),
  token.map((redactedContent) => () => [
    {
      kind: 'kept' as const,
      whole: { reasoningContent: { redactedContent } },
      start: {},
      deltas: [{ reasoningContent: { redactedContent } }],
    },
  ]),
  pieces.map((parts) => () => [
    {
      kind: 'text' as const,
      whole: { text: parts.join('') },
      start: {},
      deltas: parts.map((text) => ({ text })),
    },
  ]),
  anyCall((n, path) => {
    const tool = { toolUseId: `tooluse_${n}`, name: 'read' }
    return {
      kind: 'call',
      whole: { toolUse: { ...tool, input: { path } } },
      start: { toolUse: tool },
      deltas: cutIn(JSON.stringify({ path })).map((part) => ({ toolUse: { input: part } })),
    }
  }),
)

/** Turns with at least one call. */
function turnsOf(block: fc.Arbitrary<(n: number) => readonly Block[]>): fc.Arbitrary<readonly Block[]> {
  return fc
    .array(block, { minLength: 1, maxLength: 8 })
    .map((makers) => makers.flatMap((make, n) => make(n)))
    .filter((blocks) => blocks.some(({ kind }) => kind === 'call'))
}

function textIn({ text }: JsonObject): string {
  return typeof text === 'string' ? text : ''
}

/** The turn as it must stand in the history: calls behind everything else, neighbouring texts as one, no blank ones. */
function history(blocks: readonly Block[], textOf: (text: string) => JsonObject): readonly JsonObject[] {
  const content: JsonObject[] = []
  let text = ''
  const flush = (): void => {
    if (text.trim() !== '') content.push(textOf(text))
    text = ''
  }
  for (const { kind, whole } of blocks) {
    if (kind === 'text') text += textIn(whole)
    if (kind !== 'kept') continue
    flush()
    content.push(whole)
  }
  flush()
  return [...content, ...blocks.filter(({ kind }) => kind === 'call').map(({ whole }) => whole)]
}

/** No server takes a lone half of a surrogate pair, so the history has none. */
function sendable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd'))
}

function assembled(chunks: Iterable<string>, fastPath: boolean): AssemblerResult {
  const assembler = createAssembler({ format: 'anthropic', fastPath })
  for (const chunk of chunks) assembler.feed(chunk)
  assembler.end()
  const { result } = assembler
  if (result === undefined) throw new Error('no result after the end')
  return result
}

function fed(format: 'anthropic' | 'bedrock', events: readonly JsonObject[]): AssemblerResult {
  const assembler = createAssembler({ format })
  for (const event of events) assembler.feedEvent(event)
  assembler.end()
  const { result } = assembler
  if (result === undefined) throw new Error('no result after the end')
  return result
}

function* cut(text: string, sizes: readonly number[]): Generator<string> {
  for (let at = 0, n = 0; at < text.length; n++) {
    const size = sizes[n % sizes.length] ?? 1
    yield text.slice(at, at + size)
    at += size
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 4 })

describe('Anthropic', () => {
  const eventsOf = (blocks: readonly Block[]): readonly JsonObject[] => [
    { type: 'message_start', message: { type: 'message', role: 'assistant', content: [] } },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]

  it('has every block that is no call back, in order and to the byte, wherever the stream is cut', () => {
    fc.assert(
      fc.property(turnsOf(anthropicBlock), sizes, (blocks, chunkSizes) => {
        const events = eventsOf(blocks)
        const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
        const expected = sendable(history(blocks, (text) => ({ type: 'text', text })))
        const body = {
          type: 'message',
          role: 'assistant',
          content: blocks.map(({ whole }) => whole),
          stop_reason: 'tool_use',
        }
        for (const result of [
          assembled(cut(stream, chunkSizes), true),
          assembled(cut(stream, chunkSizes), false),
          fed('anthropic', events),
          readResponse(body),
        ]) {
          expect(assistantTurn(result, { format: 'anthropic' }).content).toEqual(expected)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('has the thinking of a refused call back, in front of its text', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
    const blocks = [{ at: 0, block: thinking }]
    const cutCall = refused('{"pa', { extra: { blocks, caller: { type: 'direct' } } })
    const [assistant, answers] = nextMessages(
      turn('anthropic', [cutCall], { text: 'I look.' }),
      {},
      { format: 'anthropic' },
    )
    expect(assistant?.content).toEqual([
      thinking,
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: {}, caller: { type: 'direct' } },
    ])
    expect(answers?.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'c1', is_error: true }])
  })

  it('stays with the API that it came from', () => {
    const extra = { blocks: [{ at: 0, block: { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' } }] }
    const result = turn('anthropic', [ready('{}', { extra })], { text: 'I look.' })
    expect(assistantTurn(result, { format: 'bedrock' }).content).toEqual([
      { text: 'I look.' },
      { toolUse: { toolUseId: 'c1', name: 'read', input: {} } },
    ])
    expect(JSON.stringify(assistantTurn(result, { format: 'openai-chat' }))).not.toContain('c2ln')
  })

  it('sends nothing of an extra that is of another shape', () => {
    for (const blocks of ['x', [5], [{ at: '0', block: {} }], [{ at: 0, block: 'x' }], { at: 0 }]) {
      const result = turn('anthropic', [ready('{}', { extra: { blocks } })])
      expect(assistantTurn(result, { format: 'anthropic' }).content).toEqual([
        { type: 'tool_use', id: 'c1', name: 'read', input: {} },
      ])
    }
  })
})

describe('Bedrock', () => {
  it('has its reasoning back, in order and to the byte', () => {
    fc.assert(
      fc.property(turnsOf(bedrockBlock), (blocks) => {
        const events = [
          { messageStart: { role: 'assistant' } },
          ...blocks.flatMap(({ kind, start, deltas }, contentBlockIndex) => [
            ...(kind === 'call' ? [{ contentBlockStart: { contentBlockIndex, start } }] : []),
            ...deltas.map((delta) => ({ contentBlockDelta: { contentBlockIndex, delta } })),
            { contentBlockStop: { contentBlockIndex } },
          ]),
          { messageStop: { stopReason: 'tool_use' } },
        ]
        const message = { role: 'assistant', content: blocks.map(({ whole }) => whole) }
        const expected = sendable(history(blocks, (text) => ({ text })))
        for (const result of [
          fed('bedrock', events),
          readResponse({ output: { message }, stopReason: 'tool_use' }, { format: 'bedrock' }),
        ]) {
          expect(assistantTurn(result, { format: 'bedrock' }).content).toEqual(expected)
        }
      }),
      { numRuns: 150 },
    )
  })
})
