import type { BoundAggregate } from '../bind/bound-block.js'
import type { DataType } from '../model/data-type.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { type NamedAggregate, plainAggregate } from './logical-plan.js'

/** The total of the parts: counts are summed, too. */
export function folded({ name, aggregate, type }: NamedAggregate, part: RowExpr): NamedAggregate {
  return plainAggregate(name, COUNTS.has(aggregate) ? 'sum' : aggregate, [part], type)
}

/** Digits of a decimal, so that no sum of parts has more than an engine can add. */
const MOST_DIGITS = 19
const COUNTS: ReadonlySet<string> = new Set(['count', 'count_if'])
const EXTREMES: ReadonlySet<string> = new Set(['min', 'max'])

/** Whether the total of parts equals that of all rows in every digit, in any order of addition. `args` are the types of what is aggregated. */
export function isFolding(
  { aggregate, type: result, distinct, onlyWith }: Pick<BoundAggregate, 'aggregate' | 'type' | 'distinct' | 'onlyWith'>,
  args: readonly DataType[],
): boolean {
  if (distinct || onlyWith) return false
  if (COUNTS.has(aggregate)) return args.length < 2
  const isExact = args.every((type) => type.kind === 'int' || (type.kind === 'decimal' && type.precision <= MOST_DIGITS))
  // Values that sum to an integer may exceed its range before the sum is complete.
  if (aggregate === 'sum') return isExact && result.kind === 'decimal'
  return EXTREMES.has(aggregate) && args.every((type) => isExact || isDay(type))
}

const isDay = ({ kind }: DataType): boolean => kind === 'date'
