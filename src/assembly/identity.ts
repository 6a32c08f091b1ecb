// Whose fragment is it? Chat Completions servers number their calls wrongly, name them late, change ids in mid-call, or say
// nothing at all, so the answer is weighed from index, id and name together. Where the evidence fits several calls the answer
// is "ambiguous", never a guess.

import type { CallFragment } from '../model/deltas.ts'
import type { ToolTable } from '../model/compiled.ts'
import type { LiveCall } from './live-call.ts'
import type { SmallMap } from './small-map.ts'

/** The calls of one choice, as far as fragments can mean them. */
export interface ChoiceCalls {
  readonly calls: readonly LiveCall[]
  /** The call that an index means now. Reassigned when a new call takes a used index. */
  readonly byIndex: Pick<SmallMap<string, LiveCall>, 'get'>
  /**
   * The last call beyond `maxCalls`. It stands among `calls` so that its fragments are told from those of the others, but holds
   * no text. Set by each such call in place of the one before.
   */
  readonly beyond: LiveCall | undefined
}

export type Owner =
  | { readonly type: 'existing'; readonly call: LiveCall }
  | { readonly type: 'new' }
  | { readonly type: 'ambiguous'; readonly calls: readonly LiveCall[] }
  /** A fragment without any evidence or content: nothing to place. */
  | { readonly type: 'nobody' }

const opensNew: Owner = { type: 'new' }
const existing = (call: LiveCall): Owner => ({ type: 'existing', call })

/** An empty string is no evidence, whichever field it stands in. */
const evidence = (text: string | null): string | null => (text === '' ? null : text)

export function ownerOf(fragment: CallFragment, choice: ChoiceCalls, tools: ToolTable | undefined): Owner {
  const owner = byEvidence(fragment, choice, tools)
  return owner.type === 'existing' && contradicts(fragment, owner.call) ? ofAnotherKind(fragment, owner.call) : owner
}

/** Free text is never a piece of JSON arguments, nor they of it. What has neither name nor text can be of either kind. */
function contradicts(fragment: CallFragment, call: LiveCall): boolean {
  return (fragment.kind ?? 'function') !== call.kind && (!!fragment.name || !!fragment.arguments)
}

/** The label points at a call of the other kind: with a name and no id of that call's, it is a used index for a new call. */
function ofAnotherKind(fragment: CallFragment, held: LiveCall): Owner {
  const isOwnId = !!fragment.id && fragment.id === held.wireId
  return fragment.name && !isOwnId ? opensNew : { type: 'ambiguous', calls: [held] }
}

function byEvidence(fragment: CallFragment, choice: ChoiceCalls, tools: ToolTable | undefined): Owner {
  const id = evidence(fragment.id)
  const name = evidence(fragment.name)
  if (fragment.index !== null) {
    const held = choice.byIndex.get(String(fragment.index))
    if (!held) return opensNew
    return id === null ? byName(held, name, fragment, tools) : byIndexAndId(held, id, name, choice)
  }
  if (id !== null) return byIdAlone(id, name, fragment, choice)
  return name === null ? byOpenness(fragment, choice) : byNameAlone(name, fragment, choice, tools)
}

/** The index is in use and the fragment has an id. */
function byIndexAndId(held: LiveCall, id: string, name: string | null, choice: ChoiceCalls): Owner {
  if (held.wireId === id) return existing(held)
  const known = choice.calls.find((call) => call.wireId === id)
  if (known) {
    // The same index served both, so the id is what tells them apart; on another index the two contradict each other.
    if (known.wireIndex === held.wireIndex || known.name === name) return existing(known)
    return { type: 'ambiguous', calls: [held, known] }
  }
  // An id that changes without a name is a server that makes up an id for every event.
  if (name === null || isLateId(held, name)) return existing(held)
  return opensNew
}

/** A header that repeats the name of a call which has neither id nor arguments yet brings the id late. */
function isLateId(call: LiveCall, name: string): boolean {
  return call.wireId === null && call.text.length === 0 && (call.name === '' || call.name === name)
}

/** No index, but an id. */
function byIdAlone(id: string, name: string | null, fragment: CallFragment, choice: ChoiceCalls): Owner {
  const known = choice.calls.find((call) => call.wireId === id)
  if (known) return existing(known)
  const last = choice.calls.at(-1)
  if (!last) return opensNew
  if (name !== null) return isLateId(last, name) ? existing(last) : opensNew
  const open = openCalls(choice, fragment)
  const [only] = open
  if (!only) return opensNew
  // Beyond the limit there may be calls of this id that are not remembered.
  if (open.length === 1) return existing(only.wireId === null ? only : (choice.beyond ?? only))
  const nameless = open.filter((call) => call.wireId === null)
  const [late] = nameless
  return late && nameless.length === 1 ? existing(late) : { type: 'ambiguous', calls: open }
}

/** Neither index nor id, but a name. */
function byNameAlone(name: string, fragment: CallFragment, choice: ChoiceCalls, tools: ToolTable | undefined): Owner {
  const last = choice.calls.at(-1)
  if (!last) return opensNew
  const named = openCalls(choice, fragment).filter((call) => call.name === name)
  const [only] = named
  return byName(only && named.length === 1 ? only : last, name, fragment, tools)
}

/** Nothing but the fragment itself: it belongs to the only call that still lacks something. */
function byOpenness(fragment: CallFragment, choice: ChoiceCalls): Owner {
  const last = choice.calls.at(-1)
  if (!last) return fragment.arguments ? opensNew : { type: 'nobody' }
  const open = openCalls(choice, fragment)
  const [only] = open
  if (!only) return existing(last)
  if (open.length === 1) return existing(only)
  return fragment.arguments ? { type: 'ambiguous', calls: open } : { type: 'nobody' }
}

/** The calls that can go on, and go on with this. */
function openCalls(choice: ChoiceCalls, fragment: CallFragment): readonly LiveCall[] {
  return choice.calls.filter((call) => !call.isWhole && !contradicts(fragment, call))
}

/** The fragment has no id and points, by index or position, at `held`: does its name open another call? */
function byName(held: LiveCall, name: string | null, fragment: CallFragment, tools: ToolTable | undefined): Owner {
  // Before the arguments begin a name can only be a repetition or a piece of the one that is being told.
  if (name === null || held.name === '' || held.text.length === 0) return existing(held)
  if (name !== held.name) return isPieceOfName(held.name, name, tools) ? existing(held) : opensNew
  const brings = fragment.arguments ?? ''
  const repeatsNothing = brings.trim() !== '' && held.isWhole && brings !== held.text.toString()
  return repeatsNothing ? opensNew : existing(held)
}

/** Only the tool list can show that a second name is the rest of the first. */
function isPieceOfName(held: string, name: string, tools: ToolTable | undefined): boolean {
  return tools !== undefined && !tools.has(name) && tools.has(held + name)
}
