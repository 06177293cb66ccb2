/** SQL as data: readonly records, distinguished by `kind`. Only `render` writes them as text. */

import type { Elements } from '../bind/bound-block.js'
import type { DataType } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { TableSource } from '../model/semantic-model.js'
import type { RangeFrame } from '../plan/logical-plan.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import type { SortKey } from '../resolve/resolved-query.js'

export type SqlLeaf = RelationColumn | AggregateCall | WindowCall | OutputRef
export type SqlExpr = Expr<SqlLeaf>

export interface AggregateCall {
  readonly kind: 'aggregate'
  readonly name: string
  readonly args: readonly SqlExpr[]
  readonly distinct: boolean
  readonly orderBy: readonly OrderItem[]
  readonly percentile: number | undefined
  readonly delimiter: string | undefined
  readonly type: DataType
}

/** A window function over the rows of its SELECT. */
export interface WindowCall {
  readonly kind: 'window'
  readonly function: string
  readonly args: readonly SqlExpr[]
  readonly partitionBy: readonly SqlExpr[]
  readonly orderBy: readonly OrderItem[]
  readonly frame?: RangeFrame | 'before' | 'up-to-row'
  readonly type: DataType
}

/** An output column of the same SELECT, in ORDER BY. */
export interface OutputRef {
  readonly kind: 'output'
  readonly alias: string
  readonly type: DataType
}

export interface Statement {
  readonly kind: 'statement'
  /** `isKept`: computed once, even if an engine would compute it each time that it is read. */
  readonly ctes: readonly { readonly name: string; readonly query: Query; readonly isKept?: boolean }[]
  readonly body: Query
}

export type Query = Select | UnionAll

export interface UnionAll {
  readonly kind: 'union-all'
  readonly parts: readonly Select[]
}

export interface Select {
  readonly kind: 'select'
  readonly distinct: boolean
  readonly items: readonly SelectItem[]
  readonly from: From
  readonly where: readonly SqlExpr[]
  readonly among?: readonly Among[]
  /** Only rows for which a query finds rows, or finds none. The query is correlated: it reads the tested row. */
  readonly found?: readonly { readonly negated: boolean; readonly query: Select }[]
  /** The grouping keys; the same expressions as their items. */
  readonly groupBy: readonly SqlExpr[]
  /** Positions of the keys of each grouping set; one set of all keys if absent. */
  readonly sets?: readonly (readonly number[])[]
  readonly having: readonly SqlExpr[]
  readonly orderBy: readonly OrderItem[]
  readonly limit: number | undefined
  readonly offset: number | undefined
}

/** Only rows whose `key` is among the values of a query of one column. */
export interface Among {
  readonly key: SqlExpr
  readonly query: Select
}

export interface SelectItem {
  readonly expression: SqlExpr
  readonly alias: string
  readonly type: DataType
}

/** A sort key whose order, if it has an explicit one, is written out. */
export interface OrderItem extends Omit<SortKey<SqlExpr>, 'sequence'> {
  /** A column of the row set, and not computed for the order. */
  readonly isColumn?: boolean
}

export type From =
  | { readonly kind: 'table'; readonly source: TableSource; readonly alias: string; readonly elements?: Elements }
  | { readonly kind: 'cte'; readonly name: string; readonly alias: string }
  /** A SELECT of constants reads nothing. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'subquery'; readonly query: Query; readonly alias: string }
  | {
      readonly kind: 'join'
      /** `anti`: the left rows for which no right row meets the condition. */
      readonly type: 'left' | 'inner' | 'cross' | 'full' | 'anti'
      readonly left: From
      readonly right: From
      readonly on: SqlExpr | undefined
      /** Of the rows that meet the inequality of the condition, the nearest one. */
      readonly nearest?: boolean
      /** In addition to the condition of an inner join. */
      readonly among?: readonly Among[]
    }

/** A SELECT of items from one source, with nothing else except `more`. */
export const select = (items: readonly SelectItem[], from: From, more: Partial<Select> = {}): Select => ({
  kind: 'select',
  distinct: false,
  items,
  from,
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
  limit: undefined,
  offset: undefined,
  ...more,
})

/** An aggregate with only its arguments. */
export const aggregate = (name: string, args: readonly SqlExpr[], type: DataType): AggregateCall => ({
  kind: 'aggregate',
  name,
  args,
  distinct: false,
  orderBy: [],
  percentile: undefined,
  delimiter: undefined,
  type,
})
