// OpenAI's Responses API. Source: https://platform.openai.com/docs/api-reference/responses/create

import { isRecord } from '../arguments/json.ts'
import type { JsonValue } from '../model/json.ts'
import { outputText } from './content.ts'
import { isWireObject, wellFormed, wireJson, wireObject } from './json.ts'
import type { ResponsesCallItem, ResponsesOutputItem, ShellOutput, WireJson, WireObject } from './messages.ts'
import { replay, replayObject } from './replay.ts'
import { said, without, type Answer, type ReplyWriter, type TurnCall } from './writer.ts'

/**
 * Reasoning as text is left out: an item of it is taken back only whole. What the calls carry is whole, encrypted, and goes in front
 * of the call that it led to.
 */
export const openaiResponses: ReplyWriter<'openai-responses'> = {
  turn(turn) {
    const text = said(turn)
    const message = { type: 'message' as const, role: 'assistant' as const, content: text }
    return [...(text === '' && turn.calls.length > 0 ? [] : [message]), ...turn.calls.flatMap(callItems)]
  },
  reply: outputItem,
  join(turn, replies) {
    return [...turn, ...replies]
  },
}

/** The items that the caller runs and that are no function: their type is in `extra`. */
type ClientItemType = 'local_shell_call' | 'shell_call' | 'apply_patch_call' | 'computer_call' | 'tool_search_call'

/** The least that the API takes as such an item's arguments: what stands for a refused call in the history. It runs nothing. */
const blankArguments: { readonly [T in ClientItemType]: WireObject } = {
  local_shell_call: { type: 'exec', command: [], env: {} },
  shell_call: { commands: [] },
  apply_patch_call: { type: 'update_file', path: '', diff: '' },
  computer_call: { type: 'screenshot' },
  tool_search_call: {},
}

function clientItemType(type: JsonValue | undefined): ClientItemType | null {
  return isClientItemType(type) ? type : null
}

function isClientItemType(type: JsonValue | undefined): type is ClientItemType {
  return typeof type === 'string' && Object.hasOwn(blankArguments, type)
}

function callItems(call: TurnCall): ResponsesCallItem[] {
  const carried = wireJson(call.extra['reasoning'])
  const reasoning = Array.isArray(carried) ? carried.filter(isReasoningItem) : []
  return [...reasoning, callItem({ ...call, extra: without(call.extra, 'reasoning') })]
}

function isReasoningItem(item: WireJson): item is WireObject & { type: 'reasoning' } {
  return isWireObject(item) && item['type'] === 'reasoning'
}

function callItem({ call, id, name, extra }: TurnCall): ResponsesCallItem {
  const type = clientItemType(extra['type'])
  if (type !== null) return clientItem(type, { call, id, name, extra })
  if (call.kind === 'custom')
    return { ...extra, type: 'custom_tool_call', call_id: id, name, input: wellFormed(call.argumentsText) }
  return { ...extra, type: 'function_call', call_id: id, name, arguments: replay(call).text }
}

function clientItem(type: ClientItemType, { call, id, extra }: TurnCall): ResponsesCallItem {
  const beside = without(extra, 'type', 'id', 'status', 'execution')
  const given = call.ok ? replayObject(call) : { ...blankArguments[type] }
  switch (type) {
    case 'local_shell_call':
      return { ...beside, type, id: itemId(extra['id'], id), call_id: id, status: 'completed', action: given }
    case 'shell_call':
      return { ...beside, type, call_id: id, status: 'completed', action: given }
    case 'apply_patch_call':
      return { ...beside, type, call_id: id, status: 'completed', operation: given }
    case 'computer_call': {
      const checks = wireJson(extra['pending_safety_checks'])
      return {
        ...beside,
        type,
        id: itemId(extra['id'], id),
        call_id: id,
        status: 'completed',
        pending_safety_checks: Array.isArray(checks) ? checks : [],
        // The newer model sends several at once, which stand under their own field.
        ...('actions' in given ? { actions: given['actions'] ?? [] } : { action: given }),
      }
    }
    case 'tool_search_call':
      return { ...beside, type, call_id: id, status: 'completed', execution: 'client', arguments: given }
    default:
      return type satisfies never
  }
}

function outputItem(answer: Answer): ResponsesOutputItem {
  const { call, id, output } = answer
  // The execution context that a call came from is named in its output too.
  const caller = call.extra?.['caller'] === undefined ? {} : { caller: wireJson(call.extra['caller']) }
  const type = clientItemType(call.extra?.['type'])
  switch (type) {
    case null:
      return {
        ...caller,
        type: call.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output',
        call_id: id,
        output: outputText(output),
      }
    case 'local_shell_call':
      return {
        type: 'local_shell_call_output',
        id: itemId(call.extra?.['id'], id),
        call_id: id,
        output: outputText(output),
      }
    case 'shell_call':
      return { ...caller, type: 'shell_call_output', call_id: id, output: shellOutputs(answer) }
    case 'apply_patch_call': {
      const status = answer.isError ? 'failed' : 'completed'
      return { ...caller, type: 'apply_patch_call_output', call_id: id, status, output: outputText(output) }
    }
    case 'computer_call':
      return { type: 'computer_call_output', call_id: id, output: screenshot(answer) }
    case 'tool_search_call':
      return {
        type: 'tool_search_output',
        call_id: id,
        execution: 'client',
        status: 'completed',
        tools: foundTools(answer),
      }
    default:
      return type satisfies never
  }
}

function itemId(id: JsonValue | undefined, callId: string): string {
  return typeof id === 'string' ? id : callId
}

/** Runs in the API's own shape stay as they are; text is what one run wrote, to stderr and with a status other than 0 if it failed. */
function shellOutputs({ output, isError }: Answer): ShellOutput[] {
  const given = typeof output === 'object' && output !== null ? wireJson(output) : null
  const runs: unknown[] = Array.isArray(given) ? given : [given]
  if (runs.length > 0 && runs.every(isShellOutput)) return runs
  const text = outputText(output)
  return isError
    ? [{ stdout: '', stderr: text, outcome: { type: 'exit', exit_code: 1 } }]
    : [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
}

function isShellOutput(value: unknown): value is ShellOutput {
  if (!isRecord(value)) return false
  return (
    typeof value['stdout'] === 'string' && typeof value['stderr'] === 'string' && typeof value['outcome'] === 'object'
  )
}

/**
 * A picture of the screen: an object in the API's own shape, or the address of the image. Where the call failed there is none, and the
 * item has no place for the reason.
 */
function screenshot({ output, isError }: Answer): WireObject {
  if (isError || output === undefined) return { type: 'computer_screenshot' }
  if (typeof output === 'string') return { type: 'computer_screenshot', image_url: output }
  return { type: 'computer_screenshot', ...wireObject(output) }
}

/** The tools that a search found: the list itself or an object with `tools`. A failed search found none, and the item can't say why. */
function foundTools({ output, isError }: Answer): WireJson[] {
  if (isError || output === undefined) return []
  const found = wireJson(output)
  const tools = isWireObject(found) ? found['tools'] : found
  if (!Array.isArray(tools))
    throw new TypeError('The output of a tool search is a list of tools, or an object with `tools`')
  return tools
}
