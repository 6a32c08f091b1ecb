import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemble, type AssemblyStream } from '../../src/adapters/assemble.ts'
import { callEvents, collect, never, sse, tick, type ChatChunk } from './wire.ts'

const pieces = ['{"path":"a.txt","con', 'tent":"hello', ' wor', 'ld","mode":', '1}']
const write = callEvents('write', pieces)
const live = { partialArguments: true } as const

/** Two calls whose arguments come in turns. */
const interleaved: ChatChunk[] = [
  chunk(0, { id: 'call_a', function: { name: 'write', arguments: '' } }),
  chunk(1, { id: 'call_b', function: { name: 'write', arguments: '' } }),
  chunk(0, { function: { arguments: '{"content":"a1' } }),
  chunk(1, { function: { arguments: '{"content":"b1' } }),
  chunk(0, { function: { arguments: 'a2"}' } }),
  chunk(1, { function: { arguments: 'b2"}' } }),
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
]

function chunk(index: number, call: object): ChatChunk {
  return { choices: [{ index: 0, delta: { tool_calls: [{ index, ...call }] }, finish_reason: null }] }
}

/** One event a chunk, as a server would send them. */
const sent = (events: readonly ChatChunk[]) => events.map((event) => sse([event], false))

const content = (stream: Pick<AssemblyStream<object>, 'fieldStream'>, name = 'write') =>
  stream.fieldStream({ name }, '/content')

/** A call that never ends after its string has. */
async function* endless() {
  yield* sent(callEvents('write', ['{"content":"hello world","mode":1,"more":']).slice(0, -1))
  await never()
}

async function* broken() {
  yield* sent(write.slice(0, 3))
  throw new Error('socket hang up')
}

describe('fieldStream', () => {
  it('gives one string as it grows, without any iteration', async () => {
    const stream = assemble(sent(write), live)
    expect(await collect(content(stream))).toEqual(['hello', ' wor', 'ld'])
    expect((await stream.result()).calls).toMatchObject([{ ok: true, arguments: { content: 'hello world' } }])
  })

  it('may be read inside the iteration, from the start event on', async () => {
    const stream = assemble(sent(write), live)
    const types: string[] = []
    let text = ''
    for await (const event of stream) {
      types.push(event.type)
      if (event.type === 'tool-call-start')
        for await (const piece of stream.fieldStream(event, '/content')) text += piece
    }
    expect(text).toBe('hello world')
    expect(types).toEqual([
      'tool-call-start',
      ...Array.from({ length: 5 }, () => 'tool-call-delta'),
      'tool-call-end',
      'finish',
    ])
  })

  it('may be read beside the iteration, both in their own time', async () => {
    const stream = assemble(sent(write), live)
    const [events, field] = await Promise.all([collect(stream), collect(content(stream))])
    expect(events.at(-1)?.type).toBe('finish')
    expect(field.join('')).toBe('hello world')
  })

  it('begins at the beginning however late it is asked for', async () => {
    const stream = assemble(sent(write), live)
    for await (const event of stream) {
      if (event.type === 'tool-call-end') expect((await collect(content(stream))).join('')).toBe('hello world')
    }
    expect((await collect(content(stream))).join('')).toBe('hello world')
  })

  it('tells interleaved calls apart: by id, by index, by name the first', async () => {
    const stream = assemble(sent(interleaved), live)
    const fields = [
      { id: 'call_b' },
      { index: 1 },
      { index: 0 },
      { name: 'write' },
      { name: 'write', index: 1 },
      { id: 'call_c' },
    ]
    const texts = await Promise.all(fields.map((call) => collect(stream.fieldStream(call, '/content'))))
    expect(texts.map((text) => text.join(''))).toEqual(['b1b2', 'b1b2', 'a1a2', 'a1a2', 'b1b2', ''])
  })

  it('ends with its string, while the call goes on', async () => {
    const stream = assemble(endless(), live)
    expect((await collect(content(stream))).join('')).toBe('hello world')
  })

  it('is empty for what is no string, is not there, or was never called', async () => {
    const stream = assemble(sent(write), live)
    const fields = [
      stream.fieldStream({ index: 0 }, '/mode'),
      stream.fieldStream({ index: 0 }, '/none'),
      content(stream, 'read'),
    ]
    expect(await Promise.all(fields.map(collect))).toEqual([[], [], []])
  })

  it('finds strings inside containers by their pointer', async () => {
    const stream = assemble(sent(callEvents('edit', ['{"a/b":[{"~":"x', 'y"}]}'])), live)
    expect(await collect(stream.fieldStream({ index: 0 }, '/a~1b/0/~0'))).toEqual(['x', 'y'])
  })

  it('gives whole characters, however the text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (text, size) => {
          const json = JSON.stringify({ content: text }).replaceAll('😀', '\\ud83d\\ude00')
          const cuts = Array.from({ length: Math.ceil(json.length / size) }, (_, n) =>
            json.slice(n * size, (n + 1) * size),
          )
          const parts = await collect(content(assemble(callEvents('write', cuts), live)))
          expect(parts.join('')).toBe(text)
          const encoded = Buffer.concat(parts.map((part) => Buffer.from(part, 'utf8')))
          expect(encoded).toEqual(Buffer.from(text, 'utf8'))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('keeps to the first of two values for one key', async () => {
    const stream = assemble(sent(callEvents('write', ['{"content":"one"', ',"content":"two"}'])), live)
    expect(await collect(content(stream))).toEqual(['one'])
  })

  it('ends where the stream breaks off, with what there was', async () => {
    const stream = assemble(broken(), live)
    expect(await collect(content(stream))).toEqual(['hello'])
    expect((await stream.result()).calls).toMatchObject([{ ok: false }])
  })

  it('leaves the stream as it is when it is left early', async () => {
    const stream = assemble(sent(write), live)
    for await (const piece of content(stream)) {
      expect(piece).toBe('hello')
      break
    }
    expect((await stream.result()).calls).toMatchObject([{ ok: true }])
  })

  it('reads no further than its readers want', async () => {
    let reads = 0
    function* source() {
      for (const text of sent(write)) {
        reads++
        yield text
      }
    }
    const field = content(assemble(source(), live))
    await field.next()
    const before = reads
    await tick()
    expect(reads).toBe(before)
    expect(before).toBeLessThan(write.length)
  })

  it('rejects where the stream does', async () => {
    const stream = assemble({ body: null, status: 500 }, live)
    await expect(collect(content(stream))).rejects.toMatchObject({ status: 500 })
    await expect(collect(content(stream))).rejects.toMatchObject({ status: 500 })
  })

  it('needs the option, and a path inside the arguments', () => {
    expect(() => content(assemble([]))).toThrow(/partialArguments/)
    expect(() => assemble([], live).fieldStream({ index: 0 }, 'content')).toThrow(/JSON Pointer/)
    expect(() => assemble([], live).fieldStream({}, '/content')).toThrow(/index, id or name/)
  })
})
