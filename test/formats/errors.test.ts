import { describe, expect, it } from 'vitest'
import { errorBody, errorIn, serverError } from '../../src/formats/errors.ts'

describe('serverError', () => {
  it.each([
    [
      'OpenAI',
      { error: { message: 'overloaded', type: 'server_error', param: null, code: null } },
      { code: 'server_error', message: 'overloaded' },
    ],
    [
      'a code beside a type',
      { error: { message: 'm', type: 'invalid_request_error', code: 'tool_use_failed' } },
      { code: 'tool_use_failed', message: 'm' },
    ],
    [
      'OpenRouter, a number as code',
      { error: { message: 'bad gateway', code: 502 } },
      { code: '502', message: 'bad gateway', status: 502 },
    ],
    [
      'a status as text',
      { error: { message: 'slow down', code: '429' } },
      { code: '429', message: 'slow down', status: 429 },
    ],
    ['a code that is no HTTP status', { error: { message: 'm', code: 1234 } }, { code: '1234', message: 'm' }],
    [
      'llama.cpp',
      { code: 500, message: 'boom', type: 'server_error' },
      { code: 'server_error', message: 'boom', status: 500 },
    ],
    [
      'Anthropic',
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      { code: 'overloaded_error', message: 'Overloaded' },
    ],
    [
      'Google',
      { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED' } },
      { code: 'RESOURCE_EXHAUSTED', message: 'quota', status: 429 },
    ],
    ['Groq', { error: { message: 'm', type: 't', status_code: 400 } }, { code: 't', message: 'm', status: 400 }],
    ['Ollama', { error: 'model not found' }, { code: 'error', message: 'model not found' }],
    ['FastAPI', { detail: 'Not Found' }, { code: 'error', message: 'Not Found' }],
    [
      'vLLM',
      { object: 'error', message: 'too long', type: 'BadRequestError', code: 400 },
      { code: 'BadRequestError', message: 'too long', status: 400 },
    ],
    [
      'Spring',
      { status: 503, error: 'Service Unavailable', path: '/' },
      { code: '503', message: 'Service Unavailable', status: 503 },
    ],
    [
      'TGI',
      { error: 'Model is overloaded', error_type: 'overloaded' },
      { code: 'overloaded', message: 'Model is overloaded' },
    ],
    [
      'Cloudflare',
      { success: false, errors: [{ code: 7003, message: 'no route' }], result: null },
      { code: '7003', message: 'no route' },
    ],
    ['AWS', { __type: 'ThrottlingException', message: 'slow' }, { code: 'ThrottlingException', message: 'slow' }],
    ['Baidu', { error_code: 17, error_msg: 'daily limit' }, { code: '17', message: 'daily limit' }],
    [
      'MiniMax',
      { base_resp: { status_code: 1004, status_msg: 'login' }, choices: null },
      { code: '1004', message: 'login' },
    ],
    ['Apigee', { fault: { faultstring: 'expired' } }, { code: 'error', message: 'expired' }],
    [
      'OpenRouter, with the word of the provider behind it',
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: '{"error":"tools too long"}' } } },
      { code: '400', message: 'Provider returned error: tools too long', status: 400 },
    ],
    ['text', 'upstream died', { code: 'error', message: 'upstream died' }],
  ])('%s', (_, raw, expected) => {
    const error = serverError(raw, 3)
    expect(error).toEqual({ ...expected, frame: 3, raw })
  })

  it('shows the whole error where it has no message, and keeps everything else in raw', () => {
    const silent = { error: { param: 'tools', line: 3 } }
    expect(serverError(silent, 1).message).toBe(JSON.stringify(silent))
    const failed = { error: { message: 'm', failed_generation: '{"name": "f"' } }
    expect(serverError(failed, 1).raw).toBe(failed)
  })

  it('goes by the exception that an event is named after', () => {
    expect(serverError({ message: 'm', type: 't' }, 1, 'exception:modelTimeoutException').code).toBe(
      'modelTimeoutException',
    )
    expect(serverError('m', 1, 'exception:modelTimeoutException').code).toBe('modelTimeoutException')
    expect(serverError({ message: 'm', type: 't' }, 1, 'exception:').code).toBe('t')
    expect(serverError({ message: 'm', type: 't' }, 1, 'error').code).toBe('t')
  })

  it('reads pages of any markup in linear time', () => {
    for (const piece of ['<', '<title', '<title>', '< ', '>']) {
      const page = `<html>${piece.repeat(200_000)}`
      const started = performance.now()
      expect(serverError(page, 1).message.length).toBeLessThanOrEqual(501)
      expect(performance.now() - started, piece).toBeLessThan(1000)
    }
  })

  it('looks at each place once', () => {
    let looks = 0
    const counting = {
      get message() {
        looks++
        return undefined
      },
    }
    expect(serverError({ error: { error: { error: counting } } }, 1).code).toBe('error')
    // Once for its words, and once more where it is shown whole because it has none.
    expect(looks).toBe(2)
    const circle: unknown[] = []
    for (let n = 0; n < 100; n++) circle.push(circle, { error: circle, message: circle, detail: circle })
    expect(serverError(circle, 1).code).toBe('error')
  })

  it('says so of an error that has no JSON', () => {
    let deep: unknown = []
    for (let n = 0; n < 200_000; n++) deep = [deep]
    for (const raw of [{ error: { n: 1n } }, deep, { error: deep }]) {
      expect(serverError(raw, 1).message).toBe('The server sent an error without a message.')
    }
    let loc: unknown = ['tools']
    for (let n = 0; n < 200_000; n++) loc = [loc]
    expect(serverError({ detail: [{ msg: 'no', loc }] }, 1).message).toBe('no')
    expect(serverError(undefined, 1).message).toBe('undefined')
  })
})

describe('errorIn', () => {
  it.each([[{}], [{ error: null }], [{ error: '' }], [{ error: false }], [{ error: {} }]])(
    'finds none in %j',
    (fields) => {
      expect(errorIn(fields)).toBeUndefined()
    },
  )

  it('finds what is there', () => {
    expect(errorIn({ error: 'x' })).toBe('x')
    expect(errorIn({ error: { message: '' } })).toEqual({ message: '' })
  })
})

describe('errorBody', () => {
  it.each([
    [{ error: 'x' }],
    [{ detail: 'x' }],
    [{ message: 'x' }],
    [{ message: 'x', code: 'y' }],
    [{ message: 'x', status: 500 }],
    [{ object: 'error', message: 'x' }],
    [{ type: 'error', message: 'x' }],
    [{ type: 'invalid_request_error', message: 'x' }],
    [{ __type: 'AccessDenied', message: 'x' }],
    [{ message: 'x', requestId: 'y' }],
    [{ Message: 'x' }],
    [{ error_msg: 'x', error_code: 1 }],
    [{ success: false, message: 'x', result: null }],
    [{ errors: [{ message: 'x' }] }],
    [{ fault: { faultstring: 'x' } }],
    [{ base_resp: { status_code: 1, status_msg: 'x' } }],
  ])('takes %j for an error', (body) => {
    expect(errorBody(body)).toBe(body)
  })

  it.each([
    [{}],
    [{ message: 'x', content: 'y' }],
    [{ message: { content: 'x' }, code: 1 }],
    [{ code: 'x' }],
    [{ type: 'ping' }],
    [{ type: 'status', message: 'x' }],
    [{ errors: [], success: true }],
    [{ base_resp: { status_code: 0, status_msg: '' } }],
  ])('does not take %j for one', (body) => {
    expect(errorBody(body)).toBeUndefined()
  })

  it('takes whatever an event named error holds for one', () => {
    const body = { anything: 1 }
    expect(errorBody(body, 'error')).toBe(body)
    expect(errorBody(body, 'message')).toBeUndefined()
    expect(errorBody(body, 'exception:internalServerException')).toBe(body)
  })
})
