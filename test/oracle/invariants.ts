/** Changes of a query (or its model) that must not change the answer. */
import type { ColumnAddress, ColumnJson, FilterJson, GrainJson, ModelJson, QueryJson, Tables, WrittenJson } from './model.js'

const reversed = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toReversed())

/** The key of an object is its columns in their order; without another order it determines the first row. */
function columnsBackwards(columns: Readonly<Record<string, ColumnJson>>): Record<string, ColumnJson> {
  const [keys, others] = [true, false].map((isKey) =>
    Object.fromEntries(Object.entries(columns).filter(([, { primaryKey = false }]) => primaryKey === isKey)),
  )
  return { ...reversed(others!), ...keys }
}

/** The same model, declared in reverse order: objects, columns, joins, dimensions, measures, metrics, filters. */
export function declaredBackwards(model: ModelJson): ModelJson {
  const dataObjects = Object.entries(model.dataObjects).map(([name, o]) => [
    name,
    { ...o, columns: columnsBackwards(o.columns), ...(o.joins && { joins: o.joins.toReversed() }) },
  ])
  return {
    ...model,
    dataObjects: reversed(Object.fromEntries(dataObjects)),
    ...(model.dimensions && { dimensions: reversed(model.dimensions) }),
    ...(model.measures && { measures: reversed(model.measures) }),
    ...(model.metrics && { metrics: reversed(model.metrics) }),
    ...(model.filters && { filters: model.filters.toReversed() }),
  }
}

/** New names for everything that has one; tables and their columns keep theirs. */
export function renamed(
  model: ModelJson,
  data: Tables,
  query: QueryJson,
): { readonly model: ModelJson; readonly data: Tables; readonly query: QueryJson } {
  return { model: renameModel(model), data: renameData(data), query: renameQuery(model, query) }
}

const object = (name: string): string => `Ω ${name}`
const column = (name: string): string => `${name} "col"`
/** Row counts are named after their objects by pattern. */
const field = (model: ModelJson, name: string): string => {
  const counted = Object.keys(model.dataObjects).find((o) => `${o} Count` === name)
  return counted === undefined ? `${name} (renamed)` : `${object(counted)} Count`
}
const address = (a: ColumnAddress): ColumnAddress => ({ dataObject: object(a.dataObject), column: column(a.column) })

const mapKeys = <T, U>(
  record: Readonly<Record<string, T>>,
  key: (k: string) => string,
  value: (v: T, k: string) => U,
): Record<string, U> => Object.fromEntries(Object.entries(record).map(([k, v]) => [key(k), value(v, k)]))

/** `{[Object].[Column]}` and `{Column}`. */
function columnExpression(text: string): string {
  return text.replace(/\{\[([^\]]+)\]\.\[([^\]]+)\]\}|\{([^[\]{}]+)\}/g, (_, o?: string, c?: string, own?: string) =>
    own === undefined ? `{[${object(o!)}].[${column(c!)}]}` : `{${column(own)}}`,
  )
}

function renameModel(model: ModelJson): ModelJson {
  const named = (name: string): string => field(model, name)
  return {
    ...model,
    dataObjects: mapKeys(model.dataObjects, object, (o) => ({
      ...o,
      columns: mapKeys(o.columns, column, (c) =>
        c.expression === undefined ? c : { ...c, expression: columnExpression(c.expression) },
      ),
      ...(o.joins && {
        joins: o.joins.map((j) => ({
          ...j,
          joinTo: object(j.joinTo),
          columnsFrom: j.columnsFrom.map(column),
          columnsTo: j.columnsTo.map(column),
        })),
      }),
    })),
    dimensions: mapKeys(model.dimensions ?? {}, named, (d) => ({
      ...d,
      dataObject: object(d.dataObject),
      ...(d.column !== undefined && { column: column(d.column) }),
      ...(d.expression !== undefined && { expression: columnExpression(d.expression) }),
      ...(d.via !== undefined && { via: object(d.via) }),
    })),
    measures: mapKeys(model.measures ?? {}, named, (m) => ({
      ...m,
      ...(m.columns && { columns: m.columns.map(address) }),
      ...(m.expression !== undefined && { expression: columnExpression(m.expression) }),
      ...(m.withinGroup && { withinGroup: { ...m.withinGroup, column: address(m.withinGroup.column) } }),
      ...(m.filters && { filters: m.filters.map(renameMeasureFilter) }),
      ...(m.grain && { grain: renameLists(m.grain, named) }),
      ...(m.filterContext && { filterContext: renameLists(m.filterContext, named) }),
    })),
    ...(model.metrics && {
      metrics: mapKeys(model.metrics, named, (m) => ({
        ...m,
        ...(m.expression !== undefined && {
          expression: m.expression.replace(/\{\[([^\]]+)\]\}/g, (_, n: string) => `{[${named(n)}]}`),
        }),
        ...(m.measure !== undefined && { measure: named(m.measure) }),
        ...(m.timeDimension !== undefined && { timeDimension: named(m.timeDimension) }),
        ...(m.partitionBy && { partitionBy: m.partitionBy.map(named) }),
        ...(m.periodOverPeriod && {
          periodOverPeriod: { ...m.periodOverPeriod, timeDimension: named(m.periodOverPeriod.timeDimension) },
        }),
      })),
    }),
    ...(model.filters && { filters: model.filters.map((f) => ({ ...f, ...address(f) })) }),
  }
}

const renameLists = (lists: GrainJson, named: (name: string) => string): GrainJson => ({
  ...lists,
  ...(lists.include && { include: lists.include.map(named) }),
  ...(lists.exclude && { exclude: lists.exclude.map(named) }),
  ...(lists.keepOnly && { keepOnly: lists.keepOnly.map(named) }),
})

type MeasureFilter = NonNullable<NonNullable<ModelJson['measures']>[string]['filters']>[number]

function renameMeasureFilter(filter: MeasureFilter): MeasureFilter {
  if ('logic' in filter) return { ...filter, filters: filter.filters.map(renameMeasureFilter) }
  if ('expression' in filter) return { expression: columnExpression(filter.expression) }
  return 'field' in filter ? { ...filter, field: renameAddress(filter.field) } : { ...filter, column: address(filter.column) }
}

function renameAddress(text: string): string {
  const at = text.indexOf('.')
  return `${object(text.slice(0, at))}.${column(text.slice(at + 1))}`
}

const renameData = (data: Tables): Tables => mapKeys(data, object, (rows) => rows.map((r) => mapKeys(r, column, (v) => v)))

function renameQuery(model: ModelJson, query: QueryJson): QueryJson {
  const named = (text: string): string => {
    const grain = /^(.*):(\w+)$/.exec(text)
    if (grain && model.dimensions?.[grain[1]!]) return `${field(model, grain[1]!)}:${grain[2]}`
    if (model.dimensions?.[text] || model.measures?.[text] || model.metrics?.[text] || text.endsWith(' Count'))
      return field(model, text)
    if (model.dataObjects[text]) return object(text)
    return text.includes('.') ? renameAddress(text) : text
  }
  const filter = (f: WrittenJson): WrittenJson => {
    if (typeof f === 'string') return named(f)
    if ('segment' in f) return { segment: named(f.segment) }
    if ('logic' in f) return { ...f, filters: f.filters.map(filter) }
    if (!f.subquery) return { ...f, field: named(f.field) } as FilterJson
    const inner = (f.subquery.filter ?? []).map((x) =>
      typeof x === 'object' && 'field' in x ? { ...x, field: column(x.field) } : x,
    )
    return { ...f, field: named(f.field), subquery: { ...f.subquery, dataObject: object(f.subquery.dataObject), filter: inner } }
  }
  const { select } = query
  return {
    ...query,
    select: {
      ...select,
      ...(select.dimensions && {
        dimensions: select.dimensions.map((d) =>
          typeof d === 'string' ? named(d) : { coalesce: d.coalesce.map(named), as: d.as },
        ),
      }),
      ...(select.measures && { measures: select.measures.map(named) }),
      ...(select.fields && { fields: select.fields.map(renameAddress) }),
    },
    ...(query.where && { where: query.where.map(filter) }),
    ...(query.having && { having: query.having.map((f) => filter(f as WrittenJson) as FilterJson) }),
    ...(query.order_by && {
      order_by: query.order_by.map((o) => ({ ...o, field: typeof o.field === 'number' ? o.field : named(o.field) })),
    }),
    ...(query.use_path_names && {
      use_path_names: query.use_path_names.map((p) => ({ ...p, source: object(p.source), target: object(p.target) })),
    }),
  }
}

/** The names of what is selected, as output columns. */
export const selected = ({ select }: QueryJson): string[] => [
  ...(select.dimensions ?? []).map((d) => (typeof d === 'string' ? d : d.as)),
  ...(select.measures ?? []),
]

/** Without anything that selects some of the rows after they are computed. */
export function unpaged({ limit: _, offset: __, having: ___, order_by: ____, ...query }: QueryJson): QueryJson {
  return query
}
