/** What is wrong and what to do about it, in words, for every reason why a call can be refused. */
import type { FailureCode, TruncationCause } from '../model/failures.ts'

export interface Advice {
  /** Ends the sentence "The call to `x` was not run: …". */
  readonly reason: string
  /** What to do, as whole sentences. */
  readonly action: string
}

/** For `truncated`, `interrupted`, `unknown-tool` and `missing-name` the caller of this adds what it knows beyond the code. */
export function adviceFor(code: FailureCode): Advice {
  switch (code) {
    case 'truncated':
      return { reason: 'it was cut off before it was complete.', action: '' }
    case 'interrupted':
      return { reason: 'the turn did not end normally, so the call is not certain.', action: '' }
    case 'damaged':
      return {
        reason: 'a part of the response that may belong to it could not be read.',
        action: 'Send the whole call again.',
      }
    case 'ambiguous':
      return {
        reason: 'a piece of the response could belong to this call or to another one.',
        action: 'Send the calls again, one at a time.',
      }
    case 'over-limit':
      return {
        reason: 'it exceeds a size limit for tool calls.',
        action: 'Send less in one call, or split it into several calls.',
      }
    case 'missing-name':
      return { reason: 'it came without the name of a tool.', action: 'Send the call again with the name of the tool.' }
    case 'unknown-tool':
      return { reason: 'there is no tool with this name.', action: '' }
    case 'empty-arguments':
      return { reason: 'it came without arguments, and it is not run without them.', action: 'Fill in its parameters.' }
    case 'schema-mismatch':
      return {
        reason: 'its arguments do not fit its parameters.',
        action: 'Correct what is listed above and keep the rest.',
      }
    default:
      return argumentsAdvice(code)
  }
}

type ArgumentsCode = Exclude<
  FailureCode,
  | 'truncated'
  | 'interrupted'
  | 'damaged'
  | 'ambiguous'
  | 'over-limit'
  | 'missing-name'
  | 'unknown-tool'
  | 'empty-arguments'
  | 'schema-mismatch'
>

function argumentsAdvice(code: ArgumentsCode): Advice {
  switch (code) {
    case 'incomplete':
    case 'close-truncated':
      return {
        reason: 'its arguments end before the JSON is complete.',
        action: 'Send the complete arguments; if they are long, send less in one call.',
      }
    case 'malformed':
      return {
        reason: 'its arguments are not valid JSON.',
        action:
          'Put keys and strings in double quotes, escape a quote inside a string as \\", and separate members by one comma.',
      }
    case 'no-object':
      return {
        reason: 'its arguments hold no JSON object.',
        action: 'Send the arguments as a JSON object and nothing else.',
      }
    case 'not-an-object':
      return {
        reason: 'its arguments are not a JSON object.',
        action: 'Name each argument as a member of one object.',
      }
    case 'multiple-objects':
      return {
        reason: 'its arguments hold more than one JSON object.',
        action: 'Send one object in each call; for several objects make several calls.',
      }
    case 'ambiguous-text':
      return {
        reason: 'text around the JSON object could be a part of its arguments.',
        action: 'Send the object alone, with no text before or after it.',
      }
    case 'invalid-escape':
      return {
        reason: 'a string in its arguments holds an escape that JSON does not have.',
        action: 'Write a backslash itself as \\\\ (in paths / works too).',
      }
    case 'control-char':
      return {
        reason: 'its arguments hold a raw control character.',
        action: 'Inside strings write control characters as escapes, such as \\n or \\u001b; leave them out of keys.',
      }
    case 'duplicate-key':
      return { reason: 'a key occurs more than once in its arguments.', action: 'Send every key once.' }
    case 'forbidden-key':
      return {
        reason: 'its arguments hold a key that is not allowed for safety.',
        action: 'Leave out the keys __proto__ and constructor.prototype.',
      }
    case 'lossy-number':
      return {
        reason: 'a number in its arguments cannot be represented exactly.',
        action: 'If it is an identifier, send it as a string where the parameter takes one; else use fewer digits.',
      }
    case 'ill-formed-unicode':
      return {
        reason: 'its arguments hold half of a Unicode surrogate pair.',
        action: 'Send the whole character, or both of its \\uXXXX escapes.',
      }
    case 'too-deep':
      return { reason: 'its arguments are nested too deeply.', action: 'Send a flatter object.' }
    case 'empty-object':
      return { reason: 'no arguments could be read.', action: 'Send the arguments as a JSON object.' }
    default:
      return repairAdvice(code)
  }
}

type RepairCode = Exclude<
  ArgumentsCode,
  | 'incomplete'
  | 'close-truncated'
  | 'malformed'
  | 'no-object'
  | 'not-an-object'
  | 'multiple-objects'
  | 'ambiguous-text'
  | 'invalid-escape'
  | 'control-char'
  | 'duplicate-key'
  | 'forbidden-key'
  | 'lossy-number'
  | 'ill-formed-unicode'
  | 'too-deep'
  | 'empty-object'
>

/** Codes that name the repair which would have been needed. */
function repairAdvice(code: RepairCode): Advice {
  const strict = 'its arguments are not strict JSON: '
  switch (code) {
    case 'fence':
      return { reason: `${strict}they are wrapped in a code fence.`, action: 'Send the object without a fence.' }
    case 'surrounding-text':
      return {
        reason: `${strict}there is text around the object.`,
        action: 'Send the object with no text before or after it.',
      }
    case 'double-encoding':
      return {
        reason: `${strict}they are a string that holds JSON.`,
        action: 'Send the object itself, not a quoted string of it.',
      }
    case 'escaped-object':
      return {
        reason: `${strict}the quotes of the object are escaped.`,
        action: 'Write the quotes around keys and strings without a backslash.',
      }
    case 'bom':
      return { reason: `${strict}they begin with a byte order mark.`, action: 'Begin with { and nothing before it.' }
    case 'unicode-whitespace':
      return {
        reason: `${strict}there is white space that JSON does not know.`,
        action: 'Outside strings use only ordinary spaces and line feeds.',
      }
    case 'escaped-whitespace':
      return {
        reason: `${strict}there are escapes such as \\n outside strings.`,
        action: 'Outside strings use real line feeds, or none.',
      }
    case 'raw-control-chars':
      return {
        reason: `${strict}a string holds a raw line feed or tab.`,
        action: 'Inside strings write \\n, \\r and \\t.',
      }
    case 'leading-empty-object':
      return { reason: `${strict}an empty object stands before them.`, action: 'Send one object only.' }
    case 'duplicate-object':
      return { reason: `${strict}the object was sent more than once.`, action: 'Send the object once.' }
    case 'trailing-comma':
      return {
        reason: `${strict}a comma stands before a closing bracket.`,
        action: 'Leave out that comma, and check that no member is missing.',
      }
    case 'single-quotes':
      return { reason: `${strict}single quotes are used.`, action: 'Put keys and strings in double quotes.' }
    case 'unquoted-key':
      return { reason: `${strict}a key has no quotes.`, action: 'Put every key in double quotes.' }
    case 'unquoted-value':
      return { reason: `${strict}a value has no quotes.`, action: 'Put every string in double quotes.' }
    case 'python-literals':
      return { reason: `${strict}they use literals of Python.`, action: 'Write true, false and null.' }
    case 'comments':
      return { reason: `${strict}they hold a comment.`, action: 'Leave out comments.' }
    case 'smart-quotes':
      return {
        reason: `${strict}typographic quotes are used.`,
        action: 'Put keys and strings in plain double quotes (").',
      }
    case 'apostrophe-escape':
      return {
        reason: `${strict}an apostrophe is escaped.`,
        action: "Write ' in a string without a backslash; write a backslash itself as \\\\.",
      }
    case 'extra-closing-brace':
      return {
        reason: `${strict}there is a closing brace too many.`,
        action: 'Close each object once, and check that none was left out.',
      }
    default: {
      const forgotten: never = code
      return forgotten
    }
  }
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
      return 'The connection was lost while it was sent. Send the whole call again.'
    case 'server-error':
      return 'The server reported an error while it was sent. Send the whole call again.'
    case 'aborted':
      return 'The turn was aborted. Call again only if that is still wanted.'
    case 'unreported':
    case undefined:
      return 'No reason was reported. Send the whole call again; if it was long, send less in one call.'
    default: {
      const forgotten: never = cause
      return forgotten
    }
  }
}
