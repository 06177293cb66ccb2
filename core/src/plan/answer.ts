import { sameType } from '../model/data-type.js'
import { Aliases } from '../resolve/aliases.js'
import { coalesce, text } from '../resolve/expressions.js'
import type { RowExpr } from '../resolve/relation-column.js'
import type { Output, ResolvedOrder, SortKey } from '../resolve/resolved-query.js'
import type { LogicalPlan, NamedExpr } from './logical-plan.js'

/** The columns of the answer. Some engines ignore case in names, so names that differ only in case get a number. */
export function displayed(outputs: readonly Output[], read: (expression: RowExpr) => RowExpr): NamedExpr[] {
  const names = new Aliases()
  return outputs.map((output) => display(output, names.column(output.name), read(output.expression)))
}

/** An output with its declared type, which is applied only here. */
function display({ type, displayAs, ofNull }: Output, name: string, expression: RowExpr): NamedExpr {
  if (ofNull !== undefined) return { name, type, expression: coalesce(expression, text(ofNull)) }
  if (displayAs === undefined || sameType(displayAs, type)) return { name, type, expression }
  return { name, type: displayAs, expression: { kind: 'cast', operand: expression, type: displayAs } }
}

export function sorted(input: LogicalPlan, order: readonly ResolvedOrder[], read: (expression: RowExpr) => RowExpr): LogicalPlan {
  if (order.length === 0) return input
  const keys: SortKey<RowExpr>[] = order.map(({ expression, type, descending, nullsFirst, sequence }) => ({
    expression: read(expression),
    type,
    descending,
    nullsFirst,
    sequence,
  }))
  return { kind: 'sort', input, keys }
}
