/** The values of comparisons and choices, computed without the compiler: what the table of docs/reference/functions.md says. */
import { kindOf, valuesOf } from './type-pairs.js'

type Plain = number | string | boolean | null

const NUMBERS = new Set(['int', 'float', 'decimal'])
const MOMENTS = new Set(['date', 'timestamp', 'timestamp_tz'])

const familyOf = (kind: string): string => (NUMBERS.has(kind) ? 'number' : MOMENTS.has(kind) ? 'moment' : kind)

/** The family in which two arguments are compared; `undefined` if there is none. */
function familyOfBoth(a: string, b: string): string | undefined {
  const [left, right] = [familyOf(kindOf(a)), familyOf(kindOf(b))]
  if (left === right) return left === 'text' ? 'string' : left
  if (left === 'null' || left === 'text') return right === 'json' ? undefined : right
  return right === 'null' || right === 'text' ? left : undefined
}

/** A value as a plain one that JavaScript orders: moments and times as ISO text. `undefined` if a text is no value of the family. */
function plain(value: string | null, family: string): Plain | undefined {
  if (value === null) return null
  const text = /'(.*)'$/.exec(value)?.[1]
  const written = text ?? value
  switch (family) {
    case 'number':
      return /^[\d.]+$/.test(written) ? Number(written) : undefined
    case 'boolean':
      return /^true$/i.test(written) || (/^false$/i.test(written) ? false : undefined)
    case 'moment':
      return /^\d{4}-\d\d-\d\d/.test(written) ? `${written.slice(0, 10)} ${written.slice(11, 19) || '00:00:00'}` : undefined
    case 'time':
      return /\d\d:\d\d:\d\d$/.exec(written)?.[0]
    default:
      return written
  }
}

/** A text beside a date is a date, whatever time it names. */
const asDay = (value: Plain | undefined, isDay: boolean): Plain | undefined =>
  isDay && typeof value === 'string' ? `${value.slice(0, 10)} 00:00:00` : value

function operandsOf(a: string, b: string, row: number): readonly [Plain, Plain] | undefined {
  const family = familyOfBoth(a, b)
  if (family === undefined || family === 'json') return undefined
  const [left, right] = [a, b].map((argument, i) => {
    const isDay = kindOf(argument) === 'text' && kindOf(i === 0 ? b : a) === 'date'
    return asDay(plain(valuesOf(argument)[row] ?? null, family), isDay)
  })
  return left === undefined || right === undefined ? undefined : [left, right]
}

/** The truth of `a operator b` in a row; `undefined` if the two cannot be compared. */
export function comparisonOf(operator: string, a: string, b: string, row: number): boolean | null | undefined {
  const operands = operandsOf(a, b, row)
  if (!operands) return undefined
  const [left, right] = operands
  if (left === null || right === null) return null
  return {
    '=': left === right,
    '<>': left !== right,
    '<': left < right,
    '<=': left <= right,
    '>': left > right,
    '>=': left >= right,
  }[operator]
}

/** The value that a form gives in a row, as a plain one; `undefined` if the two have no type together. */
export function choiceOf(form: string, a: string, b: string, row: number): Plain | undefined {
  const operands = operandsOf(a, b, row)
  if (!operands) return undefined
  const [left, right] = operands
  if (form.startsWith('coalesce')) return left ?? right
  if (form.startsWith('CASE')) return row === 0 ? left : right
  if (form.startsWith('nullif')) return left === right ? null : left
  if (left === null || right === null) return null
  return form.startsWith('greatest') === left > right ? left : right
}

/** A cell of an answer in the same form. */
export function plainCell(cell: Plain, a: string, b: string): Plain | undefined {
  if (cell === null || typeof cell === 'boolean') return cell
  const family = familyOfBoth(a, b) ?? ''
  return family === 'number' ? Number(cell) : plain(`'${String(cell).replace(/[+]00(:00)?$/, '')}'`, family)
}
