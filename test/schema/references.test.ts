import { describe, expect, test } from 'vitest'
import { dereferenced } from '../../src/schema/references.ts'

const text = { type: 'string' }
const document = {
  $defs: {
    text,
    'a/b c': { $ref: '#/$defs/text' },
    '100%': { $ref: '#/$defs/a~1b%20c' },
    list: { anyOf: [{ type: 'null' }, text] },
    yes: true,
    ring: { $ref: '#/$defs/gnir' },
    gnir: { $ref: '#/$defs/ring', title: 'gnir' },
    elsewhere: { $ref: 'https://example.com/schema', type: 'number' },
  },
}

describe('a schema stands for', () => {
  test.each<[string, object, object]>([
    ['itself', text, text],
    ['the root', { $ref: '#' }, document],
    ['another one', { $ref: '#/$defs/text' }, text],
    ['one at the end of several references', { $ref: '#/$defs/100%' }, text],
    ['one in a list', { $ref: '#/$defs/list/anyOf/1' }, text],
    ['the last one that is reached before the document ends', { $ref: '#/$defs/elsewhere' }, document.$defs.elsewhere],
    ['the last one before a circle closes', { $ref: '#/$defs/ring' }, document.$defs.gnir],
  ])('%s', (_name, schema, expected) => {
    expect(dereferenced({ ...schema }, document)).toEqual(expected)
  })

  test.each(['#/$defs/none', '#/$defs/yes', '#text', 'text', '#/toString', '#/$defs/list/anyOf/length'])(
    'itself where %s leads to no schema',
    ($ref) => {
      const schema = { $ref }
      expect(dereferenced(schema, document)).toBe(schema)
    },
  )
})
