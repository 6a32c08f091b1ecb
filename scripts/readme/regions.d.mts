/** The module behind every door, by the door's name. */
export interface Library {
  readonly index: object
  readonly [door: string]: object
}

export declare function makeRegions(library: Library): Record<string, string>
export declare function readRegions(text: string): Record<string, string>
export declare function writeRegions(text: string, contents: Readonly<Record<string, string>>): string
