import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPartialView } from '../../src/arguments/partial.ts'
import type { Change } from '../../src/model/events.ts'
import { cpuTime } from '../helpers/cost.ts'
import { applyChanges } from '../helpers/apply-changes.ts'

/** The value of a prefix of a JSON object by another way: cut back to the last complete value, close what is open, and parse. */
function parseOfClosedPrefix(prefix: string): unknown {
  const open: string[] = []
  let closed: string | undefined
  const closable = (end: number, quote = '') => (closed = prefix.slice(0, end) + quote + [...open].reverse().join(''))
  for (let at = 0; at < prefix.length;) {
    const rest = prefix.slice(at)
    const string = /^"(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*/.exec(rest)?.[0]
    if (string !== undefined) {
      const isKey = open.at(-1) === '}' && /[{,]\s*$/.test(prefix.slice(0, at))
      const end = at + string.length
      if (prefix[end] !== '"') {
        if (!isKey) closable(end, '"')
        break
      }
      at = end + 1
      if (!isKey) closable(at)
      continue
    }
    const scalar = /^(?:true|false|null|-?[0-9][0-9.eE+-]*(?=[\s\],}]))/.exec(rest)?.[0]
    if (scalar !== undefined) {
      at += scalar.length
      closable(at)
      continue
    }
    const char = prefix.charAt(at++)
    if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      closable(at)
    } else if (char === '}' || char === ']') {
      open.pop()
      closable(at)
    } else if (!/[\s,:]/.test(char)) break
  }
  return closed === undefined ? undefined : JSON.parse(closed)
}

const space = fc.constantFrom('', '', '', ' ', '\n\t', ' \r\n')
const oddKeys = fc.constantFrom(
  '',
  'a',
  'a',
  'b',
  '__proto__',
  'constructor',
  'a/b',
  '~',
  '~1',
  'm~n/o',
  '0',
  'é',
  '😀',
)

/** One way of several to write a string in JSON, escapes mixed at random. */
const jsonString = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.infiniteStream(fc.nat(5))).map(([value, ways]) => {
    let written = ''
    for (let at = 0; at < value.length; at++) {
      const unit = value.charCodeAt(at)
      const plain = JSON.stringify(value.charAt(at)).slice(1, -1)
      const way = ways.next().value ?? 0
      if (way === 0) written += `\\u${unit.toString(16).padStart(4, '0')}`
      else if (way === 1) written += `\\u${unit.toString(16).padStart(4, '0').toUpperCase()}`
      else if (way === 2 && value.charAt(at) === '/') written += '\\/'
      else written += unit >= 0xd800 && unit <= 0xdfff ? value.charAt(at) : plain
    }
    return `"${written}"`
  })

const anyString = jsonString(fc.string({ unit: 'binary', maxLength: 12 }))
const anyKey = jsonString(fc.oneof(oddKeys, fc.string({ maxLength: 4 })))
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
  fc.constantFrom('-0', '0', '1e5', '1E+5', '-1.5e-7', '12345678901234567890', '0.0', '1e400'),
)

/** Texts of JSON objects: duplicate and odd keys, any escapes, any white space. */
const { object: anyObject } = fc.letrec<{ object: string; array: string; value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyString,
    anyNumber,
    fc.constantFrom('true', 'false', 'null'),
    tie('object'),
    tie('array'),
  ),
  object: fc
    .tuple(space, fc.array(fc.tuple(anyKey, space, space, tie('value'), space), { maxLength: 5 }))
    .map(
      ([lead, entries]) =>
        `{${lead}${entries.map(([key, a, b, value, c]) => `${key}${a}:${b}${value}${c}`).join(',')}}`,
    ),
  array: fc
    .tuple(space, fc.array(fc.tuple(tie('value'), space), { maxLength: 5 }))
    .map(([lead, items]) => `[${lead}${items.map(([value, after]) => value + after).join(',')}]`),
}))
const anyText = fc.tuple(space, anyObject, space).map((parts) => parts.join(''))

function feedAll(pieces: readonly string[]) {
  const view = createPartialView(128)
  const changes = pieces.flatMap((piece) => [...view.append(piece)])
  return { view, changes }
}

const cut = (text: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

/** Neighbouring changes to one string made one, so that only what they say is compared, not where the text was cut. */
function joined(changes: readonly Change[]): Change[] {
  const result: Change[] = []
  for (const change of changes) {
    const last = result.at(-1)
    if (change.op === 'append' && last !== undefined && last.path === change.path) {
      if (last.op === 'append') result[result.length - 1] = { ...last, text: last.text + change.text }
      else result[result.length - 1] = { ...last, value: String(last.value) + change.text }
    } else result.push(change)
  }
  return result
}

describe('the live view of growing arguments', () => {
  it('equals the parse of the closed prefix after every character, and its changes replay to the same value', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const view = createPartialView(128)
        let replayed: unknown
        for (let end = 1; end <= text.length; end++) {
          replayed = applyChanges(replayed, view.append(text.charAt(end - 1)))
          expect(view.value).toEqual(parseOfClosedPrefix(text.slice(0, end)))
          expect(replayed).toEqual(view.value)
        }
        expect(view.append(' \n{"a":1,')).toEqual([])
        expect(JSON.stringify(view.value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 100 },
    )
  })

  it('says the same however the text is cut', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (text, sizes) => {
        const whole = feedAll([text])
        const pieces = feedAll(cut(text, sizes))
        expect(pieces.view.value).toEqual(whole.view.value)
        expect(joined(pieces.changes)).toEqual(joined(whole.changes))
      }),
      { numRuns: 300 },
    )
  })

  it('stops exactly where the text stops being the start of a JSON object, and keeps what it had', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.nat(),
        fc.constantFrom('x', '"', '\\', '}', ']', ',', ':', '-', '0', '\u0001', 'e', '{'),
        (text, where, char) => {
          const at = where % text.length
          const broken = text.slice(0, at) + char + text.slice(at)
          const { view, changes } = feedAll([...cut(broken, [1])])
          expect(feedAll([broken]).view.value).toEqual(view.value)
          expect(applyChanges(undefined, changes)).toEqual(view.value)
          expect(goesOn([broken])).toBe(isStartOfObject(broken))
          expect(goesOn(cut(broken, [1]))).toBe(isStartOfObject(broken))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('shows a string from its quote on and tells each piece once', () => {
    const view = createPartialView(128)
    expect(view.append('{"path":"')).toEqual([
      { op: 'set', path: '', value: {} },
      { op: 'set', path: '/path', value: '' },
    ])
    expect(view.append('src/')).toEqual([{ op: 'append', path: '/path', text: 'src/' }])
    expect(view.append('a\\')).toEqual([{ op: 'append', path: '/path', text: 'a' }])
    expect(view.append('n')).toEqual([{ op: 'append', path: '/path', text: '\n' }])
    expect(view.append('"')).toEqual([])
    expect(view.value).toEqual({ path: 'src/a\n' })
  })

  it('shows a number with the character after it, and a literal with its last letter', () => {
    const view = createPartialView(128)
    view.append('{"n":12')
    expect(view.value).toEqual({})
    expect(view.append('5')).toEqual([])
    expect(view.append(',"t":tru')).toEqual([{ op: 'set', path: '/n', value: 125 }])
    expect(view.append('e')).toEqual([{ op: 'set', path: '/t', value: true }])
    expect(view.value).toEqual({ n: 125, t: true })
  })

  it('joins the halves of a surrogate pair written as two escapes in two pieces', () => {
    const { view } = feedAll(['{"a":"\\ud8', '3d', '\\', 'ude0', '0"}'])
    expect(view.value).toEqual({ a: '😀' })
  })

  it('escapes keys in paths and nests indexes', () => {
    const { changes } = feedAll(['{"a/b":[{"~":1 }]}'])
    expect(changes.map((change) => change.path)).toEqual(['', '/a~1b', '/a~1b/0', '/a~1b/0/~0'])
  })

  it('keeps __proto__ as an own property and touches no prototype', () => {
    const { view } = feedAll(['{"__proto__":{"polluted":true},', '"a":1 '])
    expect(Object.getPrototypeOf(view.value)).toBe(Object.prototype)
    expect(Object.keys(view.value ?? {})).toEqual(['__proto__', 'a'])
    expect('polluted' in {}).toBe(false)
  })

  it('sets a repeated key again', () => {
    const { view, changes } = feedAll(['{"a":{"b":1},"a":', '{"c":2'])
    expect(view.value).toEqual({ a: {} })
    expect(view.append('}')).toEqual([{ op: 'set', path: '/a/c', value: 2 }])
    expect(changes.filter((change) => change.path === '/a')).toHaveLength(2)
    expect(view.value).toEqual({ a: { c: 2 } })
  })

  it.each([
    '[1]',
    '"a"',
    '12',
    'null',
    '```json',
    '\ufeff{}',
    "{'a'",
    '{"a":\u00a01}',
    '{"a":01',
    '{"a":1x',
    '{"a":+1',
    '{"a":.5',
    '{"a":truE',
    '{"a":"\\x',
    '{"a":"\n',
    '{"a":[1,]',
    '{"a":1,}',
    '{,',
    '{"a"1',
    '{} {',
    '{"a":NaN',
  ])('stops at %j without throwing', (text) => {
    const { view } = feedAll([text])
    expect(view.append('{"late":1}')).toEqual([])
    expect(goesOn([text])).toBe(false)
    expect(goesOn(cut(text, [1]))).toBe(false)
  })

  it('has no value and no fault before the object begins', () => {
    const { view } = feedAll([' \n', ''])
    expect(view.value).toBeUndefined()
    expect(goesOn([' \n', ''])).toBe(true)
  })

  it('stops below the depth where the parser would refuse', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}`
    const shallow = createPartialView(3)
    shallow.append(nested(3))
    expect(shallow.append('1,')).toEqual([{ op: 'set', path: '/a/0/0', value: 1 }])
    const deep = createPartialView(3)
    deep.append(nested(4))
    expect(deep.append('1,')).toEqual([])
    expect(deep.value).toEqual({ a: [[]] })
  })

  it('hands out snapshots and changes that never change later', () => {
    const view = createPartialView(128)
    const changes = view.append('{"a":{"x":1},"b":[')
    const before = view.value
    expect(view.value).toBe(before)
    view.append('1,2],"c":"text')
    expect(before).toEqual({ a: { x: 1 }, b: [] })
    expect(changes.at(-1)).toEqual({ op: 'set', path: '/b', value: [] })
    expect(view.value).toEqual({ a: { x: 1 }, b: [1, 2], c: 'text' })
  })

  it('takes time in proportion to the text, whatever the size of the pieces', () => {
    const piecesOf = (size: number) =>
      cut(JSON.stringify({ path: 'a.ts', text: 'const é = "x\\n"\n'.repeat(size / 16) }), [4])
    const time = (pieces: readonly string[], times: number) =>
      cpuTime(() => {
        for (let turn = 0; turn < times; turn++) {
          const view = createPartialView(128)
          for (const piece of pieces) view.append(piece)
          expect(view.value).toHaveProperty('path', 'a.ts')
        }
      })
    const [short, long] = [piecesOf(60_000), piecesOf(600_000)]
    time(short, 10)
    // The same amount of text in one view and in ten. Neighbours on the machine disturb single rounds; a view that looks at
    // characters again would need ten times as long in every round.
    const ratios = Array.from({ length: 5 }, () => time(long, 1) / time(short, 10))
    expect(Math.min(...ratios)).toBeLessThan(1.5)
  })
})

/** Among these is one that brings the start of a JSON object to the end of its innermost container's next value. */
const continuations: readonly string[] = [
  '{}',
  '"k":1',
  'k":1',
  ':1',
  '1',
  ',"k":1',
  ',1',
  'x"',
  'n"',
  'n":1',
  ...['true', 'false', 'null'].flatMap((word) =>
    [1, 2, 3, 4].map((at) => word.slice(at)).filter((rest) => rest !== ''),
  ),
  ...['0000', '000', '00', '0'].flatMap((digits) => [`${digits}x"`, `${digits}":1`]),
]

/** Whether anything can still change the view after these pieces. */
function goesOn(pieces: readonly string[]): boolean {
  return continuations.some((continuation) => feedAll(pieces).view.append(`${continuation},`).length > 0)
}

/** Whether more text can make it a JSON object that says more: it is neither closed nor wrong. */
function isStartOfObject(text: string): boolean {
  let closers = ''
  for (const bracket of text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '').match(/[[\]{}]/g) ?? []) {
    if (bracket === '{' || bracket === '[') closers = (bracket === '{' ? '}' : ']') + closers
    else closers = closers.slice(1)
  }
  return !isJsonObject(text) && continuations.some((continuation) => isJsonObject(text + continuation + closers))
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
