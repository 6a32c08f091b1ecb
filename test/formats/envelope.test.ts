import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventFrame, fault, messages } from '../helpers/readers.ts'

describe('envelope', () => {
  it('opens an event whose data is a JSON object and keeps its source to the letter', () => {
    const data = '{ "a" : 1.0 , "a": 12345678901234567890 }'
    expect(messages(data)).toEqual([
      { kind: 'message', frame: 1, value: { a: JSON.parse('12345678901234567890') }, source: data },
    ])
  })

  it('passes on the name of an event', () => {
    expect(messages(eventFrame('{}', { event: 'ping' }), eventFrame('x', { event: 'ping' }))).toMatchObject([
      { kind: 'message', event: 'ping' },
      { kind: 'text', event: 'ping' },
    ])
    expect(messages('{}')[0]).not.toHaveProperty('event')
  })

  it.each(['[DONE]', '{"a":', '[{"a":1}]', '5', 'null', '"text"', 'true'])('hands on %s as text', (data) => {
    expect(messages(data)).toEqual([{ kind: 'text', frame: 1, data, terminated: true }])
  })

  it('says of text that the stream broke off in it', () => {
    expect(messages(eventFrame('{"a":', { terminated: false }))).toEqual([
      { kind: 'text', frame: 1, data: '{"a":', terminated: false },
    ])
  })

  it('reads a whole object although the stream ended without a terminator', () => {
    expect(messages(eventFrame('{"a":1}', { terminated: false }))).toMatchObject([{ kind: 'message', value: { a: 1 } }])
  })

  it('opens JSON that spans lines as one event', () => {
    expect(messages('{\n"a":\n1}')).toMatchObject([{ kind: 'message', value: { a: 1 } }])
  })

  it('opens events that were pasted with a single newline one by one', () => {
    expect(messages('{"a":1}\n{"b":2}\n[DONE]')).toEqual([
      { kind: 'message', frame: 1, value: { a: 1 }, source: '{"a":1}' },
      { kind: 'message', frame: 1, value: { b: 2 }, source: '{"b":2}' },
      { kind: 'text', frame: 1, data: '[DONE]', terminated: true },
    ])
  })

  it('loses only the broken one of pasted events', () => {
    expect(messages('{"a":1}\n{"b":\n{"c":3}')).toMatchObject([
      { kind: 'message', value: { a: 1 } },
      { kind: 'text', data: '{"b":', terminated: true },
      { kind: 'message', value: { c: 3 } },
    ])
  })

  it('says of the last pasted event alone that the stream broke off in it', () => {
    expect(messages(eventFrame('{"a":1}\n{"b"\n{"c":', { terminated: false }))).toMatchObject([
      { kind: 'message' },
      { kind: 'text', terminated: true },
      { kind: 'text', terminated: false },
    ])
  })

  it('does not take broken JSON over several lines apart', () => {
    const data = '{\n"list": [\n{"a":1}\n'
    expect(messages(data)).toEqual([{ kind: 'text', frame: 1, data, terminated: true }])
  })

  it('passes faults on as they are', () => {
    expect(messages(fault('unknown-line', 'x'))).toEqual([
      { kind: 'fault', number: 1, fault: 'unknown-line', data: 'x' },
    ])
  })

  it('never throws and loses no character, whatever the data', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.json()).map((parts) => parts.join('\n')),
        ),
        (data) => {
          const parts = messages(eventFrame(data)).map((message) => {
            if (message.kind === 'fault') throw new Error('no fault went in')
            return message.kind === 'text' ? message.data : message.source
          })
          expect(parts.join('\n')).toBe(data)
        },
      ),
    )
  })
})
