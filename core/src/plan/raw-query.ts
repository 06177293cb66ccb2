import type { NamedExpr } from '../bind/bound-block.js'
import type { BoundRaw } from '../bind/bound-query.js'
import { mapLeaves } from '../model/expression/ast.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ascending } from '../resolve/resolved-query.js'
import { planPartsOf } from './block.js'
import { filtered, planFrom } from './from.js'
import type { LogicalPlan } from './logical-plan.js'

/** Raw rows of one base. */
export function planRaw(query: BoundRaw): LogicalPlan {
  const { multiplies, distinct, fields, key } = query
  const input = filtered(planFrom(query.from, planPartsOf()), query.where)
  const alias = 'detail'
  const own = (e: NamedExpr): NamedExpr => ({ ...e, expression: relationColumn(alias, e.name, e.type) })
  if (distinct) {
    const each: LogicalPlan = { kind: 'distinct', input, alias, columns: fields, reason: 'distinct rows were asked for' }
    return shown(query, { input: each, columns: fields.map(own), ties: fields.map(own) })
  }
  if (!multiplies) return shown(query, { input, columns: fields, ties: key.length > 0 ? key : fields })
  const once: LogicalPlan = {
    kind: 'distinct',
    input,
    alias,
    columns: [...fields, ...key],
    reason: 'each row once, however often its connections meet the filter',
  }
  return shown(query, { input: once, columns: fields.map(own), ties: key.map(own) })
}

interface Detail {
  readonly input: LogicalPlan
  readonly columns: readonly NamedExpr[]
  /** The columns that identify a row. */
  readonly ties: readonly NamedExpr[]
}

function shown({ order, paged }: BoundRaw, { input, columns, ties }: Detail): LogicalPlan {
  const read = (expression: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => columns.find((c) => c.name === leaf.name)?.expression ?? leaf)
  const asked = order.map(({ expression, type, descending, nullsFirst }) => ({
    expression: read(expression),
    type,
    descending,
    nullsFirst,
  }))
  const keys = [...asked, ...(paged ? ties.map(({ expression, type }) => ascending(expression, type)) : [])]
  const ordered: LogicalPlan = keys.length > 0 ? { kind: 'sort', input, keys } : input
  return { kind: 'project', input: ordered, alias: 'answer', columns }
}
