// What known answers of servers mean for somebody who asked for a stream with tool calls. Rows of data, the first that fits
// counts.

interface Hint {
  /** The statuses that it is about; any where it is absent. */
  readonly status?: readonly number[]
  /** What the server's message says. */
  readonly message?: RegExp
  /** What the path of the URL looks like. */
  readonly path?: RegExp
  readonly hint: string
}

const rows: readonly Hint[] = [
  {
    // vLLM
    message: /enable-auto-tool-choice|tool-call-parser/i,
    hint: 'Start vLLM with --enable-auto-tool-choice and the --tool-call-parser that fits the model.',
  },
  {
    // llama.cpp
    message: /requires --jinja/i,
    hint: 'Start llama-server with --jinja: only its Jinja chat templates know tools.',
  },
  {
    // OpenRouter
    message: /no endpoints found that support/i,
    hint: 'No provider of this model takes this request. Choose a model that lists tools among its parameters, or leave tool_choice out.',
  },
  {
    // Ollama, OpenAI, Groq, Mistral, Gemini, Bedrock, DeepSeek
    message:
      /does(?: not|n['’]t) support (?:tool|function)|(?:tools?|functions?)(?: calling| use)?\W{0,3} (?:is|are) not (?:supported|enabled|available)|function calling is not enabled/i,
    hint: 'This model takes no tools here. Choose one that does, or describe the tools in the prompt and read the calls from the text (option textCalls).',
  },
  {
    // Ollama: arguments sent back as a string
    message: /cannot unmarshal string into Go struct field.*(?:ToolCallFunctionArguments|arguments)/is,
    hint: 'Ollama wants the arguments of earlier calls as objects: build the history with assistantTurn(result, { format: "ollama" }).',
  },
  {
    // Gemini
    message: /thought_?signature/i,
    hint: 'Gemini wants the thought signature back with each call: build the history with assistantTurn(result, { format: "gemini" }).',
  },
  {
    // OpenAI, Anthropic, Gemini, Mistral, Cohere
    message:
      /must be followed by tool messages|without .{0,3}tool_result|tool_use.{0,40}must have a corresponding|number of function response parts|not the same number of function calls and responses|no tool (?:call|output) found for/is,
    hint: 'Every call of a turn has to be answered in the next message, refused calls too: send one toolReply for each of result.calls.',
  },
  {
    // Groq, a model that wrote a call the server could not read
    message: /failed to call a function|tool call validation failed/i,
    hint: "The model wrote a call that the server could not read; the error's failed_generation holds its text. Ask again.",
  },
  {
    // Ollama's own path below the OpenAI-compatible one, or a base URL joined twice
    status: [404, 405],
    path: /\/v1\/(?:api|v1|openai)\//,
    hint: 'The path was put together from two APIs: Ollama has /api/chat and, apart from it, /v1/chat/completions.',
  },
  {
    // Ollama
    status: [404],
    message: /try pulling it|model ['"`][^'"`]+['"`] not found/i,
    hint: 'The server does not have this model: pull it first (ollama pull), or correct its name.',
  },
  {
    // OpenAI, vLLM, Anthropic, Groq, Gemini
    status: [400, 403, 404],
    message:
      /model\b.{0,80}(?:does not exist|not found|is not found|decommissioned)|^model: |model_not_found|not a valid model|invalid model/i,
    hint: 'The server does not know this model, or this key may not use it: check the name against its list of models.',
  },
  {
    // OpenAI's newer models
    message: /max_tokens.{0,40}not supported.{0,80}max_completion_tokens/is,
    hint: 'Name the output limit max_completion_tokens for this model.',
  },
  {
    // Anthropic, OpenAI, Bedrock: the output limit alone
    message:
      /max_(?:completion_|output_)?tokens\b.{0,60}(?:maximum allowed|too large|exceeds the (?:model|maximum)|must be (?:less|at most))/is,
    hint: 'The output limit (max_tokens) is above what the model can write in one turn: lower it.',
  },
  {
    // OpenAI, Anthropic, vLLM, llama.cpp, Ollama, Bedrock, Gemini
    message:
      /context[ _-]?(?:length|window|size|limit)|maximum context|prompt is too long|input is too long|input token count|exceeds the maximum number of tokens|too many tokens|input length/i,
    hint: 'Prompt and answer together do not fit into the context. Shorten the history or lower max_tokens; on Ollama num_ctx is the size of the context and num_predict only the length of the answer.',
  },
  {
    status: [404, 405],
    message: /not found|unexpected endpoint|method not allowed|unknown (?:path|url|request url)|^$/i,
    hint: 'The path seems wrong: most servers have POST /v1/chat/completions, Ollama also /api/chat, Anthropic /v1/messages.',
  },
  { status: [401], hint: 'The key is missing, wrong or expired, or it went into the wrong header for this API.' },
  { status: [402], hint: 'The account has no credit left for this request.' },
  {
    status: [429],
    message: /insufficient_quota|exceeded your current quota|billing/i,
    hint: 'The quota of the account is used up: waiting will not help, its plan or credit has to change.',
  },
  {
    status: [403],
    hint: 'The key is known but may not do this: check its permissions, region and access to the model.',
  },
  { status: [429], hint: 'Too many requests or tokens for now: wait as long as retry-after says, then ask again.' },
  { status: [413], hint: 'The request is too large to be sent: shorten the history or the tool results.' },
  { status: [502, 503, 504, 529], hint: 'The server is overloaded or down: ask again later.' },
  {
    status: [301, 302, 303, 307, 308],
    hint: 'The server redirects and the redirect was not followed: use the address that it names.',
  },
]

/** The hint for an answer, or `undefined` where nothing is known about it. */
export function hintFor(answer: {
  readonly status: number
  readonly message: string
  readonly url: string
}): string | undefined {
  return rows.find(
    ({ status, message, path }) =>
      (!status || status.includes(answer.status)) &&
      (!message || message.test(answer.message)) &&
      (!path || path.test(answer.url)),
  )?.hint
}
