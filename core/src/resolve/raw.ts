import { fail } from '../errors.js'
import { zip } from '../invariant.js'
import type { QueryObject } from '../query/query-object.js'
import { Aliases } from './aliases.js'
import { resolveWhere } from './filters.js'
import type { JoinGraph } from './join-graph.js'
import { namedColumns } from './named-column.js'
import { resolveOrder } from './order.js'
import { relationColumn } from './relation-column.js'
import type { Output, QueryBase, RawQuery, ResolveContext, ResolveOptions } from './resolved-query.js'

const NO_PAGE = { limit: undefined, offset: undefined }

/** Raw rows: one per row of the object that reaches every field. Throws `RAW_FIELD_UNKNOWN_COLUMN`, `MIXED_RAW_AND_AGGREGATE_MODE`. */
export function resolveRaw(
  query: QueryObject,
  context: ResolveContext,
  options: ResolveOptions,
  { warnings, clockUnits }: Pick<QueryBase, 'warnings' | 'clockUnits'>,
): RawQuery {
  const { model, graph, time } = context
  const { select } = query
  if (select.dimensions.length + select.measures.length + query.having.length > 0 || query.dimensions_exclude) {
    fail(
      'MIXED_RAW_AND_AGGREGATE_MODE',
      'raw fields give detail rows and cannot be combined with dimensions, measures or having',
      {
        path: 'select.fields',
      },
    )
  }
  const asked = namedColumns(select.fields, model, 'select.fields')
  // Some engines do not distinguish columns whose names differ only in case.
  const names = new Aliases()
  const fields = asked.map((field) => ({ ...field, name: names.column(field.name) }))
  const base = rawBase([...new Set(fields.map((f) => f.column.object))], graph)
  const page = { limit: query.limit ?? options.defaultLimit, offset: query.offset }
  const outputs = zip(asked, fields).map(
    ([{ name, type }, field]): Output => ({
      name,
      role: 'field',
      type,
      expression: relationColumn('', field.name, type),
      displayAs: undefined,
      format: undefined,
    }),
  )
  return {
    kind: 'raw',
    columnNames: new Set(),
    clockUnits,
    model,
    graph,
    time,
    where: resolveWhere(query.where, [], context),
    order: resolveOrder(query, { outputs, dimensions: [], absent: [], rowSet: undefined, context: undefined }, NO_PAGE).order,
    ...page,
    strictFilters: query.strict_filters ?? model.settings.strictFilters,
    warnings,
    base,
    fields,
    outputs,
    distinct: select.distinct,
  }
}

function rawBase(read: readonly string[], graph: JoinGraph): string {
  const reachesAll = (node: string): boolean => read.every((r) => graph.reach(node).has(r))
  const own = graph.lowest(read.filter(reachesAll), read)
  if (own) return own
  const candidates = graph.nodes.filter((node) => !graph.pairs.has(node) && reachesAll(node))
  const base = graph.lowest(candidates, read)
  if (base) return base
  const names = read.map((r) => `'${r}'`).join(' and ')
  if (candidates.length === 0)
    return fail('NO_JOIN_PATH', `no data object reaches ${names}, so one row cannot hold them all`, {
      path: 'select.fields',
    })
  return fail(
    'AMBIGUOUS_JOIN',
    `${candidates.map((c) => `'${c}'`).join(' and ')} both reach ${names}; add a field of the one you mean`,
    { path: 'select.fields' },
  )
}
