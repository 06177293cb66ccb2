import type { BoundAggregate, BoundBlock, Condition, NamedExpr } from '../bind/bound-block.js'
import { INT } from '../model/data-type.js'
import { freeName, relationName } from '../resolve/aliases.js'
import { anyOf, binary, integer, isNotNull, onlyWhere } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { isSame, unlike } from '../same.js'
import { exclusive } from './exclusive-filters.js'
import { isFolding } from './folding.js'
import { type Aggregate, type NamedAggregate, plainAggregate, sameColumn } from './logical-plan.js'
import { isPlainBlock } from './plain-block.js'

/** A block whose rows are also grouped by their range, and how its groups become columns. */
interface ByRange {
  readonly block: BoundBlock
  readonly alias: string
  readonly sideBySide: (input: Aggregate, alias: string) => Aggregate
}

/**
 * Aggregates with disjoint filters: the rows are grouped by the number of their filter, and the groups become columns. So each row is
 * aggregated once, instead of being tested for each aggregate. An aggregate without a filter is computed from all groups. `undefined` for
 * other filters.
 */
export function byRange(block: BoundBlock): ByRange | undefined {
  if (!isPlain(block)) return undefined
  const { base, groupBy, aggregates, reason } = block
  const filters = unlike(aggregates.flatMap(({ filter }) => filter ?? []))
  const range: NamedExpr = { name: freeName('range', [...groupBy, ...aggregates]), type: INT, expression: numberOf(filters) }
  const isOfAll = aggregates.some(({ filter }) => !filter)
  const where =
    filters.length < 2 ? undefined : isOfAll ? ofAllRows(block.where, filters) : narrowed(block.where, filters, range.expression)
  if (!where) return undefined
  const calls = unlike(aggregates.map(callOf)).map((call, i) => ({ call, name: freeName(`value_${i + 1}`, [...groupBy, range]) }))
  if (calls.length * (filters.length + Number(isOfAll)) > MOST_VALUES * aggregates.length) return undefined
  const each = calls.map(({ call, name }) => ({ ...call, name, filter: undefined }))
  const ofRange = (aggregate: BoundAggregate): NamedAggregate => {
    const { name, type, filter, onlyWith } = aggregate
    const found = calls.find(({ call }) => isSame(call, callOf(aggregate)))!
    if (!filter)
      return plainAggregate(
        name,
        isCount(aggregate) ? 'total_count' : aggregate.aggregate,
        [relationColumn('', found.name, type)],
        type,
      )
    const number = filters.findIndex((one) => isSame(one, filter)) + 1
    const isNumber = binary<RelationColumn>('=', relationColumn('', range.name, INT), integer(number))
    const value = onlyWhere<RelationColumn>(isNumber, relationColumn('', found.name, type))
    return plainAggregate(name, isCount(aggregate) && !onlyWith ? 'only_count' : 'max', [value], type)
  }
  return {
    block: { ...block, where, groupBy: [...groupBy, range], aggregates: each },
    alias: relationName(base, '_ranges'),
    sideBySide: (input, alias) => ({
      kind: 'aggregate',
      input,
      alias,
      keys: groupBy.map((key) => sameColumn(key)),
      aggregates: aggregates.map(ofRange),
      reason,
    }),
  }
}

/** Fewer filters are as fast if each tests its own condition. */
const LEAST_AGGREGATES = 4
/** The number of intermediate group values per value of the answer. */
const MOST_VALUES = 1.5

function isPlain(block: BoundBlock): boolean {
  const parts = block.aggregates.filter(({ filter }) => filter)
  return (
    parts.length >= LEAST_AGGREGATES &&
    block.aggregates.every((one) => (one.filter ? isParted(one) : isFolding(one) && isNumber(one))) &&
    isPlainBlock(block)
  )
}

/** Numbers, which an aggregate returns unchanged. */
const AGGREGATES: ReadonlySet<string> = new Set(['count', 'count_distinct', 'count_if', 'sum', 'avg', 'min', 'max', 'median'])
const NUMBERS: ReadonlySet<string> = new Set(['int', 'decimal', 'float'])

const isNumber = ({ type }: BoundAggregate): boolean => NUMBERS.has(type.kind)

const isParted = (one: BoundAggregate): boolean => AGGREGATES.has(one.aggregate) && isNumber(one) && isOfFilter(one)

const isOfFilter = ({ filter, onlyWith, orderBy }: BoundAggregate): boolean =>
  orderBy.length === 0 && (onlyWith === undefined || isSame(onlyWith, filter))

const isCount = ({ aggregate }: BoundAggregate): boolean => aggregate.startsWith('count')

/** The values that are computed for the rows of each filter. */
const callOf = ({
  name: _name,
  filter: _filter,
  onlyWith: _always,
  ...call
}: BoundAggregate): Omit<BoundAggregate, 'name' | 'filter' | 'onlyWith'> => call

const numberOf = (filters: readonly RowExpr[]): RowExpr => ({
  kind: 'case',
  branches: filters.map((when, i) => ({ when, then: integer(i + 1) })),
  otherwise: undefined,
})

/** The conditions as they are, where no row can meet two of the filters. */
const ofAllRows = (where: readonly Condition[], filters: readonly RowExpr[]): readonly Condition[] | undefined =>
  exclusive(filters) ? where : undefined

/** The conditions, with a range in place of those that require any of the filters; `undefined` if none does, or if a row may match two. */
function narrowed(where: readonly Condition[], filters: readonly RowExpr[], range: RowExpr): readonly Condition[] | undefined {
  const any = anyOf(filters)
  const at = where.findIndex(({ expression }) => isSame(expression, any))
  const apart = at < 0 ? undefined : exclusive(filters)
  if (!apart) return undefined
  const conditions = [...(apart.within ? [apart.within] : []), ...(apart.isWhole ? [] : [isNotNull(range)])]
  return where.toSpliced(at, 1, ...conditions.map((expression) => ({ expression, reason: where[at]!.reason })))
}
