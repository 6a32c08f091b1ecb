// Breaks every shared recording off at many of its bytes and judges what comes of it.
//   node scripts/cuts.mjs [megabytes to read per recording = 4] [part of a file's name]
// Exit status 1 where a call is ok with arguments that it does not have in the whole stream, or a cut goes unsaid.
import { createAssembler } from '../dist/index.js'
import { cutsOf, findViolations, hasRecordings, readRecordings } from '../test/captures/cuts.mjs'

const budget = Number(process.argv[2] ?? 4) * 1e6
const only = process.argv[3] ?? ''

if (!hasRecordings) console.log('cuts: no shared recordings beside this checkout; nothing was run')
else {
  const recordings = readRecordings().filter(({ file }) => file.includes(only))
  let places = 0
  let whole = 0
  let violations = 0
  let okCalls = 0
  const unsaid = []
  for (const recording of recordings) {
    const cuts = cutsOf(recording.bytes.length, budget, 64)
    const found = findViolations(createAssembler, recording, cuts)
    places += cuts.length
    okCalls += found.okCalls
    if (cuts.length === recording.bytes.length) whole++
    if (!found.hasEnding) unsaid.push(recording.file)
    violations += found.violations.length
    for (const line of found.violations.slice(0, 3)) console.log(`not ok ${line}`)
    if (found.violations.length > 3) console.log(`       and ${found.violations.length - 3} more of that recording`)
  }
  console.log(
    `${recordings.length} recordings, ${whole} of them at every byte: ${places} cuts, ${okCalls} ok calls among them, ${violations} violations`,
  )
  if (unsaid.length > 0)
    console.log(`without a word about their end: ${unsaid.length} recordings\n  ${unsaid.join('\n  ')}`)
  process.exitCode = violations > 0 ? 1 : 0
}
