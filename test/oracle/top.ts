/** The n values of a dimension with the largest value of a measure; all others, including NULL, are one group or left out. */
import type { Asked } from './fields.js'
import type { QueryJson } from './model.js'
import { page } from './order.js'
import { refuse } from './refusal.js'
import { keyOfAll, type Value } from './values.js'

type Top = NonNullable<QueryJson['top']>

/** A value of the dimension that is selected alone, and its measure. */
export interface Measured {
  readonly value: Value
  readonly by: Value
}

/** The selected dimension that `top` names: as it is selected, or by its own name if it has one. */
export function topDimension({ dimension }: Top, asked: readonly Asked[]): Asked {
  const exact = asked.filter((a) => a.text === dimension)
  const found = exact.length > 0 ? exact : asked.filter((a) => a.name === dimension)
  if (found.length > 1) refuse('INVALID_QUERY', `${dimension} is selected at several grains`)
  return found[0] ?? refuse('UNKNOWN_DIMENSION', `${dimension} is not selected`)
}

/** The dimension with NULL in place of the other values. Rows without a value of the dimension, or of the measure, are among these. */
export function topped(plain: Asked, { n, order = 'desc', others }: Top, measured: readonly Measured[]): Asked {
  const known = measured.filter(({ value, by }) => value !== null && by !== null)
  const sortable = known.map(({ value, by }) => ({ by: () => [by], ties: plain.placesOf(value), value }))
  const { rows } = page(sortable, { select: {}, order_by: [{ field: 'by', direction: order }], limit: n })
  const chosen = new Set(rows.map(({ value }) => keyOfAll([value])))
  const kept = (value: Value): Value => (value !== null && chosen.has(keyOfAll([value])) ? value : null)
  return {
    ...plain,
    at: (home) => {
      const field = plain.at(home)
      return { ...field, value: (rows) => kept(field.value(rows)) }
    },
    top: { plain, others },
  }
}

/** What a row of a level that is grouped by the dimension shows. */
export const shownOf = ({ top, at }: Asked, value: Value): Value =>
  value === null && top?.others !== undefined && at('').kind === 'string' ? top.others : value

/** False for the group that is left out. */
export const isKept = ({ top }: Asked, value: Value): boolean => top === undefined || top.others !== undefined || value !== null

/** The name of the column that marks the group of the others. */
export const othersFlagOf = (asked: readonly Asked[]): string | undefined => {
  const one = asked.find((a) => a.top?.others !== undefined)
  return one && `${one.text} is others`
}

/** The order of the top values of the only dimension, if the query has none: the group of the others last, then by rank. */
export function ranked(
  { top, order_by = [], grouping, select }: QueryJson,
  asked: readonly Asked[],
): Pick<QueryJson, 'order_by'> {
  const { measures = [] } = select
  if (top === undefined || asked.length !== 1 || order_by.length > 0 || grouping !== undefined || measures.length === 0) return {}
  const flag = othersFlagOf(asked)
  const others = flag === undefined ? [] : [{ field: flag, direction: 'asc' as const }]
  return { order_by: [...others, { field: top.by, direction: top.order ?? 'desc' }, { field: 1, direction: 'asc' }] }
}
