import { describe, expect, it } from 'vitest'
import { excerpt } from '../../src/arguments/excerpt.ts'
import { readUnread } from '../../src/formats/faults.ts'
import type { WireDelta } from '../../src/model/deltas.ts'
import type { WireMessage } from '../../src/model/formats.ts'
import { collector, eventFrame, fault, messages } from '../helpers/readers.ts'

function read(...events: unknown[]): WireDelta[] {
  const out = collector<WireDelta>()
  for (const message of messages(...events)) readUnread(unread(message), out)
  return out.items
}

function unread(message: WireMessage): Exclude<WireMessage, { kind: 'message' }> {
  if (message.kind === 'message') throw new Error('a message was read')
  return message
}

describe('readUnread', () => {
  it('takes [DONE] for the end, terminated or not', () => {
    expect(read('[DONE]', ' [DONE] ', eventFrame('[DONE]', { terminated: false }))).toEqual([
      { type: 'end' },
      { type: 'end' },
      { type: 'end' },
    ])
  })

  it('makes nothing of a blank event', () => {
    expect(read('', ' \n', eventFrame(' ', { terminated: false }))).toEqual([])
  })

  it('takes an event that broke off before its data for a cut', () => {
    expect(read(eventFrame('', { terminated: false }))).toMatchObject([
      { type: 'cut', warning: { code: 'unterminated-event' } },
    ])
  })

  it('takes the text of an exception for an error', () => {
    expect(read(eventFrame('slow down', { event: 'exception:throttlingException' }))).toMatchObject([
      { type: 'error', error: { code: 'throttlingException', message: 'slow down' } },
    ])
  })

  it('reports malformed data as damage with its evidence', () => {
    expect(read('{"a":')).toMatchObject([
      { type: 'damage', warning: { code: 'malformed-event', frame: 1, raw: '{"a":' } },
    ])
  })

  it('reports a broken-off last event as such', () => {
    expect(read(eventFrame('[DON', { terminated: false }))).toMatchObject([
      { type: 'cut', warning: { code: 'unterminated-event', raw: '[DON' } },
    ])
  })

  it('takes prose in an event named error for the error', () => {
    expect(read(eventFrame('Internal Server Error', { event: 'error' }))).toMatchObject([
      { type: 'error', error: { message: 'Internal Server Error', raw: 'Internal Server Error' } },
    ])
  })

  it('reads the error that llama.cpp writes on a line of its own', () => {
    expect(read(fault('error-line', ' {"code":500,"message":"boom","type":"server_error"}'))).toMatchObject([
      { type: 'error', error: { code: 'server_error', message: 'boom', status: 500, frame: 1 } },
    ])
    expect(read(fault('error-line', ' out of memory'))).toMatchObject([
      { type: 'error', error: { message: 'out of memory' } },
    ])
  })

  it('quotes the start of a body that is no stream', () => {
    expect(read(fault('not-a-stream', '<html>502 Bad Gateway'))).toMatchObject([
      {
        type: 'error',
        error: {
          code: 'not-a-stream',
          message: expect.stringContaining('<html>502 Bad Gateway'),
          raw: '<html>502 Bad Gateway',
        },
      },
    ])
  })

  it('reports an event over the limit as one error and as damage', () => {
    expect(read(fault('over-limit', '{"aaa'))).toMatchObject([
      { type: 'error', error: { code: 'over-limit' } },
      { type: 'damage', warning: { code: 'malformed-event', raw: '{"aaa' } },
    ])
  })

  it('reports a corrupt binary message as damage', () => {
    expect(read(fault('corrupt', 'xx'))).toMatchObject([{ type: 'damage', warning: { code: 'malformed-event' } }])
  })

  it('damages for a stray line that could have been part of an event, and only warns of one that could not', () => {
    for (const line of ['ata: {"choices"', '"}', 'x]', '{']) {
      expect(read(fault('unknown-line', line))).toMatchObject([
        { type: 'stray', warning: { code: 'malformed-event', raw: line } },
      ])
    }
    for (const line of ['x-request-id: 17', 'OK']) {
      expect(read(fault('unknown-line', line))).toMatchObject([
        { type: 'warning', warning: { code: 'malformed-event', raw: line } },
      ])
    }
  })
})

describe('evidence', () => {
  it('is whole up to 2,000 characters, and then cut between code points', () => {
    expect(excerpt('x'.repeat(2000))).toHaveLength(2000)
    expect(excerpt('x'.repeat(2001))).toHaveLength(2000)
    expect(excerpt(`${'x'.repeat(1999)}😀`)).toBe('x'.repeat(1999))
  })
})
