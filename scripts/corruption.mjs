// Damages generated payloads and counts what comes of them: here, with two libraries that repair JSON, and with JSON.parse.
//   node scripts/corruption.mjs [runs = 100000] [seed = 1]
// 'valid, other' is the part of 'wrong' where what arrived is itself strict JSON that says something else: no reader can know.
// Exit status 1 where this library was wrong about anything else, or got back less than nine tenths of what can be undone.
import { isDeepStrictEqual } from 'node:util'
import { jsonrepair } from 'jsonrepair'
import { parse as parsePartial } from 'partial-json'
import { parseArguments } from '../dist/index.js'
import { lossyDamage, withoutAnswer, reversibleDamage, corrupt } from '../test/arguments/corrupt.mjs'

const runs = Number(process.argv[2] ?? 100_000)
const firstSeed = Number(process.argv[3] ?? 1)

/** Every reader gives an object, or throws, or gives something else, which counts as refused. */
const readersByName = {
  'tool-call-assembler': (text) => {
    const outcome = parseArguments(text, { toolName: 'tool' })
    return outcome.ok ? outcome.arguments : undefined
  },
  jsonrepair: (text) => JSON.parse(jsonrepair(text)),
  'partial-json': (text) => parsePartial(text),
  'JSON.parse': (text) => JSON.parse(text),
}

function readWith(reader, text) {
  let value
  try {
    value = reader(text)
  } catch (error) {
    // Refusing is what they throw for. A misuse of theirs or ours is none.
    if (error instanceof TypeError) throw error
    return undefined
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** The four counts of one reader for one kind of damage. */
function newCounts() {
  return { right: 0, refused: 0, wrong: 0, validButOther: 0 }
}

function run(damages, count) {
  const kinds = new Map(Object.keys(damages).map((kind) => [kind, Object.keys(readersByName).map(newCounts)]))
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { kind, original, arrived } = corrupt(seed, damages)
    const asSent = readWith(JSON.parse, arrived)
    Object.values(readersByName).forEach((reader, index) => {
      const counts = kinds.get(kind)[index]
      const value = readWith(reader, arrived)
      if (value === undefined) counts.refused++
      else if (!withoutAnswer.has(kind) && isDeepStrictEqual(value, original)) counts.right++
      else {
        counts.wrong++
        if (isDeepStrictEqual(value, asSent)) counts.validButOther++
      }
    })
  }
  return kinds
}

function total(kinds) {
  return Object.keys(readersByName).map((_, index) => {
    const sum = newCounts()
    for (const counts of kinds.values()) for (const name of Object.keys(sum)) sum[name] += counts[index][name]
    return sum
  })
}

function percent(part, { right, refused, wrong }) {
  return `${((100 * part) / Math.max(1, right + refused + wrong)).toFixed(2)} %`
}

function print(title, kinds) {
  console.log(`\n## ${title}\n`)
  console.log('| damage | reader | right | refused | wrong | valid, other | of all: right | wrong |')
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |')
  for (const [kind, readers] of [...kinds, ['all', total(kinds)]]) {
    readers.forEach((counts, index) => {
      const { right, refused, wrong, validButOther } = counts
      const cells = [index === 0 ? kind : '', Object.keys(readersByName)[index], right, refused, wrong, validButOther]
      console.log(`| ${[...cells, percent(right, counts), percent(wrong, counts)].join(' | ')} |`)
    })
  }
}

const reversible = run(reversibleDamage, Math.floor(runs / 2))
const lossy = run(lossyDamage, Math.ceil(runs / 2))
print('Damage that can be undone', reversible)
print('Damage that loses or adds something', lossy)

const [undone] = total(reversible)
const [lost] = total(lossy)
const silent = undone.wrong - undone.validButOther + lost.wrong - lost.validButOther
const recovered = undone.right / (undone.right + undone.refused + undone.wrong)
console.log(
  `\n${runs} payloads: ${silent} silently wrong, ${(recovered * 100).toFixed(2)} % of what can be undone came back.`,
)
process.exitCode = silent > 0 || recovered < 0.9 ? 1 : 0
