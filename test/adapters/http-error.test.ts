import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/adapters/http-error.ts'

const errorOf = (
  body: string,
  status = 400,
  url = 'http://host/v1/chat/completions',
  headers: Record<string, string> = {},
) => new HttpError({ status, url, header: (name) => headers[name] ?? null }, body)

const openai = (message: string) => JSON.stringify({ error: { message } })

describe('what the server said', () => {
  it.each([
    [
      'OpenAI',
      '{"error":{"message":"Bad key","type":"invalid_request_error","code":"invalid_api_key"}}',
      'Bad key',
      'invalid_api_key',
    ],
    [
      'Anthropic',
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      'Overloaded',
      'overloaded_error',
    ],
    [
      'Gemini',
      '[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]',
      'API key not valid',
      'INVALID_ARGUMENT',
    ],
    ['Ollama', '{"error":"model not loaded"}', 'model not loaded', undefined],
    ['Hugging Face', '{"error":"Model too busy","error_type":"overloaded"}', 'Model too busy', 'overloaded'],
    ['Cohere', '{"message":"invalid api token"}', 'invalid api token', undefined],
    [
      'Bedrock',
      '{"message":"The provided model identifier is invalid."}',
      'The provided model identifier is invalid.',
      undefined,
    ],
    ['FastAPI', '{"detail":"Not Found"}', 'Not Found', undefined],
    [
      'a FastAPI validation',
      '{"detail":[{"loc":["body","tools",0],"msg":"field required","type":"missing"}]}',
      'field required (body.tools.0)',
      undefined,
    ],
    [
      'OpenRouter, with the word of the provider behind it',
      '{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\\"error\\":{\\"message\\":\\"tools too long\\"}}"}}}',
      'Provider returned error: tools too long',
      undefined,
    ],
    [
      'Cloudflare',
      '{"errors":[{"code":7003,"message":"Could not route"},{"message":"No"}]}',
      'Could not route; No',
      undefined,
    ],
    ['an event', 'event: error\ndata: {"error":{"message":"in an event"}}\n\n', 'in an event', undefined],
    [
      'a proxy page',
      '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
      '502 Bad Gateway',
      undefined,
    ],
    ['a page without a title', '<html><body><h1>Oops</h1> no</body></html>', 'Oops no', undefined],
    ['prose', 'upstream connect error', 'upstream connect error', undefined],
    ['JSON that says nothing', '{"ok":false}', '{"ok":false}', undefined],
  ])('is found in the body of %s', (_, body, message, code) => {
    const error = errorOf(body)
    expect(error.serverMessage).toBe(message)
    expect(error.code).toBe(code)
    expect(error.message).toContain(message)
    expect(error.body).toBe(body)
  })

  it('is bounded, and cut between characters', () => {
    const error = errorOf('x'.repeat(499) + '😀'.repeat(10))
    expect(error.serverMessage).toBe(`${'x'.repeat(499)}…`)
  })

  it('survives any depth', () => {
    expect(errorOf('['.repeat(20_000) + ']'.repeat(20_000)).serverMessage).toHaveLength(501)
  })

  it('has a status and an address where there is no body', () => {
    expect(errorOf('', 500, 'http://host/x').message).toBe('HTTP 500 from http://host/x: no message')
    expect(errorOf('', 500, '').message).toBe('HTTP 500: no message')
  })

  it('knows how long to wait', () => {
    expect(errorOf('', 429, '', { 'retry-after': '20' }).retryAfter).toBe(20)
    expect(errorOf('', 429, '', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }).retryAfter).toBeUndefined()
    expect(errorOf('', 429).retryAfter).toBeUndefined()
  })
})

describe('what helps', () => {
  it.each<[RegExp, number, string, string?]>([
    [/takes no tools/, 400, openai('registry.ollama.ai/library/gemma3:1b does not support tools')],
    [/takes no tools/, 400, openai('`tool calling` is not supported with this model')],
    [/takes no tools/, 400, openai("Unsupported parameter: 'tools' is not supported with this model.")],
    [/takes no tools/, 400, '{"message":"This model doesn\'t support tool use."}'],
    [/takes no tools/, 400, openai('Function calling is not enabled for models/gemma-3-27b-it')],
    [/takes no tools/, 400, openai('deepseek-reasoner does not support Function Calling')],
    [
      /--tool-call-parser/,
      400,
      openai('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    ],
    [/--jinja/, 500, openai('tools param requires --jinja flag')],
    [/lists tools/, 404, openai('No endpoints found that support tool use. Try disabling "a".')],
    [/lists tools/, 404, openai("No endpoints found that support the provided 'tool_choice' value.")],
    [/two APIs/, 404, '404 page not found', 'http://localhost:11434/v1/api/chat'],
    [/two APIs/, 404, '404 page not found', 'http://localhost:11434/v1/v1/chat/completions'],
    [/path seems wrong/, 404, '404 page not found', 'http://localhost:11434/chat/completions'],
    [/path seems wrong/, 404, '{"detail":"Not Found"}', 'http://localhost:8000/completion'],
    [/pull it/, 404, '{"error":"model \'llama3\' not found"}', 'http://localhost:11434/api/chat'],
    [/pull it/, 404, '{"error":"model \\"qwen3\\" not found, try pulling it first"}'],
    [/list of models/, 404, openai('The model `gpt-9` does not exist or you do not have access to it.')],
    [/list of models/, 404, '{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}'],
    [/num_ctx/, 400, openai("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens")],
    [/num_ctx/, 400, openai('prompt is too long: 210000 tokens > 200000 maximum')],
    [/num_ctx/, 400, openai('input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000')],
    [/num_ctx/, 400, openai('the request exceeds the available context size. try increasing the context size')],
    [
      /lower it/,
      400,
      openai('max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for this model'),
    ],
    [/lower it/, 400, openai('max_tokens is too large: 100000. This model supports at most 4096 completion tokens')],
    [
      /max_completion_tokens/,
      400,
      openai(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
    ],
    [
      /as objects/,
      400,
      '{"error":"json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments"}',
    ],
    [
      /one toolReply for each/,
      400,
      openai(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      ),
    ],
    [
      /one toolReply for each/,
      400,
      openai('messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.'),
    ],
    [/thought signature/, 400, openai('Function call is missing a thought_signature in functionCall parts.')],
    [/key is missing/, 401, ''],
    [/no credit/, 402, openai('Insufficient credits')],
    [/permissions/, 403, ''],
    [/quota/, 429, openai('You exceeded your current quota, please check your plan and billing details.')],
    [/retry-after/, 429, openai('Rate limit reached')],
    [/overloaded/, 529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
    [/too large/, 413, ''],
    [/redirect/, 307, ''],
  ])('%s: %i %s', (hint, status, body, url = 'http://host/v1/chat/completions') => {
    const error = errorOf(body, status, url)
    expect(error.hint).toMatch(hint)
    expect(error.message).toContain(error.hint)
  })

  it('says nothing where nothing is known', () => {
    expect(errorOf('{"error":"it broke"}', 500).hint).toBeUndefined()
  })
})

describe('telling the error', () => {
  it('knows its own, of any copy of the library, and nothing else', () => {
    const error = errorOf('')
    expect(HttpError.is(error)).toBe(true)
    expect(HttpError.is({ [Symbol.for('tool-call-assembler.http-error')]: true })).toBe(true)
    expect(HttpError.is(new Error('HttpError'))).toBe(false)
    expect(HttpError.is(null)).toBe(false)
    expect(Object.keys(error)).not.toContain('brand')
  })
})
