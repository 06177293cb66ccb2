import { mapLeaves } from '../model/expression/ast.js'
import { freeName } from '../resolve/aliases.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ValueMap } from '../same.js'
import type { LogicalPlan, NamedExpr } from './logical-plan.js'
import { mapExpressions } from './map-expressions.js'

/** Columns of relations as columns of one relation, with names of which none is taken. */
export function namedColumns(columns: readonly RelationColumn[], taken: readonly NamedExpr[]): readonly NamedExpr[] {
  const named: NamedExpr[] = []
  for (const column of columns)
    named.push({ name: freeName(column.name, [...taken, ...named]), type: column.type, expression: column })
  return named
}

/** What reads the relation `alias` in place of the expressions that its columns are. */
export function readingOf(alias: string, columns: readonly NamedExpr[]): (expression: RowExpr) => RowExpr {
  const read = new ValueMap(
    columns.map(({ name, type, expression }): [RowExpr, RelationColumn] => [expression, relationColumn(alias, name, type)]),
  )
  return (expression) => mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => read.get(leaf) ?? leaf)
}

/** A node in which columns are replaced. */
export const withColumns = <P extends LogicalPlan>(node: P, change: (expression: RowExpr) => RowExpr): P =>
  mapExpressions(node, change) as P
