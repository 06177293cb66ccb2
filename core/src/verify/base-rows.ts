import { boundRows } from '../bind/bound-rows.js'
import { MeasuredQueries } from '../bind/measured-queries.js'
import { readExpression } from '../bind/read-rows.js'
import { rowsOf } from '../bind/rows.js'
import type { DataType } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import { valueType } from '../model/expression/value-type.js'
import { planPartsOf } from '../plan/block.js'
import { planRows } from '../plan/from.js'
import type { LogicalPlan } from '../plan/logical-plan.js'
import { uniquelyNamed } from '../plan/unique-names.js'
import { withMeasured } from '../plan/with-measured.js'
import { joinGraph } from '../resolve/join-graph.js'
import { modelCondition } from '../resolve/model-condition.js'
import { relationColumn, tablesIn } from '../resolve/relation-column.js'
import { columnOf } from '../resolve/resolved-query.js'
import { buildStatement } from '../sql/build-statement.js'
import type { Query, SqlExpr, Statement } from '../sql/statement.js'
import { storageOf } from '../sql/storage-of.js'
import type { VerifyContext } from './verify-context.js'

export interface BaseColumn {
  readonly name: string
  readonly expression: Expr<ColumnRef>
}

/** Rows as a named part of a statement, and its columns as other parts read them. */
export interface BaseRows {
  readonly ctes: Statement['ctes']
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: DataType; readonly read: SqlExpr }[]
}

/** Rows of an object under a name, and the columns that are read from them; `all` without its static filters. */
interface WantedRows {
  readonly object: string
  readonly name: string
  readonly wanted: readonly BaseColumn[]
  readonly all?: boolean | undefined
}

/**
 * The rows of an object with the requested values. Rows that a static filter of the model removes do not belong to the object; `all` reads
 * the whole table.
 */
export function baseRows({ object, name, wanted, all = false }: WantedRows, context: VerifyContext): BaseRows {
  const { model, dialect, storedTypes, functions, aggregates, time } = context
  const { storedAs } = storageOf(model, storedTypes, dialect)
  const around = { model, graph: joinGraph(model, []), time, functions, aggregates, storedAs }
  const measuredQueries = new MeasuredQueries(around)
  const rows = rowsOf({ ...around, measuredQueries }, object)
  const columns = wanted.map((column) => ({
    name: column.name,
    expression: readExpression(rows, column.expression),
    type: valueType<ColumnRef>(column.expression, (ref) => columnOf(model, ref).type, functions),
  }))
  const conditions = all
    ? []
    : model.filters
        .filter((filter) => filter.dataObject === object)
        .map((filter) => modelCondition(filter.condition, (ref) => readExpression(rows, ref), rows.context))
  const input = conditions.reduce<LogicalPlan>(
    (plan, condition) => ({ kind: 'filter', input: plan, condition, reason: 'a filter of the model' }),
    planRows(boundRows(rows, [...columns.map((c) => c.expression), ...conditions].flatMap(tablesIn)), planPartsOf()),
  )
  const selected: LogicalPlan = { kind: 'project', input, alias: name, columns }
  const plan = uniquelyNamed(withMeasured(selected, measuredQueries.all, name), new Set())
  const { ctes, body } = buildStatement(plan)
  return {
    ctes: [...ctes, { name, query: body satisfies Query }],
    name,
    columns: columns.map((c) => ({ name: c.name, type: c.type, read: relationColumn(name, c.name, c.type) })),
  }
}
