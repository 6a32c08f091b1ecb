// The options of an assembler.

import type { AuditRecord } from './calls.ts'
import type { WireFormat } from './formats.ts'
import type { RawFrame } from './frames.ts'
import type { Limits } from './limits.ts'
import type { ArgumentsPolicy, Tools } from './tools.ts'

/** The wire formats that the library reads, by name. */
export type WireFormatName =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'ollama'
  | 'gemini'
  | 'cohere'
  | 'bedrock'

/** Options of an assembler. Everything has a safe default. */
export interface AssemblerOptions<T extends Tools = Tools> extends ArgumentsPolicy {
  /** Default `auto`: told from the first events. A value for a format of your own. */
  readonly format?: 'auto' | WireFormatName | WireFormat
  /** The turn's tools, in any of the usual shapes. Without them nothing is checked against a schema. */
  readonly tools?: T
  /** Read calls that the model wrote into its text. Default `false`; `true` means the usual dialects, a list names them. */
  readonly textCalls?: boolean | readonly string[]
  /** Keep a live value of the arguments while they stream in. Default `false`. */
  readonly partialArguments?: boolean
  /** Recognise events that differ from the last one only in their fragment without parsing them. Same events, less time. Default `true`. */
  readonly fastPath?: boolean
  readonly limits?: Partial<Limits>
  /** Gets every raw event as received, before anything else. Feeding from it is a `TypeError`. */
  readonly onFrame?: (frame: RawFrame) => void
  /** Gets one record a call, after its verdict. */
  readonly onAudit?: (record: AuditRecord) => void
}
