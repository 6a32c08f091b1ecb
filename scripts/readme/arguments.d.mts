import type { ArgumentsOutcome, FailureCode, RepairName } from '../../src/index.ts'

export interface RepairRow {
  readonly repair: RepairName
  readonly tier: 'lossless' | 'lenient' | 'closeTruncated' | 'emptyObject'
  readonly text: string
}

export interface RefusedRow {
  readonly code: FailureCode
  readonly text: string
}

export declare const repairRows: readonly RepairRow[]
export declare const refusedRows: readonly RefusedRow[]
/** The row's own tier; for a refused row everything that can be switched on. */
export declare function readRow(row: RepairRow | RefusedRow, library: object): ArgumentsOutcome
export declare function readByDefault(row: RepairRow | RefusedRow, library: object): ArgumentsOutcome
