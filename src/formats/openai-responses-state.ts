// Which output item an event of the Responses API means: the items of one response, found by index, id and order.

import type { ServerCall } from '../model/calls.ts'
import type { StreamError } from '../model/events.ts'
import type { JsonValue } from '../model/json.ts'
import type { Context } from './deltas.ts'
import { index, text, word, type Fields } from './fields.ts'
import type { OutputItem } from './openai-responses-items.ts'
import type { SentArguments } from './source.ts'

/** One output item and what has been told of it. */
export interface Item {
  /** Its place among the items, in order of first appearance. A call's key. */
  readonly key: number
  readonly wireIndex: number | string | null
  readonly type: string
  readonly role: OutputItem['role']
  readonly id: string | null
  /** Set when it is announced, or later by the first event that has it. */
  callId: string | null
  /** The parts of its text that have been said, in that order, so that their repetition is not said again. */
  readonly said: Map<string, SaidPart>
  /** Whether it has been announced, by itself or in the response. Fragments may come before that. */
  announced: boolean
  /** Set by the first fragment or repetition of a call's arguments. */
  heard: boolean
  /** A call's arguments that are not booked yet: those that it was announced with, or fragments that came before it. */
  held: SentArguments | null
  /** What is known of a server's call; its arguments may come in fragments. */
  server: ServerCall | null
  /** Set when the wire repeats it whole. */
  done: boolean
  /** Whether the wire has said how a call ended: complete or not. Until then it was only announced, or is still being sent. */
  ended: boolean
  /** What came of a call in pieces that its end repeats in another form. Not all of it: enough to show that it came. */
  preview: string
}

export interface SaidPart {
  readonly type: 'text' | 'reasoning' | 'refusal'
  /** Whether it came in deltas, and not by the first of its repetitions. */
  readonly streamed: boolean
  /** The longest of its repetitions; `null` where there was none. */
  whole: string | null
}

export interface State {
  readonly items: Item[]
  /** The item that an index means now: some gateways use an index again, or always the same. */
  readonly byIndex: Map<number | string, Item>
  /** By item id and by call id. */
  readonly byId: Map<string, Item>
  /** Encrypted reasoning that came since the last item of another type: it belongs to the call that comes next. */
  reasoning: JsonValue[]
  /** The last error, to know its repetition in the failed response. */
  error: StreamError | null
}

export interface ItemContext extends Context {
  readonly state: State
}

export function newState(): State {
  return { items: [], byIndex: new Map(), byId: new Map(), reasoning: [], error: null }
}

/** The item as it was announced. */
export function addItem(item: Fields, view: OutputItem, wireIndex: number | string | null, state: State): Item {
  return register(
    {
      key: state.items.length,
      wireIndex,
      type: text(item['type']) ?? '',
      role: view.role,
      id: word(item['id']),
      callId: view.role === 'call' ? view.callId : null,
      said: new Map(),
      announced: false,
      heard: false,
      held: view.role === 'call' ? view.arguments : null,
      server: view.role === 'server' ? view.call : null,
      done: false,
      ended: false,
      preview: '',
    },
    state,
  )
}

/** An item that an event speaks of before, or without, its announcement. */
export function addUnannounced(type: string, role: OutputItem['role'], fields: Fields, state: State): Item {
  const id = word(fields['item_id'])
  return register(
    {
      key: state.items.length,
      wireIndex: index(fields['output_index']),
      type,
      role,
      id,
      callId: null,
      said: new Map(),
      announced: false,
      heard: false,
      held: null,
      server: role === 'server' ? { id: id ?? '', name: '', kind: type, argumentsText: '' } : null,
      done: false,
      ended: false,
      preview: '',
    },
    state,
  )
}

function register(item: Item, state: State): Item {
  state.items.push(item)
  if (item.wireIndex !== null) state.byIndex.set(item.wireIndex, item)
  if (item.id !== null) state.byId.set(item.id, item)
  if (item.callId !== null) state.byId.set(item.callId, item)
  return item
}

/** The item that an event is about: by index; by id where several items have had that index, or none has. */
export function findItem(fields: Fields, state: State): Item | undefined {
  const at = index(fields['output_index'])
  const byId = state.byId.get(word(fields['item_id']) ?? '')
  if (byId !== undefined && byId.wireIndex === at) return byId
  return (at === null ? undefined : state.byIndex.get(at)) ?? byId
}

/** The item that `item` announces or repeats at an index; `undefined` for a new one. */
export function findSame(
  item: Fields,
  view: OutputItem,
  wireIndex: number | string | null,
  repeats: boolean,
  state: State,
): Item | undefined {
  const here = wireIndex === null ? undefined : state.byIndex.get(wireIndex)
  if (here !== undefined && isSame(here, item, view) && (repeats || !here.done || isSameCall(here, view))) return here
  const known = state.byId.get(identity(item, view))
  if (known === undefined || !isSame(known, item, view)) return undefined
  // Some leave the index out where an item is repeated.
  return wireIndex === null || known.wireIndex === wireIndex ? known : undefined
}

/** Nothing that identifies it has changed. Ids of items do change: some gateways write another one into every event. */
function isSame(known: Item, item: Fields, view: OutputItem): boolean {
  if (known.type !== item['type']) return false
  return view.role !== 'call' || view.callId === null || known.callId === null || view.callId === known.callId
}

function isSameCall(known: Item, view: OutputItem): boolean {
  return view.role === 'call' && view.callId !== null && view.callId === known.callId
}

function identity(item: Fields, view: OutputItem): string {
  return (view.role === 'call' ? view.callId : null) ?? word(item['id']) ?? ''
}

/** An item of a whole response. */
export interface ListedItem {
  readonly item: Fields
  readonly view: OutputItem
}

/**
 * Finds a response's items among those that were streamed: by their ids, then in order among those of one type, since ids change,
 * and positions shift where a gateway leaves items out. `undefined` stands for one that was never streamed.
 */
export function matchItems(listed: readonly ListedItem[], state: State): readonly (Item | undefined)[] {
  const free = new Set(state.items)
  const take = (queue: Iterator<Item, undefined> | undefined): Item | undefined => {
    for (let item = queue?.next().value; item !== undefined; item = queue?.next().value) {
      if (free.delete(item)) return item
    }
    return undefined
  }
  // A server may use an id again, so several items may go by it: then in order, too.
  const byName = queues(state.items, ({ type, id, callId }) =>
    [...new Set([id, callId])].map((name) => nameKey(type, name)),
  )
  const named = listed.map(({ item, view }) =>
    take(byName.get(nameKey(text(item['type']) ?? '', identity(item, view) || null))),
  )
  const byType = queues([...free], ({ type }) => [type])
  return listed.map(({ item }, position) => named[position] ?? take(byType.get(text(item['type']) ?? '')))
}

/** Without a name there is nothing that two items could share. */
function nameKey(type: string, name: string | null): string | null {
  return name === null ? null : `${type} ${name}`
}

/** The items under each of their keys, in order. */
function queues(
  items: readonly Item[],
  keysOf: (item: Item) => readonly (string | null)[],
): ReadonlyMap<string | null, Iterator<Item, undefined>> {
  const lists = new Map<string, Item[]>()
  for (const item of items) {
    for (const key of keysOf(item)) {
      if (key === null) continue
      const list = lists.get(key)
      if (list === undefined) lists.set(key, [item])
      else list.push(item)
    }
  }
  return new Map([...lists].map(([key, list]) => [key, list.values()]))
}
