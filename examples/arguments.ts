/** Use 4: repair and check arguments at another boundary, without a stream. */
import { parseArguments } from 'tool-call-assembler'
import { z } from 'zod'

const schema = z.object({ city: z.string(), days: z.number().int().default(1) })

export function forecast(raw: unknown): string {
  const outcome = parseArguments(raw, { toolName: 'forecast', schema })
  if (!outcome.ok) return outcome.failure.message // the whole text for the model
  for (const { name, before } of outcome.repairs) console.warn(`repaired: ${name}, was ${JSON.stringify(before)}`)
  const { city, days } = outcome.arguments // string and number, by the schema
  return `${city}: rain for ${days} day(s)`
}
