/** A model that says what it was told to: a Chat Completions server on the loopback interface with one answer after the other. */
import { createServer } from 'node:http'

/**
 * @param {readonly Iterable<Uint8Array>[]} answers
 * @returns {Promise<import('./scripted-model.d.mts').ScriptedModel>}
 */
export async function startScriptedModel(answers) {
  const requests = []
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error))
  })

  async function answer(request, response) {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    const pieces = answers[requests.length] ?? []
    requests.push(JSON.parse(body))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    response.end()
  }

  await new Promise((ready, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', ready)
  })
  return {
    url: `http://127.0.0.1:${server.address().port}/v1/chat/completions`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
