/** The operators of expressions (docs/reference/functions.md): what each takes and gives, on every engine alike. */
import type { TypeKind } from '../data-type.js'
import type { Parameter } from '../functions/parameter.js'

export interface OperatorSpec {
  /** As they are written. */
  readonly written: readonly string[]
  readonly takes: readonly Parameter[]
  readonly gives: string
  readonly meaning: string
}

const NUMBERS = ['number', 'number'] as const
const CONDITIONS = ['boolean', 'boolean'] as const
const ALIKE = ['comparable', 'comparable'] as const

export const operatorSpecs = {
  sum: {
    written: ['+', '-', '*'],
    takes: NUMBERS,
    gives: 'int of ints, decimal of exact numbers, else float',
    meaning: 'sum, difference, product',
  },
  negation: { written: ['-'], takes: ['number'], gives: 'the type of the number', meaning: 'the negated number' },
  quotient: { written: ['/'], takes: NUMBERS, gives: 'float', meaning: 'the quotient; NULL when the divisor is 0' },
  comparison: {
    written: ['=', '<>', '!=', '<', '<=', '>', '>=', 'BETWEEN', 'IN'],
    takes: ALIKE,
    gives: 'boolean',
    meaning: 'texts by code point; false is less than true; a date is its midnight',
  },
  like: { written: ['LIKE', 'ILIKE'], takes: ['text', 'text'], gives: 'boolean', meaning: 'whether the text matches a pattern' },
  logic: { written: ['AND', 'OR'], takes: CONDITIONS, gives: 'boolean', meaning: 'both, or at least one' },
  not: { written: ['NOT'], takes: ['boolean'], gives: 'boolean', meaning: 'the contrary' },
  isNull: { written: ['IS NULL'], takes: ['any'], gives: 'boolean', meaning: 'whether there is no value' },
  choice: {
    written: ['CASE'],
    takes: ['boolean', 'alike'],
    gives: 'the common type',
    meaning: 'the value of the first condition that is true',
  },
} as const satisfies Readonly<Record<string, OperatorSpec>>

/** The types that a value of a type can be cast to. A text must be readable as the type; so must a number as a decimal of fewer digits. */
export const castTargets: Readonly<Record<TypeKind, readonly TypeKind[]>> = {
  string: ['string', 'boolean', 'int', 'float', 'decimal', 'date', 'time', 'timestamp', 'timestamp_tz', 'json'],
  boolean: ['string', 'boolean', 'int', 'float', 'decimal'],
  int: ['string', 'boolean', 'int', 'float', 'decimal'],
  float: ['string', 'boolean', 'int', 'float', 'decimal'],
  decimal: ['string', 'boolean', 'int', 'float', 'decimal'],
  date: ['string', 'date', 'timestamp', 'timestamp_tz'],
  time: ['string', 'time'],
  timestamp: ['string', 'date', 'time', 'timestamp', 'timestamp_tz'],
  timestamp_tz: ['string', 'date', 'time', 'timestamp', 'timestamp_tz'],
  json: ['string', 'json'],
}
