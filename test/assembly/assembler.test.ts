import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createAssembler, readResponse } from '../../src/assembly/create.ts'
import { createAssembler as createSmallAssembler } from '../../src/assembly/create-core.ts'
import { openaiChat } from '../../src/formats/openai-chat.ts'
import { ollama } from '../../src/formats/ollama.ts'

const call = (args: string): object => ({
  choices: [
    {
      index: 0,
      delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: args } }] },
      finish_reason: null,
    },
  ],
})
const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
const sse = (...events: object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

describe('the push interface', () => {
  it('hands out events as soon as they are certain, and the result with the last one', () => {
    const assembler = createAssembler()
    expect(assembler.feed(sse(call('{"a"'))).map(({ type }) => type)).toEqual(['tool-call-start', 'tool-call-delta'])
    expect(assembler.result).toBeUndefined()
    assembler.feed(sse(call(':1}'), finish))
    expect(assembler.end().map(({ type }) => type)).toEqual(['tool-call-end', 'finish'])
    expect(assembler.result?.format).toBe('openai-chat')
    expect(assembler.result?.calls[0]).toMatchObject({ ok: true, arguments: { a: 1 } })
  })

  it('judges at the stream’s own marker, and ignores what follows', () => {
    const assembler = createAssembler()
    const events = assembler.feed(`${sse(call('{}'), finish)}data: [DONE]\n\n${sse(call('junk'))}`)
    expect(events.at(-1)?.type).toBe('finish')
    expect(assembler.feed('more')).toEqual([])
    expect(assembler.end()).toEqual([])
  })

  it('takes parsed events, and whole bodies, for the same', () => {
    const assembler = createAssembler()
    assembler.feedEvent(call('{"a":1}'))
    assembler.feedEvent(finish)
    assembler.end()
    const body = {
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }
    for (const result of [
      assembler.result,
      readResponse(body),
      readResponse(JSON.stringify(body)),
      readResponse(JSON.stringify(body, null, 2)),
    ]) {
      expect(result?.calls[0]).toMatchObject({ id: 'c', name: 'f', ok: true, arguments: { a: 1 } })
      expect(result?.finish).toMatchObject({ reason: 'tool-calls', truncated: false })
    }
  })

  it('judges what there is when the caller gives up', () => {
    const assembler = createAssembler()
    assembler.feed(sse(call('{"a":1}'), finish))
    const events = assembler.abort(new Error('no time'))
    expect(events.map(({ type }) => type)).toEqual(['error', 'tool-call-end', 'finish'])
    expect(assembler.result?.calls[0]).toMatchObject({ ok: false, failure: { code: 'interrupted' } })
    expect(assembler.result?.errors).toMatchObject([{ code: 'aborted', message: 'The caller gave up: no time' }])
    expect(assembler.result?.finish.evidence).toContain('aborted')
    expect(assembler.end()).toEqual([])
  })

  it('says nothing of an empty body but that it was interrupted', () => {
    const assembler = createAssembler({ format: 'openai-chat' })
    expect(assembler.end().map(({ type }) => type)).toEqual(['finish'])
    expect(assembler.result).toMatchObject({
      format: 'unknown',
      calls: [],
      errors: [],
      finish: { reason: 'interrupted', truncated: true, evidence: ['no-end'] },
    })
  })

  it('shows every raw frame before anything else', () => {
    const frames: unknown[] = []
    const seen: number[] = []
    const assembler = createAssembler({
      onFrame: (frame) => void (frames.push(frame), seen.push(assembler.result ? 1 : 0)),
    })
    assembler.feed(`event: x\ndata: {"choices":[]}\n\n${sse(finish)}`)
    expect(frames).toEqual([
      { number: 1, event: 'x', data: '{"choices":[]}' },
      { number: 2, data: JSON.stringify(finish) },
    ])
  })

  it('keeps a live value while the arguments stream in', () => {
    const assembler = createAssembler({ partialArguments: true })
    assembler.feed(sse(call('{"a":{"b":"hel')))
    expect(assembler.partialArguments('c')).toEqual({ a: { b: 'hel' } })
    expect(assembler.partialArguments('other')).toBeUndefined()
  })

  it('stops the live value where the arguments are too deep to be read', () => {
    const assembler = createAssembler({ partialArguments: true, limits: { maxDepth: 3 } })
    const events = [...assembler.feed(sse(call('{"a":[[1,[2,3]],4]}'), finish)), ...assembler.end()]
    expect(assembler.partialArguments('c')).toEqual({ a: [[1]] })
    const changes = events.flatMap((event) => (event.type === 'tool-call-delta' ? (event.changes ?? []) : []))
    expect(changes.map(({ path }) => path)).toEqual(['', '/a', '/a/0', '/a/0/0'])
    expect(assembler.result?.calls).toMatchObject([{ ok: false, failure: { code: 'too-deep' } }])
  })
})

describe('what is fed', () => {
  it('may be bytes of another realm', () => {
    const body = sse(call('{"a":1}'), finish)
    const foreign: unknown = runInNewContext('Uint8Array.from(bytes)', { bytes: [...new TextEncoder().encode(body)] })
    expect(foreign instanceof Uint8Array).toBe(false)
    const assembler = createAssembler()
    // A view like any other, of a class that this realm doesn't know.
    assembler.feed(foreign as Uint8Array)
    assembler.end()
    expect(assembler.result?.calls).toMatchObject([{ ok: true, arguments: { a: 1 } }])
    expect(() => createAssembler().feedEvent(foreign as object)).toThrow(/feed\(\)/)
  })

  it('may have no JSON, and then the log of frames says nothing of it', () => {
    const cycle: { self?: object } = {}
    cycle.self = cycle
    const log: string[] = []
    const assembler = createAssembler({ onFrame: ({ data }) => void log.push(data) })
    assembler.feedEvent(cycle)
    assembler.feedEvent({ n: 1n })
    assembler.end()
    expect(log).toEqual(['', '{"n":1}'])
    expect(assembler.result?.errors).toMatchObject([{ code: 'unknown-format' }])
  })

  it('may be a body that is a list of anything', () => {
    expect(readResponse([5, null]).errors).toMatchObject([{ code: 'not-a-stream' }])
    expect(readResponse([]).finish).toMatchObject({ reason: 'interrupted' })
  })
})

describe('misuse', () => {
  it('is a TypeError that says what to do instead', () => {
    const ended = createAssembler()
    ended.end()
    expect(() => ended.feed('x')).toThrow(/create a new one/)
    expect(() => ended.feedEvent({})).toThrow(/create a new one/)
    const mixed = createAssembler()
    mixed.feed('x')
    expect(() => mixed.feedEvent({})).toThrow(/either feed\(\) or feedEvent\(\)/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => createAssembler().feed(new ArrayBuffer(1))).toThrow(/Uint8Array/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => createAssembler().feedEvent('text')).toThrow(/feed\(\)/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => createAssembler({ format: 'nope' })).toThrow(/openai-chat/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => createAssembler({ limits: { maxFragments: 5 } })).toThrow(/maxArgumentBytes/)
    expect(() => createAssembler({ limits: { maxCalls: -1 } })).toThrow(/positive/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => createAssembler({ limits: { maxCalls: '5' } })).toThrow(/positive/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => createAssembler({ textCalls: 'hermes' })).toThrow(/list of text formats/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => createAssembler({ onFrame: 5 })).toThrow(/onFrame must be a function/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => createAssembler({ onAudit: 'log' })).toThrow(/onAudit must be a function/)
    // @ts-expect-error -- what a caller without types would do
    expect(() => readResponse(null)).toThrow(/readResponse\(\) takes/)
    const later = {
      '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => Promise.resolve({ value }) },
    } as const
    expect(() => createAssembler({ tools: [{ name: 'f', parameters: later }] })).toThrow(/assemble\(\)/)
  })
})

describe('a schema that answers with a promise only sometimes', () => {
  it('refuses the call and says so to the caller', () => {
    const sometimes = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: object) => (Object.keys(value).length === 0 ? { value } : Promise.reject(new Error('late'))),
      },
    } as const
    const assembler = createAssembler({ tools: [{ name: 'f', parameters: sometimes as never }] })
    assembler.feed(sse(call('{"a":1}'), finish))
    expect(() => assembler.end()).toThrow(/assemble\(\)/)
    expect(assembler.end().at(-1)?.type).toBe('finish')
    expect(assembler.result?.calls[0]).toMatchObject({ ok: false, failure: { code: 'schema-mismatch' } })
  })
})

describe('the small door', () => {
  it('reads the formats that it is given, alone or told apart', () => {
    const one = createSmallAssembler({ format: openaiChat })
    one.feed(sse(call('{"a":1}'), finish))
    one.end()
    expect(one.result?.calls[0]).toMatchObject({ ok: true })
    const several = createSmallAssembler({ format: [openaiChat, ollama] })
    several.feed(
      '{"model":"m","message":{"role":"assistant","content":"hi"},"done":false}\n{"model":"m","done":true,"done_reason":"stop"}\n',
    )
    several.end()
    expect(several.result).toMatchObject({ format: 'ollama', text: 'hi' })
  })
})
