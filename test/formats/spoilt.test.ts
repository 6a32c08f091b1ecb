// An event whose bytes are not all UTF-8 is read, and no call that it touches is ok.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AssemblerOptions, AssemblerResult, ToolCall } from '../../src/index.ts'
import { chunked } from '../../src/testing.ts'
import { anySizes, anyTurn, bytesOf, cutBy, essence, formats, isOneOf, joined, read, runs } from '../laws/support.ts'

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

/** The bytes without one that stands inside a character, or with one too many there. */
function spoil(bytes: Uint8Array, place: number, lost: boolean): Uint8Array | undefined {
  const places = [...bytes.keys()].filter((at) => isContinuation(bytes[at] ?? 0))
  const at = places[Math.floor(place * places.length)]
  if (at === undefined) return undefined
  return lost
    ? joined([bytes.slice(0, at), bytes.slice(at + 1)])
    : joined([bytes.slice(0, at), Uint8Array.of(0xc3), bytes.slice(at)])
}

/** Long enough for many characters of several bytes, in whatever pieces. */
const foreign = fc
  .array(fc.constantFrom('é', '漢字', '🙂', '—', '\uFFFD', ' a '), { minLength: 4, maxLength: 30 })
  .map((words) => ({ text: words.join('') }))

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe.each(formats.filter((format) => format !== 'bedrock'))('a byte inside a character of %s', (format) => {
  const options = { deltaSize: 3, text: '', reasoning: '', partialArgs: false, array: false }

  it('makes its call refused, wherever it stands, and wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        anyTurn({ format: fc.constant(format), args: foreign, minCalls: 1, maxCalls: 2, options }),
        fraction,
        fc.boolean(),
        anySizes,
        fc.boolean(),
        (turn, place, lost, sizes, fastPath) => {
          const bytes = spoil(turn.bytes, place, lost)
          fc.pre(bytes !== undefined)
          const whole = read([bytes], { format, fastPath })
          expect(whole.result.calls.filter((call) => call.ok && !isOneOf(call, turn.calls))).toEqual([])
          // What Responses repeats once a call is over can't touch it.
          if (format !== 'openai-responses') expect(whole.result.calls.some((call) => !call.ok)).toBe(true)
          expect(whole.result.warnings.some(({ code }) => code === 'malformed-event')).toBe(true)
          expect(essence(read(cutBy(bytes, sizes), { format, fastPath: !fastPath }))).toBe(essence(whole))
        },
      ),
      { numRuns: runs * 2 },
    )
  })

  it('leaves a call alone that holds U+FFFD by right', () => {
    fc.assert(
      fc.property(
        anyTurn({ format: fc.constant(format), args: fc.constant({ text: 'a\uFFFD漢\uFFFD' }), minCalls: 1, options }),
        fc.boolean(),
        (turn, fastPath) => {
          const { result } = read([turn.bytes], { format, fastPath })
          expect(result.calls.filter((call) => !call.ok)).toEqual([])
        },
      ),
      { numRuns: 10 },
    )
  })
})

const bad = Uint8Array.of(0xe6, 0xbc)

/** A body with invalid bytes for every `@`. */
function withBad(body: string): Uint8Array {
  return joined(body.split('@').flatMap((part, n) => (n === 0 ? [bytesOf(part)] : [bad, bytesOf(part)])))
}

function resultOf(body: string, options: AssemblerOptions): AssemblerResult {
  const bytes = withBad(body)
  const whole = read([bytes], options)
  for (const size of [1, 2, 7]) expect(essence(read(chunked(bytes, size), options))).toBe(essence(whole))
  return whole.result
}

function codeOf(call: ToolCall | undefined): string | undefined {
  return call === undefined ? undefined : call.ok ? 'ok' : call.failure.code
}

const chat = (delta: object, reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`

const call = (index: number, name: string, args: string): object => ({
  tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name, arguments: args } }],
})

describe('an event with bytes that are not UTF-8', () => {
  it('says its text, with U+FFFD in their place, and that something is missing', () => {
    const { text, finish, warnings } = resultOf(chat({ content: 'one @ two' }) + chat({}, 'stop'), { format: 'auto' })
    expect(text).toBe('one \uFFFD two')
    expect(finish.truncated).toBe(true)
    expect(warnings).toEqual([
      {
        code: 'malformed-event',
        message: 'some bytes of an event are not UTF-8; each stands as U+FFFD',
        frame: 1,
        raw: expect.stringContaining('one \uFFFD two'),
      },
    ])
  })

  it('does not touch a call that begins after it', () => {
    const { calls } = resultOf(chat({ content: '@' }) + chat(call(0, 'f', '{"a":1}')) + chat({}, 'tool_calls'), {
      format: 'openai-chat',
    })
    expect(calls.map(codeOf)).toEqual(['ok'])
  })

  it('damages the calls that are open, and those that it opens', () => {
    const body = chat(call(0, 'f', '{"a":1}')) + chat(call(1, 'g', '{"b":"@"}')) + chat(call(2, 'h', '{}'))
    const { calls } = resultOf(body + chat({}, 'tool_calls'), { format: 'openai-chat' })
    expect(calls.map(codeOf)).toEqual(['damaged', 'damaged', 'ok'])
  })

  it('damages a call that is opened and closed in it', () => {
    const line = { message: { tool_calls: [{ function: { name: 'f', arguments: { a: '@' } } }] }, done: true }
    const { calls } = resultOf(`${JSON.stringify(line)}\n`, { format: 'ollama' })
    expect(calls.map(codeOf)).toEqual(['damaged'])
  })

  it('damages a call in its text, and one that began in text before it', () => {
    const block = (value: string): string => `<tool_call>{"name":"f","arguments":{"a":"${value}"}}</tool_call>`
    const [start, rest] = [block('b').slice(0, 20), block('b').slice(20)]
    const options: AssemblerOptions = { format: 'openai-chat', textCalls: true }
    const end = chat({}, 'stop')
    expect(resultOf(chat({ content: block('@') }) + end, options).calls.map(codeOf)).toEqual(['damaged'])
    const split = chat({ content: start }) + chat({ content: '', refusal: '@' }) + chat({ content: rest }) + end
    expect(resultOf(split, options).calls.map(codeOf)).toEqual(['damaged'])
  })

  it('damages a call that is held back as a possible copy of one in the text', () => {
    const block = '<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>'
    const body = [
      chat({ content: block }),
      chat(call(0, 'f', '{"a":')),
      chat({ content: '@' }),
      chat({ tool_calls: [{ index: 0, function: { arguments: '2}' } }] }),
      chat({}, 'tool_calls'),
    ]
    const { calls } = resultOf(body.join(''), { format: 'openai-chat', textCalls: true })
    expect(calls.map(codeOf)).toEqual(['ok', 'damaged'])
  })

  it('is a broken-off event where the stream ends inside a character', () => {
    const { finish, warnings, calls } = resultOf(
      `${chat(call(0, 'f', '{"a":"'))}data: {"choices":[{"delta":{"content":"@`,
      {
        format: 'openai-chat',
      },
    )
    expect(finish.truncated).toBe(true)
    expect(warnings.map(({ code }) => code)).toEqual(['unterminated-event'])
    expect(calls.map(codeOf)).toEqual(['truncated'])
  })
})
