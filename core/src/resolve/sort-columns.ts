import type { NonEmpty } from '../invariant.js'
import { type DataType, INT } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import { valueType } from '../model/expression/value-type.js'
import { plainMeasure } from '../model/plain-measure.js'
import { isKnown } from './conversions.js'
import { integer, not } from './expressions.js'
import { type RowExpr, relationColumn } from './relation-column.js'
import {
  ascending,
  columnOf,
  OF_OWN_ROWS,
  type ResolvedAggregate,
  type ResolvedDimension,
  type SortKey,
} from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'
import { identityOf } from './time-dimension.js'

export type SortContext = Pick<RowSetContext, 'functions' | 'graph' | 'columnName'> & {
  readonly inner: Pick<RowSetContext['inner'], 'time'>
}

/** The columns that order the values of these dimensions. */
export const sortColumnsOf = (dimensions: readonly ResolvedDimension[], context: SortContext): readonly ResolvedAggregate[] =>
  dimensions.flatMap((d) => sortColumnOf(d, context) ?? [])

/** The sort keys of a dimension: the column that orders its values, if there is one, then its values. */
export function sortKeysOf(dimension: ResolvedDimension, context: SortContext): readonly SortKey<RowExpr>[] {
  const { name, type, sequence } = dimension
  const column = sortColumnOf(dimension, context)
  const own = { ...ascending<RowExpr>(relationColumn('', name, type), type), sequence }
  return column ? [ascending<RowExpr>(relationColumn('', column.name, column.type), column.type), own] : [own]
}

export const sortColumnOf = (dimension: ResolvedDimension, context: SortContext): ResolvedAggregate | undefined =>
  dimension.sortBy && leastBy([dimension], { what: `order of ${dimension.label}`, value: dimension.sortBy }, context)

/** A value of the rows of an object, under a name for messages. */
interface Read {
  readonly what: string
  readonly value: Expr<ColumnRef>
}

/**
 * The least value by dimensions of one object, over its own rows: no condition of a query changes it. A missing value of a dimension is not one
 * whose order is known.
 */
export function leastBy(
  dimensions: NonEmpty<ResolvedDimension>,
  { what, value }: Read,
  { functions, graph, columnName }: SortContext,
): ResolvedAggregate {
  const own = dimensions.map(inOwnRows)
  const [first] = dimensions
  const base = first.members[0].object
  const typed = { value, type: typeOf(value) }
  const { value: read, type } = typed.type.kind === 'boolean' ? { value: asNumber(value), type: INT } : typed
  const { path } = first
  return {
    // The same dimension can be ordered by its own column, and in an order of another dimension by that one's.
    name: columnName(
      `${identityOf({ ...first.members[0], expression: value })} by ${own.map((d) => d.name).join(' and ')}`,
      what,
    ),
    measure: plainMeasure(what, 'min', [read]),
    base,
    type,
    emptyIsZero: false,
    contributesRows: false,
    filters: [],
    dimensions: own,
    conjuncts: own.map(isKnown),
    conjunctsOfTuples: [],
    ...OF_OWN_ROWS,
    path,
  }

  function typeOf(expression: Expr<ColumnRef>): DataType {
    return valueType<ColumnRef>(expression, (ref) => columnOf(graph.model, ref).type, functions)
  }
}

/** The dimension, read from a row of its object. */
function inOwnRows(dimension: ResolvedDimension): ResolvedDimension {
  const [member] = dimension.members
  return { ...dimension, top: undefined, members: [{ ...member, via: undefined }] }
}

/** Not every engine has a least boolean. */
const asNumber = (value: Expr<ColumnRef>): Expr<ColumnRef> => ({
  kind: 'case',
  branches: [
    { when: value, then: integer(1) },
    { when: not(value), then: integer(0) },
  ],
  otherwise: undefined,
})
