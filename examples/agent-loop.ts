/** A whole agent loop: ask, run what may run, answer every call, ask again. */
import { assemble, createRetryGuard, nextMessages, partitionCalls } from 'tool-call-assembler'
import { z } from 'zod'

const tools = {
  get_weather: {
    description: 'Current weather of a city',
    parameters: z.object({ city: z.string() }),
    run: async ({ city }: { city: string }): Promise<unknown> => ({ city, sky: 'clear' }),
  },
}
const offered = Object.entries(tools).map(([name, { description, parameters }]) => ({
  type: 'function',
  function: { name, description, parameters: z.toJSONSchema(parameters) },
}))

export async function answer(url: string, question: string): Promise<string> {
  const messages: object[] = [{ role: 'user', content: question }]
  const guard = createRetryGuard({ max: 3 })
  for (let turn = 0; turn < 20; turn++) {
    const body = JSON.stringify({ model: 'any', stream: true, messages, tools: offered })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const result = await assemble(response, { format: 'openai-chat', tools }).result()
    if (result.calls.length === 0) {
      if (result.finish.truncated) throw new Error(`the answer is cut: ${result.finish.evidence.join(', ')}`)
      return result.text
    }
    const { stop, reason } = guard.observe(result)
    if (stop) throw new Error(reason)
    const outputs = new Map<string, unknown>()
    for (const call of partitionCalls(result).ready) {
      if (call.kind === 'function') outputs.set(call.id, await tools[call.name].run(call.arguments).catch(asError))
    }
    messages.push(...nextMessages(result, outputs, { format: 'openai-chat' })) // refused calls answer themselves
  }
  throw new Error('too many turns')
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
