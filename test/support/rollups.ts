/** A shop with rollup tables, and what a question asks of one: for tests of how a table is read. */
import { asDeclared } from '../../core/src/bind/bind-context.js'
import type { BlockRequest } from '../../core/src/bind/block-request.js'
import { blockRequests } from '../../core/src/bind/block-requests.js'
import { type HeldTable, heldTable, type TableContext } from '../../core/src/bind/rollups/held-table.js'
import type { TableReading } from '../../core/src/bind/rollups/readable.js'
import { isUnread } from '../../core/src/bind/rollups/unread.js'
import { entryOf, firstOf } from '../../core/src/invariant.js'
import { type ColumnRef, type Expr, isInner, mapLeaves } from '../../core/src/model/expression/ast.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { type RelationColumn, relationColumn } from '../../core/src/resolve/relation-column.js'
import type { AggregateQuery, WhereLeaf } from '../../core/src/resolve/resolved-query.js'
import { aggregateQuery } from './bound.js'
import { shopWith } from './models.js'
import { said } from './said.js'

const ofOrders = (column: string) => ({ dataObject: 'Orders', column })
const over = (aggregation: string, column: string, more: object = {}) => ({
  aggregation,
  columns: [ofOrders(column)],
  ...more,
})

/** Rollups over days, weeks and regions, and one that holds only some rows. */
export const TABLES = {
  dataObjects: { Orders: { columns: { 'Sent At': { code: 'sent_at', abstractType: 'timestamp_tz' } } } },
  dimensions: {
    'Customer Key': ofOrders('Customer Id'),
    Amount: ofOrders('Amount'),
    'Sent At': ofOrders('Sent At'),
  },
  measures: {
    'Average Sale': over('avg', 'Amount'),
    Largest: over('max', 'Amount'),
    Amounts: over('count', 'Amount'),
    'Median Sale': over('median', 'Amount'),
    Payers: over('count_distinct', 'Payer Id'),
    'Large Sales': over('sum', 'Amount', { filters: [{ field: 'Orders.Payer Id', op: 'gt', value: 3 }] }),
    'Open Sales': over('sum', 'Amount', { filters: [{ field: 'Orders.Status', op: 'equals', value: 'open' }] }),
  },
  rollups: {
    Daily: {
      dataObject: 'Orders',
      dimensions: [{ field: 'Day', grain: 'day' }, 'Customer Key', 'Status'],
      measures: ['Sales', 'Order Count', 'Paid Sales', 'Buyers', 'Average Sale', 'Largest', 'Amounts'],
    },
    Weekly: { dataObject: 'Orders', dimensions: [{ field: 'Day', grain: 'week' }, 'Status'], measures: ['Sales'] },
    Monthly: { dataObject: 'Orders', dimensions: [{ field: 'Day', grain: 'month' }, 'Region'], measures: ['Sales'] },
    Paid: {
      dataObject: 'Orders',
      dimensions: ['Customer Key', 'Amount', 'Day'],
      measures: ['Sales'],
      where: [{ field: 'Status', op: 'eq', value: 'paid' }],
    },
  },
}

export const tables = shopWith(TABLES)

export const tableContext = (model: SemanticModel = tables): TableContext => ({
  model,
  timezone: undefined,
  options: { functions: builtInFunctions, aggregates: builtInAggregates, now: new Date(0) },
  storedAs: asDeclared,
})

export const tableOf = (name: string, model: SemanticModel = tables): HeldTable =>
  heldTable(entryOf(model.rollups, name), tableContext(model))

interface Asked {
  readonly query: AggregateQuery
  readonly request: BlockRequest
  readonly reading: TableReading
}

/** The first request of a question, and the table beside it. */
export function asked(select: object, rollup = 'Daily', more: object = {}, model: SemanticModel = tables): Asked {
  const query = aggregateQuery({ select: { dimensions: [], measures: ['Sales'], ...select }, ...more }, model)
  const { request } = firstOf(blockRequests(query))
  return {
    query,
    request,
    reading: { table: tableOf(rollup, model), graph: query.graph, model, time: query.time, hasQuotients: true },
  }
}

/** A column of a table begins with `#`. */
export const shownField = (expression: Expr<ColumnRef>): string =>
  said(mapLeaves<ColumnRef, RelationColumn>(expression, ({ column }) => named(column)))

export const shownCondition = (expression: Expr<WhereLeaf>): string =>
  said(
    mapLeaves<WhereLeaf, RelationColumn>(expression, (leaf) => {
      const own = leaf.kind === 'where-field' ? leaf.members[0].expression : undefined
      return named(own && !isInner(own) ? own.column : leaf.kind)
    }),
  )

const named = (column: string): RelationColumn => relationColumn('', column.replace('\u0000', '#'), { kind: 'int' })

/** The code and the field because of which something is not read. */
export const shownUnread = (found: object): string => (isUnread(found) ? `${found.reason} ${found.field}` : 'read')
