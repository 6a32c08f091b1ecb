/**
 * The parts of the README that are made, not written: the code of the examples, and tables that come from running the library or
 * from its own lists. Each stands between `<!-- name:start -->` and `<!-- name:end -->`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { argumentsTable } from './arguments.mjs'
import { brokenStreams, brokenStreamsTable, judgeRow } from './broken-streams.mjs'

const examplesFolder = new URL('../../examples/', import.meta.url)

/** What each door is for. */
const doors = {
  index: 'streams, whole bodies, arguments, replies',
  core: 'the small door: `createAssembler` with the wire formats that you import; without format names, calls in text and bytes of AWS event streams',
  web: 'a stage of a pipe of web streams',
  node: 'a stage of a pipeline of Node streams; runs as files',
  text: 'calls written in text, and the formats as data',
  prompt: 'tools for models without native tool calls',
  testing: 'streams of any size in every wire format, cut anywhere',
  ajv: 'an Ajv of yours as the validator',
}

/** What each region must hold, by name. `library`: the module behind every door. */
export function makeRegions(library) {
  const examples = exampleNames().map((name) => [`example-${name}`, codeBlock(name)])
  return {
    ...Object.fromEntries(examples),
    doors: doorsTable(library),
    message: messageBlock(library.index),
    laws: lawsTable(),
    'broken-streams': brokenStreamsTable(library.index),
    arguments: argumentsTable(library.index),
    'text-formats': textFormatsTable(library.text),
  }
}

function exampleNames() {
  return readdirSync(examplesFolder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
}

function codeBlock(name) {
  return `\`\`\`ts\n${readFileSync(new URL(`${name}.ts`, examplesFolder), 'utf8').trimEnd()}\n\`\`\``
}

/** What the model is told of the second stream of the table. */
function messageBlock(library) {
  return `\`\`\`text\n${judgeRow(brokenStreams[1], library).message}\n\`\`\``
}

function doorsTable(library) {
  const rows = Object.entries(doors).map(([door, purpose]) => {
    const path = door === 'index' ? 'tool-call-assembler' : `tool-call-assembler/${door}`
    const names = Object.keys(library[door]).sort()
    return `| \`${path}\` | ${purpose} | ${names.map((name) => `\`${name}\``).join(' ')} |`
  })
  return ['| import from | for | exports, beside types |', '| --- | --- | --- |', ...rows].join('\n')
}

const lawsFolder = new URL('../../test/laws/', import.meta.url)

/** In order: the number of a law is the number that its property test's file begins with. `also`: tests elsewhere that hold it. */
const laws = [
  {
    law: 'Text, reasoning, every `argumentsText` and the raw text of every warning add up to what came in. Nothing is dropped unsaid.',
    also: ['test/assembly/ledger.test.ts'],
  },
  {
    law: 'The events do not depend on where the chunks are cut; deltas may be split differently, and joined they are equal.',
    also: ['test/fixtures.test.ts', 'test/text/laws.test.ts'],
  },
  {
    law: 'Every `tool-call-start` has one `tool-call-end`, its deltas joined are its `argumentsText`, and `finish` comes last, once.',
    also: ['test/fixtures.test.ts'],
  },
  {
    law: 'No call that misses a byte is ok.',
    also: ['test/assembly/ledger.test.ts', 'test/formats/spoilt.test.ts', 'test/arguments/corruption.test.ts'],
  },
  {
    law: 'A call is cut if the server says so or if its own structure does. Neither is believed alone that all is well.',
    also: ['test/assembly/verdict.test.ts'],
  },
  {
    law: 'The live view never reaches `arguments`: they come from one strict parse of the whole text.',
    also: ['test/arguments/partial.test.ts'],
  },
  {
    law: 'Every byte is looked at a bounded number of times, for any input and any size of chunk.',
    also: ['test/framing/linear.test.ts', 'test/arguments/hostile.test.ts'],
  },
  {
    law: 'Feeding never throws on what arrives, however broken. Misuse by the caller is a `TypeError`.',
    also: ['test/formats/hostile.test.ts', 'test/assembly/assembler.test.ts'],
  },
]

function lawsTable() {
  const files = readdirSync(lawsFolder).filter((file) => file.endsWith('.test.ts'))
  const rows = laws.map(({ law, also }, n) => {
    const own = files.filter((file) => file.startsWith(`${n + 1}-`)).map((file) => `test/laws/${file}`)
    const links = [...own, ...also].map((path) => `[${path.replace(/^test\/|\.test\.ts$/g, '')}](${path})`)
    return `| ${n + 1} | ${law} | ${links.join(', ')} |`
  })
  return ['| | law | held by, in `test` |', '| --- | --- | --- |', ...rows].join('\n')
}

/** How a format's arguments are written, by the kind of its first shape. */
const notations = {
  'one JSON object with name and arguments, or a list of them': ['object', 'keyed-object'],
  'the name, then the arguments as JSON': ['json'],
  'one tag a parameter': ['tagged'],
  'an expression': ['python', 'dict'],
}

function textFormatsTable({ textFormats, usualFormats }) {
  const rows = Object.entries(notations).map(([notation, kinds]) => {
    const formats = textFormats.filter(({ shapes }) => kinds.includes(shapes[0].kind))
    const names = formats.map(({ name, models }) => {
      const shown = usualFormats.includes(name) ? `**\`${name}\`**` : `\`${name}\``
      return `${shown} (${models})`
    })
    return `| ${notation} | ${names.join('; ')} |`
  })
  return ['| arguments are | formats |', '| --- | --- |', ...rows].join('\n')
}

const region = /<!-- ([\w-]+):start -->\n([\s\S]*?)\n?<!-- \1:end -->/g

/** What the regions of a text hold, by name. */
export function readRegions(text) {
  return Object.fromEntries([...text.matchAll(region)].map(([, name, held]) => [name, held]))
}

/** The text with new contents in its regions. Regions that `contents` doesn't name stay as they are. */
export function writeRegions(text, contents) {
  return text.replaceAll(region, (whole, name) =>
    Object.hasOwn(contents, name) ? `<!-- ${name}:start -->\n${contents[name]}\n<!-- ${name}:end -->` : whole,
  )
}
