import { fail, within } from '../errors.js'
import { mapLeaves } from '../model/expression/ast.js'
import { Aliases } from '../resolve/aliases.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { RawQuery } from '../resolve/resolved-query.js'
import { Connections } from './connections.js'
import { conjunctsFor, type FilterReport } from './filter-report.js'
import { filtered } from './filtered.js'
import type { LogicalPlan, NamedExpr } from './logical-plan.js'
import type { Planned } from './planned.js'
import type { RowsContext } from './rows-context.js'

/** Detail rows of one home. */
export function planRaw(query: RawQuery, context: RowsContext, report: FilterReport): Planned {
  const { home } = query
  const { conjuncts, bridges, apart } = conjunctsFor(home, query, report, `the rows of '${home}'`)
  const connections = new Connections(context, home, bridges, apart)
  const rows = connections.home
  const names = new Aliases()
  const fields: NamedExpr[] = query.fields.map((f, i) => ({
    name: names.column(f.name),
    type: f.type,
    expression: within(`select.fields[${i}]`, () => rows.expression(f.column)),
  }))
  const key = query.model.dataObjects.get(home)!.key
  const keys: NamedExpr[] = key.map((name, i) => {
    const { type } = query.model.dataObjects.get(home)!.columns.get(name)!
    return { name: `key_${i + 1}`, type, expression: rows.column(rows.root, name) }
  })
  const conditions = [
    ...rows.requiredConditions().map((expression) => ({ expression, reason: 'a required join drops rows without a match' })),
    ...rows.staticConditions().map((expression) => ({ expression, reason: 'static filter of the model' })),
    ...conjuncts.map((c) => ({
      expression: within(c.path, () => connections.where(c.expression, c.path)),
      reason: `where on ${c.fields.map((f) => `'${f}'`).join(', ')}`,
    })),
  ]
  const input = filtered(connections.plan(), conditions)
  const paged = query.limit !== undefined || query.offset !== undefined
  return {
    plan: rawRows(query, { input, fields, keys, paged, multiplies: connections.multiplies }, context),
    columns: query.outputs,
    homes: [home],
  }
}

interface RawParts {
  readonly input: LogicalPlan
  readonly fields: readonly NamedExpr[]
  readonly keys: readonly NamedExpr[]
  readonly paged: boolean
  readonly multiplies: boolean
}

function rawRows(query: RawQuery, { input, fields, keys, paged, multiplies }: RawParts, context: RowsContext): LogicalPlan {
  const alias = context.aliases.derived('detail')
  const own = (e: NamedExpr): NamedExpr => ({ ...e, expression: relationColumn(alias, e.name, e.type) })
  const through = (plan: LogicalPlan, columns: readonly NamedExpr[], ties: readonly NamedExpr[]): LogicalPlan => {
    const read = (expression: RowExpr): RowExpr =>
      mapLeaves<RelationColumn, RelationColumn>(
        expression,
        (leaf) => columns.find((c) => c.name === leaf.name)?.expression ?? leaf,
      )
    const tie = ties.map(({ expression, type }) => ({ expression, type, descending: false, nullsFirst: false }))
    const keysOfOrder = query.order.map((o) => ({
      expression: read(o.expression),
      type: o.type,
      descending: o.descending,
      nullsFirst: o.nullsFirst,
    }))
    const all = [...keysOfOrder, ...(paged ? tie : [])]
    const ordered: LogicalPlan = all.length > 0 ? { kind: 'sort', input: plan, keys: all } : plan
    return { kind: 'project', input: ordered, alias: 'answer', columns }
  }
  if (query.distinct) {
    const distinct: LogicalPlan = { kind: 'distinct', input, alias, columns: fields, reason: 'distinct rows were asked for' }
    return through(distinct, fields.map(own), fields.map(own))
  }
  if (!multiplies) return through(input, fields, keys.length > 0 ? keys : fields)
  if (keys.length === 0) {
    fail(
      'KEY_REQUIRED',
      `a row of '${query.home}' can meet the filter in several ways; mark its key with primaryKey, so that it stands once`,
      { path: 'where' },
    )
  }
  const distinct: LogicalPlan = {
    kind: 'distinct',
    input,
    alias,
    columns: [...fields, ...keys],
    reason: 'each row once, however often its connections meet the filter',
  }
  return through(distinct, fields.map(own), keys.map(own))
}
