/** Use 1: wrap a fetch stream. */
import { assemble, type Finish } from 'tool-call-assembler'

const tools = {
  get_weather: {
    description: 'Current weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

export async function ask(url: string, request: RequestInit): Promise<Finish> {
  const stream = assemble(await fetch(url, request), { tools })
  for await (const event of stream) {
    if (event.type === 'text-delta') process.stdout.write(event.delta)
    if (event.type === 'tool-call-start') console.log(`${event.name} begins`)
    if (event.type === 'tool-call-end') {
      const { call } = event
      if (call.ok) console.log(`run ${call.name} with`, call.arguments)
      else console.log(`do not run ${call.name}; tell the model:\n${call.failure.message}`)
    }
  }
  return (await stream.result()).finish
}
