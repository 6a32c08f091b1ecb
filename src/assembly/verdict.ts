// The verdict: the last stage. It lets events through as they come and, when the turn is over, judges its calls in order,
// says how the turn ended, and makes the result.

import type { AuditRecord, CallIdentity, ToolCall } from '../model/calls.ts'
import type { AssemblerEvent, AssemblerResult, ChoiceResult, Finish, Warning } from '../model/events.ts'
import type { Failure, SchemaIssue } from '../model/failures.ts'
import type { Conclusion, OpenEnd } from '../model/reading.ts'
import type { Step } from '../model/stage.ts'
import { describeFailure } from '../arguments/feedback.ts'
import { summarizeParameters } from '../schema/summary.ts'
import { promisesCalls } from '../formats/reasons.ts'
import { auditRecord, noRepairs } from './audit.ts'
import { endingOf, finishOf, type Ending } from './ending.ts'
import type { Hooks } from './hooks.ts'
import { judge, type JudgeContext, type Judgement } from './judge.ts'
import type { LiveCall } from './live-call.ts'
import { replyIds } from './reply-ids.ts'
import type { BreakNotice, LedgerItem, Turn, TurnChoice } from './turn.ts'

export interface VerdictOptions extends JudgeContext {
  readonly hooks: Hooks
  /** Whether somebody can wait for an asynchronous schema. */
  readonly mayWait: boolean
  readonly onAudit: ((record: AuditRecord) => void) | undefined
  /** The wire format's name, once it is known. */
  readonly formatName: () => string
}

/** A call with everything decided that can be decided without waiting. */
interface Case {
  readonly call: LiveCall
  readonly ending: Ending
  readonly judgement: Judgement
}

/** A call with its schema heard. */
interface Ruling extends Case {
  readonly conclusion: Conclusion | undefined
}

export class Verdict implements Step<LedgerItem> {
  readonly #next: Step<AssemblerEvent>
  readonly #options: VerdictOptions
  /** Set by the last event, never cleared. */
  result: AssemblerResult | undefined
  /** Set while an asynchronous schema is being waited for: resolves when the remaining events have gone out. */
  waiting: Promise<void> | undefined
  /** The turn whose schemas are being waited for. Cleared when they have answered, or when the turn is broken off before. */
  #unheard: Turn | undefined

  constructor(options: VerdictOptions, next: Step<AssemblerEvent>) {
    this.#options = options
    this.#next = next
  }

  push(item: LedgerItem): void {
    if (item.type !== 'turn-over') this.#next.push(item)
    else this.#hear(item.turn)
  }

  end(): void {
    this.#next.end()
  }

  /** Breaks off a turn that waits for a schema: what that says will change nothing any more. False where none waits. */
  breakOff({ broken, error }: BreakNotice): boolean {
    const turn = this.#unheard
    if (!turn) return false
    this.#unheard = undefined
    this.#next.push({ type: 'error', error })
    this.#hear({ ...turn, broken, errors: [...turn.errors, error] })
    return true
  }

  #hear(turn: Turn): void {
    const endings = new Map(turn.choices.map((choice) => [choice.choice, endingOf(turn, choice)]))
    const noChoice = endingOf(turn, undefined)
    const cases = turn.calls.map((call): Case => {
      const ending = endings.get(call.choice) ?? noChoice
      return { call, ending, judgement: this.#judge(call, ending) }
    })
    const rule = (conclusions: readonly (Conclusion | undefined)[]): void => {
      const rulings = cases.map((held, n): Ruling => ({ ...held, conclusion: conclusions[n] }))
      this.#rule(turn, rulings, (choice) => (choice && endings.get(choice.choice)) ?? noChoice)
    }
    const conclusions = cases.map(({ judgement }) => this.#concluded(judgement))
    const settled = conclusions.filter((held): held is Conclusion | undefined => !(held instanceof Promise))
    if (settled.length === conclusions.length) rule(settled)
    else {
      this.#unheard = turn
      this.waiting = Promise.all(conclusions.map((conclusion) => Promise.resolve(conclusion))).then((heard) => {
        if (this.#unheard !== turn) return
        this.#unheard = undefined
        rule(heard)
      })
    }
  }

  #judge(call: LiveCall, ending: Ending): Judgement {
    return this.#options.hooks.run(
      () => judge(call, ending, this.#options),
      () => ({ type: 'arguments', conclusion: unchecked, missing: false }),
    )
  }

  #concluded(judgement: Judgement): Conclusion | Promise<Conclusion> | undefined {
    if (judgement.type !== 'arguments') return undefined
    const { conclusion } = judgement
    if (!(conclusion instanceof Promise)) return conclusion
    const { hooks, mayWait } = this.#options
    if (mayWait) {
      return conclusion.catch((error: unknown) => {
        hooks.blame(error)
        return unchecked
      })
    }
    // Nobody will look at this promise again; what it rejects with is covered by the error below.
    conclusion.catch(() => undefined)
    hooks.blame(
      new TypeError(
        'A schema answered with a promise, and the synchronous interface cannot wait: use assemble() instead',
      ),
    )
    return unchecked
  }

  #rule(turn: Turn, rulings: readonly Ruling[], endingFor: (choice: TurnChoice | undefined) => Ending): void {
    const warnings = [...turn.warnings]
    for (const warning of oddEndings(turn)) {
      warnings.push(warning)
      this.#next.push({ type: 'warning', warning })
    }
    const identities = identifyAll(turn.calls)
    const calls = rulings.map((ruling, n) => {
      const call = this.#close(ruling, identities[n] ?? identify(ruling.call), turn.calls.length)
      this.#next.push({ type: 'tool-call-end', call })
      return call
    })
    const finishFor = (choice: TurnChoice | undefined): Finish => {
      const own = rulings.filter(({ call }) => !choice || call.choice === choice.choice)
      const open = own.map(({ judgement }) => openEnd(judgement)).filter((end) => end !== undefined)
      const incomplete = own.some(({ judgement }) => judgement.type !== 'custom' && judgement.missing)
      return finishOf(endingFor(choice), { count: own.length, open, incomplete }, turn.lost)
    }
    const choices = turn.choices.map((choice): ChoiceResult =>
      Object.freeze({
        choice: choice.choice,
        text: choice.text,
        reasoning: choice.reasoning,
        refusal: choice.refusal,
        finish: finishFor(choice),
      }),
    )
    this.#finish(turn, calls, choices, warnings, finishFor(undefined))
  }

  #finish(
    turn: Turn,
    calls: readonly ToolCall[],
    choices: readonly ChoiceResult[],
    warnings: readonly Warning[],
    emptyFinish: Finish,
  ): void {
    const shown = choices.find(({ choice }) => choice === 0) ?? choices[0]
    const finish = shown?.finish ?? emptyFinish
    const usage = turn.usage && { usage: turn.usage }
    this.result = Object.freeze({
      format: this.#options.formatName(),
      text: shown?.text ?? '',
      reasoning: shown?.reasoning ?? '',
      refusal: shown?.refusal ?? '',
      calls: Object.freeze([...calls]),
      serverCalls: Object.freeze([...turn.serverCalls]),
      finish,
      warnings: Object.freeze([...warnings]),
      errors: Object.freeze([...turn.errors]),
      ...usage,
      choices: Object.freeze([...choices]),
    })
    this.#next.push({ type: 'finish', finish, ...usage })
  }

  #close(ruling: Ruling, identity: CallIdentity, callsInTurn: number): ToolCall {
    const { judgement, conclusion } = ruling
    if (judgement.type === 'custom') {
      return this.#audit(
        Object.freeze({ ...identity, kind: 'custom', ok: true, arguments: judgement.text, repairs: noRepairs }),
      )
    }
    if (conclusion?.ok) {
      const { value, repairs, repaired } = conclusion
      return this.#audit(
        Object.freeze({
          ...identity,
          kind: 'function',
          ok: true,
          arguments: value,
          repairs: Object.freeze([...repairs]),
        }),
        repaired,
      )
    }
    const failure = this.#failure(ruling, identity, callsInTurn)
    return this.#audit(Object.freeze({ ...identity, ok: false, failure }))
  }

  #failure({ judgement, conclusion, ending, call }: Ruling, identity: CallIdentity, callsInTurn: number): Failure {
    const { code, at, expected, issues, cause } = reasonsOf(judgement, conclusion)
    const { tools } = this.#options
    const parameters = tools?.get(call.name)?.jsonSchema
    const details = {
      ...(at && { at }),
      ...(expected !== undefined && { expected }),
      ...(issues && { issues }),
      ...(cause && { truncation: Object.freeze({ cause, finishReason: ending.raw }) }),
    }
    const message = describeFailure({
      name: identity.name,
      kind: identity.kind,
      ...(callsInTurn > 1 && { id: identity.id }),
      code,
      raw: identity.argumentsText,
      ...details,
      ...(parameters && { parameters: (most) => summarizeParameters(parameters, most) }),
      ...(tools && { tools: [...tools.keys()] }),
    })
    return Object.freeze({ code, message, ...details })
  }

  #audit(call: ToolCall, repaired?: string): ToolCall {
    const { onAudit, hooks } = this.#options
    if (!onAudit) return call
    const { id, name, argumentsText: raw } = call
    const record = auditRecord(
      { id, name, format: this.#options.formatName(), raw },
      call.ok ? { ok: true, repairs: call.repairs, repaired } : { ok: false, code: call.failure.code },
    )
    hooks.run(
      () => onAudit(record),
      () => undefined,
    )
    return call
  }
}

/** Stands in where the caller's own check threw: nobody knows whether the arguments are right, so they are not. */
const unchecked: Conclusion = Object.freeze({
  ok: false,
  code: 'schema-mismatch',
  issues: Object.freeze([Object.freeze({ path: '', message: 'the check of these arguments failed to run' })]),
})

function openEnd(judgement: Judgement): OpenEnd | undefined {
  return judgement.type === 'custom' ? undefined : judgement.open
}

interface Reasons extends Pick<Failure, 'code' | 'at' | 'expected'> {
  readonly issues?: readonly SchemaIssue[]
  readonly cause?: NonNullable<Failure['truncation']>['cause']
}

function reasonsOf(judgement: Judgement, conclusion: Conclusion | undefined): Reasons {
  if (judgement.type === 'refused') {
    const { code, cause, fault } = judgement
    return { ...fault, code, ...(cause && { cause }) }
  }
  if (!conclusion || conclusion.ok) throw new TypeError('A call that is ok has no failure to describe')
  const { ok: _, ...reasons } = conclusion
  return reasons
}

function identifyAll(calls: readonly LiveCall[]): readonly CallIdentity[] {
  const identities = calls.map(identify)
  const ids = replyIds(identities)
  return identities.map((identity, n) => {
    const replyId = ids[n] ?? identity.id
    return replyId === (identity.wireId ?? identity.id) ? identity : { ...identity, replyId }
  })
}

function identify(call: LiveCall): CallIdentity {
  const { extra } = call
  return {
    choice: call.choice,
    index: call.index,
    id: call.id ?? '',
    wireId: call.wireId,
    wireIndex: call.wireIndex,
    name: call.name,
    kind: call.kind,
    argumentsText: call.text.toString(),
    ...(extra && { extra }),
  }
}

/** What is odd about how the turn ended, though nothing is lost by it. */
function* oddEndings(turn: Turn): Generator<Warning> {
  const silent = turn.choices.filter(({ reasons }) => reasons.length === 0).map(({ choice }) => choice)
  if (turn.ended && !turn.failed && silent.length === turn.choices.length) {
    yield { code: 'missing-finish-reason', message: 'The stream reached its end marker without any finish reason.' }
  } else if (turn.ended && !turn.failed && silent.length > 0) {
    const message = `The stream reached its end marker without a finish reason for choice ${silent.join(', ')}.`
    yield { code: 'missing-finish-reason', message }
  }
  for (const { choice, reasons } of turn.choices) {
    const promise = reasons.find(({ raw }) => promisesCalls(raw))
    const kept = turn.calls.some((call) => call.choice === choice) || turn.serverCalls.length > 0
    if (promise && !kept) {
      yield {
        code: 'finish-without-calls',
        message: `The server ended the turn with "${promise.raw}", but it sent no tool call.`,
        raw: promise.raw,
      }
    }
  }
}
