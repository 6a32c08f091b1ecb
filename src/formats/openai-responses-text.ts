// Text of the Responses API: said once, whether it comes in deltas, in a part's `done`, or only with the item or the response.

import type { WireDelta } from '../model/deltas.ts'
import type { Step } from '../model/stage.ts'
import { say } from './deltas.ts'
import { index, list, present, record, text, type Fields } from './fields.ts'
import { addUnannounced, findItem, type Item, type ItemContext, type State } from './openai-responses-state.ts'
import { at, below, type Path } from './path.ts'

type TextType = 'text' | 'reasoning' | 'refusal'

/** A delta. The part needs no memory of what it said, only that it did: most deltas never come by here. */
export function readText(type: TextType, fields: Fields, context: ItemContext): void {
  const { said } = textItem(type, fields, context)
  const key = partKey(fields)
  if (!said.has(key)) said.set(key, { type, streamed: true, whole: null })
  say(type, fields['delta'], at('delta'), 0, context)
}

/** The event that closes a text. */
export function repeatText(type: TextType, field: 'text' | 'refusal', fields: Fields, context: ItemContext): void {
  const item = textItem(type, fields, context)
  sayOnce(item, partKey(fields), type, fields[field], at(field), context)
}

/** The item that a text is part of. One that was never announced is taken for a message or for reasoning by its text. */
export function textItem(type: TextType, fields: Fields, { state }: ItemContext): Item {
  const role = type === 'reasoning' ? 'reasoning' : 'message'
  const known = findItem(fields, state) ?? lastWithoutPlace(role, fields, state)
  if (known !== undefined && known.role !== 'call' && known.role !== 'server') return known
  return addUnannounced(role, role, fields, state)
}

/** Where a gateway leaves out all that tells items apart, a text goes on with the last. */
function lastWithoutPlace(role: 'message' | 'reasoning', fields: Fields, state: State): Item | undefined {
  if (present(fields['output_index']) || present(fields['item_id'])) return undefined
  const last = state.items.at(-1)
  return last?.role === role ? last : undefined
}

/** A part's place in its item. Summary and content are counted apart. */
export function partKey(fields: Fields): string {
  const inSummary = index(fields['summary_index'])
  return inSummary === null ? `content ${String(index(fields['content_index']) ?? 0)}` : `summary ${inSummary}`
}

/** All parts of an item. */
export function readParts(
  value: unknown,
  path: Path,
  place: 'content' | 'summary',
  item: Item,
  context: ItemContext,
): void {
  // Some gateways write their message as one string.
  if (typeof value === 'string')
    sayOnce(item, `${place} 0`, item.role === 'reasoning' ? 'reasoning' : 'text', value, path, context)
  for (const [position, part] of (list(value) ?? []).entries()) {
    readPart(part, below(path, position), item, `${place} ${position}`, context)
  }
}

export function readPart(value: unknown, path: Path, item: Item, key: string, context: ItemContext): void {
  const part = record(value)
  switch (part?.['type']) {
    case 'output_text':
      return sayOnce(item, key, 'text', part['text'], below(path, 'text'), context)
    case 'refusal':
      return sayOnce(item, key, 'refusal', part['refusal'], below(path, 'refusal'), context)
    case 'reasoning_text':
    case 'summary_text':
      return sayOnce(item, key, 'reasoning', part['text'], below(path, 'text'), context)
    default:
  }
}

function sayOnce(item: Item, key: string, type: TextType, value: unknown, path: Path, context: ItemContext): void {
  if (value === '') return
  const part = item.said.get(key)
  if (part === undefined) {
    item.said.set(key, { type, streamed: false, whole: text(value) })
    say(type, value, path, 0, context)
  } else if (typeof value === 'string' && part.type === type && value.length > (part.whole?.length ?? 0)) {
    part.whole = value
  }
}

/** All text of each sort as it was repeated, for the ledger to compare with the deltas; not where a part was never repeated. */
export function repeatAll(state: State, next: Step<WireDelta>): void {
  for (const type of ['reasoning', 'text', 'refusal'] as const) {
    const parts = state.items.flatMap(({ said }) => [...said.values()].filter((part) => part.type === type))
    const wholes = parts.flatMap(({ whole }) => (whole === null ? [] : [whole]))
    if (parts.some(({ streamed }) => streamed) && wholes.length === parts.length)
      next.push({ type: 'text-final', of: type, choice: 0, text: wholes.join('') })
  }
}
