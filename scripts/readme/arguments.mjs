/**
 * Arguments as models write them, and what readers of JSON make of them. Every repair has a row that it alone repairs, and so has
 * every kind of text that nobody can repair without guessing.
 */
import { jsonrepair } from 'jsonrepair'
import { parse as parsePartial } from 'partial-json'

const schema = {
  type: 'object',
  properties: { a: {}, b: {}, name: { type: 'string' }, path: { type: 'string' } },
}
const tool = { toolName: 'tool', schema }

/** What a repair of the row's name makes of the text, on its tier. */
export const repairRows = [
  { repair: 'fence', tier: 'lossless', text: '```json\n{"a":1}\n```' },
  { repair: 'surrounding-text', tier: 'lossless', text: 'Sure: {"a":1}' },
  { repair: 'double-encoding', tier: 'lossless', text: '"{\\"a\\":1}"' },
  { repair: 'escaped-object', tier: 'lossless', text: '{\\"a\\":1}' },
  { repair: 'bom', tier: 'lossless', text: '\u{feff}{"a":1}' },
  { repair: 'unicode-whitespace', tier: 'lossless', text: '{"a":\u{a0}1}' },
  { repair: 'escaped-whitespace', tier: 'lossless', text: '{\\n"a":1}' },
  { repair: 'raw-control-chars', tier: 'lossless', text: '{"a":"x\ny"}' },
  { repair: 'leading-empty-object', tier: 'lossless', text: '{}{"a":1}' },
  { repair: 'duplicate-object', tier: 'lossless', text: '{"a":1}{"a":1}' },
  { repair: 'duplicate-key', tier: 'lossless', text: '{"a":1,"a":1}' },
  { repair: 'trailing-comma', tier: 'lenient', text: '{"a":1,}' },
  { repair: 'single-quotes', tier: 'lenient', text: "{'a':1}" },
  { repair: 'unquoted-key', tier: 'lenient', text: '{a:1}' },
  { repair: 'unquoted-value', tier: 'lenient', text: '{"name":Ann}' },
  { repair: 'python-literals', tier: 'lenient', text: '{"a":True}' },
  { repair: 'comments', tier: 'lenient', text: '{"a":1 /* one */}' },
  { repair: 'smart-quotes', tier: 'lenient', text: '{“a”:1}' },
  { repair: 'apostrophe-escape', tier: 'lenient', text: '{"a":"it\\\'s"}' },
  { repair: 'extra-closing-brace', tier: 'lenient', text: '{"a":1}}' },
  { repair: 'close-truncated', tier: 'closeTruncated', text: '{"a":1,"b":"x' },
  { repair: 'empty-object', tier: 'emptyObject', text: '' },
]

/** What stays refused, whatever is switched on. */
export const refusedRows = [
  { code: 'incomplete', text: '{"a":12' },
  { code: 'incomplete', text: '{"a":tru' },
  { code: 'multiple-objects', text: '{"a":1}{"a":2}' },
  { code: 'duplicate-key', text: '{"a":1,"a":2}' },
  { code: 'malformed', text: '{"a":1 "b":2}' },
  { code: 'malformed', text: '{"a":"say "hi""}' },
  { code: 'invalid-escape', text: '{"path":"C:\\dir"}' },
  { code: 'ambiguous-text', text: '{"a":1} then {"b' },
  { code: 'not-an-object', text: '[{"a":1}]' },
  { code: 'no-object', text: 'I would rather not.' },
  { code: 'lossy-number', text: '{"a":12345678901234567890}' },
  { code: 'forbidden-key', text: '{"__proto__":{"a":1}}' },
  { code: 'control-char', text: '{"a":"x\u{1b}y"}' },
  { code: 'ill-formed-unicode', text: '{"a":"\\ud83d"}' },
  { code: 'malformed', text: '{"a":NaN}' },
]

/** The options that switch everything on which the tiers offer. */
const everything = { repair: 'lenient', closeTruncated: true }

const tierOptions = {
  lossless: {},
  lenient: { repair: 'lenient' },
  closeTruncated: { closeTruncated: true },
  emptyObject: {},
}

/** What the library makes of a row: the repairs' names and the value, or the code. */
export function readRow({ text, tier }, { parseArguments }) {
  return parseArguments(text, { ...tool, ...(tier === undefined ? everything : tierOptions[tier]) })
}

/** The same without any opt-in. */
export function readByDefault({ text }, { parseArguments }) {
  return parseArguments(text, tool)
}

const others = {
  'JSON.parse': (text) => JSON.parse(text),
  jsonrepair: (text) => JSON.parse(jsonrepair(text)),
  'partial-json': (text) => parsePartial(text),
}

const tierNames = {
  lossless: '',
  lenient: " (`repair: 'lenient'`)",
  closeTruncated: ' (`closeTruncated`)',
  emptyObject: ' (gated by the schema)',
}

export function argumentsTable(library) {
  const rows = [...repairRows, ...refusedRows].map((row) => {
    const outcome = readRow(row, library)
    const here = outcome.ok
      ? `${code(show(outcome.arguments))} ${outcome.repairs.map(({ name }) => name).join(', ')}${tierNames[row.tier]}`
      : `refused: ${outcome.failure.code}`
    const theirs = Object.values(others).map((reader) => readWith(reader, row.text))
    return `| ${[code(row.text), ...theirs, here].join(' | ')} |`
  })
  const names = Object.keys(others).map((name) => `\`${name}\``)
  return [`| what arrived | ${names.join(' | ')} | here |`, '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

function readWith(reader, text) {
  let value
  try {
    value = reader(text)
  } catch {
    return 'throws'
  }
  const isPlain = typeof value !== 'object' || value === null || Array.isArray(value)
  const prototype = isPlain || Object.getPrototypeOf(value) === Object.prototype ? '' : ', prototype replaced'
  return code(show(value)) + prototype
}

/** JSON, and `NaN` where `JSON.stringify` would write null. */
function show(value) {
  const mark = 'not a number'
  return JSON.stringify(value, (_, held) => (Number.isNaN(held) ? mark : held)).replaceAll(JSON.stringify(mark), 'NaN')
}

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{a0}\p{Cs}]/gu

/** A text as code in a cell, with a sign for a line feed and escapes for what can't be seen. */
function code(text) {
  const shown = text
    .replaceAll('\n', '⏎')
    .replaceAll(invisible, (character) => `\\u{${character.codePointAt(0).toString(16)}}`)
    .replaceAll('|', '\\|')
  if (shown === '') return '(nothing)'
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return longest === 0 ? ticks + shown + ticks : `${ticks} ${shown} ${ticks}`
}
