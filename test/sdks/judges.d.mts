import type { AssemblerResult } from '../../src/index.ts'
import type { ReplayRoute } from '../../demo/replay-server.mjs'

export type JudgedFormat = 'openai-chat' | 'openai-responses' | 'anthropic' | 'ollama' | 'gemini'

export interface SeenCall {
  readonly name: string
  readonly arguments: unknown
}

export type SdkAnswer =
  | { readonly calls: readonly SeenCall[]; readonly error?: undefined }
  | { readonly error: string; readonly calls?: undefined }

export interface SdkCase {
  readonly format: JudgedFormat
  readonly body: Uint8Array
}

export declare const sdks: Readonly<Record<JudgedFormat, { readonly name: string; readonly path: string }>>
export declare function askSdk(format: JudgedFormat, base: string): Promise<SdkAnswer>
export declare function callsOf(
  result: AssemblerResult,
): (SeenCall | { readonly name: string; readonly refused: string })[]
export declare function routesFor(cases: readonly SdkCase[]): Record<string, ReplayRoute>
export declare function basePath(n: number): string
