// What is known of models, servers and their error texts, as data. Rows of the caller's own come before these.

/** A family of models, told by the name that a server calls them by. */
export interface ModelRule {
  readonly family: string
  /** Matched anywhere in the model's name, without case. The first row that matches holds. */
  readonly models: RegExp
  /** Whether the family was taught tool calls that servers hand out as such. */
  readonly native: boolean
  /**
   * The text format to fall back on: the family's own dialect, if its tags are ordinary text. Where they are special tokens, which
   * servers leave out of the text that they send, it is one that any model that follows instructions can write.
   */
  readonly format: string
}

export const modelRules: readonly ModelRule[] = [
  { family: 'GPT-OSS', models: /gpt-?oss/i, native: true, format: 'hermes' },
  { family: 'GPT', models: /(?:^|\/)(?:chatgpt|gpt-[345]|o[134](?:-|$))/i, native: true, format: 'hermes' },
  { family: 'Claude', models: /claude/i, native: true, format: 'anthropic-xml' },
  { family: 'Gemini', models: /gemini/i, native: true, format: 'hermes' },
  { family: 'Grok', models: /grok/i, native: true, format: 'hermes' },
  {
    family: 'DeepSeek R1 distilled',
    models: /deepseek-?r1.*(?:distill|:(?:1\.5|7|8|14|32|70)b)/i,
    native: false,
    format: 'hermes',
  },
  { family: 'Qwen3-Coder', models: /qwen-?3(?:\.\d)?-?coder|qwen-?3\.[5-9]/i, native: true, format: 'qwen3-coder-xml' },
  { family: 'Qwen 1', models: /code-?qwen|qwen1|qwen:|qwen-(?:1|7b|14b|72b)/i, native: false, format: 'hermes' },
  { family: 'Qwen', models: /qwen|qwq/i, native: true, format: 'hermes' },
  { family: 'Hermes', models: /hermes/i, native: true, format: 'hermes' },
  { family: 'Functionary', models: /functionary/i, native: true, format: 'hermes' },
  { family: 'Llama 4', models: /llama-?4/i, native: true, format: 'pythonic-bare' },
  { family: 'Llama 3.1 to 3.3', models: /llama-?3[.-]?[123]/i, native: true, format: 'llama3-json' },
  {
    family: 'early Llama',
    models: /llama|vicuna|alpaca|wizard|dolphin|zephyr|openchat|orca/i,
    native: false,
    format: 'hermes',
  },
  { family: 'Mixtral 8x7B', models: /mixtral.*8x7b|mixtral:latest|mixtral$/i, native: false, format: 'hermes' },
  { family: 'Mistral', models: /mi[sx]tral|devstral|codestral|pixtral|voxtral/i, native: true, format: 'hermes' },
  { family: 'DeepSeek R1 of January 2025', models: /deepseek-?(?:reasoner|r1)$/i, native: false, format: 'hermes' },
  { family: 'DeepSeek Coder', models: /deepseek-?coder|deepseek-?llm/i, native: false, format: 'hermes' },
  { family: 'DeepSeek', models: /deepseek/i, native: true, format: 'hermes' },
  { family: 'Kimi', models: /kimi|moonshot/i, native: true, format: 'hermes' },
  { family: 'GLM 4.5 and later', models: /glm-?(?:4\.[5-9]|[5-9])/i, native: true, format: 'glm45' },
  { family: 'MiniMax M2', models: /minimax-?m[2-9]/i, native: true, format: 'minimax-m2' },
  { family: 'MiniMax M1', models: /minimax/i, native: true, format: 'tool_calls-array' },
  { family: 'FunctionGemma', models: /functiongemma/i, native: true, format: 'hermes' },
  { family: 'Gemma 4', models: /gemma-?4/i, native: true, format: 'hermes' },
  { family: 'Gemma 3', models: /gemma-?3/i, native: false, format: 'gemma3' },
  { family: 'Gemma', models: /gemma/i, native: false, format: 'hermes' },
  { family: 'Phi-4-mini', models: /phi-?4-?mini/i, native: true, format: 'functools' },
  { family: 'Phi', models: /phi-?\d/i, native: false, format: 'hermes' },
  { family: 'Granite', models: /granite/i, native: true, format: 'hermes' },
  { family: 'Command', models: /command|c4ai|aya/i, native: true, format: 'hermes' },
  { family: 'Seed-OSS', models: /seed-?oss/i, native: true, format: 'seed-oss' },
  { family: 'OLMo 3', models: /olmo-?3/i, native: true, format: 'olmo3' },
  { family: 'LFM2', models: /lfm-?2/i, native: true, format: 'pythonic-bare' },
  { family: 'Nemotron', models: /nemotron/i, native: true, format: 'nemotron' },
  { family: 'Hunyuan', models: /hunyuan/i, native: true, format: 'tool_calls-array' },
  { family: 'Jamba', models: /jamba/i, native: true, format: 'tool_calls-array' },
  { family: 'EXAONE, SmolLM3, Reka, MiMo', models: /exaone-?4|smollm-?3|reka|mimo/i, native: true, format: 'hermes' },
]

/** What a server says when it won't take tools. */
export interface ErrorRule {
  readonly text: RegExp
  readonly server: string
  /** Where somebody met it. */
  readonly source: string
}

export const errorRules: readonly ErrorRule[] = [
  {
    text: /does not support (?:tools|tool us|tool call|function call)/i,
    server: 'Ollama and others',
    source: 'https://github.com/ollama/ollama/issues/5793',
  },
  {
    text: /unsupported param(?:eter)?s?:? *['"`]?tools?\b/i,
    server: 'llama.cpp',
    source: 'https://github.com/ggml-org/llama.cpp/issues/10920',
  },
  {
    text: /\btools?\b.{0,40}requires? --jinja/i,
    server: 'llama.cpp',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md',
  },
  {
    text: /requires? --enable-auto-tool-choice/i,
    server: 'vLLM',
    source: 'https://docs.vllm.ai/en/latest/features/tool_calling.html',
  },
  {
    text: /no endpoints found that support tool use/i,
    server: 'OpenRouter',
    source: 'https://github.com/mastra-ai/mastra/issues/2839',
  },
  {
    text: /\b(?:tools?|tool us(?:e|age)|tool call(?:s|ing)?|function call(?:s|ing)?)\b.{0,40}\b(?:is|are) not (?:supported|enabled)/i,
    server: 'others',
    source: 'https://github.com/vllm-project/vllm/issues/4080',
  },
]

/** Servers that hand out tool calls of every model that they serve, by name or by host. */
export const hostedServers: readonly RegExp[] = [
  /openai(?!.*(?:compatible|localhost|127\.))/i,
  /anthropic/i,
  /googleapis|^gemini$|^google$|vertex/i,
  /bedrock|amazonaws/i,
  /cohere/i,
  /mistral\.ai|^mistral$/i,
  /api\.x\.ai|^xai$/i,
  /api\.deepseek\.com|^deepseek$/i,
  /moonshot/i,
  /groq\.com|^groq$/i,
]

/** What servers call the ability, in any of their lists. */
export const toolCapabilities: readonly string[] = [
  // Ollama's /api/show. Source: https://docs.ollama.com/api-reference/show-model-details
  'tools',
  // LM Studio's /api/v0/models. Source: https://lmstudio.ai/docs/app/api/endpoints/rest
  'tool_use',
  // LM Studio's /api/v1/models.
  'trained_for_tool_use',
  // Mistral's /v1/models. Source: https://docs.mistral.ai/api/#tag/models
  'function_calling',
]
