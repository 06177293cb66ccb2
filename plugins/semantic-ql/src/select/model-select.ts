/** A SELECT from one model → a query of the model, and the remaining evaluation of its rows. */

import type { Finding } from '@grainline/core'
import type { NamedModel, OrderJson, Preview, QueryJson } from '@grainline/core/language'
import { bodyOf, type Node, nodesIn, notASubquery, type SelectStmt } from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { countedRowsOf, factOf } from '../main-fact.js'
import { type ModelRelation, modelRelation, placeIn } from '../model-relation.js'
import { mainName } from '../model-scope.js'
import type { StatementContext } from '../reader.js'
import { unsupported } from '../refusal.js'
import { targetsOf } from '../targets.js'
import { withFilters } from './conditional-aggregates.js'
import { readDistinctOn } from './distinct-on.js'
import { boundOf } from './limit.js'
import { withoutWraps } from './measure-wraps.js'
import { previewOf } from './preview.js'
import { ROWS_OF_MEASURES, type RowsOf, rowsOf } from './rows-of.js'
import { SelectColumns } from './select-columns.js'
import { readConditions } from './select-conditions.js'
import { groupingOf, readGroupBy, readItems, refuseMixed, type SelectItem } from './select-items.js'
import { type RowOrder, readOrder, rowOrders } from './select-order.js'
import { addParts } from './select-parts.js'
import { type ValueAggregate, valueAggregate } from './value-aggregates.js'

export interface ModelSelect<M extends NamedModel = NamedModel> {
  readonly relation: ModelRelation<M>
  /** The object whose every row is a row of the answer; without it there is one row per tuple. */
  readonly everyRowOf?: string
  /** Selects nothing if only values of dimensions are needed. */
  readonly query: QueryJson
  /** The columns of the query's answer, in order. */
  readonly columns: readonly string[]
  readonly items: readonly SelectItem[]
  /** Aggregates of dimensions, each from a separate query. */
  readonly values: readonly ValueAggregate[]
  /** What the answer says about its rows. */
  readonly notices: readonly Finding[]
  /** The first rows of all columns. They are found before columns are computed. */
  readonly preview: Preview | undefined
  /** The evaluation of the rows after the query; `undefined` if the items are columns and no evaluation remains. */
  readonly rest: RestOfSelect | undefined
  /** The column that an expression is; `undefined` when it is none. */
  readonly labelOf: (node: Node) => string | undefined
}

/** The expressions that are evaluated over the rows of the query. */
export interface RestOfSelect {
  /** The answer of the query is a number of rows, and the items are the same for each. */
  readonly repeated: boolean
  readonly distinct: boolean
  /** The expressions of DISTINCT ON. */
  readonly on: readonly Node[]
  readonly conditions: readonly Node[]
  readonly windows: readonly Node[]
  readonly order: readonly RowOrder[]
  readonly limit: number | undefined
  readonly offset: number | undefined
}

/** A SELECT from one model, as it is written. */
interface WrittenSelect<M extends NamedModel> {
  readonly written: SelectStmt
  readonly named: M
  readonly alias: string | undefined
  readonly trailing?: 'rollup' | 'cube' | undefined
}

/** `trailing`: a WITH ROLLUP or WITH CUBE that belongs to this SELECT. */
export function readModelSelect<M extends NamedModel>(
  { written, named, alias, trailing }: WrittenSelect<M>,
  context: StatementContext,
): ModelSelect<M> {
  const relation = modelRelation(named, alias, context)
  const stmt = withoutWraps(withFilters(written, relation), relation)
  const targets = targetsOf(stmt, relation)
  const columns = new SelectColumns(relation)
  const groupBy = readGroupBy(stmt, { targets, relation, columns }, trailing)
  refuseMixed(targets, relation)
  const items = readItems(targets, groupBy, columns, relation)
  const raw = columns.fields.length > 0
  for (const { node, column } of items) if (column === undefined) addParts(node, columns, relation)
  const { where, having, conditions, never } = readConditions(stmt, columns, relation)
  const on = readDistinctOn(stmt, { targets, columns, relation })
  const order = readOrder(stmt, { targets, items, columns, relation })
  // A group exists even if none of its rows meets the condition.
  if (columns.dimensions.length > 0) for (const own of columns.values) if ('measure' in own) columns.need(own.measure.text)
  if (items.length === 0)
    unsupported('SELECT', 'The SELECT shows no column', { rewrite: `SELECT 1 FROM ${quoted(mainName(named))}` })
  const repeated = columns.isEmpty && !stmt.groupClause && !stmt.havingClause && repeatsRows(stmt, columns, relation)
  const grouping = groupingOf(groupBy, columns, placeIn(relation, stmt.groupClause?.[0]))
  const ofDimension = columns.values.find((own) => 'argument' in own)
  if (grouping && ofDimension)
    unsupported('GROUP BY', 'An aggregate of a dimension has no levels', { at: placeIn(relation, ofDimension.node) })

  const distinct = stmt.distinctClause !== undefined && on.length === 0
  const { repeats, isWhole, readsAllRows } = evaluationOf({ items, columns, conditions, order, on, distinct, repeated, raw })
  const page = { limit: boundOf(stmt.limitCount, 'LIMIT', context), offset: boundOf(stmt.limitOffset, 'OFFSET', context) }
  const values = columns.values.map((own) => valueAggregate(own, columns, { where, grouping, relation, never }))
  const { rows, notices } = raw ? ROWS_OF_MEASURES : rowsOfGroups(columns, ofDimension !== undefined, named)
  const filters = { ...(where.length > 0 && { where }), ...(having.length > 0 && { having }) }
  return {
    relation,
    query: {
      select: raw ? { fields: columns.fields, ...(distinct && !repeats && { distinct: true }) } : selected(columns),
      ...filters,
      ...(readsAllRows && page.limit === undefined ? {} : ordered(order)),
      ...(!readsAllRows && page.limit !== undefined && { limit: page.limit }),
      // Without dimensions the total over no rows is one row; every other answer is empty.
      ...(never && (raw || columns.dimensionLabels.length > 0) && { limit: 0 }),
      ...(!readsAllRows && page.offset !== undefined && { offset: page.offset }),
      ...(grouping && { grouping }),
      ...rows,
    },
    columns: [
      ...(raw ? columns.fields : [...columns.dimensionLabels, ...columns.measures]),
      ...(grouping ? columns.dimensionLabels.map((label) => `${label} is total`) : []),
    ],
    items,
    values,
    notices: [...notices, ...values.flatMap((value) => value.notices)],
    labelOf: (node) => columns.labelOf(node),
    preview:
      !readsAllRows && !raw && !grouping && having.length === 0 && columns.values.length === 0
        ? previewOf({
            stmt,
            shown: [...columns.dimensionLabels, ...columns.measures],
            order,
            page: never ? { ...page, limit: 0 } : page,
            relation,
          })
        : undefined,
    rest: isWhole
      ? undefined
      : {
          repeated,
          distinct: distinct && repeats,
          on,
          conditions,
          windows: stmt.windowClause ?? [],
          order: rowOrders(stmt, targets, relation),
          limit: readsAllRows ? page.limit : undefined,
          offset: readsAllRows ? page.offset : undefined,
        },
  }
}

interface ReadParts extends Pick<RestOfSelect, 'distinct' | 'repeated' | 'on' | 'conditions'> {
  readonly items: readonly SelectItem[]
  readonly columns: SelectColumns
  readonly order: readonly OrderJson[] | undefined
  /** Whether its items are fields of single rows. */
  readonly raw: boolean
}

/** What remains to be evaluated over the rows of the query: `isWhole` if nothing does; `readsAllRows` if it needs rows that are not on the page. */
function evaluationOf({ items, columns, conditions, order, on, distinct, repeated, raw }: ReadParts) {
  const shown = new Set(items.map((item) => item.column))
  const computes = items.some((item) => item.column === undefined)
  const repeats = columns.dimensionLabels.some((label) => !shown.has(label)) || (raw && computes)
  const overRows = conditions.length > 0 || order === undefined || on.length > 0 || (distinct && repeats)
  return {
    repeats,
    isWhole: !computes && !overRows,
    readsAllRows: overRows || repeated || columns.isEmpty || items.some((item) => hasWindow(item.node)),
  }
}

const selected = ({ dimensions, measures }: SelectColumns): QueryJson['select'] => ({
  ...(dimensions.length > 0 && { dimensions }),
  ...(measures.length > 0 && { measures }),
})

/** Measures bring their own rows; a dimension that is aggregated beside them is read at the rows of the fact. */
const rowsOfGroups = ({ measures, dimensionsRead }: SelectColumns, isAggregated: boolean, named: NamedModel): RowsOf =>
  measures.length > 0 && !isAggregated ? ROWS_OF_MEASURES : rowsOf(dimensionsRead, named)

const ordered = (order: readonly OrderJson[] | undefined): Pick<QueryJson, 'order_by'> =>
  order && order.length > 0 ? { order_by: order } : {}

/** A SELECT that reads no field of the model, such as `SELECT 1 FROM model`: its rows are counted, and the items repeated for each. */
function repeatsRows({ targetList }: SelectStmt, columns: SelectColumns, relation: ModelRelation): boolean {
  if (columns.values.length > 0) return false
  const { named } = relation
  const measure = countedRowsOf(named, factOf(named, placeIn(relation, bodyOf(targetList?.[0], 'ResTarget')?.val)))
  if (measure === undefined) return unsupported('SELECT', 'The statement reads no field of the model')
  columns.need(measure.name)
  return true
}

function hasWindow(node: Node): boolean {
  for (const each of nodesIn(node, notASubquery)) if (bodyOf(each, 'FuncCall')?.over) return true
  return false
}
