import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { openSource } from '../../src/adapters/sources.ts'
import { bytesOf, never } from './wire.ts'

async function readAll(source: unknown): Promise<unknown[]> {
  const reader = openSource(source)
  const chunks: unknown[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done === true) return chunks
    chunks.push(value)
  }
}

const webStream = (chunks: readonly unknown[]) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

async function* generator(chunks: readonly unknown[]) {
  yield* chunks
}

describe('opening a source', () => {
  const a = bytesOf('a')
  const event = { choices: [] }

  it.each<[string, () => unknown, unknown[]]>([
    ['a string', () => 'text', ['text']],
    ['a Uint8Array', () => a, [a]],
    ['a Buffer', () => Buffer.from('a'), [Buffer.from('a')]],
    ['an ArrayBuffer', () => a.buffer.slice(0), [a]],
    ['an ArrayBuffer of another realm', () => runInNewContext('new Uint8Array([97]).buffer'), [a]],
    ['a DataView of a part', () => new DataView(bytesOf('xay').buffer, 1, 1), [a]],
    ['a web stream', () => webStream([a, 'b']), [a, 'b']],
    [
      'a web stream that cannot be iterated',
      () => ({ locked: false, getReader: () => webStream([a]).getReader() }),
      [a],
    ],
    ['a Node stream', () => Readable.from([Buffer.from('a')]), [Buffer.from('a')]],
    ['a Node stream of objects', () => Readable.from([event]), [event]],
    ['an async generator', () => generator([a, event]), [a, event]],
    ['an array of chunks', () => [a, 'b', event], [a, 'b', event]],
    ['an array of promises', () => [Promise.resolve('a')], ['a']],
    ['a set', () => new Set(['a']), ['a']],
    ['a Blob', () => new Blob(['a']), [a]],
    ['a Response', () => new Response('a'), [a]],
    ['a Response without a body', () => new Response(null), []],
    ['a body that is a Node stream', () => ({ body: Readable.from(['a']), status: 200 }), ['a']],
    ['a body that is text', () => ({ body: 'a' }), ['a']],
    ['a stream beside other things', () => ({ stream: generator([event]), $metadata: {} }), [event]],
  ])('reads %s', async (_, source, chunks) => {
    expect(await readAll(source())).toEqual(chunks)
  })

  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /undefined is not a source/],
    ['null', null, /null is not a source/],
    ['a number', 7, /number is not a source/],
    ['a function', () => 'x', /call the function/],
    ['a promise', Promise.resolve(new Response('a')), /await the promise first/],
    ['an event emitter', new EventEmitter(), /feed createAssembler\(\) from its listener/],
    ['one event', { choices: [] }, /pass an array of it/],
    ['an axios response', { status: 200, data: Readable.from(['a']) }, /response\.data/],
    ['a body of no known kind', { body: 7 }, /number is not the source's `body`/],
    ['a stream of no known kind', { stream: {} }, /An object of type Object is not the source's `stream`/],
  ])('refuses %s and says what to pass', (_, source, message) => {
    expect(() => openSource(source)).toThrow(TypeError)
    expect(() => openSource(source)).toThrow(message)
    expect(() => openSource(source)).toThrow(/Pass a Response/)
  })

  it('refuses a body that somebody else has read or is reading', async () => {
    const read = new Response('a')
    await read.text()
    expect(() => openSource(read)).toThrow(/has been read already/)
    const locked = new Response('a')
    locked.body?.getReader()
    expect(() => openSource(locked)).toThrow(/locked/)
  })

  it('knows the head of a response, without the query of its address', () => {
    const head = openSource({
      body: null,
      status: 429,
      url: 'https://host/v1?key=secret',
      headers: new Headers({ a: 'b' }),
    }).head
    expect(head).toMatchObject({ status: 429, url: 'https://host/v1' })
    expect(head?.header('a')).toBe('b')
    expect(openSource({ body: null, statusCode: 200, headers: { a: 'b' } }).head?.header('a')).toBe('b')
    expect(openSource(['a']).head).toBeUndefined()
  })

  it('opens nothing before the first read', () => {
    const iterate = vi.fn()
    openSource({ [Symbol.asyncIterator]: iterate })
    expect(iterate).not.toHaveBeenCalled()
  })
})

describe('cancelling a source', () => {
  it('cancels the reader of a web stream with the reason', async () => {
    const cancel = vi.fn()
    const reader = openSource(new ReadableStream({ cancel, pull: () => never() }))
    const read = reader.read()
    reader.cancel('enough', true)
    expect((await read).done).toBe(true)
    expect(cancel).toHaveBeenCalledExactlyOnceWith('enough')
  })

  it('returns a generator that rests between two chunks', async () => {
    const left = vi.fn()
    const reader = openSource(
      (async function* () {
        try {
          yield 'a'
          yield 'b'
        } finally {
          left()
        }
      })(),
    )
    await reader.read()
    reader.cancel('enough', false)
    await Promise.resolve()
    expect(left).toHaveBeenCalledTimes(1)
  })

  it('destroys a Node stream that has nothing to give', async () => {
    const source = new Readable({ read: () => undefined })
    const reader = openSource(source)
    reader.read().catch(() => undefined)
    reader.cancel('enough', true)
    expect(source.destroyed).toBe(true)
  })

  it.each([
    ['its own abort', (abort: () => void) => ({ abort })],
    ["its controller's abort", (abort: () => void) => ({ controller: { abort } })],
  ])('stops an SDK stream that waits by %s', (_, ways) => {
    const abort = vi.fn()
    const reader = openSource({ ...ways(abort), [Symbol.asyncIterator]: () => ({ next: () => never() }) })
    void reader.read()
    reader.cancel('enough', true)
    expect(abort).toHaveBeenCalledTimes(1)
  })

  it('hears nothing of what the source throws at its end', async () => {
    const sources = [
      { [Symbol.asyncIterator]: () => ({ next: () => never(), return: () => Promise.reject(new Error('a')) }) },
      {
        [Symbol.iterator]: () => ({
          next: () => ({ value: 'x' }),
          return: () => {
            throw new Error('b')
          },
        }),
      },
      new ReadableStream({ cancel: () => Promise.reject(new Error('c')) }),
    ]
    for (const source of sources) {
      const reader = openSource(source)
      void reader.read()
      expect(() => reader.cancel('enough', true)).not.toThrow()
    }
    // Vitest fails the run for an unhandled rejection; give one the time to show.
    await new Promise((resume) => setTimeout(resume, 5))
  })
})
