/** A seeded source of chance. */
export interface Random {
  /** From 0, below 1. */
  next(): number
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  chance(odds: number): boolean
}

export type Damage = (text: string, random: Random) => string

export interface Corruption {
  /** The name of the damage. */
  readonly kind: string
  readonly original: { readonly [key: string]: unknown }
  /** What was sent. */
  readonly text: string
  readonly arrived: string
}

export declare function createRandom(seed: number): Random
export declare const reversibleDamage: Readonly<Record<string, Damage>>
export declare const lossyDamage: Readonly<Record<string, Damage>>
export declare const withoutAnswer: ReadonlySet<string>
export declare function corrupt(seed: number, damages: Readonly<Record<string, Damage>>): Corruption
export declare function makePayload(seed: number): string
