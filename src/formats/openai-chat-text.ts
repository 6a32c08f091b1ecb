// What the model says in a Chat Completions delta or message: text, thoughts and refusals, under the names that servers give
// them.

import { say, type Context } from './deltas.ts'
import { list, present, record, text, word, type Fields } from './fields.ts'
import { below, type Path } from './path.ts'

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
  // DeepSeek and its followers; OpenRouter, vLLM, Groq; gateways to Ollama; Copilot. By name one by one: nearly every event has
  // none of them, and a loop over names can't be compiled to four loads.
  let said = sayThought(turn['reasoning_content'], null, 'reasoning_content', path, choice, context)
  said = sayThought(turn['reasoning'], said, 'reasoning', path, choice, context)
  said = sayThought(turn['thinking'], said, 'thinking', path, choice, context)
  said = sayThought(turn['reasoning_text'], said, 'reasoning_text', path, choice, context)
  if (said !== null) return
  for (const item of list(turn['reasoning_details']) ?? []) {
    const detail = record(item)
    const thought = word(detail?.['text']) ?? word(detail?.['summary'])
    if (thought !== null) context.next.push({ type: 'reasoning', choice, delta: thought })
  }
}

/** Says a thought that was not `said` under another name before. Returns what was said. */
function sayThought(
  value: unknown,
  said: string | null,
  name: string,
  path: Path,
  choice: number,
  context: Context,
): string | null {
  if (value === undefined || value === said) return said
  say('reasoning', value, below(path, name), choice, context)
  return said ?? word(value)
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
