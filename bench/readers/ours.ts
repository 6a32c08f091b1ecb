// The library, given a response.

import { assembleOurs } from '../ours.ts'
import { responseOf } from '../network.ts'
import type { Readers } from '../remote.ts'

export const readers: Readers = {
  assemble: (chunks) => assembleOurs(responseOf(chunks)),
  live: (chunks) => assembleOurs(responseOf(chunks), { partialArguments: true }),
  assembleRows: (chunks) => assembleOurs(responseOf(chunks, 'application/x-ndjson')),
}
