import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  finishText,
  newPiecewiseText,
  parsePath,
  writePiece,
  type Piece,
} from '../../src/formats/gemini-partial-args.ts'

const more = (string: string): Piece => ({ string, willContinue: true })
const last = (string: string): Piece => ({ string, willContinue: false })
const value = (json: string): Piece => ({ json })

/** Everything that the pieces add; `null` stands for a piece without a place. */
function write(...steps: readonly (readonly [string, Piece])[]): (string | null)[] {
  const text = newPiecewiseText()
  const added = steps.map(([path, piece]) => writePiece(text, parsePath(path) ?? [], piece))
  return [...added, finishText(text)]
}

type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

/** The pieces of a value, in its own order, its strings cut in two: what Vertex would send. Containers without members can't be sent. */
function pieces(node: Plain, path: string): (readonly [string, Piece])[] {
  if (typeof node === 'string') {
    const half = Math.floor(node.length / 2)
    return [
      [path, more(node.slice(0, half))],
      [path, more(node.slice(half))],
      [path, last('')],
    ]
  }
  if (typeof node !== 'object' || node === null) return [[path, value(JSON.stringify(node))]]
  return Array.isArray(node)
    ? node.flatMap((item: Plain, at) => pieces(item, `${path}[${at}]`))
    : Object.entries(node).flatMap(([key, item]) => pieces(item, `${path}[${JSON.stringify(key)}]`))
}

const { node: tree } = fc.letrec<{ node: Plain }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('node'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  ),
}))
const root = fc.dictionary(fc.string({ unit: 'binary' }), tree, { minKeys: 1, maxKeys: 4, noNullPrototype: true })

describe('the written text', () => {
  it('is the value that was taken apart', () => {
    fc.assert(
      fc.property(root, (object) => {
        expect(JSON.parse(write(...pieces(object, '$')).join(''))).toEqual(object)
      }),
    )
  })

  it('is never whole before its end', () => {
    fc.assert(
      fc.property(root, (object) => {
        const added = write(...pieces(object, '$'))
        for (let length = 1; length < added.length; length++) {
          expect(() => void JSON.parse(added.slice(0, length).join(''))).toThrow(SyntaxError)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('grows by what each piece adds', () => {
    expect(
      write(
        ['$.a.b[0].c', more('x"')],
        ['$.a.b[0].c', last('\n')],
        ['$.a.b[1].c', value('12345678901234567890')],
        ['$.a.d', value('null')],
        ['$.e', last('')],
      ),
    ).toEqual(['{"a":{"b":[{"c":"x\\"', '\\n"', '},{"c":12345678901234567890', '}],"d":null', '},"e":""', '}'])
  })

  it('joins the halves of a surrogate pair', () => {
    expect(JSON.parse(write(['$.a', more('\ud83d')], ['$.a', last('\ude00')]).join(''))).toEqual({ a: '😀' })
  })

  it('is nothing where no piece came', () => {
    expect(write()).toEqual([''])
  })

  it('repeats a name that comes back after it was closed, for the parser to refuse', () => {
    expect(write(['$.a.x', value('1')], ['$.b', value('2')], ['$.a.y', value('3')]).join('')).toBe(
      '{"a":{"x":1},"b":2,"a":{"y":3}}',
    )
  })
})

describe('a piece has no place', () => {
  it.each<[string, [string, Piece][]]>([
    [
      'behind the end of its string',
      [
        ['$.a', last('x')],
        ['$.a', more('y')],
      ],
    ],
    [
      'where a value stands',
      [
        ['$.a', value('1')],
        ['$.a', value('2')],
      ],
    ],
    [
      'as another type in a string',
      [
        ['$.a', more('x')],
        ['$.a', value('2')],
      ],
    ],
    [
      'while another string is open',
      [
        ['$.a', more('x')],
        ['$.b', last('y')],
      ],
    ],
    [
      'under a value that is no container',
      [
        ['$.a', value('1')],
        ['$.a.b', value('2')],
      ],
    ],
    [
      'in place of a container',
      [
        ['$.a.b', value('1')],
        ['$.a', value('2')],
      ],
    ],
    [
      'beyond the next position',
      [
        ['$.a[0]', value('1')],
        ['$.a[2]', value('2')],
      ],
    ],
    [
      'before the last position',
      [
        ['$.a[0]', value('1')],
        ['$.a[1]', value('2')],
        ['$.a[0]', value('3')],
      ],
    ],
    [
      'by name in an array',
      [
        ['$.a[0]', value('1')],
        ['$.a.b', value('2')],
      ],
    ],
    [
      'by position in an object',
      [
        ['$.a.b', value('1')],
        ['$.a[1]', value('2')],
      ],
    ],
  ])('%s', (_, steps) => {
    expect(write(...steps).at(-2)).toBeNull()
  })

  it.each(['$[0]', '$.a[1]', '$.a.b[3].c'])('first of all at %s', (path) => {
    expect(write([path, value('1')])).toEqual([null, ''])
  })

  it('and then the text is as it was', () => {
    expect(write(['$.a', value('1')], ['$.b[1]', value('2')], ['$.c', value('3')])).toEqual([
      '{"a":1',
      null,
      ',"c":3',
      '}',
    ])
  })

  it('and a string without its end keeps the text open', () => {
    expect(write(['$.a', more('x')])).toEqual(['{"a":"x', null])
  })
})

describe('paths', () => {
  it.each<[string, (string | number)[]]>([
    ['$.a', ['a']],
    ['$.a.b-c[0].d_1', ['a', 'b-c', 0, 'd_1']],
    ['$.größe', ['größe']],
    [String.raw`$['a b']['it\'s']['"']['\\']`, ['a b', "it's", '"', '\\']],
    [String.raw`$["a.b"]["\""]["\u00e9"][10]`, ['a.b', '"', 'é', 10]],
    ['$.__proto__', ['__proto__']],
  ])('%s', (path, steps) => {
    expect(parsePath(path)).toEqual(steps)
  })

  it.each([
    '',
    '$',
    'a',
    '$..a',
    '$.*',
    '$[*]',
    '$[-1]',
    '$[01]',
    '$[?@.a]',
    '$.a[',
    "$['a",
    String.raw`$['\q']`,
    '$.a b]',
  ])('that lead to no one value: %s', (path) => {
    expect(parsePath(path)).toBeNull()
  })
})
