// The wire formats that replies and history can be written in. The only list of them.

import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { cohere } from './cohere.ts'
import { gemini } from './gemini.ts'
import type { ReplyFormatName } from './messages.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { ReplyWriter } from './writer.ts'

const writers: { readonly [F in ReplyFormatName]: ReplyWriter<F> } = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  ollama,
  gemini,
  cohere,
  bedrock,
}

/** Whether replies can be written in the format of this name: `result.format` may be any name. */
function isReplyFormat(name: string): name is ReplyFormatName {
  return Object.hasOwn(writers, name)
}

/** @throws TypeError for a name that is no format of ours. */
export function writerFor<F extends ReplyFormatName>(format: F): ReplyWriter<F> {
  if (!isReplyFormat(format)) {
    throw new TypeError(
      `No replies can be written in the format ${JSON.stringify(format)}. There are: ${Object.keys(writers).join(', ')}`,
    )
  }
  return writers[format]
}
