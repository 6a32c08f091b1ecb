// The vendors' own SDKs as judges: each reads the same bytes over loopback HTTP, and says which calls it sees. Plain JavaScript, so that
// a script can use it on what was built.
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { Ollama } from 'ollama'
import OpenAI from 'openai'

/** No key of anybody: nothing but the loopback interface is asked. */
const apiKey = 'none'
const user = { role: 'user', content: 'Hello' }
const patience = { maxRetries: 0, timeout: 5_000 }

/**
 * By format, how its SDK assembles a stream: the path that it asks for, below the base URL that it is given, and the calls that it hands
 * out, arguments as the value or the text that a program would get. Throws where the SDK does.
 */
export const sdks = {
  'openai-chat': {
    name: 'openai',
    path: '/chat/completions',
    async calls(baseURL) {
      const stream = new OpenAI({ baseURL, apiKey, ...patience }).chat.completions.stream({
        model: 'm',
        messages: [user],
      })
      const { choices } = await stream.finalChatCompletion()
      return choices.flatMap(({ message }) =>
        (message.tool_calls ?? []).map((call) =>
          call.function === undefined
            ? seen(call.custom?.name, call.custom?.input)
            : seen(call.function.name, call.function.arguments),
        ),
      )
    },
  },
  'openai-responses': {
    name: 'openai',
    path: '/responses',
    async calls(baseURL) {
      const stream = new OpenAI({ baseURL, apiKey, ...patience }).responses.stream({ model: 'm', input: 'Hello' })
      const { output } = await stream.finalResponse()
      return output.flatMap((item) => {
        if (item.type === 'function_call') return [seen(item.name, item.arguments)]
        return item.type === 'custom_tool_call' ? [seen(item.name, item.input)] : []
      })
    },
  },
  anthropic: {
    name: '@anthropic-ai/sdk',
    path: '/v1/messages',
    async calls(baseURL) {
      const stream = new Anthropic({ baseURL, apiKey, ...patience }).messages.stream({
        model: 'm',
        max_tokens: 100,
        messages: [user],
      })
      const { content } = await stream.finalMessage()
      return content.flatMap((block) => (block.type === 'tool_use' ? [seen(block.name, block.input)] : []))
    },
  },
  ollama: {
    name: 'ollama',
    path: '/api/chat',
    async calls(host) {
      const calls = []
      for await (const part of await new Ollama({ host }).chat({ model: 'm', messages: [user], stream: true })) {
        for (const call of part.message?.tool_calls ?? []) calls.push(seen(call.function.name, call.function.arguments))
      }
      return calls
    },
  },
  gemini: {
    name: '@google/genai',
    path: '/v1beta/models/m:streamGenerateContent',
    async calls(baseUrl) {
      const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl, timeout: patience.timeout } })
      const calls = []
      for await (const part of await client.models.generateContentStream({ model: 'm', contents: 'Hello' })) {
        for (const call of part.functionCalls ?? []) calls.push(seen(call.name, call.args ?? {}))
      }
      return calls
    },
  },
}

function seen(name, args) {
  return { name, arguments: parsed(args) }
}

/** What a program makes of it that parses arguments which come as text. */
function parsed(args) {
  if (typeof args !== 'string') return args ?? null
  if (args.trim() === '') return {}
  try {
    return JSON.parse(args)
  } catch {
    // No JSON: a program gets the text, and has to see for itself.
    return args
  }
}

/** The calls that an SDK sees in what stands at `base`, or the error that it throws. */
export async function askSdk(format, base) {
  try {
    return { calls: await sdks[format].calls(base) }
  } catch (error) {
    return { error: error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error) }
  }
}

/** Our calls in the same words: those that may run with their arguments, the others with the code that they are refused for. */
export function callsOf(result) {
  return result.calls.map((call) =>
    call.ok ? { name: call.name, arguments: call.arguments } : { name: call.name, refused: call.failure.code },
  )
}

/** Routes for a replay server: every body under a base path of its own, where its format's SDK will ask for it. */
export function routesFor(cases) {
  return Object.fromEntries(
    cases.map(({ format, body }, n) => [
      `${basePath(n)}${sdks[format].path}`,
      { body, contentType: format === 'ollama' ? 'application/x-ndjson' : 'text/event-stream' },
    ]),
  )
}

export function basePath(n) {
  return `/${n}`
}
