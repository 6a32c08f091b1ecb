// The table of finalization, cell by cell, and the two witnesses of truncation.

import { describe, expect, it } from 'vitest'
import type { WireDelta } from '../../src/model/deltas.ts'
import type { BreakNotice } from '../../src/assembly/turn.ts'
import { book, clean, fate, fates, fragment } from './support.ts'

const finish = (raw: string, kind: Extract<WireDelta, { type: 'finish' }>['kind']): WireDelta => ({
  type: 'finish',
  choice: 0,
  raw,
  kind,
})
const endings: Record<string, readonly (WireDelta | BreakNotice)[]> = {
  clean: [clean],
  marker: [{ type: 'end' }],
  unknown: [finish('odd', 'other')],
  length: [finish('length', 'length')],
  filter: [finish('content_filter', 'filter')],
  refusal: [{ type: 'refusal', choice: 0, delta: 'no' }, clean],
  error: [{ type: 'error', error: { code: 'server_error', message: 'x' } }, clean],
  silence: [],
  connection: [{ type: 'break', broken: 'connection', error: { code: 'connection', message: 'x' } }],
  abort: [clean, { type: 'break', broken: 'aborted', error: { code: 'aborted', message: 'x' } }],
  stopped: [finish('abort', 'stopped')],
}
const whole = '{"a":1}'
const rows: Record<string, { readonly text: string; readonly fates: Record<string, unknown> }> = {
  'one whole object': {
    text: whole,
    fates: { clean: { a: 1 }, unknown: { a: 1 }, length: { a: 1 }, filter: 'interrupted', broken: 'interrupted' },
  },
  'a repair after which nothing can follow': {
    text: `\`\`\`json\n${whole}\n\`\`\``,
    fates: { clean: { a: 1 }, unknown: { a: 1 }, length: { a: 1 }, filter: 'interrupted', broken: 'truncated' },
  },
  'a repair that could miss something': {
    text: JSON.stringify(whole),
    fates: { clean: { a: 1 }, unknown: { a: 1 }, length: 'truncated', filter: 'interrupted', broken: 'truncated' },
  },
  blank: {
    text: ' ',
    fates: { clean: {}, unknown: 'truncated', length: 'truncated', filter: 'truncated', broken: 'truncated' },
  },
  'text that stops early': {
    text: '{"a":1',
    fates: { clean: 'truncated', unknown: 'truncated', length: 'truncated', filter: 'truncated', broken: 'truncated' },
  },
  'malformed text': {
    text: '{"a" 1}',
    fates: {
      clean: 'malformed',
      unknown: 'malformed',
      length: 'malformed',
      filter: 'interrupted',
      broken: 'interrupted',
    },
  },
  'malformed text that stops early': {
    text: '{"a" 1, "b": {',
    fates: {
      clean: 'malformed',
      unknown: 'malformed',
      length: 'truncated',
      filter: 'interrupted',
      broken: 'truncated',
    },
  },
  'an empty object from fragments': {
    text: '{ }',
    fates: { clean: {}, unknown: {}, length: 'truncated', filter: 'interrupted', broken: 'truncated' },
  },
}
const columnOf: Record<string, string> = {
  clean: 'clean',
  marker: 'clean',
  unknown: 'unknown',
  length: 'length',
  filter: 'filter',
  refusal: 'filter',
  error: 'broken',
  silence: 'broken',
  connection: 'broken',
  abort: 'broken',
  stopped: 'broken',
}

describe('the table of finalization', () => {
  for (const [row, { text, fates: expected }] of Object.entries(rows)) {
    for (const [ending, deltas] of Object.entries(endings)) {
      it(`${row}, ending in ${ending}`, () => {
        const { result } = book([fragment({ index: 0, id: 'c', name: 'f', arguments: text }), ...deltas])
        const column = columnOf[ending] ?? ''
        expect(fate(result.calls[0])).toEqual(expected[column])
        expect(result.finish.truncated).toBe(!['clean', 'unknown'].includes(column) || expected[column] === 'truncated')
      })
    }
  }

  it('judges free text by the endings alone', () => {
    const custom = (closed: boolean, ending: string): unknown =>
      fate(
        book([
          { type: 'call-open', choice: 0, key: 1, wireIndex: 1, id: 'c', name: 'f', kind: 'custom' },
          { type: 'call-append', key: 1, delta: '{"free' },
          ...(closed ? [{ type: 'call-close', key: 1 } as const] : []),
          ...(endings[ending] ?? []),
        ]).result.calls[0],
      )
    expect(custom(false, 'clean')).toBe('{"free')
    expect(custom(true, 'length')).toBe('{"free')
    expect(custom(false, 'length')).toBe('truncated')
    expect(custom(true, 'filter')).toBe('interrupted')
    expect(custom(true, 'connection')).toBe('truncated')
  })

  it('takes an object that the wire sent whole for no placeholder', () => {
    const { result } = book([
      { type: 'call-open', choice: 0, key: 0, wireIndex: null, id: null, name: 'f', kind: 'function' },
      { type: 'call-append', key: 0, delta: '{}', form: 'object' },
      { type: 'call-close', key: 0 },
      finish('length', 'length'),
    ])
    expect(fates(result)).toEqual([['f', {}]])
  })
})

describe('what cut a call', () => {
  const truncation = (text: string, ending: string): unknown => {
    const call = book([fragment({ index: 0, id: 'c', name: 'f', arguments: text }), ...(endings[ending] ?? [])]).result
      .calls[0]
    return call?.ok === false ? call.failure.truncation : undefined
  }

  it('is named as far as it is known', () => {
    expect(truncation('{"a":', 'clean')).toEqual({ cause: 'unreported', finishReason: 'tool_calls' })
    expect(truncation('{"a":', 'length')).toEqual({ cause: 'output-limit', finishReason: 'length' })
    expect(truncation('{"a":', 'filter')).toEqual({ cause: 'content-filter', finishReason: 'content_filter' })
    expect(truncation('{"a":', 'error')).toEqual({ cause: 'server-error', finishReason: 'tool_calls' })
    expect(truncation('{"a":', 'silence')).toEqual({ cause: 'connection', finishReason: null })
    expect(truncation('{"a":', 'abort')).toEqual({ cause: 'aborted', finishReason: 'tool_calls' })
    expect(truncation(whole, 'silence')).toEqual({ cause: 'connection', finishReason: null })
  })

  it('is told by two witnesses, and the finish lists who spoke', () => {
    const evidence = (text: string, ending: string): readonly string[] =>
      book([fragment({ index: 0, id: 'c', name: 'f', arguments: text }), ...(endings[ending] ?? [])]).result.finish
        .evidence
    expect(evidence('{"a":"x', 'clean')).toEqual(['finish-reason:tool_calls', 'open-string'])
    expect(evidence('{"a":[', 'length')).toEqual(['finish-reason:length', 'open-container'])
    expect(evidence(whole, 'marker')).toEqual(['end-marker'])
    expect(evidence(whole, 'silence')).toEqual(['no-end'])
    expect(evidence(whole, 'connection')).toContain('connection')
  })
})

describe('which failure is said first', () => {
  const cutCall = fragment({ index: 0, id: 'c', name: 'nobody', arguments: '{"a":' })
  const tools = [{ name: 'f', parameters: { type: 'object', required: ['a'] } }]

  it('is the worst that is known against the call', () => {
    const damage: WireDelta = { type: 'damage', warning: { code: 'malformed-event', message: 'x' } }
    const first = (deltas: readonly WireDelta[]): unknown => fate(book(deltas, { tools }).result.calls[0])
    expect(first([cutCall, damage, clean])).toBe('damaged')
    expect(first([cutCall, clean])).toBe('truncated')
    expect(
      first([
        fragment({ index: 0, name: 'nobody', arguments: '{"a"' }),
        fragment({ index: 0, arguments: ' 1}' }),
        clean,
      ]),
    ).toBe('unknown-tool')
    expect(first([fragment({ index: 0, name: 'f', arguments: 'x' }), clean])).toBe('no-object')
    expect(first([fragment({ index: 0, name: 'f', arguments: '' }), clean])).toBe('empty-arguments')
    expect(first([fragment({ index: 0, name: 'f', arguments: '{}' }), clean])).toBe('schema-mismatch')
  })

  it('leaves no arguments on a refused call', () => {
    const call = book([cutCall, clean]).result.calls[0]
    expect(call && 'arguments' in call).toBe(false)
  })
})

describe('closeTruncated', () => {
  const closed = (text: string, ending: string): unknown =>
    fate(
      book([fragment({ index: 0, id: 'c', name: 'f', arguments: text }), ...(endings[ending] ?? [])], {
        closeTruncated: true,
      }).result.calls[0],
    )

  it('closes what the output limit cut, said or unsaid, and nothing else', () => {
    expect(closed('{"a":"x', 'length')).toEqual({ a: 'x' })
    expect(closed('{"a":"x', 'clean')).toEqual({ a: 'x' })
    for (const ending of ['filter', 'error', 'silence', 'connection', 'abort', 'stopped']) {
      expect(closed('{"a":"x', ending), ending).toBe('truncated')
    }
  })

  it('still says that the turn is truncated, and names the repair', () => {
    const { result } = book([fragment({ index: 0, id: 'c', name: 'f', arguments: '{"a":"x' }), clean], {
      closeTruncated: true,
    })
    expect(result.finish.truncated).toBe(true)
    expect(result.calls[0]).toMatchObject({ ok: true, repairs: [{ name: 'close-truncated' }] })
  })

  it('never lets the schema be skipped', () => {
    const tools = [{ name: 'f', parameters: { type: 'object', required: ['b'] } }]
    const { result } = book(
      [fragment({ index: 0, id: 'c', name: 'f', arguments: '{"a":"x' }), finish('length', 'length')],
      { closeTruncated: true, tools },
    )
    expect(fates(result)).toEqual([['f', 'schema-mismatch']])
  })
})

describe('emptyObject: unparseable', () => {
  const tools = [{ name: 'f', parameters: { type: 'object' } }]
  const lastResort = (end: WireDelta): readonly unknown[] =>
    fates(
      book([fragment({ index: 0, name: 'f', arguments: 'none' }), end], { emptyObject: 'unparseable', tools }).result,
    )

  it('stands in for text that can’t be read, but not where the output limit may have cut it', () => {
    expect(lastResort(clean)).toEqual([['f', {}]])
    expect(lastResort(finish('length', 'length'))).toEqual([['f', 'no-object']])
    expect(lastResort(finish('content_filter', 'filter'))).toEqual([['f', 'interrupted']])
  })
})

describe('the finish', () => {
  const reasonOf = (deltas: readonly WireDelta[]): unknown => {
    const { reason, raw, truncated } = book(deltas).result.finish
    return [reason, raw, truncated]
  }

  it('is the worst of several reasons', () => {
    const stop = finish('stop', 'clean')
    expect(reasonOf([clean, stop])).toEqual(['stop', 'tool_calls', false])
    expect(reasonOf([finish('length', 'length'), stop])).toEqual(['length', 'length', true])
    expect(reasonOf([finish('length', 'length'), finish('content_filter', 'filter')])).toEqual([
      'content-filter',
      'content_filter',
      true,
    ])
    expect(reasonOf([finish('abort', 'stopped'), finish('length', 'length')])).toEqual(['length', 'length', true])
    expect(reasonOf([finish('odd', 'other'), stop])).toEqual(['other', 'odd', false])
    expect(reasonOf([stop, finish('failed', 'error')])).toEqual(['error', 'failed', true])
    expect(reasonOf([])).toEqual(['interrupted', null, true])
  })

  it('is tool-calls whenever the turn ended cleanly and has calls', () => {
    const call = fragment({ index: 0, name: 'f', arguments: whole })
    expect(reasonOf([call, finish('stop', 'clean')])).toEqual(['tool-calls', 'stop', false])
    expect(reasonOf([call, finish('odd', 'other')])).toEqual(['tool-calls', 'odd', false])
    expect(reasonOf([call, { type: 'end' }])).toEqual(['tool-calls', null, false])
  })

  it('warns when the marker came alone, or a reason promised calls that never came', () => {
    const codes = (deltas: readonly WireDelta[]): readonly string[] =>
      book(deltas).result.warnings.map(({ code }) => code)
    expect(codes([{ type: 'end' }])).toEqual(['missing-finish-reason'])
    expect(codes([clean])).toEqual(['finish-without-calls'])
    expect(codes([finish('stop', 'clean'), { type: 'end' }])).toEqual([])
  })

  it('is missed for each choice that the marker alone ended', () => {
    const second: WireDelta = { type: 'text', choice: 1, delta: 'x' }
    const { result } = book([finish('stop', 'clean'), second, { type: 'end' }])
    expect(result.warnings).toEqual([{ code: 'missing-finish-reason', message: expect.stringContaining('choice 1') }])
    expect(book([finish('stop', 'clean'), second]).result.warnings).toEqual([])
  })

  it('is each choice’s own, and calls are judged by theirs', () => {
    const { result } = book([
      fragment({ choice: 0, index: 0, name: 'f', arguments: whole }),
      fragment({ choice: 1, index: 0, name: 'g', arguments: '{"a"' }),
      clean,
      { type: 'finish', choice: 1, raw: 'length', kind: 'length' },
    ])
    expect(fates(result)).toEqual([
      ['f', { a: 1 }],
      ['g', 'truncated'],
    ])
    expect(result.finish).toMatchObject({ reason: 'tool-calls', truncated: false })
    expect(result.choices[1]?.finish).toMatchObject({ reason: 'length', truncated: true })
  })

  it('describes the first choice seen where there is no choice 0', () => {
    const { result } = book([
      { type: 'text', choice: 3, delta: 'hi' },
      { type: 'finish', choice: 3, raw: 'stop', kind: 'clean' },
    ])
    expect(result.text).toBe('hi')
    expect(result.finish.reason).toBe('stop')
  })
})

describe('a cut inside an event', () => {
  it('is a cut and damages nobody', () => {
    const { result } = book([
      fragment({ index: 0, name: 'f', arguments: whole }),
      { type: 'cut', warning: { code: 'unterminated-event', message: 'x' } },
    ])
    expect(fates(result)).toEqual([['f', 'interrupted']])
    expect(result.finish).toMatchObject({ reason: 'interrupted', truncated: true })
  })
})

describe('the audit', () => {
  it('has one record a call, with what was done to its arguments', () => {
    const { audit } = book([
      fragment({ index: 0, id: 'c1', name: 'f', arguments: JSON.stringify(whole) }),
      fragment({ index: 1, id: 'c2', name: 'g', arguments: 'x' }),
      clean,
    ])
    expect(audit).toMatchObject([
      {
        id: 'c1',
        name: 'f',
        format: 'test',
        ok: true,
        raw: JSON.stringify(whole),
        repaired: whole,
        repairs: [{ name: 'double-encoding' }],
      },
      { id: 'c2', name: 'g', ok: false, raw: 'x', code: 'no-object', repairs: [] },
    ])
  })
})
