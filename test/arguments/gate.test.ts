import { describe, expect, test } from 'vitest'
import { gateOf, mayAskGate } from '../../src/arguments/gate.ts'
import type { ArgumentsFaultCode } from '../../src/model/failures.ts'
import type { Reading } from '../../src/model/reading.ts'
import type { CompiledTool } from '../../src/model/compiled.ts'

const at = { offset: 0, line: 1, column: 1 }
const blank: Reading = { state: 'blank' }
const object: Reading = { state: 'object', value: {}, repairs: [], closed: true }
const cut: Reading = { state: 'cut', fault: { code: 'incomplete', at }, open: 'open-string' }
const fault = (code: ArgumentsFaultCode): Reading => ({ state: 'fault', fault: { code, at } })

const check: NonNullable<CompiledTool['check']> = (value) => ({ ok: true, value })

describe('the gate is asked', () => {
  test('for blank text, unless the policy says never or the call was cut', () => {
    expect(mayAskGate(blank, 'absent', false)).toBe(true)
    expect(mayAskGate(blank, 'unparseable', false)).toBe(true)
    expect(mayAskGate(blank, 'never', false)).toBe(false)
    expect(mayAskGate(blank, 'absent', true)).toBe(false)
  })

  test('for text that can not be parsed only by opt-in', () => {
    for (const code of ['malformed', 'no-object', 'not-an-object', 'multiple-objects', 'unquoted-value'] as const) {
      expect(mayAskGate(fault(code), 'absent', false)).toBe(false)
      expect(mayAskGate(fault(code), 'never', false)).toBe(false)
      expect(mayAskGate(fault(code), 'unparseable', false)).toBe(true)
      expect(mayAskGate(fault(code), 'unparseable', true)).toBe(false)
    }
  })

  test('never for text that stops early', () => {
    expect(mayAskGate(cut, 'unparseable', false)).toBe(false)
  })

  test('never for text that holds data which is only not allowed', () => {
    for (const code of ['duplicate-key', 'forbidden-key', 'lossy-number', 'ill-formed-unicode', 'too-deep'] as const) {
      expect(mayAskGate(fault(code), 'unparseable', false)).toBe(false)
    }
  })

  test('never where there are arguments', () => {
    expect(mayAskGate(object, 'unparseable', false)).toBe(false)
  })
})

describe('the gate is closed', () => {
  const policy = {
    repair: 'lossless',
    closeTruncated: false,
    emptyObject: 'absent',
    integers: 'reject',
    maxDepth: 9,
  } as const

  test('for a tool that nobody knows, and for one without a schema', () => {
    expect(gateOf(undefined)).toBe(false)
    expect(gateOf({ name: 'a', acceptsEmpty: true, asynchronous: false, policy })).toBe(false)
  })

  test('unless the schema itself took {}', async () => {
    expect(gateOf({ name: 'a', check, acceptsEmpty: true, asynchronous: false, policy })).toBe(true)
    expect(gateOf({ name: 'a', check, acceptsEmpty: false, asynchronous: false, policy })).toBe(false)
    expect(await gateOf({ name: 'a', check, acceptsEmpty: Promise.resolve(false), asynchronous: true, policy })).toBe(
      false,
    )
  })
})
