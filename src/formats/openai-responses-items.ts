// What the output items of the Responses API are: calls for the caller, calls that the provider runs, text, or none of these.
// Source: https://platform.openai.com/docs/api-reference/responses/object#responses-object-output

import type { ServerCall } from '../model/calls.ts'
import type { JsonObject } from '../model/json.ts'
import { extraFrom, wholeArguments } from './deltas.ts'
import { present, record, text, word, type Fields } from './fields.ts'
import { sliceAt, type ParsedMessage, type SentArguments } from './source.ts'
import { below, type Path } from './path.ts'

/** An item as far as the message shows it. An item in progress may lack its arguments, or have them only in part. */
export type OutputItem =
  | {
      readonly role: 'call'
      readonly kind: 'function' | 'custom'
      readonly callId: string | null
      readonly name: string
      readonly arguments: SentArguments | null
      readonly extra?: JsonObject
    }
  | { readonly role: 'server'; readonly call: ServerCall }
  | { readonly role: 'message' | 'reasoning' | 'other' }

/** The item at `path`. Calls without a name of their own go by the item's type, and have an object for arguments. */
export function outputItem(item: Fields, path: Path, message: ParsedMessage): OutputItem {
  const type = text(item['type']) ?? ''
  const whole = (field: string): SentArguments | null => wholeArguments(item[field], below(path, field), message)
  const wrapped = (field: string): SentArguments | null => wrapField(item, field, path, message)
  switch (type) {
    case 'message':
    case 'reasoning':
      return { role: type }
    case 'function_call':
      return call(item, 'function', text(item['name']) ?? '', whole('arguments'))
    case 'custom_tool_call':
      return call(item, 'custom', text(item['name']) ?? '', whole('input'))
    case 'local_shell_call':
      return builtIn(item, type, whole('action'))
    case 'apply_patch_call':
      return builtIn(item, type, whole('operation'))
    case 'computer_call':
      return builtIn(item, type, whole('action') ?? wrapped('actions'))
    case 'shell_call':
      return isInContainer(item) ? server(item, type, whole('action')) : builtIn(item, type, whole('action'))
    case 'tool_search_call':
      return isSearchedByServer(item) ? server(item, type, whole('arguments')) : builtIn(item, type, whole('arguments'))
    case 'mcp_call':
    case 'mcp_approval_request':
      return server(item, text(item['name']) ?? type, whole('arguments'))
    case 'web_search_call':
      return server(item, type, whole('action'))
    case 'file_search_call':
      return server(item, type, wrapped('queries'))
    case 'code_interpreter_call':
      return server(item, type, wrapped('code'))
    case 'image_generation_call':
      return server(item, type, null)
    default:
      return { role: 'other' }
  }
}

/** What goes back with any call: who made it, and the namespace that its tool is in. */
const extraNames: readonly string[] = ['caller', 'namespace']

function call(item: Fields, kind: 'function' | 'custom', name: string, args: SentArguments | null): OutputItem {
  return { role: 'call', kind, callId: word(item['call_id']), name, arguments: args, ...extraFrom(item, extraNames) }
}

/** OpenAI's own tools that the caller runs. Their items go back under their own type, some with their own id. */
function builtIn(item: Fields, type: string, args: SentArguments | null): OutputItem {
  return {
    role: 'call',
    kind: 'function',
    callId: word(item['call_id']),
    name: type,
    arguments: args,
    ...extraFrom(item, ['type', 'id', ...extraNames, 'pending_safety_checks']),
  }
}

function server(item: Fields, name: string, args: SentArguments | null): OutputItem {
  const id = text(item['id']) ?? ''
  return { role: 'server', call: { id, name, kind: text(item['type']) ?? '', argumentsText: args?.delta ?? '' } }
}

/** A shell in OpenAI's container; any other is the caller's. */
function isInContainer(item: Fields): boolean {
  return record(item['environment'])?.['type'] === 'container_reference'
}

/** Items before the field `execution` show it by having no id to answer under. */
function isSearchedByServer(item: Fields): boolean {
  const execution = word(item['execution'])
  return execution === null ? word(item['call_id']) === null : execution === 'server'
}

/** Arguments that stand on the item itself, as the object that they would be in a field of their own. */
function wrapField(item: Fields, field: string, path: Path, message: ParsedMessage): SentArguments | null {
  if (!present(item[field])) return null
  const source = sliceAt(message, below(path, field))
  return source === undefined ? null : { delta: `{${JSON.stringify(field)}:${source}}`, object: true }
}
