// Whether to send a model its tools through the API or in the prompt.

import { isArray } from '../arguments/json.ts'
import { defaultDialect } from './dialect.ts'
import { errorRules, hostedServers, modelRules, toolCapabilities, type ModelRule } from './strategy-rules.ts'

export interface StrategyInput {
  /** The model's name as the server knows it, such as `qwen2.5:7b-instruct`. */
  readonly model: string
  /** The server's name or its base URL, such as `ollama` or `https://api.openai.com/v1`. */
  readonly server?: string
  /**
   * What the server says that the model can do: the `capabilities` of Ollama's `/api/show`, OpenRouter's `supported_parameters`, or an
   * object of flags, as Mistral and LM Studio have it. An empty list says that it can do nothing beyond text.
   */
  readonly capabilities?: readonly string[] | { readonly [capability: string]: unknown }
  /** What came back from a request with tools: an `Error`, an error body, or its text. */
  readonly error?: unknown
  /** Rows of your own, asked before the built-in ones. */
  readonly rules?: readonly ModelRule[]
}

export type ToolStrategy =
  | { readonly kind: 'native'; readonly reason: string }
  | { readonly kind: 'text'; /** For `toolPrompt` and `textCalls`. */ readonly format: string; readonly reason: string }

/**
 * How to give a model its tools: `native`, in the request's `tools`, or `text`, in the prompt, to be read out of the answer.
 *
 * The server's own word counts first: an error that says it won't take tools, then what it lists as the model's capabilities. Then
 * what is known of the server, then of the model's family. Where nothing is known, the text: it works with any model, while a server
 * that ignores `tools` does so without a word.
 *
 * What it can't know: how well a model calls tools; what a file behind a name really holds, or which template its server uses; names
 * and abilities that came after the table. It asks nobody: show it what the server said.
 */
export function chooseStrategy({ model, server, capabilities, error, rules = [] }: StrategyInput): ToolStrategy {
  const rule = [...rules, ...modelRules].find(({ models }) => matches(models, model))
  const text = (reason: string): ToolStrategy => ({ kind: 'text', format: rule?.format ?? defaultDialect, reason })

  const refusal = errorRules.find((known) => known.text.test(errorText(error)))
  if (refusal !== undefined)
    return text(`The server refused a request with tools, in words that ${refusal.server} uses.`)
  if (capabilities !== undefined) {
    return canCallTools(capabilities)
      ? native(`The server lists tools among the capabilities of ${model}.`)
      : text(`The server lists the capabilities of ${model}, and tools are not among them.`)
  }
  if (server !== undefined && hostedServers.some((host) => host.test(server)))
    return native(`${server} takes tools for its models.`)
  if (rule === undefined) return text(`Nothing is known of ${model}, and a server may ignore tools without saying so.`)
  return rule.native
    ? native(`Models of the family ${rule.family} are taught tool calls that servers hand out.`)
    : text(`Models of the family ${rule.family} are not taught tool calls that servers hand out.`)
}

function native(reason: string): ToolStrategy {
  return { kind: 'native', reason }
}

/** A pattern of the caller's may be global, and such a pattern remembers where it stopped. */
function matches(pattern: RegExp, text: string): boolean {
  return text.search(pattern) !== -1
}

function canCallTools(capabilities: NonNullable<StrategyInput['capabilities']>): boolean {
  const listed = isArray(capabilities)
    ? capabilities
    : Object.keys(capabilities).filter((name) => capabilities[name] === true)
  return listed.some((name) => toolCapabilities.includes(name.toLowerCase()))
}

/** Everything that an error says: clients hang the server's body on their errors under different names. */
function errorText(error: unknown): string {
  const said: string[] = []
  const seen = new Set<unknown>()
  const look = (value: unknown, depth: number): void => {
    if (typeof value === 'string') said.push(value)
    if (typeof value !== 'object' || value === null || depth > 4 || seen.has(value)) return
    seen.add(value)
    // Of an Error, message and cause are no enumerable properties.
    if (value instanceof Error) said.push(value.message)
    if (value instanceof Error) look(value.cause, depth + 1)
    for (const inner of Object.values(value)) look(inner, depth + 1)
  }
  look(error, 0)
  return said.join('\n')
}
