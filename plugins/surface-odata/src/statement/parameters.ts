import { BOOLEAN, DATE, decimal, FLOAT, INT, STRING, TIME, TIMESTAMP_TZ } from '@grainline/core/format'
import type { SqlParameter } from '@grainline/core/surface'
import type { Literal } from '../query/expression.js'

/** Collects the values of a statement, which never become part of its text. */
export class Parameters {
  readonly #values: SqlParameter[] = []

  get values(): readonly SqlParameter[] {
    return this.#values
  }

  /** The text that stands for the value. */
  add(literal: Exclude<Literal, { readonly type: 'null' }>): string {
    this.#values.push(parameterOf(literal))
    return `$${this.#values.length}`
  }
}

function parameterOf(literal: Exclude<Literal, { readonly type: 'null' }>): SqlParameter {
  switch (literal.type) {
    case 'boolean':
      return { value: literal.value, type: BOOLEAN }
    case 'int':
      return isLong(literal.value)
        ? { value: BigInt(literal.value), type: INT }
        : { value: literal.value, type: decimal(MOST_DIGITS, 0) }
    case 'decimal':
      return { value: literal.value, type: decimal(MOST_DIGITS, Math.min(MOST_DIGITS, scaleOf(literal.value))) }
    case 'float':
      return { value: Number(literal.value), type: FLOAT }
    default:
      return { value: literal.value, type: TYPES[literal.type] }
  }
}

const TYPES = { string: STRING, date: DATE, time: TIME, instant: TIMESTAMP_TZ } as const
const MOST_DIGITS = 38

function isLong(digits: string): boolean {
  return digits.length <= 20 && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)
}

const scaleOf = (text: string): number => text.length - 1 - text.indexOf('.')
