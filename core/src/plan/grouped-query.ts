import type { GroupedQuery } from '../resolve/resolved-query.js'
import { planAggregate } from './aggregate-query.js'
import type { FilterReport } from './filter-report.js'
import type { LogicalPlan } from './logical-plan.js'
import { displayed, type Planned, sorted } from './planned.js'
import type { RowsContext } from './rows-context.js'

/** Every level planned as the query that it is, then united. */
export function planGrouped(query: GroupedQuery, context: RowsContext, report: FilterReport): Planned {
  const levels = query.levels.map((level) => planAggregate(level, context, report))
  const columns = query.levels[0]!.outputs.map(({ name, type, displayAs }) => ({ name, type: displayAs ?? type }))
  const rows: LogicalPlan = {
    kind: 'union',
    alias: context.aliases.derived('levels'),
    inputs: levels.map((l) => l.plan),
    columns,
    reason: 'each subtotal level is recomputed from rows',
  }
  const as = (expression: (typeof query.outputs)[number]['expression']) => expression
  return {
    plan: {
      kind: 'project',
      input: sorted(rows, query.order, as),
      alias: 'answer',
      columns: displayed(query.outputs, as),
    },
    columns: query.outputs,
    homes: [...new Set(levels.flatMap((l) => l.homes))],
    warnings: levels.flatMap((l) => l.warnings ?? []),
  }
}
