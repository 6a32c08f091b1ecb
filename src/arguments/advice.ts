// What is wrong and what to do about it, in words, for every reason why a call can be refused.

import type { FailureCode, TruncationCause } from '../model/failures.ts'

export interface Advice {
  /** Ends the sentence "The call to `x` was not run: …". */
  readonly reason: string
  /** What to do, as whole sentences. Empty where that depends on more than the code. */
  readonly action: string
}

export const adviceFor: Readonly<Record<FailureCode, Advice>> = {
  truncated: {
    reason: 'it was cut off before it was complete.',
    action: '',
  },
  interrupted: {
    reason: 'the turn did not end normally, so the call is not certain.',
    action: '',
  },
  damaged: {
    reason: 'a part of the response that may belong to it could not be read.',
    action: 'Send the whole call again.',
  },
  ambiguous: {
    reason: 'a piece of the response could belong to this call or to another one.',
    action: 'Send the calls again, one at a time.',
  },
  'over-limit': {
    reason: 'it exceeds a size limit for tool calls.',
    action: 'Send less in one call, or split it into several calls.',
  },
  'missing-name': {
    reason: 'it came without the name of a tool.',
    action: 'Send the call again with the name of the tool.',
  },
  'unknown-tool': {
    reason: 'there is no tool with this name.',
    action: '',
  },
  'empty-arguments': {
    reason: 'it came without arguments, and it is not run without them.',
    action: 'Fill in its parameters.',
  },
  'schema-mismatch': {
    reason: 'its arguments do not fit its parameters.',
    action: 'Correct what is listed above and keep the rest.',
  },
  incomplete: {
    reason: 'its arguments end before the JSON is complete.',
    action: 'Send the complete arguments; if they are long, send less in one call.',
  },
  'close-truncated': {
    reason: 'its arguments end before the JSON is complete.',
    action: 'Send the complete arguments; if they are long, send less in one call.',
  },
  malformed: {
    reason: 'its arguments are not valid JSON.',
    action:
      'Put keys and strings in double quotes, escape a quote inside a string as \\", and separate members by one comma.',
  },
  'no-object': {
    reason: 'its arguments hold no JSON object.',
    action: 'Send the arguments as a JSON object and nothing else.',
  },
  'not-an-object': {
    reason: 'its arguments are not a JSON object.',
    action: 'Name each argument as a member of one object.',
  },
  'multiple-objects': {
    reason: 'its arguments hold more than one JSON object.',
    action: 'Send one object in each call; for several objects make several calls.',
  },
  'ambiguous-text': {
    reason: 'text around the JSON object could be a part of its arguments.',
    action: 'Send the object alone, with no text before or after it.',
  },
  'invalid-escape': {
    reason: 'a string in its arguments holds an escape that JSON does not have.',
    action: 'Write a backslash itself as \\\\ (in paths / works too).',
  },
  'control-char': {
    reason: 'its arguments hold a raw control character.',
    action: 'Inside strings write control characters as escapes, such as \\n or \\u001b; leave them out of keys.',
  },
  'duplicate-key': {
    reason: 'a key occurs more than once in its arguments.',
    action: 'Send every key once.',
  },
  'forbidden-key': {
    reason: 'its arguments hold a key that is not allowed for safety.',
    action: 'Leave out the keys __proto__ and constructor.prototype.',
  },
  'lossy-number': {
    reason: 'a number in its arguments cannot be represented exactly.',
    action: 'If it is an identifier, send it as a string where the parameter takes one; else use fewer digits.',
  },
  'ill-formed-unicode': {
    reason: 'its arguments hold half of a Unicode surrogate pair.',
    action: 'Send the whole character, or both of its \\uXXXX escapes.',
  },
  'too-deep': {
    reason: 'its arguments are nested too deeply.',
    action: 'Send a flatter object.',
  },
  'empty-object': {
    reason: 'no arguments could be read.',
    action: 'Send the arguments as a JSON object.',
  },
  fence: {
    reason: 'its arguments are not strict JSON: they are wrapped in a code fence.',
    action: 'Send the object without a fence.',
  },
  'surrounding-text': {
    reason: 'its arguments are not strict JSON: there is text around the object.',
    action: 'Send the object with no text before or after it.',
  },
  'double-encoding': {
    reason: 'its arguments are not strict JSON: they are a string that holds JSON.',
    action: 'Send the object itself, not a quoted string of it.',
  },
  'escaped-object': {
    reason: 'its arguments are not strict JSON: the quotes of the object are escaped.',
    action: 'Write the quotes around keys and strings without a backslash.',
  },
  bom: {
    reason: 'its arguments are not strict JSON: they begin with a byte order mark.',
    action: 'Begin with { and nothing before it.',
  },
  'unicode-whitespace': {
    reason: 'its arguments are not strict JSON: there is white space that JSON does not know.',
    action: 'Outside strings use only ordinary spaces and line feeds.',
  },
  'escaped-whitespace': {
    reason: 'its arguments are not strict JSON: there are escapes such as \\n outside strings.',
    action: 'Outside strings use real line feeds, or none.',
  },
  'raw-control-chars': {
    reason: 'its arguments are not strict JSON: a string holds a raw line feed or tab.',
    action: 'Inside strings write \\n, \\r and \\t.',
  },
  'leading-empty-object': {
    reason: 'its arguments are not strict JSON: an empty object stands before them.',
    action: 'Send one object only.',
  },
  'duplicate-object': {
    reason: 'its arguments are not strict JSON: the object was sent more than once.',
    action: 'Send the object once.',
  },
  'trailing-comma': {
    reason: 'its arguments are not strict JSON: a comma stands before a closing bracket.',
    action: 'Leave out that comma, and check that no member is missing.',
  },
  'single-quotes': {
    reason: 'its arguments are not strict JSON: single quotes are used.',
    action: 'Put keys and strings in double quotes.',
  },
  'unquoted-key': {
    reason: 'its arguments are not strict JSON: a key has no quotes.',
    action: 'Put every key in double quotes.',
  },
  'unquoted-value': {
    reason: 'its arguments are not strict JSON: a value has no quotes.',
    action: 'Put every string in double quotes.',
  },
  'python-literals': {
    reason: 'its arguments are not strict JSON: they use literals of Python.',
    action: 'Write true, false and null.',
  },
  comments: {
    reason: 'its arguments are not strict JSON: they hold a comment.',
    action: 'Leave out comments.',
  },
  'smart-quotes': {
    reason: 'its arguments are not strict JSON: typographic quotes are used.',
    action: 'Put keys and strings in plain double quotes (").',
  },
  'apostrophe-escape': {
    reason: 'its arguments are not strict JSON: an apostrophe is escaped.',
    action: "Write ' in a string without a backslash; write a backslash itself as \\\\.",
  },
  'extra-closing-brace': {
    reason: 'its arguments are not strict JSON: there is a closing brace too many.',
    action: 'Close each object once, and check that none was left out.',
  },
}

/** What is known of the cause, and what follows from it. An unknown cause is said to be unknown. */
export function adviceForCut(cause: TruncationCause | undefined): string {
  switch (cause) {
    case 'output-limit':
      return 'Your output reached the token limit. Send less in one call, or split it into several calls.'
    case 'context-window':
      return 'The context window was full. Send less in one call.'
    case 'content-filter':
      return 'A content filter stopped the output. Change the content before you call again.'
    case 'connection':
      return 'The stream ended before the turn was over. Send the whole call again.'
    case 'server-error':
      return 'The server reported an error while it was sent. Send the whole call again.'
    case 'aborted':
      return 'The turn was stopped from outside. Call again only if that is still wanted.'
    case 'unreported':
    case undefined:
      return 'No reason was reported. Send the whole call again; if it was long, send less in one call.'
    default:
      return cause satisfies never
  }
}
