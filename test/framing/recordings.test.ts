// Real responses through the whole framing. The recordings lie beside the project on some machines and are no part of it.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createParser } from 'eventsource-parser'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/model/frames.ts'
import type { Step } from '../../src/model/stage.ts'
import { eventStream } from '../../src/framing/event-stream.ts'
import { json } from '../../src/framing/json.ts'
import { ndjson } from '../../src/framing/ndjson.ts'
import { sniff } from '../../src/framing/sniff.ts'
import { sse } from '../../src/framing/sse.ts'
import { chunked } from '../../src/testing/chunks.ts'
import { contextOf, reused, through } from './harness.ts'

const recordings = new URL('../../../shared/captures/', import.meta.url)
const files = !existsSync(recordings)
  ? []
  : readdirSync(recordings, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => readdirSync(new URL(`${name}/`, recordings)).map((file) => `${name}/${file}`))

/** The two that have more than events in them: an error line of llama.cpp, and an error as JSON behind the events. */
const oddities: Record<string, string[]> = {
  'openai-chat/gpustack-llama.cpp-vllm__qwen3__error-event-no-calls.sse': ['error-line'],
  'gemini/google-vertex__x__no-calls-2.sse': ['unknown-line'],
}

const framings = { sse, ndjson, json }

function framesOf(chunks: Iterable<Uint8Array>): { branch: string; frames: Frame[] } {
  const context = contextOf()
  let branch = ''
  const frames = through(
    (next: Step<Frame>) =>
      sniff(context, {
        text(framing) {
          branch = framing
          return framings[framing](context)(next)
        },
        binary() {
          branch = 'eventstream'
          return eventStream(context)(next)
        },
        frames: next,
      }),
    chunks,
  )
  return { branch, frames }
}

/** What the file says by a reading of its own, as simple as can be. */
function expected(extension: string, text: string): string[] {
  if (extension === 'ndjson') return text.split('\n').filter((line) => line.trim() !== '')
  if (extension === 'json') return (JSON.parse(text) as unknown[]).map((element) => JSON.stringify(element))
  const data: string[] = []
  createParser({ onEvent: (event) => data.push(event.data) }).feed(`${text}\n\n`)
  return data
}

describe.runIf(files.length > 0)('recordings', () => {
  it.each(files.filter((file) => /\.(sse|ndjson|json|eventstream)$/.test(file)))('%s', (file) => {
    const bytes = new Uint8Array(readFileSync(new URL(file, recordings)))
    const extension = file.slice(file.lastIndexOf('.') + 1)
    const { branch, frames } = framesOf([bytes])
    expect(branch).toBe(extension)
    if (extension !== 'eventstream') {
      const events = frames.filter((frame) => frame.kind === 'event').map((frame) => frame.data)
      const actual = extension === 'json' ? events.map((data) => JSON.stringify(JSON.parse(data))) : events
      expect(actual).toEqual(expected(extension, new TextDecoder().decode(bytes)))
    }
    const faults = frames.filter((frame) => frame.kind === 'fault').map((frame) => frame.fault)
    expect(faults).toEqual(oddities[file] ?? [])
    expect(framesOf(reused(chunked(bytes, 97)))).toEqual({ branch, frames })
    if (bytes.length < 6_000) expect(framesOf(chunked(bytes, 1))).toEqual({ branch, frames })
  })
})
