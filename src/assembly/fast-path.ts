// The fast path: most events of a stream repeat the one before in all but a fragment, so most need no JSON.parse. A decorator
// of the slow way: the same deltas to the letter, or it steps aside for that event. `template.ts` has the argument.

import type { WireDelta } from '../model/deltas.ts'
import type { Hole } from '../model/formats.ts'
import type { FramingContext } from '../framing/context.ts'
import type { Stage, Step } from '../model/stage.ts'
import { decodeString } from './string-literal.ts'
import {
  appends,
  deltaOf,
  holeEnd,
  integerOf,
  learn,
  sameDelta,
  type Appending,
  type Slot,
  type Template,
} from './template.ts'

/** Templates kept at once: parallel calls have one each. */
const maxTemplates = 24

/** Once this much has been spent since the last fit, the stream is taken for one that never repeats. */
const patience = 256
/** What an event costs that was read alone to be watched, and what one costs that a template was made of. */
const watchCost = 1
const learnCost = 16

/**
 * An incomplete event waits here, so that it can be matched or watched whole. One that is still incomplete after so many characters
 * is left to the slow way, which reads long lines in linear time.
 */
const maxWaiting = 8192

/** The holes of the stream's format, or nothing while that isn't known or where it has none. */
export type HolesOf = () => readonly Hole[] | undefined

/** Text of an SSE stream in, deltas out, by way of `slow` wherever nothing faster is certain to give the same. */
export function fastPath(
  context: FramingContext,
  holesOf: HolesOf,
  slow: Stage<string, WireDelta>,
): Stage<string, WireDelta> {
  return (next) => new FastPath(context, holesOf, slow, next)
}

/** A template, and what came after an event that fitted it last time: at first itself, but calls that interleave take turns. */
class Known {
  readonly template: Template
  /** What the event ends with after its last hole. */
  readonly ending: string
  successor: Known
  /** From the end of the last hole to the first hole of the successor: events in a row are compared in one go. */
  glue: string

  constructor(template: Template) {
    this.template = template
    this.ending = template.slots.at(-1)?.after ?? ''
    this.successor = this
    this.glue = this.ending + template.before
  }

  follow(successor: Known): void {
    if (this.successor === successor) return
    this.successor = successor
    this.glue = this.ending + successor.template.before
  }
}

/** What the holes of one event hold. */
interface Filling {
  /** As it stands in the text, escapes and all. */
  fragment: string
  /** -1 where the template has no such hole. */
  sequence: number
  /** Where the last hole ends; -1 where the event does not fit so far. */
  end: number
}

class FastPath implements Step<string> {
  readonly #context: FramingContext
  readonly #holesOf: HolesOf
  readonly #next: Step<WireDelta>
  readonly #slow: Step<string>
  /** Most recently learned first. Emptied by every event that may have changed what the reader knows. */
  #known: Known[] = []
  /** The template that fitted last, or that was learned since. */
  #last: Known | undefined
  /** The start of an event. Empty whenever the slow way is inside one. */
  #waiting = ''
  /** Whether the slow way has got the start of an event but not its end. */
  #inside = false
  /** Whether the text that the slow way got ends in a line feed, which makes another one the end of the event. */
  #afterLineEnd = false
  /** The holes of the event that is being matched. One object for all events, since there is one for nearly every token. */
  readonly #filling: Filling = { fragment: '', sequence: -1, end: -1 }
  /** Deltas of the event that the slow way is reading, while one is being watched. */
  #watched: WireDelta[] | undefined
  /** What watching and learning have cost since the last fit. */
  #spent = 0
  /** The kind of delta that was learned last: a stream may repeat itself in one kind and not in another. */
  #kind: Appending['type'] | undefined
  /** Set for good by a stream that never fits, that ends its lines in CR, or whose bytes are not UTF-8. */
  #off = false

  constructor(context: FramingContext, holesOf: HolesOf, slow: Stage<string, WireDelta>, next: Step<WireDelta>) {
    this.#context = context
    this.#holesOf = holesOf
    this.#next = next
    this.#slow = slow({
      push: (delta) => {
        this.#watched?.push(delta)
        next.push(delta)
      },
      end: () => next.end(),
    })
  }

  push(text: string): void {
    if (text === '') return
    if (!this.#off && (text.includes('\r') || this.#context.bytes.invalid)) this.#turnOff()
    if (this.#off) return this.#slow.push(text)
    let at = this.#inside ? this.#finishInside(text) : 0
    const whole = this.#waiting === '' ? text : this.#waiting + text
    this.#waiting = ''
    while (at < whole.length) {
      const next = this.#readFitting(whole, at) ?? this.#stepAside(whole, at)
      if (next === at) {
        this.#waiting = whole.slice(at)
        return
      }
      at = next
      if (this.#off) return this.#giveAll(whole.slice(at))
    }
  }

  end(): void {
    this.#release()
    this.#slow.end()
  }

  /** Emits the events from `at` on as long as templates fit them, and says where the first other one begins. */
  #readFitting(text: string, at: number): number | undefined {
    const predicted = this.#last?.successor
    const next = predicted ? this.#readRun(predicted, text, at) : at
    if (next > at) return next
    for (const known of this.#known) {
      const end = known === predicted ? at : this.#readRun(known, text, at)
      if (end > at) return end
    }
    return undefined
  }

  /** The same from one template on, each event by the successor of the one before. `at` itself where not even the first fits. */
  #readRun(first: Known, text: string, at: number): number {
    const { before } = first.template
    if (text.slice(at, at + before.length) !== before) return at
    let known = first
    let start = at
    let cursor = at + before.length
    for (;;) {
      this.#fill(known.template.slots, text, cursor)
      const { end } = this.#filling
      if (end < 0) return start
      const { ending, glue, successor } = known
      const glued = text.slice(end, end + glue.length) === glue
      if (!glued && text.slice(end, end + ending.length) !== ending) return start
      const next = end + ending.length
      // An event near the limit is the slow way's to measure.
      if ((next - start) * 3 > this.#context.maxEventBytes) return start
      this.#emit(known)
      start = next
      if (!glued) return start
      cursor = end + glue.length
      known = successor
    }
  }

  /** Reads the holes from `cursor`, where the first begins, to the end of the last. */
  #fill(slots: readonly Slot[], text: string, cursor: number): void {
    const filling = this.#filling
    filling.end = -1
    filling.sequence = -1
    let at = cursor
    for (let n = 0; n < slots.length; n++) {
      const slot = slots[n]
      if (slot === undefined) return
      const end = holeEnd(slot.kind, text, at)
      if (end < 0 || end >= text.length) return
      if (slot.role === 'fragment') {
        // Readers may leave an empty fragment out.
        if (end === at) return
        filling.fragment = text.slice(at, end)
      } else if (slot.role === 'sequence') filling.sequence = integerOf(text, at, end)
      if (n === slots.length - 1) {
        filling.end = end
        return
      }
      at = end + slot.after.length
      if (text.slice(end, at) !== slot.after) return
    }
  }

  #emit(known: Known): void {
    const { fragment, sequence } = this.#filling
    this.#context.frames.count++
    this.#last?.follow(known)
    this.#last = known
    this.#spent = 0
    if (sequence >= 0) this.#next.push({ type: 'sequence', number: sequence })
    this.#next.push(deltaOf(known.template, fragment.includes('\\') ? decodeString(fragment) : fragment))
  }

  /**
   * Gives the slow way the event at `at`, and learns from it. Says where the next begins: at `at` itself where the event is
   * incomplete and may wait.
   */
  #stepAside(text: string, at: number): number {
    const blank = text.indexOf('\n\n', at)
    if (blank < 0) {
      if (text.length - at < maxWaiting) return at
      this.#enter(text.slice(at))
      return text.length
    }
    const end = blank + 2
    const event = text.slice(at, end)
    const deltas: WireDelta[] = []
    this.#watched = deltas
    this.#slow.push(event)
    this.#watched = undefined
    this.#study(event, deltas)
    return end
  }

  #study(event: string, deltas: readonly WireDelta[]): void {
    const holes = this.#holesOf()
    this.#spent += watchCost
    if (this.#spent > patience) return this.#turnOff()
    if (!holes) return
    const [first, second] = deltas
    const appending = first?.type === 'sequence' ? second : first
    const only = deltas.length === (first?.type === 'sequence' ? 2 : 1)
    if (!only || !appending || !appends(appending)) return this.#forget()
    if (appending.type !== this.#kind) {
      this.#kind = appending.type
      this.#spent = 0
    }
    this.#spent += learnCost
    const others = this.#known.map(({ template }) => template).filter((held) => sameDelta(held.delta, appending))
    const template = learn(event, appending, holes, others)
    if (template) this.#remember(new Known(template))
  }

  #remember(known: Known): void {
    this.#last?.follow(known)
    this.#last = known
    this.#known.unshift(known)
    if (this.#known.length > maxTemplates) this.#known.pop()
  }

  #enter(text: string): void {
    this.#forget()
    this.#slow.push(text)
    this.#inside = true
    this.#afterLineEnd = text.endsWith('\n')
  }

  /** Gives the slow way the rest of the event that it is inside, and says where that ends. */
  #finishInside(text: string): number {
    const end = this.#endOfInside(text)
    const rest = end < 0 ? text : text.slice(0, end)
    this.#inside = end < 0
    this.#afterLineEnd = rest.endsWith('\n')
    this.#slow.push(rest)
    return rest.length
  }

  #endOfInside(text: string): number {
    if (this.#afterLineEnd && text.startsWith('\n')) return 1
    const blank = text.indexOf('\n\n')
    return blank < 0 ? -1 : blank + 2
  }

  #giveAll(rest: string): void {
    if (rest !== '') this.#slow.push(rest)
  }

  #forget(): void {
    this.#known = []
    this.#last = undefined
  }

  #release(): void {
    this.#giveAll(this.#waiting)
    this.#waiting = ''
  }

  #turnOff(): void {
    this.#off = true
    this.#forget()
    this.#release()
  }
}
