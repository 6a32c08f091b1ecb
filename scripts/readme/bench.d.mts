/** What `npm run bench` writes. */
export interface BenchRun {
  readonly machine: { readonly node: string; readonly cpu?: string; readonly cores: number; readonly date: string }
  readonly results: Readonly<Record<string, readonly object[]>>
}

export declare function benchRegion(run: BenchRun): string

export declare function benchPage(run: BenchRun): string
