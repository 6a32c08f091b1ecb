// The messages that answers and history are made of, one set a wire format.
//
// They are made for the caller, who owns them from then on, so their arrays are mutable: the SDKs' parameter types ask for that.
// What a call's `extra` adds to them is not in the types.

/** JSON as a message holds it: what `JSON.stringify` writes without loss or error. */
export type WireJson = null | boolean | number | string | WireJson[] | WireObject

export interface WireObject {
  [key: string]: WireJson
}

/** Source: https://platform.openai.com/docs/api-reference/chat/create */
export interface ChatToolMessage {
  role: 'tool'
  tool_call_id: string
  /** Some servers build their prompt from it. OpenAI's own API doesn't know it. */
  name?: string
  content: string
}

export interface ChatAssistantMessage {
  role: 'assistant'
  /** `null` where the turn has calls and no text, as the API itself writes it. */
  content: string | null
  refusal?: string
  /** DeepSeek, Kimi, GLM and others; not part of OpenAI's API. Source: https://api-docs.deepseek.com/guides/thinking_mode */
  reasoning_content?: string
  tool_calls?: ChatToolCall[]
}

export type ChatToolCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }

/** Source: https://platform.openai.com/docs/api-reference/responses/create */
export type ResponsesCallItem =
  | { type: 'message'; role: 'assistant'; content: string }
  /** As it was received: the API takes encrypted reasoning back only whole. */
  | (WireObject & { type: 'reasoning' })
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'custom_tool_call'; call_id: string; name: string; input: string }
  | { type: 'local_shell_call'; id: string; call_id: string; status: 'completed'; action: WireObject }
  | { type: 'shell_call'; call_id: string; status: 'completed'; action: WireObject }
  | { type: 'apply_patch_call'; call_id: string; status: 'completed'; operation: WireObject }
  | ({ type: 'computer_call'; id: string; call_id: string; status: 'completed'; pending_safety_checks: WireJson[] } & (
      | { action: WireJson }
      | { actions: WireJson }
    ))
  | { type: 'tool_search_call'; call_id: string; status: 'completed'; execution: 'client'; arguments: WireObject }

export type ResponsesOutputItem =
  | { type: 'function_call_output' | 'custom_tool_call_output'; call_id: string; output: string }
  /** Both ids are required. Source: https://github.com/openai/openai-python/pull/3923 */
  | { type: 'local_shell_call_output'; id: string; call_id: string; output: string }
  | { type: 'shell_call_output'; call_id: string; output: ShellOutput[] }
  | { type: 'apply_patch_call_output'; call_id: string; status: 'completed' | 'failed'; output: string }
  /** Holds a picture and no words. */
  | { type: 'computer_call_output'; call_id: string; output: WireObject }
  | { type: 'tool_search_output'; call_id: string; execution: 'client'; status: 'completed'; tools: WireJson[] }

/** What one run of a shell call left. */
export interface ShellOutput {
  stdout: string
  stderr: string
  outcome: { type: 'exit'; exit_code: number } | { type: 'timeout' }
}

/** Source: https://docs.claude.com/en/api/messages */
export interface AnthropicAssistantMessage {
  role: 'assistant'
  content: AnthropicCallBlock[]
}

export type AnthropicCallBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: WireObject }

/** All results of a turn go into one of these. Source: https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
export interface AnthropicToolMessage {
  role: 'user'
  content: AnthropicToolResult[]
}

export interface AnthropicToolResult {
  type: 'tool_result'
  tool_use_id: string
  /** Of a call that came with one. */
  toolset_name?: string
  is_error?: true
  /** Absent where the tool gave nothing: the API refuses a blank text block. */
  content?: { type: 'text'; text: string }[]
}

/** Source: https://docs.ollama.com/api/chat and https://docs.ollama.com/capabilities/tool-calling */
export interface OllamaAssistantMessage {
  role: 'assistant'
  content: string
  thinking?: string
  tool_calls?: OllamaToolCall[]
}

export interface OllamaToolCall {
  /** Absent where the wire gave none, as older servers do. */
  id?: string
  function: { name: string; arguments: WireObject }
}

export interface OllamaToolMessage {
  role: 'tool'
  tool_name: string
  /** Absent where the wire gave no id. */
  tool_call_id?: string
  content: string
}

/** Source: https://ai.google.dev/api/caching#Content */
export interface GeminiModelContent {
  role: 'model'
  parts: GeminiCallPart[]
}

export type GeminiCallPart = { text: string } | { functionCall: { id?: string; name: string; args: WireObject } }

/** All responses of a turn go into one of these. Source: https://ai.google.dev/gemini-api/docs/function-calling */
export interface GeminiToolContent {
  role: 'user'
  parts: GeminiResponsePart[]
}

export interface GeminiResponsePart {
  /** `response` has the two keys that the API gives a meaning to. Source: https://ai.google.dev/api/caching#FunctionResponse */
  functionResponse: { id?: string; name: string; response: { output: WireJson } | { error: string } }
}

/** Source: https://docs.cohere.com/reference/chat */
export interface CohereAssistantMessage {
  role: 'assistant'
  content?: string
  tool_plan?: string
  tool_calls?: CohereToolCall[]
}

export interface CohereToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** Source: https://docs.cohere.com/docs/tool-use-overview */
export interface CohereToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/** Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html */
export interface BedrockAssistantMessage {
  role: 'assistant'
  content: BedrockCallBlock[]
}

export type BedrockCallBlock = { text: string } | { toolUse: { toolUseId: string; name: string; input: WireObject } }

/** All results of a turn go into one of these. Source: https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html */
export interface BedrockToolMessage {
  role: 'user'
  content: BedrockToolResult[]
}

export interface BedrockToolResult {
  /** `status` as the API defines it: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html */
  toolResult: {
    toolUseId: string
    status: 'success' | 'error'
    content: ({ text: string } | { json: WireObject })[]
  }
}

/** The shapes of every wire format: what answers a call, and what the assistant's turn is in the history. */
export interface ReplyShapes {
  'openai-chat': { reply: ChatToolMessage; turn: ChatAssistantMessage; message: ChatAssistantMessage | ChatToolMessage }
  /** A turn is a list of items here. */
  'openai-responses': {
    reply: ResponsesOutputItem
    turn: ResponsesCallItem[]
    message: ResponsesCallItem | ResponsesOutputItem
  }
  anthropic: {
    reply: AnthropicToolMessage
    turn: AnthropicAssistantMessage
    message: AnthropicAssistantMessage | AnthropicToolMessage
  }
  ollama: {
    reply: OllamaToolMessage
    turn: OllamaAssistantMessage
    message: OllamaAssistantMessage | OllamaToolMessage
  }
  gemini: { reply: GeminiToolContent; turn: GeminiModelContent; message: GeminiModelContent | GeminiToolContent }
  cohere: {
    reply: CohereToolMessage
    turn: CohereAssistantMessage
    message: CohereAssistantMessage | CohereToolMessage
  }
  bedrock: {
    reply: BedrockToolMessage
    turn: BedrockAssistantMessage
    message: BedrockAssistantMessage | BedrockToolMessage
  }
}

/** The wire formats that replies and history can be written in. */
export type ReplyFormatName = keyof ReplyShapes
