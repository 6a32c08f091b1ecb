// Content blocks of a message that the wire numbers, where calls for the caller and calls that the provider runs look alike.

import type { CallKey, WireDelta } from '../model/deltas.ts'
import type { JsonObject } from '../model/json.ts'
import type { Step } from '../model/stage.ts'
import { excerpt } from '../arguments/excerpt.ts'
import { appended, unexpectedInCall, wholeArguments, type Context } from './deltas.ts'
import { unexpectedType } from './faults.ts'
import { present, record } from './fields.ts'
import type { Path } from './path.ts'
import { beforeEnd } from './reader.ts'
import type { SentArguments } from './source.ts'

/** What a block turned out to be when it started. */
type Block =
  | { readonly kind: 'call'; readonly id: string | null }
  /** `input` grows by the block's fragments until the block stops. */
  | { readonly kind: 'server'; readonly id: string; readonly name: string; readonly type: string; input: string }
  /** A result, or a block of a type that we don't know. What it is sent for arguments is no call's: `input` is the start of it. */
  | { readonly kind: 'uncounted'; input: string }
  /** Text, reasoning, or a block that is over and has been told of: none of these can have arguments. */
  | { readonly kind: 'text' | 'over' }

/** The blocks of one message by index. The ledger keeps the calls; this only tells whose a fragment is. */
export type Blocks = Map<CallKey, Block>

/** Stands for the index where the wire gave none. */
export const unindexed = 'unindexed'

/** A block that uses a tool. */
export interface ToolBlock {
  readonly wireIndex: number | string | null
  readonly id: string | null
  readonly name: string
  /** The wire's word for a call that the provider runs itself; `null` for one that the caller runs. */
  readonly serverType: string | null
  readonly input: SentArguments | null
  readonly extra?: JsonObject
}

/**
 * Starts a block that uses a tool. A used index means the new block from here on, unless it is the same call announced once more:
 * then what it brings must agree with what came.
 */
export function startTool(blocks: Blocks, tool: ToolBlock, next: Step<WireDelta>): void {
  const { wireIndex, id, name, serverType, input } = tool
  const key = wireIndex ?? unindexed
  if (serverType !== null) {
    endOther(blocks, key, next)
    blocks.set(key, { kind: 'server', id: id ?? '', name, type: serverType, input: input?.delta ?? '' })
    return
  }
  const extra = tool.extra === undefined ? {} : { extra: tool.extra }
  const known = blocks.get(key)
  if (id !== null && known?.kind === 'call' && known.id === id) {
    next.push({ type: 'call-final', key, arguments: input?.delta ?? '', id, name, ...extra })
    return
  }
  endOther(blocks, key, next)
  blocks.set(key, { kind: 'call', id })
  next.push({ type: 'call-open', choice: 0, key, wireIndex, id, name, kind: 'function', ...extra })
  if (input !== null) next.push(appended(key, input))
}

/** Starts a block without arguments. */
export function startContent(blocks: Blocks, key: CallKey, kind: 'text' | 'uncounted', next: Step<WireDelta>): void {
  endOther(blocks, key, next)
  blocks.set(key, kind === 'text' ? { kind } : { kind, input: '' })
}

/** A fragment of a block's arguments as it stands in a message. */
export interface Fragment {
  readonly value: unknown
  readonly path: Path
  readonly wireIndex: number | string | null
  readonly indexPath: Path
}

/**
 * Books a fragment: a piece of text, or an object that has all of the arguments. A bare number or literal can't be told from a
 * piece that was mistyped. That of an unknown block goes on, for the ledger to report; one without an index may be anybody's.
 */
export function appendFragment(blocks: Blocks, fragment: Fragment, { message, next }: Context): void {
  const { value, path, wireIndex, indexPath } = fragment
  if (!present(value) || value === '') return
  const key = wireIndex ?? unindexed
  const isReadable = typeof value === 'string' || record(value) !== null
  const input = isReadable ? wholeArguments(value, path, message) : null
  const kind = blocks.get(key)?.kind
  // Arguments of a text are those of another block under a wrong index.
  if (kind === 'text' || kind === 'over') next.push(unexpectedType(message, path))
  else if (wireIndex === null && !blocks.has(key)) next.push(unexpectedType(message, indexPath))
  else if (input === null) next.push(unexpectedInCall(message, path, key))
  else append(blocks, key, input, next)
}

function append(blocks: Blocks, key: CallKey, input: SentArguments, next: Step<WireDelta>): void {
  const block = blocks.get(key)
  if (block?.kind === 'server') block.input += input.delta
  else if (block?.kind !== 'uncounted') next.push(appended(key, input))
  else if (block.input.length < longestShown) block.input += input.delta.slice(0, longestShown)
}

/** More than a warning shows. */
const longestShown = 4000

/** The arguments so far of a call that the provider runs; `null` for any other block. */
export function serverInput(blocks: Blocks, key: CallKey): string | null {
  const block = blocks.get(key)
  return block?.kind === 'server' ? block.input : null
}

export function stopBlock(blocks: Blocks, key: CallKey, next: Step<WireDelta>): void {
  if (blocks.get(key)?.kind === 'call') next.push({ type: 'call-close', key })
  else endOther(blocks, key, next)
}

/** Tells once what came of a block that is no call for the caller. */
function endOther(blocks: Blocks, key: CallKey, next: Step<WireDelta>): void {
  const block = blocks.get(key)
  if (block?.kind === 'server') {
    const { id, name, type, input } = block
    next.push({ type: 'server-call', call: { id, name, kind: type, argumentsText: input } })
  } else if (block?.kind === 'uncounted' && block.input !== '') {
    const message = 'arguments came for a block that is of no kind to have any'
    next.push({ type: 'warning', warning: { code: 'unexpected-type', message, raw: excerpt(block.input) } })
  } else return
  blocks.set(key, { kind: 'over' })
}

/** The step for a reader with such blocks: those that the stream left open are told of before its end, however it comes. */
export function endingBlocks(blocks: Blocks, next: Step<WireDelta>): Step<WireDelta> {
  return beforeEnd(next, () => {
    for (const key of blocks.keys()) endOther(blocks, key, next)
  })
}
