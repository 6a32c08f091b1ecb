// Fills in the limits, and refuses what can't be one.

import { defaultLimits, type Limits } from '../model/limits.ts'

export function resolveLimits(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultLimits, name)) {
      throw new TypeError(`limits.${name} is no limit: there are ${Object.keys(defaultLimits).join(', ')}`)
    }
    // Callers without types can pass anything at all.
    if (value !== undefined && !(typeof value === 'number' && value > 0)) {
      throw new TypeError(`limits.${name} must be a positive number, got ${String(value)}`)
    }
  }
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaultLimits, ...Object.fromEntries(known) }
}
