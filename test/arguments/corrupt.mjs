// Payloads as models write them, and the damage that happens to them on the way. Deterministic by seed, and plain JavaScript, so
// that the tests and the comparison script share it.

/** @import { Corruption, Damage, Random } from './corrupt.d.mts' */

/** @type {(seed: number) => Random} */
export function createRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit) => Math.floor(next() * limit)
  return { next, below, pick: (items) => items[below(items.length)], chance: (odds) => next() < odds }
}

const keyNames = [
  'path',
  'content',
  'query',
  'limit',
  'recursive',
  'edits',
  'old',
  'new',
  'line',
  'cmd',
  'url',
  'headers',
  'q',
  'a',
  'b',
  'n',
  'tags',
  'note',
]
const words = [
  'alpha',
  'src',
  'lib',
  'main',
  'x',
  'total',
  'value',
  'return',
  'const',
  'naïve',
  '東京',
  '🙂',
  'e\u0301',
  'Straße',
]
const codeLines = [
  'const a = { b: [1, 2], c: "d" };',
  'if (x) { return `t${y}` }',
  "print('it\\'s', \"ok\")",
  '```js\nlet a = {}\n```',
  'C:\\new\\table.txt',
  '\tindented "quoted" \\ backslash',
  '{"inner": {"json": [true, null]}}',
  '// TODO: trailing, comma,',
  '</tool_call>',
  '<|im_end|>',
  '"key": value',
  '},{',
  "don't",
  '',
]

/** @param {Random} random */
function makeString(random) {
  switch (random.below(6)) {
    case 0:
      return `${random.pick(words)}/${random.pick(words)}.ts`
    case 1:
      return Array.from({ length: 1 + random.below(5) }, () => random.pick(codeLines)).join(
        random.pick(['\n', '\r\n', '\n\n']),
      )
    case 2:
      return random.pick(codeLines)
    case 3:
      return ''
    default:
      return Array.from({ length: 1 + random.below(6) }, () => random.pick(words)).join(' ')
  }
}

/** @param {Random} random @param {number} depth */
function makeValue(random, depth) {
  const kind = random.below(depth > 2 ? 6 : 9)
  if (kind < 3) return makeString(random)
  if (kind === 3) return random.pick([0, 1, -1, 42, 3.25, 1e21, -0.5, 1_700_000_000, 9_007_199_254_740_991])
  if (kind === 4) return random.chance(0.5)
  if (kind === 5) return random.chance(0.7) ? random.below(1000) : null
  if (kind === 6) return Array.from({ length: random.below(4) }, () => makeValue(random, depth + 1))
  if (kind === 7) return Array.from({ length: 1 + random.below(3) }, () => makeObject(random, depth + 1))
  return makeObject(random, depth + 1)
}

/** @param {Random} random */
function makeObject(random, depth = 0) {
  const object = {}
  for (let members = 1 + random.below(depth === 0 ? 5 : 3); members > 0; members--)
    object[random.pick(keyNames)] = makeValue(random, depth)
  return object
}

/** @param {unknown} value @param {Random} random */
function write(value, random) {
  switch (random.below(3)) {
    case 0:
      return JSON.stringify(value)
    case 1:
      return JSON.stringify(value, null, random.pick([1, 2, '\t']))
    default:
      return spaced(value)
  }
}

/** As Python's standard library writes it. @param {unknown} value @returns {string} */
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`)
    .join(', ')}}`
}

/** Splits into strings and the stretches between them, alternately, beginning with one between. @param {string} text */
function splitStrings(text) {
  return text.split(/("(?:[^"\\]|\\.)*")/)
}

/** @param {string} text @param {(between: string) => string} change */
function changeBetween(text, change) {
  return splitStrings(text)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

/** Writes line breaks and tabs bare in values. Keys stay as they are. @param {string} text */
function bareControls(text) {
  const parts = splitStrings(text)
  return parts
    .map((part, index) => {
      if (index % 2 === 0 || /^\s*:/.test(parts[index + 1] ?? '')) return part
      return part.replace(/\\(.)/g, (escape, letter) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? escape)
    })
    .join('')
}

const proseBefore = [
  'Let me read the file: ',
  'Sure! Here is the call:\n',
  'I\'ll "open" it: ',
  '<think>use the path</think>',
  'arguments = ',
  '🔧 ',
  'data: ',
  '<arguments>\n',
]
const proseAfter = [' hope that helps', '\n\nLet me know.', '<|im_end|>', '</s>', ';', ' ✅', '\n</arguments>', '""']

/** Damage that can be undone: all of the data is there, in one reading. @type {Readonly<Record<string, Damage>>} */
export const reversibleDamage = {
  fence: (text, random) =>
    random.pick([
      `\`\`\`json\n${text}\n\`\`\``,
      `\`\`\`${text}\`\`\``,
      `~~~\n${text}\n~~~`,
      `\`${text}\``,
      `${text}\n\`\`\``,
      `\`\`\`tool_code\n${text}`,
    ]),
  prose: (text, random) =>
    (random.chance(0.7) ? random.pick(proseBefore) : '') + text + (random.chance(0.7) ? random.pick(proseAfter) : ''),
  'double encoding': (text, random) => JSON.stringify(random.chance(0.2) ? JSON.stringify(text) : text),
  'lost outer quotes': (text) => JSON.stringify(text).slice(1, -1),
  'outer quotes': (text, random) => random.pick([`'${text}'`, `"${text}"`]),
  'sent twice': (text, random) => text + random.pick(['', '\n', ' ']) + text,
  placeholder: (text, random) => '{}'.repeat(1 + random.below(2)) + random.pick(['', '\n']) + text,
  'raw control characters': bareControls,
  'invisible characters': (text, random) =>
    random.pick(['\ufeff', '\u200b', '']) +
    changeBetween(text, (part) => part.replace(' ', '\u00a0')) +
    random.pick(['\u200b', '']),
  'escaped white space': (text) => changeBetween(text, (part) => part.replaceAll('\n', '\\n')),
  'repeated member': (text) => {
    const member = /^\{\s*("(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|true|false|null|-?[0-9.]+))\s*[,}]/.exec(
      text,
    )?.[1]
    return member === undefined ? text : text.replace('{', () => `{${member},`)
  },
}

/** A stretch, but never the whole: then nothing arrives, which is no damage to the arguments. @param {string} text @param {Random} random */
function chunk(text, random) {
  const start = random.below(text.length)
  const end = start + 1 + random.below(random.pick([3, 12, 40]))
  return [start, Math.min(end, start === 0 ? text.length - 1 : text.length)]
}

/** @param {string} text @param {Random} random @param {RegExp} pattern @param {(found: string) => string} change */
function changeOne(text, random, pattern, change) {
  const places = [...text.matchAll(pattern)]
  if (places.length === 0) return text
  const place = random.pick(places)
  return text.slice(0, place.index) + change(place[0]) + text.slice(place.index + place[0].length)
}

/** Damage that loses or adds something: what comes out may be anything. @type {Readonly<Record<string, Damage>>} */
export const lossyDamage = {
  'cut off': (text, random) => text.slice(0, 1 + random.below(text.length - 1)),
  'cut off in a fence': (text, random) => `\`\`\`json\n${text.slice(0, 1 + random.below(text.length - 1))}`,
  'cut off, encoded': (text, random) => {
    const encoded = JSON.stringify(text)
    return encoded.slice(0, 1 + random.below(encoded.length - 1))
  },
  'start lost': (text, random) => text.slice(1 + random.below(text.length - 1)),
  'lost chunk': (text, random) => {
    const [start = 0, end = 0] = chunk(text, random)
    return text.slice(0, start) + text.slice(end)
  },
  'doubled chunk': (text, random) => {
    const [start = 0, end = 0] = chunk(text, random)
    return text.slice(0, end) + text.slice(start)
  },
  // The outermost braces and line breaks, bare or escaped, stay where they are. Text that moves out of the object is no different from prose
  // around it, and a break that moves into a string no different from one that the model left bare there.
  'swapped chunks': (text, random) => {
    const [start = 0, end = 0] = chunk(text.slice(1, -1), random).map((at) => at + 1)
    const next = Math.min(text.length - 1, end + (end - start))
    if (/[\t\r\n]|\\[nrt]/.test(text.slice(start - 1, next + 1))) return text
    return text.slice(0, start) + text.slice(end, next) + text.slice(start, end) + text.slice(next)
  },
  'dropped sign': (text, random) => changeOne(text, random, /[{}[\]",:\\]/g, () => ''),
  'doubled sign': (text, random) => changeOne(text, random, /[{}[\]",:\\]/g, (sign) => sign + sign),
  'lost escaping': (text, random) =>
    random.chance(0.5) ? text.replaceAll('\\"', '"') : changeOne(text, random, /\\./g, (escape) => escape.slice(1)),
  'lost quotes': (text, random) => changeOne(text, random, /"(?:[^"\\]|\\.)*"/g, (string) => string.slice(1, -1)),
  'other quotes': (text, random) =>
    changeOne(text, random, /"(?:[^"\\]|\\.)*"/g, (string) =>
      random.pick([`'${string.slice(1, -1)}'`, `“${string.slice(1, -1)}”`]),
    ),
  'other literals': (text) =>
    changeBetween(text, (part) =>
      part.replace(/true|false|null/g, (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word),
    ),
  'two calls in one': (text, random) =>
    text + random.pick(['', '\n', ', ']) + write({ ...makeObject(random), second: true }, random),
  'cut off, then again': (text, random) => text.slice(0, 1 + random.below(text.length - 1)) + text,
  'rubbed letter': (text, random) => {
    const at = random.below(text.length)
    return text.slice(0, at) + random.pick(['x', '0', '}', '"', '\\', ' ', '\u0000', '\ud83d']) + text.slice(at + 1)
  },
}

/** Damage with no right answer but to refuse: the first of two calls is no better than the second. */
export const withoutAnswer = new Set(['two calls in one'])

/** The payload and the damage of a seed, always the same. @type {(seed: number, damages: Readonly<Record<string, Damage>>) => Corruption} */
export function corrupt(seed, damages) {
  const random = createRandom(seed)
  const original = makeObject(random)
  const text = write(original, random)
  const kinds = Object.keys(damages)
  const kind = random.pick(kinds)
  const damage = damages[kind]
  return { kind, original, text, arrived: damage ? damage(text, random) : text }
}

/** Without any damage. @type {(seed: number) => string} */
export function makePayload(seed) {
  const random = createRandom(seed)
  return write(makeObject(random), random)
}
