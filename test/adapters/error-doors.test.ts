// A server's error comes by two doors: as the body of a failed response, and as an event in the middle of a stream.

import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/adapters/http-error.ts'
import { createAssembler } from '../../src/assembly/create.ts'
import type { StreamError } from '../../src/model/events.ts'

const begun = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"}}]}\n\n'

function byStatus(body: string): HttpError {
  return new HttpError({ status: 500, url: 'http://host/v1', header: () => null }, body)
}

function inStream(body: string): StreamError | undefined {
  const assembler = createAssembler({ format: 'openai-chat' })
  assembler.feed(`${begun}event: error\ndata: ${body}\n\n`)
  assembler.end()
  expect(assembler.result?.text).toBe('Hello')
  expect(assembler.result?.errors).toHaveLength(1)
  return assembler.result?.errors[0]
}

/** Each shape as its API documents it. A shape without a code has a number instead, or none: then the stream's is `error`. */
const shapes: readonly (readonly [
  name: string,
  body: string,
  message: string,
  code: string | undefined,
  by?: string,
])[] = [
  [
    'OpenAI',
    '{"error":{"message":"Bad key","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
    'Bad key',
    'invalid_api_key',
  ],
  ['OpenAI without a code', '{"error":{"message":"Down","type":"server_error","code":null}}', 'Down', 'server_error'],
  [
    'Anthropic',
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    'Overloaded',
    'overloaded_error',
  ],
  [
    'Gemini, an object',
    '{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED"}}',
    'Quota exceeded',
    'RESOURCE_EXHAUSTED',
  ],
  [
    'Gemini, an array',
    '[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]',
    'API key not valid',
    'INVALID_ARGUMENT',
  ],
  ['Ollama', '{"error":"model \\"qwen3\\" not found"}', 'model "qwen3" not found', undefined],
  ['Cohere', '{"id":"1","message":"invalid api token"}', 'invalid api token', undefined],
  ['Bedrock', '{"message":"The model is not ready."}', 'The model is not ready.', undefined],
  ['Bedrock behind a gateway', '{"Message":"No access"}', 'No access', undefined],
  ['AWS JSON', '{"__type":"ThrottlingException","message":"Slow down"}', 'Slow down', 'ThrottlingException'],
  [
    'llama.cpp',
    '{"error":{"code":500,"message":"the KV cache is full","type":"server_error"}}',
    'the KV cache is full',
    'server_error',
  ],
  [
    'llama.cpp in a stream',
    '{"code":500,"message":"the KV cache is full","type":"server_error"}',
    'the KV cache is full',
    'server_error',
  ],
  [
    'vLLM',
    '{"object":"error","message":"too long","type":"BadRequestError","param":null,"code":400}',
    'too long',
    'BadRequestError',
  ],
  ['Hugging Face', '{"error":"Model too busy","error_type":"overloaded"}', 'Model too busy', 'overloaded'],
  ['FastAPI', '{"detail":"Not Found"}', 'Not Found', undefined],
  [
    "FastAPI's validation",
    '{"detail":[{"type":"missing","loc":["body","tools",0],"msg":"Field required"},{"loc":["body"],"msg":"no"}]}',
    'Field required (body.tools.0); no (body)',
    undefined,
  ],
  [
    'Mistral, a validation',
    '{"object":"error","message":{"detail":[{"type":"missing","loc":["body","model"],"msg":"Field required"}]},"type":"invalid_request_error"}',
    'Field required (body.model)',
    'invalid_request_error',
  ],
  [
    'OpenRouter',
    '{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"{\\"error\\":{\\"message\\":\\"tools too long\\"}}"}}}',
    'Provider returned error: tools too long',
    undefined,
    '502',
  ],
  [
    'Cloudflare',
    '{"success":false,"errors":[{"code":7003,"message":"No route"},{"code":7000,"message":"No"}]}',
    'No route; No',
    undefined,
    '7003',
  ],
  [
    'Spring',
    '{"status":503,"error":"Service Unavailable","message":"No instance","path":"/"}',
    'No instance',
    undefined,
    '503',
  ],
  [
    'RFC 9457',
    '{"title":"Forbidden","detail":"Your plan has no tools","status":403}',
    'Your plan has no tools',
    undefined,
    '403',
  ],
  ['Apigee', '{"fault":{"faultstring":"Expired","detail":{"errorcode":"x"}}}', 'Expired', undefined],
  ['MiniMax', '{"base_resp":{"status_code":1004,"status_msg":"log in"}}', 'log in', undefined, '1004'],
  ['Baidu', '{"error_code":17,"error_msg":"daily limit"}', 'daily limit', undefined, '17'],
  ['prose', 'upstream connect error', 'upstream connect error', undefined],
  ['much prose', 'x'.repeat(600), `${'x'.repeat(500)}…`, undefined],
  [
    'a page',
    '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
    '502 Bad Gateway',
    undefined,
  ],
  ['a page without a title', '<html><body><h1>Oops</h1> no</body></html>', 'Oops no', undefined],
  ['JSON without words', '{"error":{"param":3}}', '{"error":{"param":3}}', undefined],
]

describe('an error says the same by both doors', () => {
  for (const [name, body, message, code, counted] of shapes) {
    it(name, () => {
      const failed = byStatus(body)
      const streamed = inStream(body)
      expect({ message: failed.serverMessage, code: failed.code }).toEqual({ message, code })
      expect({ message: streamed?.message, code: streamed?.code }).toEqual({
        message,
        code: code ?? counted ?? 'error',
      })
      expect(failed.body).toBe(body)
      expect(typeof streamed?.raw === 'string' ? streamed.raw : JSON.stringify(streamed?.raw)).toBe(body)
    })
  }
})
