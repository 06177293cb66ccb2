import type { Finding } from '../errors.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { GroupedQuery, ResolvedQuery } from '../resolve/resolved-query.js'
import { type Bound, bindAggregate } from './bind-aggregate.js'
import { bindBehind } from './bind-behind.js'
import { asDeclared, type BindContext, type StoredAs } from './bind-context.js'
import { bindDimensionRows, bindExclude } from './bind-dimensions.js'
import { bindRaw } from './bind-raw.js'
import type { BoundAggregateQuery, BoundGrouped, BoundQuery, BoundRowSet } from './bound-query.js'
import { MeasuredQueries } from './measured-queries.js'
import { reachOfAll, reachWarnings } from './reach.js'
import type { RequestRuleOptions } from './request-rule.js'
import { refuseMissing } from './restrictions.js'
import { allTables, NO_TABLES, type RollupTables } from './rollups/table-sources.js'

export interface Catalogues {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  /** Without it, every column is assumed to be stored as declared. */
  readonly storedAs?: StoredAs
  /** Without it, every rule is applied. */
  readonly rules?: RequestRuleOptions
  /** Without it, no rollup table is read. */
  readonly rollups?: RollupTables | undefined
}

/** Decides which rows each number is computed from. Throws `NO_JOIN_PATH`, `AMBIGUOUS_JOIN`, `KEY_REQUIRED`, `FILTER_…`. */
export function bindQuery(
  query: ResolvedQuery,
  { functions, aggregates, storedAs = asDeclared, rules: options, rollups }: Catalogues,
): BoundQuery {
  const { model, graph, time, limit, offset } = query
  const outer = { model, graph, time, functions, aggregates, storedAs, rules: options }
  // A column that is a measure is computed from rows.
  const measuredQueries = new MeasuredQueries(outer)
  const context: BindContext = { rollups, measuredQueries, ...outer }
  const { rows, reach, warnings, bases, rules = [], tablesRead = NO_TABLES } = bindKind(query, context)
  const top = query.top && bindAggregate(query.top, context)
  const reachOfBoth = top ? reachOfAll([reach, top.reach]) : reach
  refuseMissing(model)
  return {
    rows,
    limit,
    offset,
    top: top && { rows: top.rows, n: query.top?.limit },
    measureColumns: measuredQueries.all,
    bases: [...bases, ...(top?.bases ?? [])],
    warnings: once([
      ...query.warnings,
      ...reachWarnings(query, reachOfBoth),
      ...warnings,
      ...(top?.warnings ?? []),
      ...measuredQueries.warnings,
    ]),
    tables: tableNames(query.model),
    rules: [...new Set([...rules, ...(top?.rules ?? [])])],
    tablesRead: allTables([tablesRead, top?.tablesRead ?? NO_TABLES]),
  }
}

function bindKind(query: ResolvedQuery, context: BindContext): Bound<BoundRowSet> {
  switch (query.kind) {
    case 'aggregate':
      return query.everyRowOf === undefined ? bindAggregate(query, context) : bindDimensionRows(query, query.everyRowOf, context)
    case 'grouped':
      return bindGrouped(query, context)
    case 'exclude':
      return bindExclude(query, context)
    case 'raw':
      return bindRaw(query, context)
    case 'behind':
      return bindBehind(query, context)
  }
}

/** Every level, bound as a separate query. */
function bindGrouped(
  { levels, outputs, order, shown, rowsAreShown = false }: GroupedQuery,
  context: BindContext,
): Bound<BoundGrouped> {
  const bound = levels.map((level) => bindAggregate(level, context))
  const tuples = shown && bindAggregate(shown, context)
  const all = [...bound, ...(tuples ? [tuples] : [])]
  const isWide = rowsAreShown || (tuples !== undefined && all.some(({ rows }) => addsOtherRows(rows)))
  return {
    rows: {
      kind: 'grouped',
      levels: bound.map(({ rows }) => (isWide ? { ...rows, rowsAreShown: true } : rows)),
      outputs,
      order,
      ...(shown && tuples && { shown: { rows: tuples.rows, limit: shown.limit, offset: shown.offset } }),
    },
    reach: reachOfAll(all.map((b) => b.reach)),
    warnings: all.flatMap((b) => b.warnings),
    bases: [...new Set(all.flatMap((b) => b.bases))],
    rules: all.flatMap(({ rules = [] }) => rules),
    tablesRead: allTables(all.map((b) => b.tablesRead ?? NO_TABLES)),
  }
}

/** Whether more rows than those of its blocks can be rows of a level. */
const addsOtherRows = ({ fill, lookups, nested, cumulative, folds, nestedOverRows }: BoundAggregateQuery): boolean =>
  fill !== undefined ||
  lookups.some(({ addsRows }) => addsRows) ||
  nested.length + cumulative.length + folds.length + nestedOverRows.length > 0

const once = (warnings: readonly Finding[]): Finding[] => [
  ...new Map(warnings.map((w) => [`${w.code} ${w.message}`, w])).values(),
]

const tables = new WeakMap<SemanticModel, ReadonlySet<string>>()

/** Names that a CTE must not have, in lower case: some engines read a CTE with the name of its own table as a cycle. */
function tableNames(model: SemanticModel): ReadonlySet<string> {
  const known = tables.get(model)
  if (known) return known
  const names = [...model.dataObjects.values()].flatMap(({ source }) => (source.kind === 'table' ? [source.name] : []))
  const found = new Set(['answer', ...names].map((name) => name.toLowerCase()))
  tables.set(model, found)
  return found
}
