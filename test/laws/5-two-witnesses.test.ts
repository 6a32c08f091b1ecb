// Law: two witnesses of a truncation, independent of each other: what the server says, or that it says nothing, and the structure of
// the arguments. Servers lie both ways. Either one is enough, and `finish.evidence` lists which spoke.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AssemblerResult, WireFormatName } from '../../src/index.ts'
import { encodeStream, type EncodeOptions } from '../../src/testing.ts'
import { anyShare, anyArguments, formats, patient, read, runs } from './support.ts'

const lengthReason: Record<WireFormatName, string> = {
  'openai-chat': 'length',
  'openai-responses': 'max_output_tokens',
  anthropic: 'max_tokens',
  ollama: 'length',
  gemini: 'MAX_TOKENS',
  cohere: 'MAX_TOKENS',
  bedrock: 'max_tokens',
}

const filterReason: Record<WireFormatName, string> = {
  'openai-chat': 'content_filter',
  'openai-responses': 'content_filter',
  anthropic: 'refusal',
  ollama: 'content_filter',
  gemini: 'SAFETY',
  cohere: 'ERROR_TOXIC',
  bedrock: 'guardrail_intervened',
}

/** Wires that send arguments as text, which can stop anywhere. The others send values, which can't. */
const piecewise = ['openai-chat', 'openai-responses', 'anthropic', 'cohere', 'bedrock'] as const

const filled = anyArguments.filter((args) => Object.keys(args).length > 0).map((args) => JSON.stringify(args))

/** The beginning of an object's text: at least its brace, not its last one. */
const beginning = fc.tuple(filled, anyShare).map(([text, share]) => {
  const units = [...text]
  return units.slice(0, 1 + Math.floor(share * (units.length - 1))).join('')
})

function assembled(format: WireFormatName, argumentsText: string, options: EncodeOptions): AssemblerResult {
  return read(encodeStream(format, [{ name: 'f', arguments: argumentsText }], options), { format }).result
}

const structural = /^open-(string|escape|number|literal|container)$/

describe.each(piecewise)('in %s', (format) => {
  it('the structure shows a cut that the server hides behind a clean ending', patient, () => {
    fc.assert(
      fc.property(beginning, fc.integer({ min: 1, max: 40 }), (text, deltaSize) => {
        const { calls, finish } = assembled(format, text, { deltaSize })
        expect(calls).toMatchObject([
          { ok: false, argumentsText: text, failure: { code: 'truncated', truncation: { cause: 'unreported' } } },
        ])
        expect(finish).toMatchObject({ truncated: true, reason: 'tool-calls' })
        expect(finish.evidence.filter((word) => structural.test(word))).toHaveLength(1)
      }),
      { numRuns: runs },
    )
  })

  it('the two agree where the server owns up to it', patient, () => {
    fc.assert(
      fc.property(beginning, (text) => {
        const { calls, finish } = assembled(format, text, { finishReason: lengthReason[format] })
        expect(calls).toMatchObject([
          {
            ok: false,
            failure: { code: 'truncated', truncation: { cause: 'output-limit', finishReason: lengthReason[format] } },
          },
        ])
        expect(finish).toMatchObject({ truncated: true, reason: 'length', raw: lengthReason[format] })
        expect(finish.evidence).toContain(`finish-reason:${lengthReason[format]}`)
        expect(finish.evidence.some((word) => structural.test(word))).toBe(true)
      }),
      { numRuns: runs },
    )
  })
})

/** No word of an ending: neither a reason nor a marker. */
const silence: EncodeOptions = { finishReason: null, terminate: false, usage: false }

describe.each(formats)('in %s', (format) => {
  const whole = fc.tuple(filled, fc.integer({ min: 1, max: 40 }))

  it('whole arguments make a call ok at the output limit, and the turn is truncated all the same', patient, () => {
    fc.assert(
      fc.property(whole, ([text, deltaSize]) => {
        const { calls, finish } = assembled(format, text, { deltaSize, finishReason: lengthReason[format] })
        expect(calls).toMatchObject([{ ok: true, arguments: JSON.parse(text), repairs: [] }])
        expect(finish).toMatchObject({ truncated: true, reason: 'length' })
        expect(finish.evidence.some((word) => structural.test(word))).toBe(false)
      }),
      { numRuns: runs },
    )
  })

  it('whole arguments are not enough where the server says nothing, was filtered, or failed', patient, () => {
    fc.assert(
      fc.property(whole, ([text, deltaSize]) => {
        const silent = assembled(format, text, { deltaSize, ...silence })
        expect(silent.calls).toMatchObject([{ ok: false, failure: { code: 'interrupted' } }])
        expect(silent.finish).toMatchObject({ truncated: true, reason: 'interrupted', raw: null })
        expect(silent.finish.evidence).toContain('no-end')

        const filtered = assembled(format, text, { deltaSize, finishReason: filterReason[format] })
        expect(filtered.calls).toMatchObject([{ ok: false, failure: { code: 'interrupted' } }])
        expect(filtered.finish.truncated).toBe(true)
        expect(filtered.finish.evidence).toContain(`finish-reason:${filterReason[format]}`)
      }),
      { numRuns: runs },
    )
  })

  it('a marker without a reason is an ending, with a warning; a reason without a marker is one without', () => {
    const markers: readonly WireFormatName[] = ['openai-chat', 'anthropic', 'ollama', 'cohere']
    if (markers.includes(format)) {
      const marked = assembled(format, '{"a":1}', { finishReason: null })
      expect(marked.calls).toMatchObject([{ ok: true }])
      expect(marked.finish).toMatchObject({ truncated: false, raw: null, evidence: ['end-marker'] })
      expect(marked.warnings).toMatchObject([{ code: 'missing-finish-reason' }])
    }
    // There the marker is the reason.
    if (format === 'openai-responses' || format === 'ollama') return
    const reasoned = assembled(format, '{"a":1}', { terminate: false })
    expect(reasoned.calls).toMatchObject([{ ok: true }])
    expect(reasoned.finish.truncated).toBe(false)
    expect(reasoned.warnings).toEqual([])
  })
})
