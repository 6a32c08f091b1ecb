// What the ledger books: the deltas of a wire, and what the text stage has to tell it besides.

import type { WireDelta } from './deltas.ts'

/** What may be missing from a call. */
export type Damage = Extract<WireDelta, { readonly type: 'damage' | 'call-damage' | 'stray' | 'spoilt-open' }>

/** Damage that was told before, now for a call that was not open to the ledger then. Its warning has been given. */
export interface Retold {
  readonly type: 'retold'
  readonly damage: Damage
}

export type BookedDelta = WireDelta | Retold
