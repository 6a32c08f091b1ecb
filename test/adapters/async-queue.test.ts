import { describe, expect, it, vi } from 'vitest'
import { AsyncQueue } from '../../src/adapters/async-queue.ts'
import { collect } from './wire.ts'

function queueOf<T>() {
  const wants = vi.fn()
  const leaves = vi.fn()
  return { queue: new AsyncQueue<T>(wants, leaves), wants, leaves }
}

describe('a queue between the assembler and its reader', () => {
  it('gives items in order, across batches, and then ends', async () => {
    const { queue, wants, leaves } = queueOf<number>()
    queue.push([1, 2])
    queue.push([])
    queue.push([3])
    queue.close()
    expect(await collect(queue)).toEqual([1, 2, 3])
    expect(await queue.next()).toEqual({ value: undefined, done: true })
    expect(wants).not.toHaveBeenCalled()
    expect(leaves).not.toHaveBeenCalled()
  })

  it('serves several readers in the order that they asked', async () => {
    const { queue, wants } = queueOf<string>()
    const asked = [queue.next(), queue.next(), queue.next()]
    expect(wants).toHaveBeenCalledTimes(3)
    expect(queue.waiting).toBe(true)
    queue.push(['a', 'b'])
    expect(queue.waiting).toBe(true)
    queue.close()
    expect(await Promise.all(asked)).toEqual([
      { value: 'a', done: false },
      { value: 'b', done: false },
      { value: undefined, done: true },
    ])
  })

  it('tells a failure once, after the items that came before', async () => {
    const { queue } = queueOf<number>()
    queue.push([1])
    queue.close({ error: new Error('broken') })
    expect(await queue.next()).toEqual({ value: 1, done: false })
    await expect(queue.next()).rejects.toThrow('broken')
    expect(await queue.next()).toEqual({ value: undefined, done: true })
  })

  it('tells of an early leave once, and drops what was there', async () => {
    const { queue, leaves } = queueOf<number>()
    queue.push([1, 2, 3])
    for await (const item of queue) {
      expect(item).toBe(1)
      break
    }
    await queue.return()
    queue.push([4])
    expect(leaves).toHaveBeenCalledTimes(1)
    expect(await queue.next()).toEqual({ value: undefined, done: true })
  })

  it('holds a long backlog without slowing down, and in order', async () => {
    const { queue } = queueOf<number>()
    const count = 200_000
    for (let n = 0; n < count; n++) queue.push([n])
    let expected = 0
    for (let n = 0; n < count; n++) {
      const item = await queue.next()
      if (item.value !== expected++) break
      // Interleaved arrivals, so that the backlog never empties.
      if (n % 2 === 0) queue.push([count + n / 2])
    }
    expect(expected).toBe(count)
  })
})
