import { type DataType, INT } from '../model/data-type.js'
import { leavesOf, mapLeaves } from '../model/expression/ast.js'
import type { LogicalPlan, NamedWindow, RowExpr } from '../plan/logical-plan.js'
import { binary, integer } from '../resolve/expressions.js'
import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import type { SortKey } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import { type From, type OrderItem, type Select, type SelectItem, type SqlExpr, type SqlLeaf, select } from './statement.js'

export type Columns = ReadonlyMap<string, SqlExpr>

/** A SELECT under construction, and the expression of each column of its relation inside it. */
export interface Draft {
  readonly select: Select
  /** Columns by name, for readers that use this draft as the only relation of the row set. */
  readonly columns: Columns
  /** Its stage: no earlier part of a SELECT can be added any more. */
  readonly stage: Stage
  /** Aggregated without keys: one row, as long as it contains an aggregate. */
  readonly oneRow?: boolean
}

const STAGES = ['rows', 'grouped', 'projected', 'sorted', 'limited', 'closed'] as const
export type Stage = (typeof STAGES)[number]
export const before = (a: Stage, b: Stage): boolean => STAGES.indexOf(a) < STAGES.indexOf(b)

/** Columns of the row set (table '') become their expressions in this SELECT; others are read by their own alias. */
export function read(expression: RowExpr, columns: Columns): SqlExpr {
  return mapLeaves<RelationColumn, SqlLeaf>(expression, (leaf) => readColumn(leaf, columns))
}

const readColumn = (leaf: RelationColumn, columns: Columns): SqlExpr =>
  leaf.table === '' ? (columns.get(leaf.name) ?? leaf) : leaf

export function orderItem({ expression, type, descending, nullsFirst, sequence }: SortKey<RowExpr>, columns: Columns): OrderItem {
  const value = read(expression, columns)
  if (!sequence) return { expression: value, type, descending, nullsFirst, isColumn: expression.kind === 'column' }
  return { expression: positionIn(sequence, value, type), type: INT, descending, nullsFirst }
}

/** The position of a text in a list that contains it. */
const positionIn = (sequence: readonly string[], value: SqlExpr, type: DataType): SqlExpr => ({
  kind: 'case',
  branches: sequence.map((text, i) => ({
    when: binary<SqlLeaf>('=', value, { kind: 'literal', value: text, type }),
    then: integer(i + 1),
  })),
  otherwise: undefined,
})

/** A draft in which the keys can be used in expressions: not every engine accepts grouping keys there. */
export function openToKeys(draft: Draft, reads: readonly Pick<NamedWindow, 'orderBy' | 'where'>[], input: LogicalPlan): Draft {
  const inside = reads.some(({ orderBy, where }) => where !== undefined || orderBy.some((key) => key.sequence))
  return draft.stage !== 'rows' && inside ? derived(draft, aliasOf(input)) : draft
}

/** A draft whose distinct values are counted before windows sum them: not every engine does both at once. */
export function openToCounts(draft: Draft, calls: readonly Pick<NamedWindow, 'args'>[], input: LogicalPlan): Draft {
  const reads = calls.flatMap(({ args }) => args.flatMap((e) => leavesOf<SqlLeaf>(read(e, draft.columns))))
  const counts = reads.some((leaf) => leaf.kind === 'aggregate' && (leaf.distinct || leaf.name === 'count_distinct'))
  return counts ? derived(draft, aliasOf(input)) : draft
}

/** All columns of `from`, with nothing selected yet. */
export const rowsOf = (from: From): Draft => ({ select: select([], from), columns: NO_COLUMNS, stage: 'rows' })

const NO_COLUMNS: Columns = new Map()

/** The draft as a derived table, to which every part can be added. */
export function derived(draft: Draft, alias: string): Draft {
  return { ...rowsOf({ kind: 'subquery', query: finish(draft), alias }), columns: columnsUnder(alias, draft) }
}

export function columnsUnder(alias: string, draft: Draft): Map<string, SqlExpr> {
  return new Map(draft.select.items.map((item) => [item.alias, relationColumn(alias, item.alias, item.type)]))
}

/** A sort key that is a column of the row set is written as the name of its output, at its first use as a sort key. */
export function finish({ select }: Draft): Select {
  if (select.orderBy.length === 0) return select
  const named = new Set<SelectItem>()
  const orderBy = select.orderBy.map((key): OrderItem => {
    if (!key.isColumn) return key
    const output = select.items.find((item) => !named.has(item) && isSame(item.expression, key.expression))
    if (!output) return key
    named.add(output)
    return { ...key, expression: { kind: 'output', alias: output.alias, type: key.type } }
  })
  return { ...select, orderBy }
}

/** One row of aggregates remains one row even if nothing of it is read: then it is a separate relation. */
export function stillOneRow(draft: Draft, reads: readonly RowExpr[], input: LogicalPlan): Draft {
  const lost = draft.oneRow && !reads.some((e) => hasAggregate(read(e, draft.columns)))
  return lost ? derived(draft, aliasOf(input)) : draft
}

const hasAggregate = (expression: SqlExpr): boolean => leavesOf<SqlLeaf>(expression).some((leaf) => leaf.kind === 'aggregate')

/** The alias under which the plan above reads the columns of a plan. */
export function aliasOf(plan: LogicalPlan): string {
  switch (plan.kind) {
    case 'scan':
    case 'project':
    case 'distinct':
    case 'aggregate':
    case 'combine':
    case 'lookup':
    case 'window':
    case 'numbers':
    case 'union':
    case 'shared':
    case 'top-values':
    case 'measured-rows':
      return plan.alias
    case 'join':
      return aliasOf(plan.left)
    default:
      return aliasOf(plan.input)
  }
}
