import { describe, expect, test } from 'vitest'
import { createMeter } from '../../src/arguments/meter.ts'
import type { AuditRecord } from '../../src/model/calls.ts'

const repair = (name: 'fence' | 'bom'): AuditRecord['repairs'][number] => ({ name, start: 0, end: 1, before: 'x' })
const record = (more: Partial<AuditRecord>): AuditRecord => ({
  id: 'call_0',
  name: 'read',
  format: 'openai-chat',
  ok: true,
  raw: '{}',
  repairs: [],
  ...more,
})

describe('a meter', () => {
  test('counts calls, repairs and failures: in all, by tool and by format', () => {
    const meter = createMeter()
    const records = [
      record({}),
      record({ repairs: [repair('fence'), repair('bom'), repair('fence')] }),
      record({ name: 'write', ok: false, code: 'truncated' }),
      record({ name: '__proto__', format: null, ok: false, code: 'truncated' }),
    ]
    records.forEach(meter.onAudit)
    const snapshot = meter.snapshot()
    expect(snapshot).toMatchObject({
      calls: 4,
      ok: 2,
      failed: 2,
      repaired: 1,
      repairs: { fence: 1, bom: 1 },
      failures: { truncated: 2 },
    })
    expect(snapshot.tools['read']).toEqual({
      calls: 2,
      ok: 2,
      failed: 0,
      repaired: 1,
      repairs: { fence: 1, bom: 1 },
      failures: {},
    })
    expect(Object.keys(snapshot.tools)).toEqual(['read', 'write', '__proto__'])
    expect(Object.keys(snapshot.formats)).toEqual(['openai-chat', 'none'])
    expect(snapshot.formats['none']).toMatchObject({ calls: 1, failed: 1 })
  })

  test('gives plain JSON that does not change afterwards', () => {
    const meter = createMeter()
    meter.onAudit(record({}))
    const before = meter.snapshot()
    const text = JSON.stringify(before)
    meter.onAudit(record({ ok: false, code: 'malformed' }))
    expect(JSON.stringify(before)).toBe(text)
    expect(JSON.parse(text)).toEqual(before)
  })

  test('begins again after reset', () => {
    const meter = createMeter()
    meter.onAudit(record({}))
    meter.reset()
    expect(meter.snapshot()).toEqual({
      calls: 0,
      ok: 0,
      failed: 0,
      repaired: 0,
      repairs: {},
      failures: {},
      tools: {},
      formats: {},
    })
  })
})
