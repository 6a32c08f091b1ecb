/** Tools for a model without native tool calls: offered in the prompt, read from the text, answered in its dialect. */
import { assemble } from 'tool-call-assembler'
import { textMessages, toolPrompt } from 'tool-call-assembler/prompt'

const format = 'hermes'
const tools = {
  get_weather: {
    description: 'Current weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

export async function ask(url: string, model: string, question: string): Promise<object[]> {
  const messages: object[] = [
    { role: 'system', content: toolPrompt(tools, { format }) },
    { role: 'user', content: question },
  ]
  const body = JSON.stringify({ model, stream: true, messages })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const result = await assemble(response, { tools, textCalls: [format] }).result()
  return [...messages, ...textMessages(result, () => ({ sky: 'clear' }), { format })]
}
