import { fail } from '../errors.js'
import { firstOf } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import { valueType } from '../model/expression/value-type.js'
import type { Measure } from '../model/semantic-model.js'
import { inputType, sumAt } from '../resolve/aggregate-type.js'
import { onClocks } from '../resolve/bucket.js'
import { allOf, isNotNull, onlyWhere, TRUE } from '../resolve/expressions.js'
import { modelCondition } from '../resolve/model-condition.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ascending, columnOf, objectOf, type ResolvedAggregate, type SortKey } from '../resolve/resolved-query.js'
import { includesSame, isSame } from '../same.js'
import type { BindContext } from './bind-context.js'
import type { BlockRequest } from './block-request.js'
import type { BoundAggregate, TypedExpr } from './bound-block.js'
import { readColumn, readExpression } from './read-rows.js'
import type { Rows } from './rows.js'

/** An aggregate over the rows that its block reads. If `converts` is set, only converting rows count. Throws `INVALID_AGGREGATION_INPUTS`. */
export function boundAggregate(
  aggregate: ResolvedAggregate,
  request: BlockRequest,
  base: Rows,
  converts: RowExpr | undefined,
): BoundAggregate {
  const { measure, name, type } = aggregate
  const { context } = base
  const own = request.multiFact ? [] : aggregate.filters.filter((f) => !includesSame(request.bridgeFilters, f))
  const sums = (ref: ColumnRef): RowExpr | undefined => {
    const sum = sumAt(aggregate.multiFact, ref)
    return sum && relationColumn('', sum.name, sum.type)
  }
  const typeAt = (ref: ColumnRef): DataType => inputType(ref, context.model, aggregate.multiFact)
  const sortKey = ({ column, descending }: { column: ColumnRef; descending: boolean }): SortKey<RowExpr> => ({
    ...sortedBy(asListed(measure, { expression: sums(column) ?? readExpression(base, column), type: typeAt(column) }, context)),
    descending,
  })
  const ofRows = countsRows(aggregate, request, base)
  const inputs = ofRows ? [] : measure.inputs
  const args = inputs.map((input): TypedExpr => {
    const own = valueType(input, typeAt, context.functions)
    const read = { expression: readExpression(base, input, sums), type: own }
    return asListed(measure, base.days ? { ...read, expression: base.days.part(read) } : read, context)
  })
  const orderBy = [...(measure.withinGroup ? [sortKey(measure.withinGroup)] : []), ...measure.orderBy.map(sortKey)]
  const filter = allOf(own.map((f) => modelCondition(f, (ref) => readExpression(base, ref), context)))
  const taken = PICKS.has(measure.aggregation) ? picked(aggregate, args, orderBy, base) : { args, orderBy }
  return {
    name,
    type,
    aggregate: ofRows ? 'count' : measure.aggregation,
    distinct: !ofRows && (measure.distinct || measure.aggregation === 'count_distinct'),
    percentile: measure.percentile,
    delimiter: measure.delimiter,
    ...taken,
    filter: allOf([...(filter ? [filter] : []), ...(converts ? [converts] : [])]),
    ...(aggregate.isElsewhere && aggregate.emptyIsZero && { onlyWith: filter ?? everyRow(aggregate, request) }),
  }
}

/** Without groups there is a row in any case, so that a count of no rows must say that there are none. */
const everyRow = ({ shift }: ResolvedAggregate, { dimensions }: BlockRequest): RowExpr | undefined =>
  shift === undefined && dimensions.length === 0 ? TRUE : undefined

const sortedBy = ({ expression, type }: TypedExpr): SortKey<RowExpr> => ascending(expression, type)

/** A time in a list of texts is the local time in the zone of the query. */
function asListed({ aggregation }: Measure, { expression, type }: TypedExpr, { time }: BindContext): TypedExpr {
  if (aggregation !== 'listagg') return { expression, type }
  const shown = onClocks<RelationColumn>(expression, type, time)
  return { expression: shown.value, type: shown.type }
}

/** Every row has its key, so a count of the key counts rows, and the key need not be read. Where facts are joined, the base may have no row. */
function countsRows({ measure, multiFact }: ResolvedAggregate, request: BlockRequest, { node, root, context }: Rows): boolean {
  const [input, ...more] = measure.inputs
  if (!COUNTS.has(measure.aggregation) || multiFact || more.length > 0) return false
  if (input?.kind !== 'column' || input.object !== node || root.presentBy !== undefined) return false
  const { key } = objectOf(context.model, node)
  const isDistinct = measure.distinct || measure.aggregation === 'count_distinct'
  return isDistinct ? key.length === 1 && key[0] === input.column && isOnce(request) : key.includes(input.column)
}

const COUNTS: ReadonlySet<string> = new Set(['count', 'count_distinct'])

/** Whether no row of the base is in a group twice, and none is taken of several times. */
const isOnce = ({ bridges, fanOut, semiAdditive }: BlockRequest): boolean => bridges.size === 0 && !fanOut && !semiAdditive

/** Aggregates that take the value of one row. */
const PICKS: ReadonlySet<string> = new Set(['first', 'last'])

/** A row with a NULL order value is ignored. The key breaks ties. */
function picked(
  { measure, path }: ResolvedAggregate,
  args: readonly TypedExpr[],
  orderBy: readonly SortKey<RowExpr>[],
  base: Rows,
): Pick<BoundAggregate, 'args' | 'orderBy'> {
  const { model } = base.context
  const { key } = objectOf(model, base.root.object)
  if (key.length === 0 && orderBy.length === 0) {
    fail(
      'INVALID_AGGREGATION_INPUTS',
      `'${measure.name}' takes the ${measure.aggregation} row, and nothing orders the rows of '${base.root.object}'; give the measure an orderBy, or the object a primaryKey`,
      { path },
    )
  }
  const keys = key.map((column) =>
    ascending(readColumn(base, base.root, column), columnOf(model, { kind: 'column', object: base.root.object, column }).type),
  )
  const isKey = ({ expression }: SortKey<RowExpr>): boolean => keys.some((k) => isSame(k.expression, expression))
  const value = firstOf(args)
  const ties = keys.length > 0 ? keys : [ascending(value.expression, value.type)]
  const placed = allOf(orderBy.filter((o) => !isKey(o)).map((o) => isNotNull(o.expression)))
  const rest = ties.filter((tie) => !orderBy.some((o) => isSame(o.expression, tie.expression)))
  return { args: [{ ...value, expression: onlyWhere(placed, value.expression) }], orderBy: [...orderBy, ...rest] }
}
