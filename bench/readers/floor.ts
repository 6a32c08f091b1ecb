// The floor behind a web stream, which is how a response comes.

import { readFloor } from '../floor.ts'
import { streamOf } from '../network.ts'
import type { Readers } from '../remote.ts'

export const readers: Readers = {
  'openai-chat': (chunks) => readFloor('openai-chat', streamOf(chunks)),
  anthropic: (chunks) => readFloor('anthropic', streamOf(chunks)),
}
