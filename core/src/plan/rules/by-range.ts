import { INT } from '../../model/data-type.js'
import { madeOf } from '../../relation/relation.js'
import { freeName } from '../../resolve/aliases.js'
import { anyOf, binary, integer, isNotNull, onlyWhere } from '../../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import { isSame, unlike } from '../../same.js'
import { isFolding } from '../folding.js'
import { planOf } from '../joined-rows.js'
import { type Aggregate, type Filter, type NamedAggregate, type NamedExpr, plainAggregate, sameColumn } from '../logical-plan.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'
import { exclusive } from './exclusive-filters.js'
import type { PlanFacts, Rule } from './rule.js'

/**
 * Aggregates with disjoint filters by the number of their filter: the rows are grouped by it, and its groups become columns. A row meets at most one of the filters, so
 * each aggregate has the rows of one group, and one without a filter those of all groups. So each row is aggregated once, instead of being tested for each aggregate.
 */
export const byRange: Rule = {
  name: 'by-range',
  rephrases: true,
  rewrite(node, facts) {
    const rows = node.kind === 'aggregate' && isSuitable(node, facts) ? plainRowsOf(node) : undefined
    return node.kind === 'aggregate' && rows ? inRanges(node, rows) : undefined
  },
}

/** Fewer filters are as fast if each tests its own condition. */
const LEAST_AGGREGATES = 4
/** The number of intermediate group values per value of the answer. */
const MOST_VALUES = 1.5

const isSuitable = ({ aggregates }: Aggregate, facts: PlanFacts): boolean =>
  aggregates.filter(({ filter }) => filter).length >= LEAST_AGGREGATES &&
  aggregates.every((one) => isNumber(one) && (one.filter ? isParted(one) : isFolding(one, one.args.map(facts.typeOf))))

function inRanges(node: Aggregate, rows: PlainRows): Aggregate | undefined {
  const { keys, aggregates } = node
  const filters = unlike(aggregates.flatMap(({ filter }) => filter ?? []))
  const range: NamedExpr = { name: freeName('range', [...keys, ...aggregates]), type: INT, expression: numberOf(filters) }
  const isOfAll = aggregates.some(({ filter }) => !filter)
  const kept = filters.length < 2 ? undefined : isOfAll ? ofAllRows(rows, filters) : narrowed(rows, filters, range.expression)
  if (!kept) return undefined
  const calls = unlike(aggregates.map(callOf)).map((call, i) => ({ call, name: freeName(`value_${i + 1}`, [...keys, range]) }))
  if (calls.length * (filters.length + Number(isOfAll)) > MOST_VALUES * aggregates.length) return undefined
  const ofRange = (aggregate: NamedAggregate): NamedAggregate => {
    const { name, type, filter, onlyWith } = aggregate
    const found = calls.find(({ call }) => isSame(call, callOf(aggregate)))!
    const all = relationColumn('', found.name, type)
    if (!filter) return plainAggregate(name, isCount(aggregate) ? 'total_count' : aggregate.aggregate, [all], type)
    const number = filters.findIndex((one) => isSame(one, filter)) + 1
    const isNumbered = binary<RelationColumn>('=', relationColumn('', range.name, INT), integer(number))
    const value = onlyWhere<RelationColumn>(isNumbered, all)
    return plainAggregate(name, isCount(aggregate) && !onlyWith ? 'only_count' : 'max', [value], type)
  }
  return {
    ...node,
    input: {
      ...node,
      input: planOf({ ...rows, filters: kept }),
      alias: madeOf(rows.start.object, '_ranges'),
      keys: [...keys, range],
      aggregates: calls.map(({ call, name }) => ({ ...call, name, filter: undefined })),
    },
    keys: keys.map((key) => sameColumn(key)),
    aggregates: aggregates.map(ofRange),
  }
}

/** Numbers, which an aggregate returns unchanged. */
const AGGREGATES: ReadonlySet<string> = new Set(['count', 'count_distinct', 'count_if', 'sum', 'avg', 'min', 'max', 'median'])
const NUMBERS: ReadonlySet<string> = new Set(['int', 'decimal', 'float'])

const isNumber = ({ type }: NamedAggregate): boolean => NUMBERS.has(type.kind)

const isParted = (one: NamedAggregate): boolean => AGGREGATES.has(one.aggregate) && isOfFilter(one)

const isOfFilter = ({ filter, onlyWith, orderBy }: NamedAggregate): boolean =>
  orderBy.length === 0 && (onlyWith === undefined || isSame(onlyWith, filter))

const isCount = ({ aggregate }: NamedAggregate): boolean => aggregate.startsWith('count')

/** The values that are computed for the rows of each filter. */
const callOf = ({
  name: _name,
  filter: _filter,
  onlyWith: _always,
  ...call
}: NamedAggregate): Omit<NamedAggregate, 'name' | 'filter' | 'onlyWith'> => call

const numberOf = (filters: readonly RowExpr[]): RowExpr => ({
  kind: 'case',
  branches: filters.map((when, i) => ({ when, then: integer(i + 1) })),
  otherwise: undefined,
})

/** The conditions as they are, where no row can meet two of the filters. */
const ofAllRows = (rows: PlainRows, filters: readonly RowExpr[]): readonly Filter[] | undefined =>
  exclusive(filters) ? rows.filters : undefined

/** The conditions, with a range in place of those that require any of the filters; `undefined` if none does, or if a row may match two. */
function narrowed(rows: PlainRows, filters: readonly RowExpr[], range: RowExpr): readonly Filter[] | undefined {
  const any = anyOf(filters)
  const at = rows.filters.findIndex(({ condition }) => isSame(condition, any))
  const wide = rows.filters[at]
  const apart = wide && exclusive(filters)
  if (!wide || !apart) return undefined
  const conditions = [...(apart.within ? [apart.within] : []), ...(apart.isWhole ? [] : [isNotNull(range)])]
  return rows.filters.toSpliced(at, 1, ...conditions.map((condition) => ({ ...wide, condition })))
}
