// What an interface without promises can't take: schemas that answer with one.

import type { ToolTable } from '../model/compiled.ts'

/** Throws a `TypeError` that names the first tool whose schema is asynchronous. `because` ends its sentence. */
export function refuseAsynchronous(tools: ToolTable | undefined, because: string): void {
  for (const { name, asynchronous } of tools?.values() ?? []) {
    if (asynchronous) throw new TypeError(`The schema of the tool "${name}" answers with a promise, and ${because}`)
  }
}
