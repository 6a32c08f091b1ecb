// What stands in front of the calls where an API wants the blocks of its turn back: text and kept blocks in the order that
// they came.

import { isWireObject, wireJson } from './json.ts'
import type { WireJson, WireObject } from './messages.ts'
import { isBlank, type TurnCall } from './writer.ts'

/**
 * The text of the turn, as blocks, with the blocks that its calls brought along each at its place. None stands behind a call: the API
 * demands calls to come last, and reasoning to come first.
 * Source: https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
export function withKept<Block extends object>(
  text: string,
  calls: readonly TurnCall[],
  textBlock: (text: string) => Block,
): Block[] {
  const content: Block[] = []
  let done = 0
  const say = (end: number): void => {
    const piece = text.slice(done, end)
    done = Math.max(done, end)
    if (!isBlank(piece)) content.push(textBlock(piece))
  }
  for (const { at, block } of calls.flatMap(keptBlocks)) {
    say(at)
    // As the API sent it; what a call's extra adds is not in the types of the messages.
    content.push(block as Block)
  }
  say(text.length)
  return content
}

interface KeptBlock {
  /** How much of the text stood before it, in UTF-16 units. */
  readonly at: number
  readonly block: WireObject
}

function keptBlocks({ extra }: TurnCall): readonly KeptBlock[] {
  const blocks = wireJson(extra['blocks'])
  return Array.isArray(blocks) ? blocks.flatMap(keptBlock) : []
}

/** Of a shape that no reader of ours makes, nothing is sent. */
function keptBlock(kept: WireJson): readonly KeptBlock[] {
  if (!isWireObject(kept)) return []
  const { at, block } = kept
  return typeof at === 'number' && isWireObject(block) ? [{ at, block }] : []
}
