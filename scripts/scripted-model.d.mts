export interface ScriptedModel {
  readonly url: string
  /** The bodies of the requests so far. */
  readonly requests: readonly { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] }[]
  close(): Promise<void>
}

/** Sends one of the bodies a request, in order; after the last an empty one. */
export declare function startScriptedModel(answers: readonly Iterable<Uint8Array>[]): Promise<ScriptedModel>
