// Keeps one call from being reported twice: servers that parse calls themselves may leave their text in place. A call in the text and
// a call of the wire are the same one if they stand in the same choice with the same name and equal arguments.
//
// Whichever comes first streams on. The other is held back until the end, where its arguments are known: a copy in the text is
// dropped, a copy on the wire gives its id to the call that was there before. Calls of other names come through at once, unless a
// possible copy on the wire is being held: then the wire's calls wait together, so that their order stays.

import { excerpt } from '../arguments/excerpt.ts'
import { isArray, isObject, writeJson } from '../arguments/json.ts'
import { readArguments } from '../arguments/read.ts'
import type { BookedDelta } from '../model/booked.ts'
import type { CallFragment, CallKey, WireDelta } from '../model/deltas.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { defaultLimits } from '../model/limits.ts'
import type { Step } from '../model/stage.ts'
import { choiceOfTextCall } from './keys.ts'

/** Longer arguments are not compared: nothing of that length is kept twice. */
const maxCompared = 1024 * 1024

/** A call as far as it is needed to compare it. */
interface Seen {
  readonly key: CallKey
  name: string
  id: string | null
  text: string
  extra: JsonObject | undefined
  /** Whether some of it has gone on already, so that it can't be taken back. */
  passed: boolean
  /** Whether it has been found equal to another: it stands for one call only. */
  matched: boolean
}

interface Held {
  readonly delta: BookedDelta
  /** `null` for what concerns every call that is held. */
  readonly call: Seen | null
}

interface ChoiceCalls {
  readonly texts: Seen[]
  readonly natives: Seen[]
  /** The names of calls in the text that came through, and of calls of the wire. */
  readonly textNames: Set<string>
  readonly nativeNames: Set<string>
  /** The call that a key means now. */
  readonly byKey: Map<CallKey, Seen>
  /** What a fragment without index and id continues. */
  last: Seen | undefined
  /** Whether calls of the wire are held back. Set by the first one that may be a copy of a call in the text. */
  holds: boolean
  readonly held: Held[]
}

type Keyed = Extract<
  WireDelta,
  { readonly type: 'call-open' | 'call-append' | 'call-final' | 'call-close' | 'call-reject' }
>

export class Copies implements Step<BookedDelta> {
  readonly #next: Step<BookedDelta>
  readonly #choices = new Map<number, ChoiceCalls>()
  /** The choice that a key of the wire was opened in. */
  readonly #choiceOf = new Map<CallKey, number>()

  constructor(next: Step<BookedDelta>) {
    this.#next = next
  }

  push(delta: BookedDelta): void {
    switch (delta.type) {
      case 'call-open':
      case 'call-append':
      case 'call-final':
      case 'call-close':
      case 'call-reject':
        return this.#passKeyed(delta)
      case 'call-fragment':
        return this.#passFragment(delta)
      case 'end':
        this.#settle()
        break
      case 'text':
      case 'reasoning':
      case 'refusal':
      case 'text-final':
      case 'server-call':
      case 'kept-open':
      case 'kept-close':
      case 'finish':
      case 'usage':
      case 'error':
      case 'warning':
      case 'sequence':
      case 'cut':
        break
      case 'damage':
      case 'call-damage':
      case 'stray':
      case 'spoilt-open':
        this.#holdDamage({ type: 'retold', damage: delta })
        break
      case 'retold':
      case 'spoilt-close':
        this.#holdDamage(delta)
        break
      default:
        delta satisfies never
    }
    this.#next.push(delta)
  }

  end(): void {
    this.#settle()
    this.#next.end()
  }

  #callsOf(choice: number): ChoiceCalls {
    let calls = this.#choices.get(choice)
    if (!calls) {
      calls = {
        texts: [],
        natives: [],
        textNames: new Set(),
        nativeNames: new Set(),
        byKey: new Map(),
        last: undefined,
        holds: false,
        held: [],
      }
      this.#choices.set(choice, calls)
    }
    return calls
  }

  #passKeyed(delta: Keyed): void {
    if (delta.type === 'call-open') this.#choiceOf.set(delta.key, delta.choice)
    const calls = this.#callsOf(this.#choiceOf.get(delta.key) ?? 0)
    const isText = choiceOfTextCall(delta.key) !== undefined
    if (delta.type === 'call-open') {
      const call = seen(delta.key, delta.name, delta.id, delta.extra)
      calls.byKey.set(delta.key, call)
      calls[isText ? 'texts' : 'natives'].push(call)
    }
    const call = calls.byKey.get(delta.key)
    if (!call) return this.#next.push(delta)
    if (delta.type === 'call-append') add(call, delta.delta)
    if (delta.type === 'call-final') {
      if (call.text === '') add(call, delta.arguments)
      call.id ??= delta.id
      if (call.name === '') call.name = delta.name ?? ''
    }
    if (!isText) return this.#passNative(calls, call, delta)
    // A call in the text waits if a call of the wire with its name was there before it.
    const holds = !call.passed && calls.nativeNames.has(call.name)
    if (!holds) calls.textNames.add(call.name)
    this.#pass(calls, call, delta, holds)
  }

  #passFragment(delta: CallFragment): void {
    const calls = this.#callsOf(delta.choice)
    const key = delta.index ?? delta.id
    const known = key === null || key === '' ? calls.last : calls.byKey.get(`fragment:${key}`)
    const isAnother = known !== undefined && !!delta.id && !!delta.name && known.id !== null && delta.id !== known.id
    let call = isAnother ? undefined : known
    if (!call) {
      call = seen(`fragment:${key ?? ''}`, delta.name ?? '', delta.id || null, delta.extra)
      calls.natives.push(call)
      calls.byKey.set(call.key, call)
    } else if (delta.name && delta.name !== call.name) call.name += delta.name
    call.id ??= delta.id || null
    calls.last = call
    add(call, delta.arguments ?? '')
    this.#passNative(calls, call, delta)
  }

  #passNative(calls: ChoiceCalls, call: Seen, delta: WireDelta): void {
    calls.nativeNames.add(call.name)
    calls.holds ||= !call.passed && calls.textNames.has(call.name)
    this.#pass(calls, call, delta, calls.holds)
  }

  #pass(calls: ChoiceCalls, call: Seen, delta: WireDelta, holds: boolean): void {
    if (holds) calls.held.push({ delta, call })
    else {
      call.passed = true
      this.#next.push(delta)
    }
  }

  /** What is lost now may have been of a call that is held back, too. */
  #holdDamage(delta: BookedDelta): void {
    for (const { held } of this.#choices.values()) if (held.length > 0) held.push({ delta, call: null })
  }

  // ---- the end

  #settle(): void {
    for (const calls of this.#choices.values()) {
      this.#match(calls.texts, calls.natives)
      this.#match(calls.natives, calls.texts)
      for (const { delta, call } of calls.held) if (!call?.matched || call.passed) this.#next.push(delta)
    }
    this.#choices.clear()
  }

  /** Drops those of `calls` that were held back and stand among `others` as well. */
  #match(calls: readonly Seen[], others: readonly Seen[]): void {
    const copies = calls.filter(({ passed, matched }) => !passed && !matched)
    if (copies.length === 0) return
    // Last first, so that the earliest of equal calls is the one that `pop` gives.
    const bySignature = new Map<string, Seen[]>()
    for (const other of others.filter(({ matched }) => !matched).reverse()) {
      const signature = signatureOf(other)
      const same = bySignature.get(signature)
      if (same) same.push(other)
      else bySignature.set(signature, [other])
    }
    for (const copy of copies) {
      const original = bySignature.get(signatureOf(copy))?.pop()
      if (original) this.#drop(copy, original)
    }
  }

  /** `copy` was held back whole; `original` has come through, or will. */
  #drop(copy: Seen, original: Seen): void {
    copy.matched = true
    original.matched = true
    const isText = choiceOfTextCall(copy.key) !== undefined
    if (!isText) {
      const extra = copy.extra ? { extra: copy.extra } : {}
      this.#next.push({ type: 'call-final', key: original.key, arguments: '', id: copy.id, name: null, ...extra })
    } else original.passed = true
    this.#next.push({
      type: 'warning',
      warning: {
        code: 'suppressed-call',
        message: `The call of "${copy.name}" stands both in the text and among the server's own calls; it is reported once.`,
        raw: excerpt(copy.text),
      },
    })
  }
}

function seen(key: CallKey, name: string, id: string | null, extra: JsonObject | undefined): Seen {
  return { key, name, id: id || null, text: '', extra, passed: false, matched: false }
}

function add(call: Seen, text: string): void {
  if (call.text.length <= maxCompared) call.text += text
}

/** The same for calls that are the same: name and arguments, whatever their white space and the order of their keys. */
function signatureOf({ key, name, text }: Seen): string {
  if (text.length > maxCompared) return `${key}`
  const { maxDepth } = defaultLimits
  const reading = readArguments(text, { repair: 'lossless', integers: 'bigint', maxDepth, closeTruncated: false })
  // Absent arguments are an empty object to every server.
  const value = reading.state === 'blank' ? {} : reading.state === 'object' ? reading.value : undefined
  return `${name}\n${value === undefined ? text : writeJson(sorted(value))}`
}

/** The value with its keys in one order. */
function sorted(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const keys = Object.keys(value).sort()
  // `fromEntries` defines own properties, `__proto__` included.
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]))
}
