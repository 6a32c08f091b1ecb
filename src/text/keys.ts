// The keys of calls in text. No wire's own key looks like one.

import type { CallKey } from '../model/deltas.ts'

export function textCallKey(choice: number, number: number): string {
  return `text:${choice}:${number}`
}

/** The choice of a call in text; `undefined` for the key of any other call. */
export function choiceOfTextCall(key: CallKey): number | undefined {
  const choice = typeof key === 'string' ? /^text:(\d+):\d+$/.exec(key)?.[1] : undefined
  return choice === undefined ? undefined : Number(choice)
}
