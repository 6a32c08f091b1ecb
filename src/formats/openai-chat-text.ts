// What the model says in a Chat Completions delta or message: text, thoughts and refusals, under the names that servers give them.
import { say, type Context } from './deltas.ts'
import { list, present, record, text, word, type Fields } from './fields.ts'
import { below, type Path } from './path.ts'

/** DeepSeek and its followers; OpenRouter, vLLM, Groq; gateways to Ollama; Copilot. */
const thoughtFields = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text']

export function readText(turn: Fields, path: Path, choice: number, context: Context): void {
  readReasoning(turn, path, choice, context)
  const { content } = turn
  if (typeof content === 'object' && content !== null) readParts(content, below(path, 'content'), choice, context)
  else say('text', content, below(path, 'content'), choice, context)
  say('refusal', turn['refusal'], below(path, 'refusal'), choice, context)
}

/**
 * Gateways send the same thoughts under two names at once: equal texts are one. OpenRouter's `reasoning_details` spell them once
 * more, and are read where they stand alone.
 */
function readReasoning(turn: Fields, path: Path, choice: number, context: Context): void {
  let said: string | null = null
  for (const name of thoughtFields) {
    const value = turn[name]
    if (value === said) continue
    say('reasoning', value, below(path, name), choice, context)
    said ??= word(value)
  }
  if (said !== null) return
  for (const item of list(turn['reasoning_details']) ?? []) {
    const detail = record(item)
    const thought = word(detail?.['text']) ?? word(detail?.['summary'])
    if (thought !== null) context.next.push({ type: 'reasoning', choice, delta: thought })
  }
}

/**
 * Content as a list of parts. Mistral's reasoning models put thoughts there as `thinking`, Databricks as the `summary` of a part of
 * type `reasoning`. Parts without text, such as references, are no text.
 */
function readParts(content: object, path: Path, choice: number, context: Context): void {
  for (const [position, item] of (list(content) ?? [content]).entries()) {
    const place = Array.isArray(content) ? below(path, position) : path
    const part = record(item)
    if (part === null) {
      say('text', item, place, choice, context)
      continue
    }
    const thoughts = ['thinking', 'summary'].find((name) => present(part[name]))
    if (thoughts !== undefined) say('reasoning', joined(part[thoughts]), below(place, thoughts), choice, context)
    say(part['type'] === 'reasoning' ? 'reasoning' : 'text', part['text'], below(place, 'text'), choice, context)
    say('refusal', part['refusal'], below(place, 'refusal'), choice, context)
  }
}

/** The text of a list of text parts; anything else as it is. */
function joined(value: unknown): unknown {
  const texts = list(value)?.map((part) => text(part) ?? text(record(part)?.['text']) ?? '')
  return texts === undefined ? value : texts.join('')
}
