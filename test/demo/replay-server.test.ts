import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplayServer, type ReplayServer } from '../../demo/replay-server.mjs'

const body = 'data: {"a":1}\n\ndata: {"b":"é😀"}\n\n'
const folder = mkdtempSync(join(tmpdir(), 'replay-'))
let server: ReplayServer

beforeAll(async () => {
  writeFileSync(join(folder, 'one.ndjson'), '{}\n')
  server = await startReplayServer({
    fixtures: pathToFileURL(folder),
    chunking: [1, 5],
    routes: {
      '/stream': { body },
      '/teapot': { status: 418, body: 'no', contentType: 'text/plain', headers: { 'retry-after': '7' } },
      '/drop': { body, cut: { after: 20, how: 'drop' } },
      '/error': { body, cut: { after: 20, how: 'error', event: 'data: {"error":1}\n\n' } },
    },
  })
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

describe('the replay server', () => {
  it('serves a route in small chunks and nothing else', async () => {
    const response = await fetch(`${server.url}/stream`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const sizes: number[] = []
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body ?? []) {
      sizes.push(chunk.length)
      chunks.push(chunk)
    }
    expect(Buffer.concat(chunks).toString()).toBe(body)
    expect(sizes.length).toBeGreaterThan(3)
    expect(await server.visits[0]?.ended).toBe('complete')
  })

  it('serves a folder, but nothing outside it', async () => {
    const found = await fetch(`${server.url}/one.ndjson`)
    expect(found.headers.get('content-type')).toBe('application/x-ndjson')
    expect(await found.text()).toBe('{}\n')
    for (const path of ['/none.sse', '/%2e%2e/%2e%2e/etc/passwd', '/..%2f..%2fetc/passwd', '/']) {
      expect((await fetch(server.url + path)).status).toBe(404)
    }
  })

  it('answers with any status and headers', async () => {
    const response = await fetch(`${server.url}/teapot`)
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([418, '7', 'no'])
  })

  it('drops a connection and sends an error after the last whole event', async () => {
    await expect((await fetch(`${server.url}/drop`)).text()).rejects.toThrow()
    expect(await (await fetch(`${server.url}/error`)).text()).toBe('data: {"a":1}\n\ndata: {"error":1}\n\n')
  })
})
