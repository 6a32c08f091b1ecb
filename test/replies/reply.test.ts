import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replyIds } from '../../src/assembly/reply-ids.ts'
import type { ToolCall } from '../../src/model/calls.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { ReplyFormatName } from '../../src/replies/messages.ts'
import type { ToolOutputs } from '../../src/replies/outputs.ts'
import { assistantTurn, nextMessages, toolReply } from '../../src/replies/reply.ts'
import { custom, ready, refused, turn } from './turns.ts'

const formats: readonly ReplyFormatName[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'ollama',
  'gemini',
  'cohere',
  'bedrock',
]

/** All ids that a history names calls by, and all that its answers do. */
function idsIn(messages: readonly unknown[]): readonly string[] {
  return [...JSON.stringify(messages).matchAll(/"(?:id|call_id|tool_call_id|tool_use_id|toolUseId)":"([^"]*)"/g)].map(
    ([, id]) => id ?? '',
  )
}

describe.each(formats)('in the format %s', (format) => {
  it('a refused call is answered with its failure, whatever the output is', () => {
    const call = refused('{"a', { failure: { code: 'truncated', message: 'Not run: cut off.' } })
    for (const output of [undefined, 'all fine', { ok: true }]) {
      expect(JSON.stringify(toolReply(call, output, { format }))).toContain('Not run: cut off.')
      expect(JSON.stringify(toolReply(call, output, { format }))).not.toContain('fine')
    }
  })

  it('calls that share a wire id go out under different ones, in the turn and its answers alike', () => {
    const calls = [
      ready('{}', { id: 'x', wireId: 'x' }),
      ready('{}', { id: 'call_1', wireId: 'x', replyId: 'call_1' }),
      ready('{}', { id: 'call_2', wireId: 'late' }),
    ]
    expect(idsIn(nextMessages(turn(format, calls), [1, 2, 3], { format }))).toEqual([
      'x',
      'call_1',
      'late',
      'x',
      'call_1',
      'late',
    ])
    expect(idsIn(calls.map((call) => toolReply(call, 1, { format })))).toEqual(['x', 'call_1', 'late'])
  })

  it('an integer beyond a double keeps its digits', () => {
    const call = ready('{"id":12345678901234567890}', { arguments: { id: 12345678901234567890n } })
    const text = JSON.stringify(nextMessages(turn(format, [call]), [{ id: 98765432109876543210n }], { format }))
    expect(text).toContain('12345678901234567890')
    expect(text).toContain('98765432109876543210')
  })

  it('no message holds half of a surrogate pair', () => {
    const result = turn(format, [ready('{}'), custom('\udc00', { id: 'c2', wireId: 'c2' })], {
      text: 'a\ud83d',
      reasoning: '\ud83d',
    })
    const text = JSON.stringify(nextMessages(result, ['\ud83d', ['\ude00']], { format, reasoning: true }))
    expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i)
  })

  it('a promise is no output', () => {
    expect(() => toolReply(ready('{}'), Promise.resolve(1), { format })).toThrow(/"read" \(c1\).*await/)
  })

  it('an output without JSON is a TypeError, not an empty answer', () => {
    expect(() => toolReply(ready('{}'), () => 1, { format })).toThrow(TypeError)
  })

  it('extra of another wire stays out', () => {
    const call = ready('{}', { extra: { somebody_elses: 'secret' } })
    expect(JSON.stringify(assistantTurn(turn('another-wire', [call]), { format }))).not.toContain('secret')
    expect(JSON.stringify(assistantTurn(turn(format, [call]), { format }))).toContain('secret')
  })

  it('a refused call gets a name that servers take', () => {
    const nameless = refused('{', { id: 'a', name: '' })
    const odd = refused('{', { id: 'b', wireId: 'b', name: 'read file\n' })
    const text = JSON.stringify(assistantTurn(turn(format, [nameless, odd]), { format }))
    expect(text).toContain('"unknown_tool"')
    expect(text).toContain('"read_file_"')
  })

  it('a turn that holds nothing adds nothing', () => {
    expect(nextMessages(turn(format, []), {}, { format })).toEqual([])
    expect(nextMessages(turn(format, [], { text: 'Hi' }), {}, { format })).toHaveLength(1)
  })

  it('only the calls of the choice that the result describes are in its turn', () => {
    const calls = [ready('{}', { id: 'a', wireId: 'a', choice: 1 }), ready('{}', { id: 'b', wireId: 'b' })]
    expect(idsIn([assistantTurn(turn(format, calls), { format })])).toEqual(['b'])
  })

  it('any turn is JSON, every call is there once with an object as arguments, and is answered once', () => {
    fc.assert(
      fc.property(
        fc.array(anyCall, { maxLength: 6 }),
        fc.string({ unit: 'binary' }),
        fc.anything({ withBigInt: true, key: keys }),
        (calls, text, output) => {
          const result = turn(format, calls.map(numbered), { text })
          const safe = typeof output === 'symbol' ? null : (output ?? null)
          const messages = JSON.parse(JSON.stringify(nextMessages(result, () => [safe], { format }))) as unknown[]
          expect(countCalls(messages)).toEqual({ calls: calls.length, answers: calls.length })
          for (const args of argumentsIn(messages)) expect(args).toSatisfy(isObject)
          expect(new Set(replyIds(result.calls)).size).toBe(calls.length)
        },
      ),
      { numRuns: 60 },
    )
  })
})

/** Never one that a message of some format has, so that nothing in arguments and outputs is taken for a call. */
const keys = fc.string().map((key) => `_${key}`)
const anyValue = fc.anything({
  key: keys,
  maxDepth: 2,
  values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)],
})
const anyObject = fc.dictionary(keys, anyValue as fc.Arbitrary<JsonObject[string]>, { noNullPrototype: true })
const anyCall: fc.Arbitrary<ToolCall> = fc.oneof(
  anyObject.map((value) => ready(JSON.stringify(value))),
  fc.string({ unit: 'binary' }).map((text) => refused(text)),
  fc.tuple(fc.string(), fc.string()).map(([name, text]) => refused(text, { name })),
  fc.string({ unit: 'binary' }).map((text) => custom(text)),
)

/** Every third call comes without an id, and every fourth with the first one's. */
function numbered(call: ToolCall, n: number): ToolCall {
  if (n % 3 === 2) return { ...call, id: `call_${n}`, wireId: null }
  return n % 4 === 3 ? { ...call, id: `call_${n}`, wireId: 'w0' } : { ...call, id: `w${n}`, wireId: `w${n}` }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Everything in any of the shapes that a call or an answer has, wherever it stands. */
function* objectsIn(value: unknown): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return
  // What JSON.parse gave is JSON.
  if (!Array.isArray(value)) yield value as JsonObject
  for (const item of Object.values(value)) yield* objectsIn(item)
}

const answerKeys = ['tool_call_id', 'tool_name', 'tool_use_id', 'functionResponse', 'toolResult']

function countCalls(messages: readonly unknown[]): { calls: number; answers: number } {
  const all = messages.flatMap((message) => [...objectsIn(message)])
  const answers = all.filter((one) => answerKeys.some((key) => key in one) || isOutput(one['type']))
  return { calls: argumentsIn(messages).length, answers: answers.length }
}

function isOutput(type: unknown): boolean {
  return typeof type === 'string' && type.endsWith('_output')
}

function argumentsIn(messages: readonly unknown[]): readonly unknown[] {
  return messages
    .flatMap((message) => [...objectsIn(message)])
    .flatMap((one) => {
      if ('tool_use_id' in one || 'tool_call_id' in one) return []
      if (typeof one['arguments'] === 'string') return [JSON.parse(one['arguments']) as unknown]
      if ('arguments' in one) return [one['arguments']]
      if (one['type'] === 'custom' || one['type'] === 'custom_tool_call') return [{}]
      if (one['type'] === 'tool_use' || 'toolUseId' in one) return 'input' in one ? [one['input']] : []
      return 'args' in one ? [one['args']] : []
    })
}

describe('nextMessages', () => {
  const format = 'openai-chat'
  const result = turn(format, [
    ready('{}'),
    refused('{', { id: 'c2', wireId: 'c2' }),
    ready('{}', { id: 'c3', wireId: 'c3' }),
  ])
  const contents = (outputs: ToolOutputs) =>
    nextMessages(result, outputs, { format })
      .slice(1)
      .map(({ content }) => content)
  const right = ['one', expect.stringContaining('not run'), 'three']

  it('takes outputs by id, from a record, a map or a function of the call', () => {
    expect(contents({ c1: 'one', c3: 'three' })).toEqual(right)
    expect(contents(new Map(Object.entries({ c1: 'one', c3: 'three' })))).toEqual(right)
    expect(contents(({ id }) => (id === 'c1' ? 'one' : 'three'))).toEqual(right)
  })

  it('takes a list in the order of the ready calls or of all calls', () => {
    expect(contents(['one', 'three'])).toEqual(right)
    expect(contents(['one', 'ignored', 'three'])).toEqual(right)
  })

  it('an output of undefined is an answer without text, a missing one a TypeError that names the call', () => {
    expect(contents({ c1: undefined, c3: 'three' })[0]).toBe('')
    expect(() => contents({ c1: 'one' })).toThrow(/"read" \(c3\)/)
    expect(() => contents(new Map())).toThrow(TypeError)
    expect(() => contents(['one'])).toThrow(/"read" \(c3\)/)
    expect(() => contents([1, 2, 3, 4])).toThrow(/4 outputs for 3 calls, 2 of them ready/)
  })

  it('an id is not looked up on the prototype of a record', () => {
    const inherited = turn(format, [ready('{}', { id: 'toString' })])
    expect(() => nextMessages(inherited, {}, { format })).toThrow(TypeError)
  })

  it('an Error is a failed run, unless the caller says otherwise', () => {
    const [, answers] = nextMessages(turn('anthropic', [ready('{}')]), [new RangeError('too far')], {
      format: 'anthropic',
    })
    expect(answers?.content).toMatchObject([{ is_error: true, content: [{ text: 'too far' }] }])
    const fine = toolReply(ready('{}'), new Error('expected'), { format: 'anthropic', isError: false })
    expect(fine.content[0]).not.toHaveProperty('is_error')
    expect(toolReply(ready('{}'), new RangeError(), { format }).content).toBe('RangeError')
  })

  it('what it hands out shares nothing with the result', () => {
    const extra = { caller: { type: 'direct' } }
    const given = turn('anthropic', [ready('{"a":{"b":1}}', { extra })])
    const before = JSON.stringify(given)
    const [history] = nextMessages(given, [''], { format: 'anthropic' })
    const [block] = history?.content ?? []
    if (block?.type !== 'tool_use') throw new Error('no call in the turn')
    block.input['a'] = 'changed'
    Object.assign((block as unknown as typeof extra).caller, { type: 'changed' })
    expect(JSON.stringify(given)).toBe(before)
  })
})

it('a format that is none of ours is a TypeError that lists ours', () => {
  for (const name of ['my-wire', 'toString']) {
    // Names that the types refuse too.
    const format = name as ReplyFormatName
    expect(() => toolReply(ready('{}'), '', { format })).toThrow(new RegExp(`"${name}".*openai-chat, openai-responses`))
  }
})
