// Numbers: their literals, and whether a double holds what these say.

import type { IntegerPolicy } from '../model/tools.ts'

export type NumberToken =
  | { readonly type: 'number'; readonly literal: string; readonly end: number }
  /** The text ends where the number could go on, be it complete or not. */
  | { readonly type: 'cut' }
  | { readonly type: 'malformed'; readonly at: number }

/** Sticky, so `lastIndex` is set before each use. */
const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

/** `start` is the offset of a digit or a minus. What follows a literal that is complete is not looked at. */
export function matchNumber(text: string, start: number): NumberToken {
  numberText.lastIndex = start
  const literal = numberText.exec(text)?.[0]
  const end = start + (literal?.length ?? 1)
  const isTail = text.length - end <= 2 && /^(?:\.|[eE][+-]?)?$/.test(text.slice(end))
  if (isTail) return { type: 'cut' }
  return literal === undefined ? { type: 'malformed', at: end } : { type: 'number', literal, end }
}

export interface NumberReading {
  readonly value: number | bigint
  /** The literal is an integer that a double can't hold, or too large, or too small, for any double but infinity and zero. */
  readonly lossy: boolean
}

/** Whatever is shorter and has no exponent is held exactly, or is a fraction. */
export const shortestSuspect = 16

/** Without an exponent, a shorter literal is neither too large for a double nor too close to zero. */
export const shortestExtreme = 300

/** Converting digits to a `bigint` is not linear, so longer integers than any real id are refused instead. */
const longestBigint = 4_096

/** Reads a literal that matches the grammar of RFC 8259. Fractions are rounded as everywhere; that is what a double is. */
export function readNumber(literal: string, integers: IntegerPolicy): NumberReading {
  const value = Number(literal)
  if (!isSuspect(literal) || !isLossy(literal, value)) return { value, lossy: false }
  if (integers === 'bigint' && literal.length <= longestBigint && /^-?[0-9]+$/.test(literal)) {
    return { value: BigInt(literal), lossy: false }
  }
  return { value, lossy: true }
}

/** Most numbers are let off by a glance: they are short, or end in a digit of a fraction that isn't zero. */
function isSuspect(literal: string): boolean {
  if (/[eE]/.test(literal)) return true
  if (literal.length < shortestSuspect) return false
  return literal.length >= shortestExtreme || literal.endsWith('0') || !literal.includes('.')
}

/** The shortest decimal of the double has to say the same integer as the literal: what the model sees again is what it wrote. */
function isLossy(literal: string, value: number): boolean {
  if (!Number.isFinite(value)) return true
  const written = decimalOf(literal)
  if (written.digits === '') return false
  if (value === 0) return true
  if (written.exponent < 0) return false
  const held = decimalOf(String(value))
  return held.digits !== written.digits || held.exponent !== written.exponent
}

interface Decimal {
  /** Without zeros at either end; empty for zero. The sign is left out, a double always holds that. */
  readonly digits: string
  /** The power of ten that the digits, as an integer, are multiplied with. */
  readonly exponent: number
}

function decimalOf(literal: string): Decimal {
  const [mantissa = '', power = '0'] = literal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const all = whole + fraction
  let first = 0
  while (all[first] === '0') first++
  let last = all.length
  while (last > first && all[last - 1] === '0') last--
  return { digits: all.slice(first, last), exponent: Number(power) - fraction.length + (all.length - last) }
}
