import type { Finding } from '../errors.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import { Aliases } from '../resolve/aliases.js'
import type { Output, ResolvedQuery } from '../resolve/resolved-query.js'
import { planAggregate } from './aggregate-query.js'
import { planBehind } from './behind.js'
import { planExclude } from './exclude-query.js'
import { FilterReport } from './filter-report.js'
import { planGrouped } from './grouped-query.js'
import type { LogicalPlan } from './logical-plan.js'
import type { Planned } from './planned.js'
import { planRaw } from './raw-query.js'
import { asDeclared, type RowsContext, type StoredAs } from './rows-context.js'

export interface Catalogues {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  /** Without it every column is taken to be what it is declared as. */
  readonly storedAs?: StoredAs
}

export interface QueryPlan {
  readonly plan: LogicalPlan
  readonly columns: readonly Output[]
  readonly warnings: readonly Finding[]
  /** Home of every block, in plan order. */
  readonly homes: readonly string[]
}

/** The shape of the computation. Throws `NO_JOIN_PATH`, `AMBIGUOUS_JOIN`, `KEY_REQUIRED`, `FILTER_…`. */
export function planQuery(query: ResolvedQuery, { functions, aggregates, storedAs = asDeclared }: Catalogues): QueryPlan {
  const aliases = new Aliases(tableNames(query), query.columnNames)
  const { model, graph, time } = query
  const context: RowsContext = { model, graph, time, functions, aggregates, aliases, storedAs }
  const report = new FilterReport(query)
  const planned = planKind(query, context, report)
  const page = limited(planned.plan, query)
  return { ...planned, plan: page, warnings: once([...query.warnings, ...report.finish(), ...(planned.warnings ?? [])]) }
}

function planKind(query: ResolvedQuery, context: RowsContext, report: FilterReport): Planned {
  switch (query.kind) {
    case 'aggregate':
      return planAggregate(query, context, report)
    case 'grouped':
      return planGrouped(query, context, report)
    case 'exclude':
      return planExclude(query, context, report)
    case 'raw':
      return planRaw(query, context, report)
    case 'behind':
      return planBehind(query, context, report)
  }
}

const once = (warnings: readonly Finding[]): Finding[] => [
  ...new Map(warnings.map((w) => [`${w.code} ${w.message}`, w])).values(),
]

function limited(input: LogicalPlan, { limit, offset }: ResolvedQuery): LogicalPlan {
  return limit === undefined && offset === undefined ? input : { kind: 'limit', input, limit, offset }
}

/** Names that a CTE must not take: some engines read a CTE named like its own table as a circle. */
function* tableNames({ model }: ResolvedQuery): Iterable<string> {
  yield 'answer'
  for (const object of model.dataObjects.values()) if (object.source.kind === 'table') yield object.source.name
}
