/**
 * A model server that only replays: it serves recorded streams over real HTTP on the loopback interface, in small uneven chunks, and can
 * do what real servers do wrong. Used by the demo and by the tests.
 */
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, relative, resolve, isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

const contentTypes = {
  '.sse': 'text/event-stream',
  '.ndjson': 'application/x-ndjson',
  '.json': 'application/json',
  '.eventstream': 'application/vnd.amazon.eventstream',
}

/** Sizes that fit no event, line or character. */
const unevenSizes = [7, 61, 3, 128, 1, 40, 219, 12]

/**
 * @param {import('./replay-server.d.mts').ReplayServerOptions} options
 * @returns {Promise<import('./replay-server.d.mts').ReplayServer>}
 */
export async function startReplayServer({ routes = {}, fixtures, chunking = unevenSizes, delay = 0 } = {}) {
  /** @type {import('./replay-server.d.mts').Visit[]} */
  const visits = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://loopback').pathname)
    const visit = follow(path, response)
    visits.push(visit)
    answer(request, response, path).catch((error) => response.destroy(error))
  })

  async function answer(request, response, path) {
    for await (const _ of request); // a client may wait until its request has been read
    const route = Object.hasOwn(routes, path) ? routes[path] : await fixtureRoute(fixtures, path)
    if (route) await replay(response, { chunking, delay, ...route })
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
  }

  await new Promise((ready, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', ready)
  })
  const { port } = server.address()
  return {
    url: `http://127.0.0.1:${port}`,
    visits,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** How one answer ended, seen from the server. */
function follow(path, response) {
  const ended = new Promise((settle) => {
    response.once('close', () => settle(response.writableFinished ? 'complete' : 'cut'))
  })
  return { path, ended }
}

async function fixtureRoute(folder, path) {
  if (folder === undefined) return undefined
  const root = folder instanceof URL ? fileURLToPath(folder) : resolve(folder)
  const file = resolve(root, `.${path}`)
  const inside = relative(root, file)
  if (inside.startsWith('..') || isAbsolute(inside)) return undefined
  try {
    return { body: await readFile(file), contentType: contentTypes[extname(file)] ?? 'application/octet-stream' }
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined
    throw error
  }
}

async function replay(
  response,
  { status = 200, contentType = 'text/event-stream', headers = {}, body, chunking, delay, cut },
) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const end = cut ? Math.min(cutPoint(bytes, cut), bytes.length) : bytes.length
  response.writeHead(status, { 'content-type': contentType, ...headers })
  response.flushHeaders()
  let turn = 0
  for (let at = 0; at < end; turn++) {
    const size = Math.max(1, chunking[turn % chunking.length])
    response.write(bytes.subarray(at, Math.min(at + size, end)))
    at += size
    await pause(delay)
    if (response.destroyed) return
  }
  switch (cut?.how) {
    case undefined:
      response.end()
      break
    case 'drop':
      // Once the client has what was written, so that the cut is where it was asked for.
      await pause(20)
      response.destroy()
      break
    case 'stall':
      break
    case 'error':
      response.end(cut.event)
      break
    default:
      throw new TypeError(`Unknown cut ${cut.how}`)
  }
}

/** An error is an event of its own, so it goes where one begins; a connection breaks anywhere. */
function cutPoint(bytes, { after, how }) {
  if (how !== 'error') return after
  const lines = bytes.subarray(0, after).lastIndexOf('\n\n')
  return lines >= 0 ? lines + 2 : bytes.subarray(0, after).lastIndexOf('\n') + 1
}

function pause(ms) {
  return new Promise((resume) => (ms > 0 ? setTimeout(resume, ms) : setImmediate(resume)))
}
