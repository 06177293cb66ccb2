/** A condition on a time of which the table holds only periods. */
import type { Expr } from '../../model/expression/ast.js'
import { nameOfGrain } from '../../model/grain.js'
import { anyOf, isNotNull, isNull } from '../../resolve/expressions.js'
import type { Conjunct, FieldLeaf, WhereLeaf } from '../../resolve/resolved-query.js'
import { ceil, dateText, floor, type Micros } from '../../resolve/time.js'
import { timeComparer } from '../../resolve/time-comparison.js'
import type { HeldDimension } from './held-table.js'
import { truthOfNull } from './null-truth.js'
import { columnOfTable, type TableReading } from './readable.js'
import { onlyField, timesOf } from './times-of.js'
import { type Unread, unread } from './unread.js'

/** The condition on the starts of the periods, if it leaves whole periods and rows without a time. */
export function onBuckets(conjunct: Conjunct, held: HeldDimension, { time }: TableReading): Expr<WhereLeaf> | Unread {
  const leaf = onlyField(conjunct)
  const [field = ''] = conjunct.fields
  const ofNull = truthOfNull(conjunct.expression)
  const left = leaf && timesOf([conjunct], leaf, time)
  if (!left || ofNull === undefined || held.grain === undefined)
    return unread('GRAIN_TOO_COARSE', field, `holds only periods of '${field}', and the condition is no list of ranges`)
  const { grain } = held
  const isStart = (at: Micros | undefined): boolean => at === undefined || floor(at, grain, time.weekStart) === at
  const cut = left.find(({ from, to }) => !isStart(from) || !isStart(to))
  if (cut) {
    const from = cut.from === undefined ? undefined : dateText(floor(cut.from, grain, time.weekStart))
    const to = cut.to === undefined ? undefined : dateText(ceil(cut.to, grain, time.weekStart))
    return unread(
      'RANGE_NOT_ALIGNED',
      field,
      `holds each ${nameOfGrain(grain)} of '${field}' as a whole, and the condition cuts one; the nearest whole range is ${rangeText(from, to)}`,
    )
  }
  const column = startOf(held, leaf)
  const { within, from, below } = timeComparer<WhereLeaf>(
    { expression: column, type: held.type, grain: undefined, name: field },
    conjunct.path,
    time,
  )
  const parts = left.map((range): Expr<WhereLeaf> => {
    if (range.from !== undefined && range.to !== undefined) return within(range.from, range.to).expression
    if (range.from !== undefined) return from(range.from).expression
    return range.to === undefined ? isNotNull<WhereLeaf>(column) : below(range.to).expression
  })
  return anyOf([...parts, ...(ofNull === true ? [isNull<WhereLeaf>(column)] : [])])
}

const startOf = (held: HeldDimension, { name }: Pick<FieldLeaf, 'name'>): FieldLeaf => ({
  kind: 'where-field',
  members: [columnOfTable(held, name)],
  type: held.type,
  name,
})

/** Conditions of days only cut longer periods, and these begin with a day. A range that cuts a period has an end. */
function rangeText(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return `all times before ${to}`
  return to === undefined ? `${from} and later` : `${from} to before ${to}`
}
