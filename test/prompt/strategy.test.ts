import { describe, expect, it } from 'vitest'
import { modelRules } from '../../src/prompt/strategy-rules.ts'
import { chooseStrategy } from '../../src/prompt/strategy.ts'
import { textFormat } from '../../src/text/registry.ts'

describe('chooseStrategy', () => {
  it('believes an error that refuses tools before everything else', () => {
    const told = { model: 'qwen3:8b', server: 'ollama', capabilities: ['tools'] }
    const errors: readonly unknown[] = [
      '{"error":"registry.ollama.ai/library/x:latest does not support tools"}',
      new Error('400 llama3 does not support tools'),
      Object.assign(new Error('400 status code'), { error: { message: 'Unsupported param: tools' } }),
      new Error('fetch failed', { cause: { body: { message: 'tools param requires --jinja flag' } } }),
      { error: { message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set' } },
      { error: { message: 'No endpoints found that support tool use.', code: 404 } },
      'Function calling is not enabled for this model',
    ]
    for (const error of errors) {
      expect(chooseStrategy({ ...told, error }), String(error)).toMatchObject({ kind: 'text', format: 'hermes' })
    }
  })

  it('takes no other error for a refusal', () => {
    const loop: { self?: unknown; message: string } = { message: 'rate limit' }
    loop.self = loop
    for (const error of [undefined, null, 429, new Error('context length exceeded'), loop]) {
      expect(chooseStrategy({ model: 'x', capabilities: ['tools'], error }).kind).toBe('native')
    }
  })

  it('believes what the server lists of the model', () => {
    expect(chooseStrategy({ model: 'gemma3:4b', capabilities: ['completion', 'tools'] }).kind).toBe('native')
    expect(
      chooseStrategy({ model: 'gemma3:4b', capabilities: { completion_chat: true, function_calling: true } }).kind,
    ).toBe('native')
    expect(chooseStrategy({ model: 'qwen3', capabilities: ['completion'] })).toMatchObject({
      kind: 'text',
      format: 'hermes',
    })
    expect(chooseStrategy({ model: 'qwen3', capabilities: { function_calling: false } }).kind).toBe('text')
    expect(chooseStrategy({ model: 'qwen3', capabilities: [] }).kind).toBe('text')
  })

  it('knows the hosted APIs, by name and by address', () => {
    for (const server of [
      'openai',
      'https://api.openai.com/v1',
      'anthropic',
      'https://generativelanguage.googleapis.com',
    ]) {
      expect(chooseStrategy({ model: 'some-model-of-next-year', server }).kind).toBe('native')
    }
  })

  const families: readonly [model: string, kind: 'native' | 'text', format?: string][] = [
    ['qwen2.5:7b-instruct', 'native'],
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'native'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'native'],
    ['llama3.2:3b', 'native'],
    ['llama3', 'text', 'hermes'],
    ['llama2:13b', 'text', 'hermes'],
    ['mistral-nemo', 'native'],
    ['gemma3:12b', 'text', 'gemma3'],
    ['gemma2:9b', 'text', 'hermes'],
    ['phi4-mini', 'native'],
    ['phi3:mini', 'text', 'hermes'],
    ['deepseek-r1:7b', 'text', 'hermes'],
    ['deepseek-chat', 'native'],
    ['openai/gpt-oss-20b', 'native'],
    ['a-model-that-nobody-knows', 'text', 'hermes'],
  ]
  it.each(families)('goes by the family of %s where nobody said anything', (model, kind, format) => {
    expect(chooseStrategy({ model, server: 'http://localhost:8000/v1' })).toMatchObject({
      kind,
      ...(format === undefined ? {} : { format }),
    })
  })

  it('falls back on the dialect that the family was taught, where its tags come through', () => {
    for (const [model, format] of [
      ['qwen3-coder', 'qwen3-coder-xml'],
      ['llama3.1', 'llama3-json'],
      ['glm-4.6', 'glm45'],
    ] as const) {
      expect(chooseStrategy({ model, capabilities: [] })).toMatchObject({ kind: 'text', format })
    }
  })

  it('asks the rows of the caller first, however they match', () => {
    const rules = [{ family: 'ours', models: /our-tune/g, native: false, format: 'lmstudio' }]
    for (const model of ['our-tune-of-qwen3', 'our-tune-of-qwen3']) {
      expect(chooseStrategy({ model, rules })).toMatchObject({ kind: 'text', format: 'lmstudio' })
    }
  })

  it('says why, in a sentence', () => {
    expect(chooseStrategy({ model: 'gemma2:9b' }).reason).toMatch(/Gemma .*not taught/)
    expect(chooseStrategy({ model: 'q', capabilities: [] }).reason).toMatch(/capabilities of q/)
  })

  it('names only text formats that exist', () => {
    for (const { format } of modelRules) expect(textFormat(format), format).toBeDefined()
  })
})
